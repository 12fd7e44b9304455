import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Names the folder of a test run; `test/support/setup/run-folder.ts` sets and deletes it. */
export const runFolderVariable = 'TEST_RUN_FOLDER';

/**
 * Returns a folder that `make` fills once in a test run; files in other processes wait for it. The
 * folder belongs to all of them, so its content must not change. Outside a test run every call
 * makes a folder of its own.
 */
export async function makeOnce(
  name: string,
  make: (folder: string) => Promise<void> | void,
): Promise<string> {
  const run = process.env[runFolderVariable];
  const folder = run ? join(run, name) : mkdtempSync(join(tmpdir(), `store-api-${name}-`));
  if (!run) {
    await make(folder);
    return folder;
  }
  const outcome = `${folder}.outcome`;
  try {
    mkdirSync(folder);
  } catch {
    while (!existsSync(outcome)) await setTimeout(50);
    const failure = readFileSync(outcome, 'utf8');
    if (failure) throw new Error(failure);
    return folder;
  }
  let failure = '';
  try {
    await make(folder);
  } catch (error) {
    failure = `${name}: ${String(error)}`;
    throw error;
  } finally {
    writeFileSync(outcome, failure);
  }
  return folder;
}
