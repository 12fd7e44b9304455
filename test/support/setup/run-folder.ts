import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFolderVariable } from '../node/runtime/make-once.ts';

/**
 * Gives a test run a folder for what its files share, such as the built Worker, and deletes it at
 * the end. Programs that a test starts keep their compiled code there.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'store-api-run-'));
  process.env[runFolderVariable] = folder;
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  return () => rmSync(folder, { recursive: true });
}
