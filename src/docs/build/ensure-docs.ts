import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readFreshRecord } from './build-record.ts';

/**
 * Builds the documentation of the folder `root` unless it is up to date. In a process that ends,
 * since the program that renders it holds much memory. Returns the problems of its sources, or
 * throws if there is nothing to serve.
 */
export async function ensureDocs(root: string): Promise<readonly string[]> {
  const record = readFreshRecord(root);
  if (record) return record.problems;
  const script = join(root, 'src/docs/build/build-docs.ts');
  let output = '';
  try {
    await promisify(execFile)(process.execPath, [script]);
  } catch (error) {
    output = (error as { stderr?: string }).stderr?.trim() || String(error);
  }
  const built = readFreshRecord(root);
  if (!built) throw new Error(output);
  return built.problems;
}

// `node src/docs/build/ensure-docs.ts`, before a program that serves the documentation.
if (import.meta.main) {
  for (const problem of await ensureDocs('.')) console.warn(problem);
}
