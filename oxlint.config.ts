import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { defineConfig, type OxlintOverride } from 'oxlint';

/** The import table: `src/IMPORTS.md` holds one row per group and one per folder. */
const rows = readFileSync('src/IMPORTS.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| [@`]/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
const groups = new Map(
  rows.flatMap(([, name = '', , members = '']) => (name.startsWith('@') ? [[name, members]] : [])),
);
const layers = new Map(
  rows.map(([, folder = '', imports = '', packages = '']) => [folder, { imports, packages }]),
);

/** The entries of a cell, with each group replaced by its members. */
const entries = (cell: string): string[] =>
  cell
    .split(', ')
    .filter(Boolean)
    .flatMap((entry) => (groups.has(entry) ? entries(groups.get(entry) ?? '') : [entry]));

/** The folders of `src` that hold code. The demo is the local entry and reaches every layer. */
const folders = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map(({ parentPath }) => posix.relative('src', parentPath.replaceAll('\\', '/')))
  .filter((folder) => folder !== '' && !/^(?:demo|docs\/samples|client\/examples)\b/.test(folder));

/** Admits the imports that the table lists for a folder; a folder without a row may import only its own files. */
function restrictImports(folder: string): OxlintOverride {
  const { imports, packages } = layers.get(folder) ?? { imports: '', packages: '' };
  const specifier = (target: string) => {
    const path = posix.relative(folder, /\.tsx?$/.test(target) ? target : `${target}/*`);
    return path.startsWith('.') ? path : `./${path}`;
  };
  const listed = entries(imports);
  const admitted = listed.filter((entry) => !/^(?:type|not) /.test(entry)).map(specifier);
  const message = `src/IMPORTS.md does not list this import for src/${folder}.`;
  // Expressions stand first: a negated pattern of a group admits its import for all groups that follow.
  const marked = (mark: string, allowTypeImports: boolean) =>
    listed
      .filter((entry) => entry.startsWith(mark))
      .map((entry) => specifier(entry.slice(mark.length)).replaceAll('.', String.raw`\.`))
      .map((path) => ({ regex: `^${path.replace('*', '[^/]+')}$`, allowTypeImports, message }));
  const patterns = [
    ...marked('type ', true),
    ...marked('not ', false),
    {
      group: [
        '**',
        '!./*',
        ...[...admitted, ...entries(packages)].map((pattern) => `!${pattern}`),
        ...listed
          .filter((entry) => entry.startsWith('type '))
          .map((entry) => `!${specifier(entry.slice('type '.length))}`),
      ],
      message,
    },
  ];
  return {
    files: [`src/${folder}/*.{ts,tsx}`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

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
    'max-lines': ['error', { max: 250 }],
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
    ...[...new Set(folders)].map(restrictImports),
    {
      files: ['test/**'],
      rules: {
        'import/no-named-as-default-member': 'off',
        'max-lines': 'off',
        'vitest/no-conditional-expect': 'off',
        'vitest/no-conditional-tests': 'off',
        'vitest/require-mock-type-parameters': 'off',
        'vitest/require-to-throw-message': 'off',
        'vitest/warn-todo': 'off',
      },
    },
  ],
});
