import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const packageName = 'online-store-administration-client';

/** The file of the command line. */
export const programFile = 'store-api.js';

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');

/** The files of the package that are not code, by name. */
export function packageFiles(): Record<string, string> {
  // The version of the package is that of the repository.
  const { version, engines } = JSON.parse(read('../../../package.json')) as {
    version: string;
    engines: { node: string };
  };
  const manifest = {
    name: packageName,
    version,
    description: 'Typed client of the Online Store Administration API: no dependency, any runtime.',
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    engines,
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
    types: './index.d.ts',
    bin: { 'store-api': `./${programFile}` },
    files: ['*.js', '*.d.ts'],
  };
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'README.md': read('./package-readme.md'),
    LICENSE: read('../../../LICENSE'),
  };
}
