import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const project = mkdtempSync(join(tmpdir(), 'import-rules-'));

/**
 * The rows of the table in `src/README.md`, read by hand, so that this test does not trust the
 * configuration.
 */
const rows = [
  ...readFileSync(join(root, 'src/README.md'), 'utf8').matchAll(
    /^\| `(\w+)\/` \|.*\| ?([^|]*?) \|$/gm,
  ),
].map(([, folder = '', allowed = '']) => ({
  folder,
  allowed: allowed.split(', ').filter(Boolean),
}));
const folders = rows.map(({ folder }) => folder);

interface Diagnostic {
  code: string;
  filename: string;
  message: string;
}

let diagnostics: Diagnostic[];

/** Writes a file of `src` that imports others. */
function write(file: string, targets: readonly string[], clause = 'import') {
  const imports = targets.map((target, index) => {
    const path = posix.relative(posix.dirname(file), target);
    return `${clause} { a as a${index} } from '${path.startsWith('.') ? path : `./${path}`}';`;
  });
  writeAll(file, `${imports.join('\n')}\nexport const x = 1;\n`);
}

/** Code that uses what only some files may. */
const insides = `
import { getPath } from 'hono/utils/url';
import { textStatement } from '../../data/core/open-database.ts';
export const parts = (a: { _zod: 1; prepare: 1 }) => [a._zod, a['prepare'], getPath, textStatement];
`;
const adapters = ['base/codecs/zod-adapter.ts', 'data/core/drizzle-adapter.ts'];

/** Writes a file of `src`. */
function writeAll(file: string, text: string) {
  const path = join(project, 'src', file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const databaseFiles = [
  'data/core/drizzle-adapter.ts',
  'data/core/open-database.ts',
  'data/core/raw.ts',
  'data/shards/placements.ts',
];
const bound = [
  'catalog/wall.ts',
  'catalog/brands/wall.ts',
  'pages/stores/wall.ts',
  'pages/wall.ts',
  'sales/orders/wall.ts',
  'webhooks/operations/wall.ts',
  'ops/operator/wall.ts',
  'stores/settings.ts',
  'accounts/user.ts',
];
const unbound = [
  'accounts/users/wall.ts',
  'catalog/transfers/wall.ts',
  'catalog/tree-queries.ts',
  'sales/reports/sold-queries.ts',
];

beforeAll(() => {
  for (const folder of folders) {
    const others = folders.filter((other) => other !== folder);
    write(
      `${folder}/any.ts`,
      others.map((other) => `${other}/any.ts`),
    );
    write(
      `${folder}/deep/any.ts`,
      others.map((other) => `${other}/deep/any.ts`),
    );
    write(
      `${folder}/types.ts`,
      others.map((other) => `${other}/any.ts`),
      'import type',
    );
  }
  for (const file of [...bound, ...unbound])
    write(file, [...databaseFiles, 'data/core/store-db.ts']);
  write('base/one.ts', ['base/other.ts'], 'import type');
  write('base/other.ts', ['base/one.ts'], 'import type');
  for (const file of ['accounts/members/insides.ts', ...adapters]) {
    writeAll(file, insides);
  }
  cpSync(join(root, 'src/README.md'), join(project, 'src/README.md'));
  cpSync(join(root, 'oxlint.config.ts'), join(project, 'oxlint.config.ts'));
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', 'src'],
    { cwd: project, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  ({ diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] });
});

afterAll(() => rmSync(project, { recursive: true }));

/** The files that lint refuses to import in a file, from `src` on. */
const refused = (file: string): string[] =>
  diagnostics
    .filter(
      ({ code, filename }) => code.includes('no-restricted-imports') && filename === `src/${file}`,
    )
    .map(({ message }) => /^'(.+)' import/.exec(message)?.[1] ?? '')
    .map((path) => posix.join(posix.dirname(file), path))
    .toSorted();

describe('the table of folders in src/README.md', () => {
  it('has a row for every folder of src', () => {
    const present = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.toSorted()).toEqual(present.toSorted());
  });

  it.each(rows)('admits in $folder what it lists, and nothing else', ({ folder, allowed }) => {
    const others = folders.filter((other) => other !== folder && !allowed.includes(other));
    for (const file of ['any.ts', 'types.ts', 'deep/any.ts']) {
      const target = file === 'types.ts' ? 'any.ts' : file;
      const expected = others.map((other) => `${other}/${target}`).toSorted();
      expect([file, refused(`${folder}/${file}`)]).toEqual([file, expected]);
    }
  });

  it('lets no arrow point up, and nothing import the demo', () => {
    const up = rows.flatMap(({ folder, allowed }, index) =>
      allowed
        .filter((other) => folders.indexOf(other) >= index)
        .map((other) => `${folder} > ${other}`),
    );
    expect(up).toEqual([]);
    expect(rows.filter(({ allowed }) => allowed.includes('demo'))).toEqual([]);
  });
});

it('keeps files that open a database from code that gets a handle on one store', () => {
  for (const file of bound) expect([file, refused(file)]).toEqual([file, databaseFiles]);
  for (const file of unbound) expect([file, refused(file)]).toEqual([file, []]);
});

it('reserves the insides of libraries, and texts of statements, for the files that it names', () => {
  const found = (file: string) =>
    diagnostics
      .filter(({ code, filename }) => /restricted/.test(code) && filename === `src/${file}`)
      .map(({ message }) => /^'(.+?)' (?:import|is)/.exec(message)?.[1])
      .toSorted((one = '', other = '') => one.localeCompare(other));
  const all = ['_zod', 'hono/utils/url', 'prepare', 'textStatement'];
  expect(found('accounts/members/insides.ts')).toEqual(all);
  expect(found('data/core/drizzle-adapter.ts')).toEqual(['prepare', 'textStatement']);
  // The rule of its folder still holds.
  expect(found('base/codecs/zod-adapter.ts')).toEqual([
    '../../data/core/open-database.ts',
    'prepare',
    'textStatement',
  ]);
});

it('refuses a cycle of types', () => {
  const cycles = diagnostics.filter(({ code }) => code.includes('no-cycle'));
  expect(cycles.map(({ filename }) => filename)).toContain('src/base/one.ts');
});
