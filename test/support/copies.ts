import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { openDatabase, shardBinding } from '../../src/data/core/open-database.ts';
import type { Job, JobKind } from '../../src/data/directory/job.ts';
import { jobs } from '../../src/data/schema/directory/operators-tables.ts';
import { movedTables } from '../../src/data/shards/moved-tables.ts';
import { Dump, type Cell, type Place } from '../../src/data/shards/read-rows.ts';
import { firstIdOfShard, numberShardStatements } from '../../src/data/shards/shard-numbers.ts';
import { runJobs } from '../../src/ops/jobs/run-jobs.ts';
import { partKey } from '../../src/stores/copies/manifest.ts';
import { unpackLines } from '../../src/stores/copies/parts.ts';
import { bucketSettings } from './fakes/s3-bucket.ts';
import { createTestStore, type TestStore } from './fixtures/store.ts';

/** Shards of the tests of copies only: a night copies all stores of a shard. */
const copiedShards = [40, 41, 42] as const;

const databases = { STORE_40: env.COPIED_0, STORE_41: env.COPIED_1, STORE_42: env.COPIED_2 };

/** The bindings of a Worker with these shards and a bucket for copies. */
export const copyingEnv = { ...env, ...databases, ...bucketSettings } as unknown as Env;

/**
 * Migrates, empties and numbers the databases of these shards: another file may have used them.
 * They are too full for new stores, since the files that make some have no bindings for them.
 */
export async function prepareCopiedShards(): Promise<void> {
  for (const [index, db] of Object.values(databases).entries()) {
    const number = copiedShards[index] ?? 0;
    await applyD1Migrations(db, env.STORE_MIGRATIONS);
    await emptyShard(db, number);
    await env.DIRECTORY.prepare(`delete from jobs where kind = 'shard_copy' and shard = ?`)
      .bind(number)
      .run();
    await env.DIRECTORY.prepare(
      `insert into shards (number, bytes) values (?, 4000000000) on conflict do nothing`,
    )
      .bind(number)
      .run();
  }
}

/** All rows of a store in a database, by table. */
export async function allRowsOf(
  binding: D1Database,
  storeId: number,
): Promise<Record<string, Cell[][]>> {
  const dump = new Dump(openDatabase(binding), storeId);
  const all: Record<string, Cell[][]> = {};
  for (let place: Place = { position: 0 }; ;) {
    const chunk = await dump.read(place);
    if (!chunk) return all;
    const { table, rows } = chunk.line;
    if (rows.length > 0) all[table] = [...(all[table] ?? []), ...rows];
    place = chunk.after;
  }
}

/** The newest job of a kind in a shard. */
export async function lastJob(kind: JobKind, shard: number): Promise<Job> {
  const found = await openDatabase(env.DIRECTORY).select().from(jobs).where(eq(jobs.kind, kind));
  const job = found.findLast((one) => one.shard === shard);
  if (!job) throw new Error(`no ${kind}`);
  return job;
}

/** Columns that a restore changes, by table, and the table of notices, to which it adds. */
const changedColumns: Readonly<Record<string, readonly string[]>> = {
  webhook_endpoints: ['epoch', 'lease_until'],
  oauth_grants: ['code_expires_at', 'fast_forward_until'],
};

/**
 * The rows of a store without what its return changes, and without more columns of its webhooks.
 */
export const comparableRows = (
  all: Readonly<Record<string, readonly Cell[][]>>,
  ofWebhooks: readonly string[] = [],
) =>
  Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => name !== 'webhook_notices' && name !== 'store_notices')
      .map(([name, rows]) => {
        const columns = movedTables.find((table) => table.name === name)?.columns ?? [];
        const more = name === 'webhook_endpoints' ? ofWebhooks : [];
        const changed = new Set(
          [...(changedColumns[name] ?? []), ...more].map((column) => columns.indexOf(column)),
        );
        return [name, rows.map((row) => row.filter((_, index) => !changed.has(index)))];
      }),
  );

/** Copies all stores of a shard, as its job does at a time (epoch milliseconds). */
export async function copyShard(shard: number, now: number): Promise<void> {
  await openDatabase(env.DIRECTORY).run(
    sql`insert into jobs (kind, shard, requested_by, created_at, due_at) select 'shard_copy', ${shard}, 0, 0, 0
      where not exists (select 1 from jobs where shard = ${shard} and due_at is not null and kind = 'shard_copy')`,
  );
  const db = shardBinding(copyingEnv, shard);
  await runJobs({ env: copyingEnv, shard, db, now: () => now, hasTime: () => true });
}

/** The rows of the newest copy of a store in a bucket, by table. */
export async function lastCopyOf(
  objects: ReadonlyMap<string, Uint8Array>,
  storeId: number,
): Promise<Record<string, Cell[][]>> {
  const row = await env.DIRECTORY.prepare(
    'select name from store_copies where store_id = ? and finished_at is not null order by id desc limit 1',
  )
    .bind(storeId)
    .first<{ name: string }>();
  const all: Record<string, Cell[][]> = {};
  for (let index = 0; ; index += 1) {
    const content = objects.get(partKey(storeId, row?.name ?? '', index));
    if (!content) return all;
    for (const { table, rows } of await unpackLines(content)) {
      all[table] = [...(all[table] ?? []), ...rows];
    }
  }
}

/**
 * Makes the database of a shard as a new one: without rows, numbered, and counting from the number.
 */
export async function emptyShard(db: D1Database, shard: number): Promise<void> {
  const tables = [...movedTables].toReversed().map(({ name }) => name);
  await db.batch([
    ...movedTables.flatMap(({ name, selfReference }) =>
      selfReference === undefined
        ? []
        : [db.prepare(`update "${name}" set "${selfReference}" = null`)],
    ),
    ...[...tables, 'placements', 'outgoing_moves', 'incoming_moves', 'totals'].map((name) =>
      db.prepare(`delete from "${name}"`),
    ),
    db.prepare(
      `update sqlite_sequence set seq = 0 where name not like '\\_cf%' escape '\\' and name <> 'd1_migrations'`,
    ),
    db.prepare(`update sequences set last = 0`),
    ...numberShardStatements(shard).map((text) => db.prepare(text)),
  ]);
}

/**
 * Creates a store with a brand in the first of these shards. A move into it would cost a test more
 * than all the rest.
 */
export async function createCopiedStore(): Promise<TestStore> {
  const store = await createTestStore({ shard: 1 });
  const statements = {
    here: env.COPIED_0.prepare('insert into placements (store_id, works) values (?, 1)'),
    gone: env.STORE_1.prepare('delete from placements where store_id = ?'),
    known: env.DIRECTORY.prepare('update stores set shard = 40 where id = ?'),
  };
  for (const statement of Object.values(statements)) await statement.bind(store.id).run();
  // By no request: an isolate would remember the shard of the store for half a minute.
  await env.COPIED_0.prepare(
    `insert into brands (id, store_id, name, name_key, name_folded, active, featured, created_at, updated_at)
    values (?1 + ?2, ?2, 'Marca', 'marca', 'marca', 1, 0, 0, 0)`,
  )
    .bind(firstIdOfShard(40) + 1_000_000, store.id)
    .run();
  return store;
}
