import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { getOpenApiDocument } from '../../docs/openapi-document.ts';
import { readMethods } from '../../http/openapi/model.ts';
import type { InputKind, MethodRow, ResultKind } from '../../http/openapi/operation-table.ts';

const root = resolve(import.meta.dirname, '../../..');
const source = import.meta.dirname;

/** The module, in the source and in the package. */
const moduleName = 'online_store_administration';

/** The letters of the table, which `_client.py` reads. */
const verbs: Record<string, string> = { GET: 'G', POST: 'P', PUT: 'U', PATCH: 'A', DELETE: 'D' };
const results: Record<ResultKind, string> = {
  bare: 'b',
  data: 'd',
  one: 'o',
  none: 'n',
  list: 'l',
  lines: 's',
};
const inputs: Record<InputKind, string> = { query: 'q', body: 'b', lines: 'l', nothing: 'n' };

/** A name as Python writes it: `addProducts` is `add_products`. */
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Writes the table: a line for each group, with its common path; then each path below that with its methods, such as
 * `/{id},show,update=Udb`.
 */
function writeTable(rows: readonly MethodRow[]): string {
  return [...Map.groupBy(rows, ({ group }) => group)]
    .map(([group, methods]) => {
      const base = commonPath(methods.map(({ path }) => path));
      const below = Map.groupBy(methods, ({ path }) => path.slice(base.length));
      const parts = [...below].map(([path, ones]) => [path, ...ones.map(writeMethod)].join(','));
      return [snake(group), base.replace('/{alias}', '~'), ...parts].join(' ');
    })
    .join('\n');
}

/** The letters that `_client.py` takes for methods with these names. */
const usual: Record<string, string> = { list: 'Glq', show: 'Gbq', delete: 'Dnn' };

function writeMethod({ method, verb, result, input }: MethodRow): string {
  const letters = `${verbs[verb]}${results[result]}${inputs[input]}`;
  return letters === usual[method] ? method : `${snake(method)}=${letters}`;
}

/** The longest path, up to a slash, that all paths begin with. */
function commonPath(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/'));
  const length = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  return first.slice(0, length === -1 ? undefined : length).join('/');
}

/** Builds the Python package from the operations of this repository, in `folder`. */
function buildPython(folder: string, defaultUrl: string): string {
  const target = join(folder, moduleName);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(source, moduleName), target, {
    recursive: true,
    filter: (path) => !path.includes('__pycache__'),
  });
  const table = writeTable(readMethods(getOpenApiDocument('Store', '/v2')));
  const operations = [
    '# Written by the build. Letters: verb, result, argument.',
    `DEFAULT_URL = ${JSON.stringify(defaultUrl)}`,
    `OPERATIONS = """\n${table}\n"""\n`,
  ].join('\n');
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const project = readFileSync(join(source, 'pyproject.toml'), 'utf8');
  const files = {
    [join(moduleName, '_operations.py')]: operations,
    // The version of the package is that of the repository.
    'pyproject.toml': project.replace('{version}', manifest.version),
    'README.md': readFileSync(join(source, 'package-readme.md'), 'utf8'),
    LICENSE: readFileSync(join(root, 'LICENSE'), 'utf8'),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** `npm run build:python [-- --url https://api.example.com] [--out folder]`: builds the package, in `dist/python`. */

const { values } = parseArgs({ options: { url: { type: 'string' }, out: { type: 'string' } } });
const folder = values.out ?? join(root, 'dist/python');
console.log(relative('.', buildPython(folder, values.url ?? 'http://localhost:8787')));
