import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { openDatabase } from '../../src/data/core/open-database.ts';
import type { Job, JobKind } from '../../src/data/directory/job.ts';
import { jobs } from '../../src/data/schema/directory/operators-tables.ts';
import { movedTables } from '../../src/data/shards/moved-tables.ts';
import { readChunk, type Cell, type Cursor } from '../../src/data/shards/read-rows.ts';
import { numberShardStatements } from '../../src/data/shards/shard-numbers.ts';
import { bucketSettings } from './fakes/s3-bucket.ts';

/** Shards of the tests of copies only: a night copies all stores of a shard. */
const copiedShards = [40, 41, 42] as const;

const databases = { STORE_40: env.COPIED_0, STORE_41: env.COPIED_1, STORE_42: env.COPIED_2 };

/** The bindings of a Worker with these shards and a bucket for copies. */
export const copyingEnv = { ...env, ...databases, ...bucketSettings } as unknown as Env;

/** Migrates and numbers the databases of these shards. */
export async function prepareCopiedShards(): Promise<void> {
  for (const [index, db] of Object.values(databases).entries()) {
    const number = copiedShards[index] ?? 0;
    await applyD1Migrations(db, env.STORE_MIGRATIONS);
    await db.batch(numberShardStatements(number).map((sql) => db.prepare(sql)));
    await env.DIRECTORY.prepare(
      `insert into shards (number, region) values (?, 'local') on conflict do nothing`,
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
  const db = openDatabase(binding);
  const all: Record<string, Cell[][]> = {};
  for (const table of movedTables) {
    let cursor: Cursor | undefined;
    do {
      const { rows, next } = await readChunk(db, table, storeId, cursor);
      if (rows.length > 0) all[table.name] = [...(all[table.name] ?? []), ...rows];
      cursor = next;
    } while (cursor);
  }
  return all;
}

/** The newest job of a kind in a shard. */
export async function lastJob(kind: JobKind, shard: number): Promise<Job> {
  const found = await openDatabase(env.DIRECTORY).select().from(jobs).where(eq(jobs.kind, kind));
  const job = found.findLast((one) => one.shard === shard);
  if (!job) throw new Error(`no ${kind}`);
  return job;
}
