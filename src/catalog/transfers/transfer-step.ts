import { sql } from 'drizzle-orm';
import { minuteMs, pause } from '../../base/durations.ts';
import { settingsOf } from '../../base/settings.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { prepareSql } from '../../data/core/raw.ts';
import { StoreDb } from '../../data/core/store-db.ts';
import { findStoresById } from '../../data/directory/stores.ts';
import { isLeasable, leases, release } from '../../data/queues.ts';
import { isAtWorkSql } from '../../data/schema/store/placement-tables.ts';
import { wakeEndpoints } from '../../webhooks/wake-endpoints.ts';
import { isStillAllowed } from './transfer-access.ts';
import { dueTransfers, selectTransfer, type TransferKind } from './transfer-job.ts';
import { TransferWork, type WorkContext } from './transfer-work.ts';

/** Place and time of a step. */
export interface StepContext {
  env: Env;
  shard: number;
  db: D1Database;
  now: () => number;
}

/** How a step shares a shard with other work. */
export interface StepOptions {
  /** No chunk starts later. */
  stepMs: number;
  /**
   * The rest after a chunk, as a multiple of the time that the shard worked on it: it then answers
   * requests.
   */
  restFactor: number;
  longChunkMs: WorkContext['longChunkMs'];
}

const defaultOptions: StepOptions = { stepMs: 5_000, restFactor: 2, longChunkMs: 50 };

/** A worker that died has lost its step after this time. */
const leaseMs = 30_000;

/**
 * The longest rest, in milliseconds: a database that is slow for once must not stop the transfers.
 */
const maxRestMs = 500;

/** Transfers that share a step, each of another store or kind. */
const transfersPerStep = 10;

/** Delay of a transfer whose store is not active, or is elsewhere according to the directory. */
const absentMs = 10 * minuteMs;

const selectDue = (db: D1Database, now: number) =>
  prepareSql(db, dueTransfers(now, isAtWorkSql, transfersPerStep));

/** Whether a shard has transfers to work on now. One round trip. */
export async function hasDueTransfers({ db, now }: Pick<StepContext, 'db' | 'now'>) {
  return (await selectDue(db, now()).first()) !== null;
}

/**
 * Works on the transfers of a shard in steps, one worker at a time, with rests, so that its stores
 * hardly notice. Returns whether more is to do now. The next step continues the work of a worker
 * that died.
 */
export async function takeStep(
  context: StepContext,
  options: StepOptions = defaultOptions,
): Promise<boolean> {
  const { db, now } = context;
  const startedAt = now();
  const lease = await prepareSql(
    db,
    sql`insert into transfer_turns (id, until, generation) values (1, ${startedAt + leaseMs}, 1)
      on conflict do update set until = excluded.until, generation = generation + 1
        where ${isLeasable(leases.transfers, startedAt)}
      returning generation`,
  ).first<{ generation: number }>();
  // The worker that holds the lease looks for more when its step ends.
  if (!lease) return false;
  try {
    await workOn(context, options, startedAt);
  } finally {
    await prepareSql(
      db,
      sql`update transfer_turns set ${release(leases.transfers)}
        where id = 1 and generation = ${lease.generation}`,
    ).run();
  }
  return hasDueTransfers(context);
}

async function workOn(
  context: StepContext,
  { stepMs, restFactor, longChunkMs }: StepOptions,
  startedAt: number,
): Promise<void> {
  const { env, shard, now } = context;
  const awake = { fast: new Set<number>(), slow: new Set<number>() };
  const wake: WorkContext['wakeEndpoints'] = (endpoints, areSlow = false) => {
    for (const endpoint of endpoints) awake[areSlow ? 'slow' : 'fast'].add(endpoint);
  };
  const works = await loadWorks(context, { wakeEndpoints: wake, longChunkMs });
  try {
    while (works.some((work) => work.isOpen) && now() < startedAt + stepMs) {
      for (const work of works.filter((one) => one.isOpen)) {
        const workedMs = await work.step();
        await pause(Math.min(workedMs * restFactor, maxRestMs));
      }
    }
    for (const work of works) await work.finishStep();
  } finally {
    await Promise.all([
      wakeEndpoints(env, shard, [...awake.fast]),
      wakeEndpoints(env, shard, [...awake.slow], true),
    ]);
  }
}

/**
 * Loads the due transfers. Ends those of users who may not do it any more, and of API keys that
 * ended.
 */
async function loadWorks(
  { env, db, shard, now }: StepContext,
  given: Pick<WorkContext, 'wakeEndpoints' | 'longChunkMs'>,
): Promise<TransferWork[]> {
  const { results } = await selectDue(db, now()).all<{
    id: number;
    storeId: number;
    kind: TransferKind;
  }>();
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
    ...given,
  };
  const works: TransferWork[] = [];
  for (const { id, storeId, kind } of results) {
    const store = stores.find((one) => one.id === storeId && one.shard === shard && one.active);
    if (!store) {
      await prepareSql(
        db,
        sql`update transfers set due_at = ${now() + absentMs} where id = ${id} and due_at is not null`,
      ).run();
      continue;
    }
    const handle = new StoreDb(store, openDatabase(db), {
      now: now(),
      wakeEndpoints: given.wakeEndpoints,
    });
    const [[transfer]] = await handle.batch([selectTransfer(handle, kind, id)]);
    if (!transfer) continue;
    const one = new TransferWork(work, store, transfer);
    if (await isStillAllowed(directory, storeId, transfer, now())) works.push(one);
    else await one.endAccess();
  }
  return works;
}
