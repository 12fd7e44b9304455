import { statSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { getOpenApiDocument } from '../docs/openapi-document.ts';
import { readMethods } from '../http/openapi/model.ts';
import { formatRows } from '../http/openapi/operation-table.ts';
import { findDateFields } from './build-package.ts';
import { writeDeclarations } from './declarations.ts';

const root = resolve(import.meta.dirname, '../..');

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The version of the package is that of the repository. */
const manifest = JSON.parse(read('package.json')) as {
  version: string;
  engines: { node: string };
};

/** The folder of the built package. */
const clientFolder = join(root, 'dist/client');

/** The file of the command line. */
const programFile = 'store-api.js';

/** Target folder of the package, and the service that it calls. */
interface PackageOptions {
  folder?: string;
  /** Address of the service that the client calls without `baseUrl`. */
  defaultUrl?: string;
}

/** Builds the package from the operations of this repository, and returns its folder. */
async function buildClient({
  folder = clientFolder,
  defaultUrl = 'http://localhost:8787',
}: PackageOptions = {}): Promise<string> {
  const document = getOpenApiDocument('Store', '/v2');
  const methods = readMethods(document);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const options = { bundle: true, format: 'esm', logLevel: 'warning' } as const;
  await build({
    ...options,
    entryPoints: [join(root, 'src/client/index.ts')],
    outfile: join(folder, 'index.js'),
    platform: 'neutral',
    target: 'es2022',
    define: {
      OPERATIONS: JSON.stringify(formatRows(methods)),
      DATE_FIELDS: JSON.stringify(findDateFields(document, methods).join(' ')),
      DEFAULT_URL: JSON.stringify(defaultUrl),
    },
  });
  const program = join(folder, programFile);
  await build({
    ...options,
    entryPoints: [join(root, 'src/client/cli/store-api.ts')],
    outfile: program,
    platform: 'node',
    target: 'node20',
    define: { VERSION: JSON.stringify(manifest.version) },
  });
  chmodSync(program, 0o755);
  const files = { ...packageFiles(), 'index.d.ts': writeDeclarations(document, methods) };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** The files of the package that are not code, by name. */
function packageFiles(): Record<string, string> {
  const published = {
    name: 'online-store-administration-client',
    version: manifest.version,
    description: 'Typed client of the Online Store Administration API: no dependency, any runtime.',
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    engines: manifest.engines,
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
    types: './index.d.ts',
    bin: { 'store-api': `./${programFile}` },
    files: ['*.js', '*.d.ts'],
  };
  return {
    'package.json': `${JSON.stringify(published, null, 2)}\n`,
    'README.md': read('src/client/package-readme.md'),
    LICENSE: read('LICENSE'),
  };
}

/**
 * `npm run build:client [-- --url https://api.example.com] [--out folder]`: builds the package, in
 * `dist/client`.
 */

const { values } = parseArgs({ options: { url: { type: 'string' }, out: { type: 'string' } } });
const folder = await buildClient({
  ...(values.url !== undefined && { defaultUrl: values.url }),
  ...(values.out !== undefined && { folder: values.out }),
});
for (const name of ['index.js', 'index.d.ts']) {
  const path = join(folder, name);
  console.log(`${relative('.', path)}  ${Math.ceil(statSync(path).size / 1024)} KiB`);
}
