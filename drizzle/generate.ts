/**
 * `npm run migrations -- --name what-changed` (runs in Node, is not part of the Worker).
 * drizzle-kit writes a migration for each change of the schema; this script adds what drizzle-kit
 * cannot express (`complete-migration.ts`):
 *
 * - A table whose key is not an integer id is WITHOUT ROWID, so that an insert writes one row
 *   instead of two.
 * - Triggers keep `totals` for the counted tables and the bounds of timers, and one of
 *   `event_budgets` says when to archive bodies.
 * - Triggers of the directory tell shards of changed stores and former members (`store_changes`).
 * - Triggers of the shards write the notices that become mails to members (`store_notices`).
 * - A rebuilt table copies only the columns that it had. SQLite would read the name of a new column
 *   as a text.
 * - The last statement writes the version of the schema. After `schemaVersion` was raised, a
 *   database whose tables did not change gets a migration that holds nothing else.
 *
 * A migration that would rebuild a table is taken back, unless `--allow-rebuild` says that no
 * database holds data yet. So is one that reads every row of a grown table, unless
 * `--measured products=4` says how many seconds the largest needs. A `DROP` of what the release
 * before reads is held back (`meta/_held.json`) until the schema has its next version, and until
 * the release that relies on the long change that reads it. An index that a long change creates is
 * left to it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { schemaVersion } from '../src/data/schema/schema-version.ts';
import { declaredChanges } from '../src/data/shards/long-changes.ts';
import { completeMigration, splitMigration, type TableColumns } from './complete-migration.ts';
import {
  findChangeProblems,
  findDropped,
  findHazards,
  findRebuiltTables,
  isEarlyDrop,
  isLeftToChange,
  isReadByChange,
} from './hazards.ts';

const { values: options } = parseArgs({
  options: {
    name: { type: 'string' },
    'allow-rebuild': { type: 'boolean', default: false },
    measured: { type: 'string', multiple: true, default: [] },
  },
});

const migrationFiles = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.sql'))
        .sort()
    : [];

interface Snapshot {
  tables: Record<string, { columns: Record<string, { notNull: boolean; default?: unknown }> }>;
}

/** The tables after the last of these migrations. */
function readSnapshot(folder: string, files: readonly string[]): Snapshot['tables'] {
  const last = files.at(-1);
  if (last === undefined) return {};
  const path = `${folder}/meta/${last.slice(0, 4)}_snapshot.json`;
  return (JSON.parse(readFileSync(path, 'utf8')) as Snapshot).tables;
}

const columnsOf = (tables: Snapshot['tables']): TableColumns =>
  new Map(Object.entries(tables).map(([name, { columns }]) => [name, Object.keys(columns)]));

/** The version that some migrations lead to. */
function readVersion(folder: string, files: readonly string[]): number {
  const sql = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
  const written = [...sql.join('\n').matchAll(/INTO `schema_version`.*SET `version` = (\d+);/g)];
  return Number(written.at(-1)?.[1] ?? 0);
}

/** The migrations of the releases before this one. */
const earlierFiles = (folder: string, files: readonly string[]) =>
  files.filter((_file, index) => readVersion(folder, files.slice(0, index + 1)) < schemaVersion);

/** A `DROP` that waits for the version after the one that no longer reads its table or column. */
interface HeldDrop {
  version: number;
  statement: string;
}

/**
 * Takes the drops of what the release before reads out of a new migration, and puts in those that
 * an earlier release held back. Returns the new text and the drops that wait now.
 */
function holdDrops(sql: string, held: readonly HeldDrop[], before: Snapshot['tables']) {
  const mustWait = (text: string) =>
    isEarlyDrop(text, columnsOf(before)) || isReadByChange(text, declaredChanges, schemaVersion);
  const [early, rest] = [true, false].map((isEarly) =>
    splitMigration(sql).filter(
      (text) => mustWait(text) === isEarly && !isLeftToChange(text, declaredChanges),
    ),
  ) as [string[], string[]];
  for (const statement of early) {
    const { table = '', column } = findDropped(statement) ?? {};
    const known = column === undefined ? undefined : before[table]?.columns[column];
    if (known?.notNull && known.default === undefined) {
      throw new Error(`${table}.${column} has no default: inserts would fail until it is dropped.`);
    }
  }
  const due = held.filter(
    ({ version, statement }) =>
      version < schemaVersion && !isReadByChange(statement, declaredChanges, schemaVersion),
  );
  return {
    sql: [...rest, ...due.map(({ statement }) => statement)].join('\n--> statement-breakpoint\n'),
    held: [
      ...held.filter((drop) => !due.includes(drop)),
      ...early.map((statement) => ({ version: schemaVersion, statement })),
    ],
  };
}

const runDrizzleKit = (database: string, args: readonly string[]) =>
  execFileSync('drizzle-kit', ['generate', ...args], {
    env: { ...process.env, DATABASE: database },
    stdio: 'inherit',
  });

/** Removes new migrations and their snapshots, so that the schema can be changed in another way. */
function takeBack(folder: string, files: readonly string[], journal: string | undefined) {
  for (const file of files) {
    rmSync(`${folder}/${file}`);
    rmSync(`${folder}/meta/${file.slice(0, 4)}_snapshot.json`, { force: true });
  }
  if (journal !== undefined) writeFileSync(`${folder}/meta/_journal.json`, journal);
}

function generate(database: 'directory' | 'store') {
  const folder = `drizzle/${database}`;
  mkdirSync(folder, { recursive: true });
  const journalPath = `${folder}/meta/_journal.json`;
  const journal = existsSync(journalPath) ? readFileSync(journalPath, 'utf8') : undefined;
  const heldPath = `${folder}/meta/_held.json`;
  let held = existsSync(heldPath) ? (JSON.parse(readFileSync(heldPath, 'utf8')) as HeldDrop[]) : [];
  const filesBefore = migrationFiles(folder);
  const columnsBefore = columnsOf(readSnapshot(folder, filesBefore));
  const releasedBefore = readSnapshot(folder, earlierFiles(folder, filesBefore));
  const newFiles = () => migrationFiles(folder).filter((file) => !filesBefore.includes(file));
  runDrizzleKit(database, options.name === undefined ? [] : ['--name', options.name]);
  if (newFiles().length === 0 && readVersion(folder, filesBefore) < schemaVersion) {
    runDrizzleKit(database, ['--custom', '--name', `schema-version-${schemaVersion}`]);
  }
  try {
    for (const file of newFiles()) {
      const path = `${folder}/${file}`;
      const drops = holdDrops(readFileSync(path, 'utf8'), held, releasedBefore);
      held = drops.held;
      const measured = options.measured.map((text) => `-- measured: ${text.replace('=', ' ')} s\n`);
      const sql = `${measured.join('')}${completeMigration(drops.sql, columnsBefore, schemaVersion)}`;
      const rebuilt = options['allow-rebuild'] ? [] : findRebuiltTables(sql);
      const problems = [
        ...rebuilt.map((table) => `rebuilds ${table} (see drizzle/README.md, or --allow-rebuild)`),
        ...findHazards(sql, columnsOf(releasedBefore)),
      ];
      if (problems.length > 0) {
        throw new Error(`${path} was not written:\n  ${problems.join('\n  ')}`);
      }
      writeFileSync(path, sql);
    }
  } catch (error) {
    takeBack(folder, newFiles(), journal);
    throw error;
  }
  if (held.length > 0 || existsSync(heldPath)) {
    writeFileSync(heldPath, `${JSON.stringify(held, null, 2)}\n`);
  }
}

const problems = findChangeProblems(declaredChanges);
if (problems.length > 0) throw new Error(problems.join('\n'));
for (const database of ['directory', 'store'] as const) generate(database);
