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
import { join, posix, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const project = mkdtempSync(join(tmpdir(), 'import-table-'));

/** The cells of the tables in `src/IMPORTS.md`, without their quotes. */
const rows = readFileSync(join(root, 'src/IMPORTS.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [@`]/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
const members = new Map(rows.map(([, name = '', , cell = '']) => [name, cell]));
const folders = rows.map(([, name = '']) => name).filter((name) => !name.startsWith('@'));

/** Expands a cell of the table by hand, so that this test does not trust the configuration. */
function expand(cell: string): string[] {
  return cell
    .split(', ')
    .filter(Boolean)
    .flatMap((entry) => (entry.startsWith('@') ? expand(members.get(entry) ?? '') : [entry]));
}

interface Diagnostic {
  code: string;
  filename: string;
  message: string;
}

let diagnostics: Diagnostic[];

/** Imports one file of every folder from a file of `folder`, in the way that `clause` says. */
function write(folder: string, name: string, clause: string) {
  const imports = folders
    .filter((target) => target !== folder)
    .map((target, index) => {
      const path = posix.relative(folder, `${target}/any.ts`);
      return `${clause} { a as a${index} } from '${path.startsWith('.') ? path : `./${path}`}';`;
    });
  const path = join(project, 'src', folder);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, name), `${imports.join('\n')}\nexport const x = 1;\n`);
}

beforeAll(() => {
  for (const folder of folders) {
    write(folder, 'values.ts', 'import');
    write(folder, 'types.ts', 'import type');
  }
  for (const [name, other] of [
    ['one', 'other'],
    ['other', 'one'],
  ]) {
    const source = `import type { ${other} } from './${other}.ts';\nexport type ${name} = ${other} | 1;\n`;
    writeFileSync(join(project, 'src/crypto', `${name}.ts`), source);
  }
  writeFileSync(
    join(project, 'src/resources/marks.ts'),
    `import { a } from '../db/core/open.ts';\nimport { b } from '../db/core/store-db.ts';\nexport const x = [a, b];\n`,
  );
  writeFileSync(
    join(project, 'src/account/marks.ts'),
    `import { a } from '../db/core/store-db.ts';\nimport type { b } from '../db/core/store-db.ts';\nexport const x: b = a;\n`,
  );
  cpSync(join(root, 'src/IMPORTS.md'), join(project, 'src/IMPORTS.md'));
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

/** Paths that the lint refuses to import in a file. */
const refusedFiles = (file: string): string[] =>
  diagnostics
    .filter(
      ({ code, filename }) => code.includes('no-restricted-imports') && filename === `src/${file}`,
    )
    .map(({ message }) => /^'(.+)' import/.exec(message)?.[1] ?? '');

/** Their folders. */
const refused = (file: string): string[] =>
  refusedFiles(file)
    .map((path) => posix.dirname(posix.join(posix.dirname(file), path)))
    .toSorted();

describe('the import table', () => {
  it.each(folders)('admits exactly what the row of %s lists', (folder) => {
    const [, , imports = ''] = rows.find(([, name]) => name === folder) ?? [];
    const listed = expand(imports);
    const others = folders.filter((other) => other !== folder);
    const isTypeOnly = (other: string) =>
      listed.some((entry) => entry.startsWith('type ') && entry === `type ${other}`);
    expect(refused(`${folder}/values.ts`)).toEqual(
      others.filter((other) => !listed.includes(other)).toSorted(),
    );
    expect(refused(`${folder}/types.ts`)).toEqual(
      others.filter((other) => !listed.includes(other) && !isTypeOnly(other)).toSorted(),
    );
  });

  it('takes a file out of an admitted folder, and admits the types of a file only', () => {
    // The rows of `resources` and of `account` show both marks.
    expect(refusedFiles('resources/marks.ts')).toEqual(['../db/core/open.ts']);
    expect(refusedFiles('account/marks.ts')).toEqual(['../db/core/store-db.ts']);
  });

  it('refuses a cycle of types', () => {
    const cycles = diagnostics.filter(({ code }) => code.includes('no-cycle'));
    expect(cycles.map(({ filename }) => filename)).toContain('src/crypto/one.ts');
  });

  it('has a row for every folder of the source', () => {
    const used = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => posix.dirname(file.replaceAll('\\', '/')))
      .filter(
        (folder) => folder !== '.' && !/^(?:demo|docs\/samples|client\/examples)\b/.test(folder),
      );
    expect([...new Set(used)].toSorted()).toEqual(folders.toSorted());
  });
});
