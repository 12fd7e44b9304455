import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFolderVariable } from '../node/runtime/make-once.ts';

/** Gives a test run a folder for what its files share, such as the built Worker, and deletes it at the end. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'store-api-run-'));
  process.env[runFolderVariable] = folder;
  return () => rmSync(folder, { recursive: true });
}
