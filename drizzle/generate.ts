/**
 * `npm run migrations -- --name what-changed` (runs in Node, is not part of the Worker). drizzle-kit writes a migration for
 * each change of the schema; this script adds what drizzle-kit cannot express (`complete-migration.ts`):
 *
 * - A table whose key is not an integer id is WITHOUT ROWID, so that an insert writes one row instead of two.
 * - Triggers keep `totals` for the counted tables and the bounds of timers, and one of `event_budgets` says when to archive bodies.
 * - Triggers of the directory tell shards of changed stores and former members (`store_changes`).
 * - Triggers of the shards write the notices that become mails to members (`store_notices`).
 * - A rebuilt table copies only the columns that it had. SQLite would read the name of a new column as a text.
 * - The last statement writes the version of the schema. After `schemaVersion` was raised, a database whose tables did not
 *   change gets a migration that holds nothing else.
 *
 * A migration that would rebuild a table is taken back, unless `--allow-rebuild` says that no database holds data yet.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { schemaVersion } from '../src/data/schema/schema-version.ts';
import { completeMigration, type TableColumns } from './complete-migration.ts';
import { findHazards, findRebuiltTables } from './hazards.ts';

const { values: options } = parseArgs({
  options: { name: { type: 'string' }, 'allow-rebuild': { type: 'boolean', default: false } },
});

const migrationFiles = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.sql'))
        .sort()
    : [];

function readColumns(folder: string): TableColumns {
  if (!existsSync(`${folder}/meta`)) return new Map();
  const last = readdirSync(`${folder}/meta`)
    .filter((file) => file.endsWith('_snapshot.json'))
    .sort()
    .at(-1);
  if (last === undefined) return new Map();
  const { tables } = JSON.parse(readFileSync(`${folder}/meta/${last}`, 'utf8')) as {
    tables: Record<string, { columns: object }>;
  };
  return new Map(Object.entries(tables).map(([name, { columns }]) => [name, Object.keys(columns)]));
}

/** The version that the migrations of a folder lead to. */
function readVersion(folder: string): number {
  const sql = migrationFiles(folder).map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
  const written = [...sql.join('\n').matchAll(/INTO `schema_version`.*SET `version` = (\d+);/g)];
  return Number(written.at(-1)?.[1] ?? 0);
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
  const filesBefore = new Set(migrationFiles(folder));
  const columnsBefore = readColumns(folder);
  const newFiles = () => migrationFiles(folder).filter((file) => !filesBefore.has(file));
  runDrizzleKit(database, options.name === undefined ? [] : ['--name', options.name]);
  if (newFiles().length === 0 && readVersion(folder) < schemaVersion) {
    runDrizzleKit(database, ['--custom', '--name', `schema-version-${schemaVersion}`]);
  }
  for (const file of newFiles()) {
    const path = `${folder}/${file}`;
    const sql = completeMigration(readFileSync(path, 'utf8'), columnsBefore, schemaVersion);
    const rebuilt = options['allow-rebuild'] ? [] : findRebuiltTables(sql);
    const problems = [
      ...rebuilt.map((table) => `rebuilds ${table} (see drizzle/README.md, or --allow-rebuild)`),
      ...findHazards(sql),
    ];
    if (problems.length > 0) {
      takeBack(folder, newFiles(), journal);
      throw new Error(`${path} was not written:\n  ${problems.join('\n  ')}`);
    }
    writeFileSync(path, sql);
  }
}

for (const database of ['directory', 'store'] as const) generate(database);
