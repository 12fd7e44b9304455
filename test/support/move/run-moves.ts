import { env } from 'cloudflare:workers';
import { shardBinding } from '../../../src/db/shards/shards.ts';
import type { Departure } from '../../../src/platform/move/departure.ts';
import { moveStore } from '../../../src/platform/move/start.ts';
import { makeStep } from '../../../src/platform/move/steps.ts';
import { continueMoves } from '../../../src/platform/move/task.ts';
import { databaseOf } from '../fixtures/shards.ts';
import type { TestStore } from '../fixtures/store.ts';

const minute = 60_000;

/** Runs the moves that leave a shard as its sweep does, at a time (epoch milliseconds). */
export const runMoves = (shard: number, now: number, bindings: Env = env) =>
  continueMoves({
    env: bindings,
    shard,
    db: shardBinding(bindings, shard),
    now: () => now,
    hasTime: () => true,
  });

/**
 * Moves a store from one shard to another, all steps up to its switch. Returns when it ended (epoch milliseconds). In the
 * shards of all files only upwards: the lower one would take a block of ids, and other files find a database by its ids.
 */
export async function move(
  { alias }: TestStore,
  from: number,
  to: number,
  { now = Date.now(), bindings = env }: { now?: number; bindings?: Env } = {},
) {
  if (bindings === env && to < from) throw new Error('moves down need shards of their own');
  const started = await moveStore(bindings, alias, to, now);
  if (!started.ok) throw new Error(started.reason);
  await runMoves(from, now, bindings);
  await runMoves(from, now + minute, bindings);
  return now + minute;
}

/** Starts a move and stops it in the middle: the store is fenced, and its data are not copied yet. */
export async function fence(
  { id, alias }: TestStore,
  from: number,
  to: number,
  now = Date.now(),
): Promise<void> {
  const started = await moveStore(env, alias, to, now);
  if (!started.ok) throw new Error(started.reason);
  await runMoves(from, now);
  const [source, target] = [databaseOf({ shard: from }), databaseOf({ shard: to })];
  const departure = await source
    .prepare('select * from departures where store_id = ?')
    .bind(id)
    .first<Departure>();
  if (!departure) throw new Error('no departure');
  const context = {
    env,
    shard: from,
    db: source,
    now: () => now + minute,
    hasTime: () => true,
  };
  await makeStep({ ...departure, context, source, target });
}

/** The number of rows that a shard has of a store, by table, of the tables with `store_id`; without those with none. */
export async function rowsOf(shard: number, storeId: number) {
  const db = databaseOf({ shard });
  const tables = await db
    .prepare(
      `select name from sqlite_master where type = 'table' and sql like '%store_id%integer%'`,
    )
    .all<{ name: string }>();
  const names = tables.results.map(({ name }) => name);
  const counts = await db.batch<{ n: number }>(
    names.map((name) =>
      db.prepare(`select count(*) as n from "${name}" where store_id = ?`).bind(storeId),
    ),
  );
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const n = counts[index]?.results[0]?.n ?? 0;
      return n > 0 ? [[name, n]] : [];
    }),
  );
}
