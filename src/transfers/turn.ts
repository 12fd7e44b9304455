import { pause } from '../db/contention/pause.ts';
import { openDatabase } from '../db/core/open.ts';
import { StoreDb } from '../db/core/store-db.ts';
import { findStoresById } from '../db/directory/stores.ts';
import { isAtWorkSql } from '../db/schema/store/residents.ts';
import { settingsOf } from '../settings.ts';
import { wakeEndpoints } from '../webhooks/queue/wake.ts';
import { isStillAllowed } from './access.ts';
import { dueTransfersSql, selectTransfer, type TransferKind } from './job.ts';
import { TransferWork, type WorkContext } from './transfer-work.ts';

/** Where and when a turn is. */
export interface TurnContext {
  env: Env;
  shard: number;
  db: D1Database;
  now: () => number;
}

/** How a turn shares a shard with others. */
export interface TurnOptions {
  /** No portion starts later. */
  turnMs: number;
  /** The rest after a portion, in times of what it took: the shard then answers requests. */
  restFactor: number;
}

const defaultOptions: TurnOptions = { turnMs: 5_000, restFactor: 8 };

/** A worker that died has lost its turn after this time. */
const leaseMs = 30_000;

/** The longest rest, in milliseconds: a database that is slow for once must not stop the transfers. */
const maxRestMs = 500;

/** Transfers that share a turn, each of another store or kind. */
const transfersPerTurn = 10;

const beginSql = `
  insert into transfer_turns (id, until, generation) values (1, ?1, 1)
  on conflict do update set until = excluded.until, generation = generation + 1 where until <= ?2
  returning generation`;

const endSql = 'update transfer_turns set until = 0 where id = 1 and generation = ?';

/** A store that is not active, or that the directory has elsewhere, is looked at again so much later. */
const absentMs = 600_000;

const postponeSql = 'update transfers set due_at = ?2 where id = ?1 and due_at is not null';

const dueSql = dueTransfersSql(isAtWorkSql, transfersPerTurn);

/** Whether a shard has transfers to work on now. One round trip. */
export async function hasDueTransfers({ db, now }: Pick<TurnContext, 'db' | 'now'>) {
  return (await db.prepare(dueSql).bind(now()).first()) !== null;
}

/**
 * Works on the transfers of a shard in turns, one worker at a time, with rests, so that its stores hardly notice. Returns
 * whether more is to do now. What a worker leaves behind that dies, the next turn goes on with.
 */
export async function takeTurn(
  context: TurnContext,
  options: TurnOptions = defaultOptions,
): Promise<boolean> {
  const { db, now } = context;
  const startedAt = now();
  const turn = await db
    .prepare(beginSql)
    .bind(startedAt + leaseMs, startedAt)
    .first<{ generation: number }>();
  // Whoever has the turn looks for more when it ends.
  if (!turn) return false;
  try {
    await workOn(context, options, startedAt);
  } finally {
    await db.prepare(endSql).bind(turn.generation).run();
  }
  return hasDueTransfers(context);
}

async function workOn(
  context: TurnContext,
  { turnMs, restFactor }: TurnOptions,
  startedAt: number,
): Promise<void> {
  const { env, shard, now } = context;
  const awake = { fast: new Set<number>(), slow: new Set<number>() };
  const works = await loadWorks(context, (endpoints, areSlow = false) => {
    for (const endpoint of endpoints) awake[areSlow ? 'slow' : 'fast'].add(endpoint);
  });
  try {
    while (works.some((work) => work.isOpen) && now() < startedAt + turnMs) {
      for (const work of works.filter((one) => one.isOpen)) {
        const before = performance.now();
        await work.step();
        await pause(Math.min((performance.now() - before) * restFactor, maxRestMs));
      }
    }
    for (const work of works) await work.finishTurn();
  } finally {
    await Promise.all([
      wakeEndpoints(env, shard, [...awake.fast]),
      wakeEndpoints(env, shard, [...awake.slow], true),
    ]);
  }
}

/** Loads what is due. Ends transfers of API keys that were revoked. */
async function loadWorks(
  { env, db, shard, now }: TurnContext,
  wake: WorkContext['wakeEndpoints'],
): Promise<TransferWork[]> {
  const { results } = await db
    .prepare(dueSql)
    .bind(now())
    .all<{ id: number; storeId: number; kind: TransferKind }>();
  if (results.length === 0) return [];
  const directory = openDatabase(env.DIRECTORY);
  const stores = await findStoresById(
    directory,
    results.map(({ storeId }) => storeId),
  );
  const { eventBudget } = settingsOf(env);
  const work: WorkContext = {
    files: env.ARCHIVE,
    binding: db,
    now,
    eventBudget,
    wakeEndpoints: wake,
  };
  const works: TransferWork[] = [];
  for (const { id, storeId, kind } of results) {
    const store = stores.find((one) => one.id === storeId && one.shard === shard && one.active);
    if (!store) {
      await db
        .prepare(postponeSql)
        .bind(id, now() + absentMs)
        .run();
      continue;
    }
    const handle = new StoreDb(store, openDatabase(db), { now: now(), wakeEndpoints: wake });
    const [[transfer]] = await handle.batch([selectTransfer(handle, kind, id)]);
    if (!transfer) continue;
    const one = new TransferWork(work, store, transfer);
    if (await isStillAllowed(directory, transfer, now())) works.push(one);
    else await one.endAccess();
  }
  return works;
}
