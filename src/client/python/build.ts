import type { MethodRow } from '../../http/openapi/operation-table.ts';
import { buildPackage, lettersOf } from '../build-package.ts';
import { snake, writeStubs } from './declarations.ts';

/** The letters of verbs. */
const verbs: Record<string, string> = { GET: 'G', POST: 'P', PUT: 'U', PATCH: 'A', DELETE: 'D' };

/**
 * Writes the table: a line for each group, with its common path; then each path below that with its
 * methods, such as `/{id},show,update=Udb`.
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

/** The letters of methods with these names, which their rows leave out. */
const usual: Record<string, string> = { list: 'Glq', show: 'Gbq', delete: 'Dnn' };

function writeMethod(row: MethodRow): string {
  const letters = `${verbs[row.verb]}${lettersOf(row)}`;
  return letters === usual[row.method] ? row.method : `${snake(row.method)}=${letters}`;
}

/** The longest path, up to a slash, that all paths begin with. */
function commonPath(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/'));
  const length = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  return first.slice(0, length === -1 ? undefined : length).join('/');
}

buildPackage({
  language: 'python',
  code: 'online_store_administration',
  project: 'pyproject.toml',
  write: (content) => ({
    'types.pyi': writeStubs(content),
    '_operations.py': [
      '# Written by the build. Letters: verb, result, argument.',
      `VERBS = ${JSON.stringify(Object.fromEntries(Object.entries(verbs).map(([verb, letter]) => [letter, verb])))}`,
      `USUAL = ${JSON.stringify(usual)}`,
      `VERSION = ${JSON.stringify(content.version)}`,
      `DEFAULT_URL = ${JSON.stringify(content.defaultUrl)}`,
      `DATE_FIELDS = ${JSON.stringify(content.dateFields.join(' '))}`,
      `OPERATIONS = """\n${writeTable(content.methods)}\n"""\n`,
    ].join('\n'),
  }),
});
