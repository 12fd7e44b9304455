import { readFileSync } from 'node:fs';
import { defineConfig, type OxlintOverride } from 'oxlint';

/** The folders of `src` and what each may import, from the table in `src/README.md`. */
const folders = readFileSync('src/README.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| `[a-z]+\/` \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', , allowed = '']) => ({
    folder: name.replaceAll(/[`/]/g, ''),
    allowed: allowed.split(', ').filter(Boolean),
  }));

/** How deep a file may lie below its folder. */
const depths = [1, 2, 3, 4];

/** What a file at a depth imports from other folders begins with so many steps up. */
const outside = (depth: number) => String.raw`^(?:\.\./){${depth}}`;

/** A rule that sends code to some files, which alone are exempt from it. */
interface Reserved {
  files: readonly string[];
  /** The import that is reserved, or some names of it. */
  imports?: { regex: string; importNames?: string[] };
  properties: readonly string[];
  message: string;
}

const reserved: readonly Reserved[] = [
  {
    files: [
      'src/base/codecs/zod-adapter.ts',
      'src/data/core/drizzle-adapter.ts',
      'src/http/hono-adapter.ts',
    ],
    imports: { regex: '^(?:drizzle-orm/d1|@hono/zod-validator|hono/(?:utils/url|http-exception))' },
    properties: ['_zod', '_prepare', 'sqlToQuery', 'mapFromDriverValue', 'bodyCache'],
    message: 'What a library does not promise is used by its adapter only.',
  },
  {
    files: ['src/data/core/open-database.ts'],
    properties: ['prepare'],
    message:
      'Text becomes a statement in one place, so that SQL is built or tagged everywhere else.',
  },
  {
    files: [
      'src/data/core/observed-reads.ts',
      'src/data/core/raw.ts',
      'src/data/core/store-statements.ts',
      'src/data/shards/guard.ts',
    ],
    imports: { regex: String.raw`/open-database\.ts$`, importNames: ['textStatement'] },
    properties: [],
    message: 'Texts of statements are put together only where each request needs one.',
  },
];

/**
 * Code that gets a handle on one store imports no file that opens a database or writes plain SQL.
 */
const wall = {
  regex: String.raw`/data/(?:core/(?:drizzle-adapter|open-database|raw)\.ts|shards/)`,
  message: 'This code gets a handle on one store (src/README.md).',
};

/** Of a folder behind the wall, the files that write SQL; of another one, its operations. */
const exceptions = [
  { folder: 'catalog', files: '*-queries.ts', isBound: false },
  { folder: 'catalog', files: '*/*-queries.ts', isBound: false },
  { folder: 'catalog', files: 'transfers/*.ts', isBound: false },
  { folder: 'sales', files: '*/*-queries.ts', isBound: false },
  { folder: 'accounts', files: '{activity,user}.ts', isBound: true },
  { folder: 'ops', files: 'operator/*.ts', isBound: true },
  { folder: 'stores', files: '{emails,settings}.ts', isBound: true },
  { folder: 'stores', files: 'test-stores/routes.ts', isBound: true },
  { folder: 'webhooks', files: 'operations/*.ts', isBound: true },
];

/**
 * Admits what the table lists, in the files of a folder at one depth; `isBound` puts them behind
 * the wall.
 */
function restrictImports(
  { folder, allowed }: (typeof folders)[number],
  { depth, files, isBound }: { depth: number; files: string; isBound: boolean },
): OxlintOverride {
  const others = folders.map((row) => row.folder).filter((name) => name !== folder);
  const refused = others.filter((name) => !allowed.includes(name));
  const listed = {
    regex: `${outside(depth)}(?:${refused.join('|')})/`,
    message: `src/README.md does not list this folder for src/${folder}.`,
  };
  const ofOthers = reserved
    .filter((rule) => !rule.files.includes(`src/${folder}/${files}`))
    .flatMap(({ imports, message }) => (imports ? [{ ...imports, message }] : []));
  const patterns = [listed, ...ofOthers, ...(isBound ? [wall] : [])];
  return {
    files: [`src/${folder}/${files}`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

/** Refuses reserved properties in these files, but those of the rules that name one of them. */
const restrictProperties = (files: string): OxlintOverride => ({
  files: [files],
  rules: {
    'no-restricted-properties': [
      'error',
      ...reserved
        .filter((rule) => !rule.files.includes(files))
        .flatMap(({ properties, message }) =>
          properties.map((property) => ({ property, message })),
        ),
    ],
  },
});

/** The files that a rule is reserved for, after the rules of their folders. */
const reservedFor = reserved.flatMap(({ files }) =>
  files.flatMap((path) => {
    const [, folder, ...rest] = path.split('/');
    const row = folders.find((other) => other.folder === folder);
    if (!row) throw new Error(`no folder of ${path}`);
    return [
      restrictImports(row, { depth: rest.length, files: rest.join('/'), isBound: false }),
      restrictProperties(path),
    ];
  }),
);

const importRules = folders.flatMap((row) => [
  ...depths.map((depth) =>
    restrictImports(row, {
      depth,
      files: `${'*/'.repeat(depth - 1)}*.{ts,tsx}`,
      isBound: ['pages', 'catalog', 'sales'].includes(row.folder),
    }),
  ),
  ...exceptions
    .filter(({ folder }) => folder === row.folder)
    .map(({ files, isBound }) =>
      restrictImports(row, { depth: files.split('/').length, files, isBound }),
    ),
]);

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  ignorePatterns: [
    'src/worker-configuration.d.ts',
    'dist',
    '.wrangler',
    // They import the built package; test/process/client/package.test.ts compiles them.
    'src/client/examples',
    'src/docs/samples',
    'test/process/client/usage-example.ts',
  ],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-unassigned-import': 'off',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'no-unmodified-loop-condition': 'off',
    'oxc/no-map-spread': 'off',
    'promise/always-return': 'off',
    'typescript/await-thenable': 'error',
    'typescript/consistent-return': 'off',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-base-to-string': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-non-null-assertion': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'fc.assert'] }],
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
  },
  overrides: [
    ...importRules,
    restrictProperties('src/**'),
    ...reservedFor,
    {
      files: ['test/**'],
      rules: {
        'import/no-named-as-default-member': 'off',
        'vitest/no-conditional-expect': 'off',
        'vitest/no-conditional-tests': 'off',
        'vitest/require-mock-type-parameters': 'off',
        'vitest/require-to-throw-message': 'off',
        'vitest/warn-todo': 'off',
      },
    },
    {
      // Without their packages (`test/install.ts`), every type of theirs is `any`.
      files: ['test/{bench,clients}/**'],
      rules: { 'typescript/no-unnecessary-type-assertion': 'off' },
    },
  ],
});
