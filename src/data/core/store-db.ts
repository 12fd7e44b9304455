import { eq, type SQL } from 'drizzle-orm';
import type { Listing } from '../../base/codecs/listing/listing.ts';
import { DatabaseUnavailable, StoreElsewhere } from '../../base/errors.ts';
import { systemDoer, type Doer } from '../audit/action.ts';
import { below, pageStatements, type PageOptions } from '../lists/list-page.ts';
import { toPage, type PageOfRows } from '../lists/to-page.ts';
import {
  guardedRecordStatement,
  guardStatement,
  type Guard,
  type GuardRow,
} from '../shards/guard.ts';
import type { EventPace } from './event-budget.ts';
import { dryRunStatements } from './idempotency.ts';
import { assertUnchanged, observed, type ObservedRead } from './observed-reads.ts';
import type { Database, DatabaseSession } from './open-database.ts';
import {
  type ChangeRecorder,
  nothingAround,
  isRecordSelect,
  isTotalSelect,
  isSelect,
  mayChangeData,
  type BatchResults,
  type Statement,
} from './statement.ts';
import { StoreStatements, type Extras, type SelectedRow } from './store-statements.ts';
import type { InsertValues, Row, StoreTable, UpdateValues } from './store-table.ts';
import type { Store } from './store.ts';

/**
 * A listing of a table. It may also filter by linked ids, if the options of the page have a filter
 * `L` for them.
 */
type ListingOf<T extends StoreTable, L extends string> = Listing<
  (keyof Row<T> & string) | NoInfer<L>
>;

/**
 * A delivery that the batch of its event claimed for the request itself
 * (`webhooks/delivery/first-send.ts`).
 */
export interface ClaimedDelivery {
  /** The row of the endpoint. */
  endpoint: Readonly<Record<string, unknown>>;
  seq: number;
  eventId: string;
  event: string;
  body: string;
  changed: string | null;
  /** Epoch milliseconds. */
  triggeredAt: number;
}

/** Before the second attempt. Random: requests that failed together must not return together. */
const maxPauseMs = 50;

/** The checks of a handle, and its connection. */
interface HandleOptions {
  /** Epoch milliseconds. */
  now: number;
  wakeEndpoints: StoreDb['wakeEndpoints'];
  sendFirst?: StoreDb['sendFirst'];
  /** Returns the author of changes, for the audit; the service itself by default. */
  by?: () => Doer;
  /** The budget of events, and how they go on beyond it: `bulk` by default. */
  events?: { budget: number; pace?: EventPace };
  archive?: StoreDb['archive'];
  /**
   * The requirements of every batch beside the store in this shard. Without conditions and facts,
   * no guard has to run by itself.
   */
  guard?: Partial<Omit<Guard, 'storeId' | 'epoch'>>;
  /** The connection of `database`, for a handle that says what its batches cost. */
  session?: DatabaseSession;
}

/**
 * A handle on the data of one store; no method reaches another store. A guard runs first in every
 * batch and aborts it unless the store is in this shard and all conditions hold
 * (`shards/guard.ts`).
 */
export class StoreDb extends StoreStatements {
  /**
   * Called after a commit with the endpoints that have deliveries to send, and whether they are
   * slow.
   */
  readonly wakeEndpoints: (endpoints: number[], areSlow?: boolean) => void;
  /** Sends claimed deliveries after the commit. Without it, none is claimed. */
  readonly sendFirst: ((deliveries: readonly ClaimedDelivery[]) => void) | undefined;
  /** Returns the author of changes with the handle, and where they came from. */
  readonly by: () => Doer;
  /**
   * The bytes of events and of stored responses that this store may record on a day; `undefined`
   * for internal writers.
   */
  readonly eventBudget: number | undefined;
  /** How events beyond the budget go on. */
  readonly eventPace: EventPace;
  /** Holds the bodies of older events; only for handles that read them. */
  readonly archive: Pick<R2Bucket, 'get'> | undefined;
  /** The reads of this handle that its first change compares. */
  readonly reads: ReadComparison;
  readonly #database: Database;
  readonly #options: HandleOptions;
  #isGuarded: boolean;
  #recorder: ChangeRecorder | undefined;
  #isDryRun = false;

  constructor(store: Store, database: Database, options: HandleOptions) {
    super(store, database, options.now);
    this.wakeEndpoints = options.wakeEndpoints;
    this.sendFirst = options.sendFirst;
    this.by = options.by ?? (() => systemDoer);
    this.eventBudget = options.events?.budget;
    this.eventPace = options.events?.pace ?? 'bulk';
    this.archive = options.archive;
    this.reads = new ReadComparison(database);
    this.#database = database;
    this.#options = options;
    this.#isGuarded = !options.guard?.conditions && options.guard?.facts === undefined;
  }

  /** Returns a record, or `undefined` if the store has none with this id. One round trip. */
  async find<T extends StoreTable, E extends Extras = {}>(
    table: T,
    id: number,
    extras?: E,
    where?: SQL,
  ) {
    const [rows] = await this.batch([this.selectOne(table, id, extras, where)]);
    return rows[0];
  }

  /**
   * Returns a page of a list and its total, both as of after the statements `first`. One round
   * trip, two statements.
   */
  async page<T extends StoreTable, E extends Extras = {}, L extends string = never>(
    table: T,
    listing: ListingOf<T, L>,
    options: PageOptions<E, L> = {},
    first: readonly Statement[] = [],
  ): Promise<PageOfRows<SelectedRow<T, E>>> {
    const connection = { statements: this, database: this.#database };
    const [page, count] = pageStatements(connection, table, listing, options);
    const results = await this.batch([...first, page, count]);
    const [rows, counts] = results.slice(-2) as BatchResults<[typeof page, typeof count]>;
    return toPage(table, rows, counts, listing);
  }

  /**
   * Returns a page of a list below a parent record, which `where` or `within` selects. `undefined`
   * if the store has no such parent, or one that is not `isParent`. One round trip.
   */
  async pageOfParent<T extends StoreTable, E extends Extras = {}>(
    parent: StoreTable,
    parentId: number,
    table: T,
    listing: ListingOf<T, never>,
    options: PageOptions<E, never>,
    isParent?: SQL,
  ): Promise<PageOfRows<SelectedRow<T, E>> | undefined> {
    const connection = { statements: this, database: this.#database };
    const [parents, rows, counts] = await this.batch([
      this.selectOne(parent, parentId, undefined, isParent),
      ...pageStatements(connection, table, listing, below(table, this.store.id, options)),
    ]);
    return parents.length > 0 ? toPage(table, rows, counts, listing) : undefined;
  }

  /** Inserts a record and returns it. One round trip. */
  async insert<T extends StoreTable>(table: T, values: InsertValues<T>) {
    return (await this.batch([this.insertStatement(table, values)]))[0][0];
  }

  /**
   * Updates a record and returns it, changed or not; `undefined` if the store has none with this
   * id. One round trip.
   */
  async update<T extends StoreTable>(table: T, id: number, changes: UpdateValues<T>) {
    const [, rows] = await this.batch([
      this.updateStatement(table, eq(table.id, id), changes),
      this.selectOne(table, id),
    ]);
    return rows[0];
  }

  /** Deletes a record, after the statements `first` in the same transaction. One round trip. */
  async remove(table: StoreTable, id: number, first: readonly Statement[] = []) {
    const results = await this.batch([...first, this.deleteStatement(table, eq(table.id, id))]);
    return (results.at(-1) as { id: number }[])[0];
  }

  /**
   * Runs statements as one transaction, in one round trip. Repeats it once after a failure if that
   * is safe.
   */
  async batch<const S extends readonly Statement[]>(statements: S): Promise<BatchResults<S>> {
    const around = this.#recorder?.around(statements) ?? nothingAround;
    const isChange = statements.some(mayChangeData);
    const dryRun =
      this.#isDryRun && !statements.every(isSelect) ? dryRunStatements(this) : nothingAround;
    // The key comes first: a duplicate gets the response of the request that changed the record.
    const first = [...dryRun.first, ...around.first, ...this.reads.assertions(isChange)];
    const last = [...around.last, ...dryRun.last];
    const all = [...first, ...this.reads.watch(statements), ...last];
    const results = await this.#runAgainIfSafe(all);
    this.#isGuarded = true;
    this.reads.settle(isChange);
    around.settle(results.at(-1));
    // Drizzle types the results of a tuple; the spread above loses its length, not its order.
    return results.slice(first.length, first.length + statements.length) as BatchResults<S>;
  }

  /** Runs statements, and once more when D1 says that nothing was run, or when they only read. */
  async #runAgainIfSafe(statements: readonly Statement[]): Promise<unknown[]> {
    try {
      return await this.#runGuarded(statements).catch(async (error: unknown) => {
        const isSafe =
          error instanceof DatabaseUnavailable && error.mayRepeat(statements.every(isSelect));
        if (!isSafe) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * maxPauseMs));
        return this.#runGuarded(statements);
      });
    } catch (error) {
      // The guard has run and refused; a repetition uses another handle.
      if (error instanceof StoreElsewhere) this.#isGuarded = true;
      throw error;
    }
  }

  /** Runs statements after the guard, and returns their results. */
  async #runGuarded(statements: readonly Statement[]): Promise<unknown[]> {
    const required = { isReadOnly: false, conditions: [], ...this.#options.guard };
    const guard: Guard = { ...required, storeId: this.store.id };
    const [first] = statements;
    if (statements.length === 1 && isRecordSelect(first)) {
      return this.#run([guardedRecordStatement(this.#database, guard, first)]);
    }
    // Nothing may change what is counted between the guard and the last statement.
    const [, second, third] = statements;
    const isCounted = isTotalSelect(second) && !third && first !== undefined && isSelect(first);
    const total = isCounted ? second : undefined;
    const rest = total ? statements.slice(0, 1) : statements;
    const guarding = guardStatement(this.#database, guard, total);
    const [guards, ...results] = await this.#run([guarding, ...rest]);
    const [state] = guards as GuardRow[];
    if (total) results.push(state?.total == null ? [] : [{ total: state.total }]);
    return results;
  }

  #run(statements: readonly Statement[]): Promise<unknown[]> {
    const { session } = this.#options;
    return session ? session.batch(statements) : this.#database.batch(statements as [Statement]);
  }

  /** Whether a batch has run the guard, or none needs to. */
  get isGuarded(): boolean {
    return this.#isGuarded;
  }

  /**
   * Runs the guard by itself unless a batch has run it or it needs no check: for operations and
   * errors that read no data.
   */
  async ensureGuarded(): Promise<void> {
    if (!this.#isGuarded) await this.batch([]);
  }

  /**
   * Makes the first batch that changes data, and those before it, run the statements of a recorder
   * around theirs.
   */
  recordChanges<Recorder extends ChangeRecorder>(recorder: Recorder): Recorder {
    this.#recorder = recorder;
    return recorder;
  }

  /**
   * Makes each batch that changes anything undo itself and throw `DryRunEnded`, unless it fails for
   * another cause.
   */
  startDryRun(): void {
    this.#isDryRun = true;
  }

  /** Whether nothing may be stored. */
  get isDryRun(): boolean {
    return this.#isDryRun;
  }

  /** The rows that this handle has read; `undefined` for one without a session. */
  get rowsRead(): number | undefined {
    return this.#options.session?.rowsRead;
  }

  /**
   * The milliseconds in the database, and until its answers came; `undefined` for a handle without
   * a session.
   */
  get times(): { sqlMs: number; waitMs: number } | undefined {
    const { session } = this.#options;
    return session && { sqlMs: session.sqlMs, waitMs: session.waitMs };
  }
}

/**
 * The reads that a conditional change rests on. The first batch that changes data compares them,
 * and aborts with `RecordChanged` unless they return the same again.
 */
class ReadComparison {
  readonly #database: Database;
  #observed: ObservedRead[] = [];
  #isObserving = false;
  #expected: readonly ObservedRead[] | undefined;
  #comparesReads = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Runs reads, and remembers what each of their statements returned. */
  observe<T>(reads: () => Promise<T>): Promise<T> {
    this.#observed = [];
    this.#isObserving = true;
    return reads().finally(() => (this.#isObserving = false));
  }

  /** Makes the first batch that changes data compare the observed reads. */
  expectObserved(): void {
    this.#expected = this.#observed;
  }

  /**
   * Whether no batch that may change data ran since `expectObserved`, so none has compared the
   * reads.
   */
  get isExpecting(): boolean {
    return this.#expected !== undefined;
  }

  /**
   * Runs work whose batches compare them even if they only read: a decision to change nothing then
   * rests on the same state.
   */
  compareReads<T>(work: () => Promise<T>): Promise<T> {
    this.#comparesReads = true;
    return work().finally(() => (this.#comparesReads = false));
  }

  /** The comparisons that come before the statements of a batch. */
  assertions(isChange: boolean): Statement[] {
    const expected = isChange || this.#comparesReads ? (this.#expected ?? []) : [];
    return expected.map((read) => assertUnchanged(this.#database, read));
  }

  /** The statements of a batch, remembered while reads are observed. */
  watch(statements: readonly Statement[]): readonly Statement[] {
    return this.#isObserving ? observed(statements, this.#observed) : statements;
  }

  /** Forgets what was compared with the change. */
  settle(isChange: boolean): void {
    if (isChange) this.#expected = undefined;
  }
}
