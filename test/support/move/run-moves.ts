import { env } from 'cloudflare:workers';
import { openDatabase, shardBinding } from '../../../src/data/core/open-database.ts';
import { OutgoingMoveState } from '../../../src/data/schema/store/moves-tables.ts';
import { findOutgoingMove, type OutgoingMove } from '../../../src/stores/move/outgoing-move.ts';
import { startMove } from '../../../src/stores/move/start-move.ts';
import { advanceMove, makeStep } from '../../../src/stores/move/steps.ts';
import { tidyMoves } from '../../../src/stores/move/tidy.ts';
import { databaseOf } from '../fixtures/shards.ts';
import type { TestStore } from '../fixtures/store.ts';

/** The context of a step of a job at a time (epoch milliseconds). */
const contextOf = (shard: number, now: number, bindings: Env) => ({
  env: bindings,
  shard,
  db: shardBinding(bindings, shard),
  now: () => now,
  hasTime: () => true,
});

/**
 * Takes the moves that leave a shard as far as they go at a time (epoch milliseconds), as their
 * jobs and the sweep do.
 */
export async function runMoves(shard: number, now: number, bindings: Env = env): Promise<void> {
  const context = contextOf(shard, now, bindings);
  const { results } = await context.db
    .prepare(`select * from outgoing_moves where state <> ${OutgoingMoveState.moved}`)
    .all<OutgoingMove>();
  for (const outgoingMove of results) await advanceMove(context, outgoingMove);
  await tidyMoves(context);
}

/** A name for a move that no job asked for. */
const randomMoveId = () => crypto.randomUUID();

async function start({ id }: Pick<TestStore, 'id'>, to: number, now: number, bindings: Env) {
  const started = await startMove(bindings, id, to, { moveId: randomMoveId(), now });
  if (!started.ok) throw new Error(started.reason);
}

/**
 * Moves a store from one shard to another, all steps up to its switch. Returns when it ended (epoch
 * milliseconds). In the shards of all files only upwards: the lower one would take a block of ids,
 * and other files find a database by its ids.
 */
export async function move(
  store: Pick<TestStore, 'id'>,
  from: number,
  to: number,
  { now = Date.now(), bindings = env }: { now?: number; bindings?: Env } = {},
) {
  if (bindings === env && to < from) throw new Error('moves down need shards of their own');
  await start(store, to, now, bindings);
  await runMoves(from, now, bindings);
  return now;
}

/**
 * Starts a move and stops it in the middle: the store is fenced, and its data are not copied yet.
 */
export async function fence(
  store: Pick<TestStore, 'id'>,
  from: number,
  to: number,
  now = Date.now(),
  bindings: Env = env,
): Promise<void> {
  await start(store, to, now, bindings);
  const context = contextOf(from, now, bindings);
  const outgoingMove = await findOutgoingMove(openDatabase(context.db), store.id);
  if (!outgoingMove) throw new Error('no outgoing move');
  await makeStep(context, outgoingMove);
}

/**
 * The number of rows that a shard has of a store, by table, of the tables with `store_id`; without
 * those with none.
 */
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
