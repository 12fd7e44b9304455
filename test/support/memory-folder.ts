import { statfsSync } from 'node:fs';

const folder = '/dev/shm';

/**
 * What a whole run may keep there: the databases of its runtimes, and what else the system has in
 * it.
 */
const neededBytes = 2 * 2 ** 30;

/**
 * Returns a folder in memory, on systems that have one with enough room. A file on the disk waits
 * for it at each commit.
 */
export function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= neededBytes ? folder : undefined;
  } catch {
    return undefined;
  }
}
