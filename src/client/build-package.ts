import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { getOpenApiDocument } from '../docs/openapi-document.ts';
import { readMethods } from '../http/openapi/model.ts';
import type { InputKind, MethodRow, ResultKind } from '../http/openapi/operation-table.ts';

const root = resolve(import.meta.dirname, '../..');

const results: Record<ResultKind, string> = {
  bare: 'b',
  data: 'd',
  one: 'o',
  none: 'n',
  list: 'l',
  lines: 's',
};
const inputs: Record<InputKind, string> = { query: 'q', body: 'b', lines: 'l', nothing: 'n' };

/** The letters for result and argument of a method, which the packages of other languages read. */
export const lettersOf = ({ result, input }: MethodRow): string =>
  `${results[result]}${inputs[input]}`;

/** The package of another language. */
interface Package {
  /** Its name in `src/client` and in `dist`. */
  language: string;
  /** The folder of its code, in the source and in the package. */
  code: string;
  /** The file with its name, whose `{version}` becomes that of the repository. */
  project: string;
  /** The file of the table, and what writes it from the operations and the address of the service. */
  table: [name: string, write: (rows: readonly MethodRow[], defaultUrl: string) => string];
}

/**
 * Builds a package from the operations of this repository, as `npm run build:python [-- --url https://api.example.com]
 * [--out folder]` does. Prints its folder.
 */
export function buildPackage({ language, code, project, table: [table, write] }: Package): void {
  const { values } = parseArgs({ options: { url: { type: 'string' }, out: { type: 'string' } } });
  const folder = values.out ?? join(root, 'dist', language);
  const source = join(root, 'src/client', language);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(source, code), join(folder, code), {
    recursive: true,
    filter: (path) => !path.includes('__pycache__'),
  });
  const rows = readMethods(getOpenApiDocument('Store', '/v2'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const files = {
    [join(code, table)]: write(rows, values.url ?? 'http://localhost:8787'),
    [project]: readFileSync(join(source, project), 'utf8').replace('{version}', manifest.version),
    'README.md': readFileSync(join(source, 'package-readme.md'), 'utf8'),
    LICENSE: readFileSync(join(root, 'LICENSE'), 'utf8'),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  console.log(relative('.', folder));
}
