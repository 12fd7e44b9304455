import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ApiError } from '../../../../src/client/core/api-error.ts';
import type { client } from '../../../../src/client/index.ts';
import { makeOnce } from '../runtime/make-once.ts';

const root = resolve(import.meta.dirname, '../../../..');

/**
 * Builds the package of the client as `npm run build:client` does, once in a test run. Returns its
 * folder.
 */
export const buildPackage = (): Promise<string> =>
  makeOnce('client', (folder) => {
    execFileSync(process.execPath, ['src/client/build.ts', '--out', folder], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });

// oxlint-disable-next-line typescript/no-explicit-any -- test/process/client/package.test.ts checks the published types
type Untyped = any;

/** The exports of the built package, without the types of operations. */
export interface BuiltClient {
  client: (config: Parameters<typeof client>[0]) => Untyped;
  webhooks: { verify: (...args: unknown[]) => Promise<Untyped> };
  ApiError: typeof ApiError;
}

/** Builds and loads the package. */
export async function loadPackage(): Promise<BuiltClient> {
  const file = join(await buildPackage(), 'index.js');
  return (await import(pathToFileURL(file).href)) as BuiltClient;
}
