import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { acceptsSchema, schemaVersion } from '../data/schema/schema-version.ts';
import { numberShardStatements } from '../data/shards/shard-numbers.ts';
import { assertPlace, liveVersion, queryDatabase } from './account.ts';
import { PlatformError, workInTens } from './cloudflare-api.ts';
import type { DatabaseResource } from './deployment-resources.ts';
import type { DeployRun } from './run.ts';

/** The migrations of a database, in their order. */
const listMigrations = (
  { root }: DeployRun,
  { migrations }: Pick<DatabaseResource, 'migrations'>,
) =>
  readdirSync(join(root, migrations))
    .filter((file) => file.endsWith('.sql'))
    .sort();

/**
 * The table in which wrangler keeps what it applied, so that `wrangler d1 migrations` sees the
 * same.
 */
const appliedTable =
  'CREATE TABLE IF NOT EXISTS d1_migrations(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, ' +
  'applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);';

const schemaState = z.object({
  name: z.string(),
  version: z.number().nullable(),
  number: z.number().nullable(),
});

/**
 * Reads what a database has: its migrations, the version of its schema, and the number of its
 * shard.
 */
async function readSchema(
  run: DeployRun,
  { binding, shard }: Pick<DatabaseResource, 'binding' | 'shard'>,
) {
  const number = shard === undefined ? 'null' : '(select number from shard_identity where id = 1)';
  const sql =
    `select name, (select version from schema_version where id = 1) as version, ${number} as number ` +
    'from d1_migrations';
  try {
    const rows = z.array(schemaState).parse(await queryDatabase(run, binding, sql));
    const { version = null, number: found = null } = rows[0] ?? {};
    return { applied: new Set(rows.map(({ name }) => name)), version, number: found };
  } catch (error) {
    if (!(error instanceof PlatformError && error.message.includes('no such table'))) throw error;
    return { applied: new Set<string>(), version: null, number: null };
  }
}

/** Runs the text of a migration. A new database whose API cannot split it gets it as a file. */
async function applyMigration(run: DeployRun, binding: string, sql: string, isNew: boolean) {
  try {
    await queryDatabase(run, binding, sql);
  } catch (error) {
    const isCut = error instanceof PlatformError && error.message.includes('incomplete input');
    if (!isNew || !isCut) throw error;
    const file = join(run.paths.folder, `${binding}.sql`);
    writeFileSync(file, sql);
    const place = [binding, '--remote', '--yes', '--config', run.paths.config];
    await run.wrangler.run(['d1', 'execute', ...place, '--file', file]);
  }
}

/**
 * Brings one database to the schema of this release: one call if it has it, else one more for each
 * migration.
 */
export async function migrateDatabase(run: DeployRun, database: DatabaseResource) {
  const { binding, shard } = database;
  const files = listMigrations(run, database);
  const schema = await readSchema(run, database);
  const { version } = schema;
  if (version !== null && version > schemaVersion && !acceptsSchema(version)) {
    throw new Error(`${binding} has schema ${version}; this release has ${schemaVersion}.`);
  }
  // While it is empty, it may be made elsewhere.
  if (schema.applied.size === 0) await assertPlace(run, database);
  const missing = files.filter((file) => !schema.applied.has(file));
  const numbering = shard === undefined ? [] : numberShardStatements(shard);
  for (const file of missing) {
    const sql = readFileSync(join(run.root, database.migrations, file), 'utf8').trim();
    const record = `INSERT INTO d1_migrations (name) VALUES ('${file.replaceAll("'", "''")}')`;
    const text = `${appliedTable}\n${sql}\n${[record, ...numbering].join(';\n')};`;
    await applyMigration(run, binding, text, schema.applied.size === 0);
  }
  if (missing.length === 0 && shard !== undefined && schema.number !== shard) {
    await queryDatabase(run, binding, `${numbering.join(';\n')};`);
  }
}

const finishedChange = z.object({ name: z.string() });

/**
 * Throws unless a shard has finished the long changes that this release relies on. The live release
 * makes them. A shard without stores has nothing to change.
 */
async function assertChanged(run: DeployRun, { binding }: DatabaseResource): Promise<void> {
  if ((await readSchema(run, { binding, shard: undefined })).applied.size === 0) return;
  const sql =
    'select name from long_changes where finished_at is not null ' +
    "union all select '' where not exists (select 1 from placements)";
  const rows = z.array(finishedChange).parse(await queryDatabase(run, binding, sql));
  const finished = new Set(rows.map(({ name }) => name));
  const missing = run.neededChanges.filter((name) => !finished.has(name));
  if (missing.length === 0 || finished.has('')) return;
  throw new Error(
    `${binding} has not finished the long change ${missing.join(', ')}, on which this release relies. ` +
      'The live release goes on with it: wait until /operator shows no database without it.',
  );
}

/**
 * A digest of the names of all migrations. The tag of a version has it: when it was uploaded, each
 * database had these.
 */
export function schemaDigest(run: DeployRun): string {
  const kinds = new Set(run.resources.databases.map(({ migrations }) => migrations));
  const files = [...kinds].flatMap((migrations) => listMigrations(run, { migrations }));
  return createHash('sha256').update(files.join()).digest('hex').slice(0, 8);
}

/**
 * Whether a database that does not answer has this schema already: then it does not keep a mend
 * from going out.
 */
const isIllOnly = (run: DeployRun, error: unknown) =>
  error instanceof PlatformError &&
  (error.status === undefined || error.status >= 500) &&
  run.worker !== undefined &&
  liveVersion(run.worker)?.tag.endsWith(schemaDigest(run));

/** Works on shards, ten at a time. One that is only ill is left out. */
const onEach = (
  run: DeployRun,
  shards: readonly DatabaseResource[],
  work: (run: DeployRun, shard: DatabaseResource) => Promise<void>,
) =>
  workInTens(shards, async (database) => {
    try {
      await work(run, database);
    } catch (error) {
      if (!isIllOnly(run, error)) throw error;
      run.print(
        `  ${database.binding} does not answer. It has this schema since an earlier release.`,
      );
    }
  });

/** Migrates every database, and numbers the shards. */
export async function migrate(run: DeployRun): Promise<void> {
  const [directory, ...shards] = run.resources.databases;
  // No database is migrated before every one is ready for it.
  if (run.neededChanges.length > 0) await onEach(run, shards, assertChanged);
  if (directory) await migrateDatabase(run, directory);
  await onEach(run, shards, migrateDatabase);
}
