import { dayMs, minuteMs, pause } from '../base/durations.ts';
import { StoreElsewhere } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { openDatabase } from '../data/core/open-database.ts';
import { StoreDb } from '../data/core/store-db.ts';
import type { Store } from '../data/core/store.ts';
import { findStoresById } from '../data/directory/stores.ts';
import {
  findDueRecords,
  postponeDueRecord,
  postponeOrphanedRecords,
  type DuePage,
  type DueRecord,
  type TimedKind,
} from '../data/queries/due-records.ts';
import type { SweepContext } from '../data/sweep-task.ts';
import { processDueCart } from '../sales/carts/reminders.ts';
import { processDueTransaction } from '../sales/transactions/transaction-commands.ts';
import { wakeEndpoints } from '../webhooks/wake-endpoints.ts';

/** A run starts no new work later; the rest waits for the next minute. */
const timeBudgetMs = 20_000;

/**
 * Records of one run. Each needs some three calls of the database, and an invocation may make 1,000
 * in all.
 */
export const maxTimedRecords = 200;

/**
 * Money first: captures of cards and cancellations of unpaid orders, then reminders and expiries of
 * carts. `share` is the part of the run after which a kind yields to the next, so that many
 * payments never stop the carts.
 */
const phases = [
  { kind: 'transaction', share: 0.75 },
  { kind: 'cart', share: 1 },
  { kind: 'transaction', share: 1 },
] as const;

/**
 * Processes due records of a shard until none remains or the time is over: captures cards, cancels
 * unpaid orders, sends cart reminders and expires carts. Each record is one conditional batch, so
 * concurrent or interrupted runs do nothing twice and nothing by half. Returns the number of
 * records that it tried. Never rejects: failures are logged and retried after five minutes.
 */
export async function runTimers({ env, shard, db, now }: SweepContext): Promise<number> {
  const startedAt = now();
  const timers = new ShardTimers(env, shard, db, now);
  for (const { kind, share } of phases) {
    const limits = { stopAt: startedAt + share * timeBudgetMs, records: share * maxTimedRecords };
    await timers.process(kind, limits);
  }
  timers.logResult();
  return timers.tried;
}

/** Records of a page, which all stores with due records share. */
const pageSize = 200;

/**
 * Records in work at once. A Worker has six connections, and other tasks of the sweep need some.
 */
const recordsAtOnce = 4;

/** Delay after a failure, so that a failing record does not block the others. */
const retryMs = 5 * minuteMs;

/** Delay of a record whose store is not in the directory. */
const orphanRetryMs = dayMs;

const dueHandlers = {
  transaction: (db: StoreDb, { id }: DueRecord) => processDueTransaction(db, id),
  cart: processDueCart,
} satisfies Record<TimedKind, (db: StoreDb, due: DueRecord) => Promise<unknown>>;

const noRecords: DuePage = { records: [], hasMore: false };

/**
 * When to start no further record: a time in epoch milliseconds, and a number of records in the
 * whole run.
 */
interface Limits {
  stopAt: number;
  records: number;
}

/** The timers of one shard in one run. Never rejects. */
class ShardTimers {
  readonly #env: Env;
  readonly #shard: number;
  readonly #binding: D1Database;
  readonly #now: () => number;
  /** The stores of the records so far; `undefined` for one that the directory does not know. */
  readonly #stores = new Map<number, Store | undefined>();
  /** The records that this run has tried, as `kind:id`; none is tried twice. */
  readonly #tried = new Set<string>();
  #processed = 0;
  /** The next page of each kind; `undefined` until it was looked for. */
  #pages: Partial<Record<TimedKind, DuePage | undefined>> = {};

  constructor(env: Env, shard: number, binding: D1Database, now: () => number) {
    this.#env = env;
    this.#shard = shard;
    this.#binding = binding;
    this.#now = now;
  }

  /**
   * Processes due records of one kind, in turns by store, until none remains or the limits are
   * reached.
   */
  async process(kind: TimedKind, limits: Limits): Promise<void> {
    // The first query looks for both kinds, so a minute without due records costs one round trip.
    if (!this.#pages[kind]) await this.#findNext(['transaction', 'cart']);
    for (;;) {
      const { records, hasMore } = this.#pages[kind] ?? noRecords;
      const untried = records.filter((record) => !this.#tried.has(keyOf(record)));
      if (untried.length === 0) return;
      const isLoaded = await this.#withFallback(false, () => this.#loadStores(kind, untried));
      if (isLoaded) await this.#processPage(untried, limits);
      const isStopped = !this.#mayStart(limits);
      this.#pages[kind] = isStopped ? undefined : noRecords;
      if (isStopped || !isLoaded || !hasMore) return;
      await this.#findNext([kind]);
    }
  }

  /** The number of records that this run has tried. */
  get tried(): number {
    return this.#tried.size;
  }

  logResult(): void {
    const due = this.#tried.size;
    const processed = this.#processed;
    if (due > 0) log('info', 'timers_ran', { shard: this.#shard, due, processed });
  }

  #mayStart = ({ stopAt, records }: Limits) => this.#now() < stopAt && this.#tried.size < records;

  async #findNext(kinds: readonly TimedKind[]): Promise<void> {
    const none = Object.fromEntries(kinds.map((kind) => [kind, noRecords]));
    const found = await this.#withFallback(none, () =>
      findDueRecords(this.#binding, kinds, this.#now(), pageSize),
    );
    this.#pages = { ...this.#pages, ...found };
  }

  /**
   * Loads the stores of these records, and postpones records whose store is unknown. Returns
   * `true`.
   */
  async #loadStores(kind: TimedKind, records: readonly DueRecord[]): Promise<true> {
    const ids = new Set(records.map((record) => record.store_id));
    const missing = [...ids].filter((id) => !this.#stores.has(id));
    if (missing.length > 0) {
      const found = await findStoresById(openDatabase(this.#env.DIRECTORY), missing);
      const byId = new Map(found.map((store) => [store.id, store]));
      for (const id of missing) this.#stores.set(id, byId.get(id));
    }
    const orphans = records.filter((record) => !this.#stores.get(record.store_id));
    const until = this.#now() + orphanRetryMs;
    if (orphans.length > 0) await postponeOrphanedRecords(this.#binding, kind, orphans, until);
    return true;
  }

  /** Processes records in their order, some at once. */
  async #processPage(records: readonly DueRecord[], limits: Limits): Promise<void> {
    const awake = { fast: new Set<number>(), slow: new Set<number>() };
    const wake = (endpoints: readonly number[], areSlow = false) => {
      for (const endpoint of endpoints) awake[areSlow ? 'slow' : 'fast'].add(endpoint);
    };
    for (let first = 0; first < records.length && this.#mayStart(limits); first += recordsAtOnce) {
      // Otherwise a runtime with its databases in the same process would answer no request during
      // the run.
      if (first > 0) await pause(1);
      const chunk = records.slice(first, first + recordsAtOnce);
      await Promise.all(chunk.map((record) => this.#processRecord(record, wake)));
    }
    // Once for the page: a wake-up for every record of a store would fill the queues.
    await Promise.all([
      wakeEndpoints(this.#env, this.#shard, [...awake.fast]),
      wakeEndpoints(this.#env, this.#shard, [...awake.slow], true),
    ]);
  }

  async #processRecord(record: DueRecord, wake: StoreDb['wakeEndpoints']): Promise<void> {
    const { kind, id, store_id } = record;
    this.#tried.add(keyOf(record));
    const store = this.#stores.get(store_id);
    // The timers of a store that was deactivated wait, and an unknown store has been postponed.
    if (!store?.active) return;
    const database = openDatabase(this.#binding);
    const db = new StoreDb(store, database, { now: this.#now(), wakeEndpoints: wake });
    try {
      await dueHandlers[kind](db, record);
      this.#processed += 1;
    } catch (error) {
      // The store has begun to move; its new shard has the timer.
      if (error instanceof StoreElsewhere) return;
      this.#logFailure(error, { kind, id, store: store_id });
      await this.#withFallback(undefined, () => postponeDueRecord(db, record, db.now + retryMs));
    }
  }

  /** Runs `work`; logs a failure and returns `fallback` instead. */
  async #withFallback<T>(fallback: T, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#logFailure(error);
      return fallback;
    }
  }

  /** Logs only the class of an error: Drizzle's messages contain the values of a statement. */
  #logFailure(error: unknown, details: object = {}): void {
    const reason = error instanceof Error ? error.name : typeof error;
    log('error', 'timer_failed', { alert: true, shard: this.#shard, ...details, reason });
  }
}

const keyOf = ({ kind, id }: DueRecord) => `${kind}:${id}`;
