import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Makes a folder contain exactly these files. Leaves unchanged ones alone and replaces others at once, since a running service
 * may read them.
 */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, content] of files) {
    const target = join(folder, path);
    if (readIfPresent(target) === content) continue;
    mkdirSync(dirname(target), { recursive: true });
    const temporary = `${target}.${process.pid}.tmp`;
    writeFileSync(temporary, content);
    renameSync(temporary, target);
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll('\\', '/');
    if (entry.isFile() && !files.has(name) && !name.endsWith('.tmp')) rmSync(path, { force: true });
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
