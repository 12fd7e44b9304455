import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { acceptsSchema, schemaVersion } from '../data/schema/schema-version.ts';
import { numberShardStatements } from '../data/shards/shard-numbers.ts';
import { PlatformError, workInTens } from './cloudflare-api.ts';
import { listSecrets, queryDatabase, readTraffic } from './deploy-account.ts';
import type { DatabaseResource } from './deployment-resources.ts';
import { completeSecrets, readSecrets } from './secrets-file.ts';
import { type DeployRun, deriveConfigs, type Step } from './step.ts';

/** Every key of wrangler.toml, whose local value is public, the key of `/ready`, and the token of the set-up link. */
const neededSecrets = ({ local }: DeployRun) => [
  ...new Set([
    ...Object.keys(local.vars).filter((name) => name.endsWith('_KEY')),
    'READY_KEY',
    'SETUP_TOKEN',
  ]),
];

const shown = ({ root }: DeployRun, path: string) => relative(root, path) || path;

const toFile = (config: object) => `${JSON.stringify(config, null, 2)}\n`;

const writeConfig: Step = {
  title: 'Derive the configuration',
  plan: (run) => [
    `write ${shown(run, run.paths.config)}: wrangler.toml with https://${run.deployment.host}, ids, limits and logs`,
  ],
  run: async (run) => {
    mkdirSync(run.paths.folder, { recursive: true });
    const { service, watch } = deriveConfigs(run, run.state.state);
    writeFileSync(run.paths.config, toFile(service));
    if (watch) writeFileSync(run.paths.watchConfig, toFile(watch));
  },
};

const makeSecrets: Step = {
  title: 'Make the secrets that are missing',
  plan: (run) => {
    const known = readSecrets(run.paths.secrets);
    const missing = neededSecrets(run).filter((name) => !(name in known));
    const file = shown(run, run.paths.secrets);
    return missing.length === 0
      ? [`${file}: complete`]
      : [`write ${file} (mode 0600): ${missing.join(', ')}`];
  },
  run: async (run) => {
    const { paths, wrangler, print } = run;
    const needed = neededSecrets(run);
    const known = readSecrets(paths.secrets);
    wrangler.hide(Object.values(known));
    if (needed.every((name) => name in known)) return;
    const secrets = completeSecrets(paths.secrets, needed, await listDeployedSecrets(run));
    wrangler.hide(Object.values(secrets));
    print(`  Keep a copy of ${shown(run, paths.secrets)}: nothing else can read what it sealed.`);
  },
};

/** Names of the secrets that the Worker has. None if there is no Worker yet. */
async function listDeployedSecrets(run: DeployRun): Promise<string[]> {
  if ((await readTraffic(run)) === undefined) return [];
  return await listSecrets(run);
}

/** The migrations of a database, in their order. */
const listMigrations = ({ root }: DeployRun, { migrations }: DatabaseResource) =>
  readdirSync(join(root, migrations))
    .filter((file) => file.endsWith('.sql'))
    .sort();

/** The table in which wrangler keeps what it applied, so that `wrangler d1 migrations` sees the same. */
const appliedTable =
  'CREATE TABLE IF NOT EXISTS d1_migrations(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, ' +
  'applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);';

const schemaState = z.object({
  name: z.string(),
  version: z.number().nullable(),
  number: z.number().nullable(),
});

/** Reads what a database has: its migrations, the version of its schema, and the number of its shard. */
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

/** The configuration of one database, which wrangler needs to import a file. */
const importConfig = ({ deployment, resources, state: { state } }: DeployRun, binding: string) => ({
  name: deployment.name,
  account_id: state.account_id ?? deployment.account_id,
  d1_databases: [
    {
      binding,
      database_name: resources.databases.find((database) => database.binding === binding)?.name,
      database_id: state.databases[binding]?.id,
    },
  ],
});

/** Runs the text of a migration. A new database whose API cannot split it gets it as a file. */
async function applyMigration(run: DeployRun, binding: string, sql: string, isNew: boolean) {
  try {
    await queryDatabase(run, binding, sql);
  } catch (error) {
    const isCut = error instanceof PlatformError && error.message.includes('incomplete input');
    if (!isNew || !isCut) throw error;
    const file = join(run.paths.folder, `${binding}.sql`);
    const config = join(run.paths.folder, `${binding}.json`);
    writeFileSync(file, sql);
    // The directory gets its schema, which has the turn, before the configuration of the service can be derived.
    writeFileSync(config, toFile(importConfig(run, binding)));
    const place = [binding, '--remote', '--yes', '--config', config];
    await run.wrangler.run(['d1', 'execute', ...place, '--file', file]);
  }
}

/** Brings one database to the schema of this release: one call if it has it, else one more for each migration. */
export async function migrateDatabase(run: DeployRun, database: DatabaseResource) {
  const { binding, shard } = database;
  const files = listMigrations(run, database);
  const schema = await readSchema(run, database);
  const { version } = schema;
  if (version !== null && version > schemaVersion && !acceptsSchema(version)) {
    throw new Error(`${binding} has schema ${version}; this release has ${schemaVersion}.`);
  }
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
  run.state.update(({ databases }) => {
    const known = databases[binding];
    const last = files.at(-1);
    if (known && last !== undefined) known.migration = last;
  });
}

const finishedChange = z.object({ name: z.string() });

/**
 * Throws unless a shard has finished the long changes that this release relies on. The live release makes them. A shard without
 * stores has nothing to change.
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

/** Whether a database that does not answer has this schema already: then it does not keep a mend from going out. */
const isIllOnly = (run: DeployRun, database: DatabaseResource, error: unknown) =>
  error instanceof PlatformError &&
  (error.status === undefined || error.status >= 500) &&
  run.state.state.databases[database.binding]?.migration === listMigrations(run, database).at(-1);

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
      if (!isIllOnly(run, database, error)) throw error;
      run.print(`  ${database.binding} does not answer. It has this schema since an earlier run.`);
    }
  });

const migrate: Step = {
  title: 'Migrate every database, and number the shards',
  plan: (run) =>
    run.resources.databases.map((database) => {
      const last = listMigrations(run, database).at(-1) ?? 'none';
      const numbered =
        database.shard === undefined ? '' : `; its ids begin at ${database.shard} * 2^36`;
      return `POST d1/database/${database.binding}/query: migrations up to ${last}${numbered}`;
    }),
  run: async (run) => {
    const [directory, ...shards] = run.resources.databases;
    // No database is migrated before every one is ready for it.
    if (run.neededChanges.length > 0) await onEach(run, shards, assertChanged);
    if (directory) await migrateDatabase(run, directory);
    await onEach(run, shards, migrateDatabase);
  },
};

export const prepareSteps: readonly Step[] = [writeConfig, makeSecrets, migrate];

/** Where wrangler writes the id of a version that it uploads. */
export const outputFile = ({ paths }: DeployRun) => join(paths.folder, 'wrangler-output.ndjson');
