import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { getOpenApiDocument } from '../../docs/openapi-document.ts';
import { formatRows } from '../core/table.ts';
import { readMethods } from '../naming/model.ts';
import { findDateFields } from './date-fields.ts';
import { writeDeclarations } from './declarations.ts';
import { packageFiles, programFile } from './package-files.ts';

const root = resolve(import.meta.dirname, '../../..');

/** The folder of the built package. */
const clientFolder = join(root, 'dist/client');

/** Where the package goes, and which service it calls. */
interface PackageOptions {
  folder?: string;
  /** Address of the service that the client calls without `baseUrl`. */
  defaultUrl?: string;
}

/** Builds the package from the operations of this repository, and returns its folder. */
export async function buildClient({
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
  });
  chmodSync(program, 0o755);
  const files = { ...packageFiles(), 'index.d.ts': writeDeclarations(document, methods) };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
