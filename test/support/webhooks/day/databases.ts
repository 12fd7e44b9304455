import { createSqliteD1 } from '../simulation/sqlite-d1.ts';
import { platform } from './platform-facts.ts';
import type { VirtualTime } from './virtual-time.ts';

/** An isolate, which dies at a release: nothing answers it any more. */
export interface Isolate {
  isAlive: boolean;
}

interface Call {
  isolate: Isolate;
  statements: number;
  arrivedAt: number;
  isServed?: boolean;
  hasGivenUp?: boolean;
  run: () => Promise<unknown>;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/** The rows that a statement or a batch has changed; a query of values has no such number. */
const rowsChanged = (result: unknown): number =>
  ([result].flat() as (Partial<D1Result> | null)[]).reduce(
    (sum, one) => sum + (one?.meta?.changes ?? 0),
    0,
  );

/**
 * A D1 database over SQLite: real statements, one after the other in simulated time. A call
 * travels, waits for the thread, takes it for its service time, and travels back.
 */
export class SimulatedDatabase {
  readonly #time: VirtualTime;
  readonly #sqlite: D1Database;
  readonly #hopMs: number;
  /** A call takes so many times its service time: for calls that are not simulated. */
  stretch = 1;
  /** The other side does not answer at all: its data centre is down. */
  isUnreachable = false;
  busyMs = 0;
  calls = 0;
  statements = 0;
  rowsChanged = 0;
  /** The longest wait for the thread. */
  longestWaitMs = 0;
  readonly #waiting: Call[] = [];
  #isBusy = false;
  #stalledUntil = 0;

  constructor(time: VirtualTime, schema: readonly string[], hopMs: number) {
    this.#time = time;
    this.#sqlite = createSqliteD1(schema);
    this.#hopMs = hopMs;
  }

  /** Reads without simulated time. */
  async rows<T>(sql: string): Promise<T[]> {
    return (await this.#sqlite.prepare(sql).all<T>()).results;
  }

  /** Runs statements without simulated time. */
  execute = (statements: readonly string[]) =>
    this.#sqlite.batch(statements.map((sql) => this.#sqlite.prepare(sql)));

  /** The thread serves nothing for so long. */
  stall(ms: number): void {
    this.#stalledUntil = this.#time.exact + ms;
  }

  /** Takes the thread for work that is not simulated. */
  occupy(ms: number): void {
    this.#enqueue({
      isolate: { isAlive: true },
      statements: 0,
      arrivedAt: this.#time.exact,
      run: () => {
        this.busyMs += ms;
        return this.#time.pause(ms);
      },
      resolve: () => undefined,
      reject: () => undefined,
    });
  }

  /** The binding of an isolate. */
  bindingOf(isolate: Isolate): D1Database {
    const originals = new WeakMap<object, D1PreparedStatement>();
    const call = (statements: number, run: () => Promise<unknown>) =>
      this.#call(isolate, statements, run);
    const prepared = (original: D1PreparedStatement): D1PreparedStatement => {
      const statement = {
        bind: (...values: unknown[]) => prepared(original.bind(...values)),
        all: () => call(1, () => original.all()),
        run: () => call(1, () => original.run()),
        raw: () => call(1, () => original.raw()),
        first: (column: string) => call(1, () => original.first(column)),
      } as unknown as D1PreparedStatement;
      originals.set(statement, original);
      return statement;
    };
    return {
      prepare: (sql: string) => prepared(this.#sqlite.prepare(sql)),
      batch: (statements: D1PreparedStatement[]) =>
        call(statements.length, () =>
          this.#sqlite.batch(statements.map((one) => originals.get(one) ?? one)),
        ),
    } as unknown as D1Database;
  }

  #call(isolate: Isolate, statements: number, run: () => Promise<unknown>): Promise<never> {
    return new Promise((resolve, reject) => {
      if (!isolate.isAlive) return;
      this.calls += 1;
      this.statements += statements;
      const answer =
        <T>(settle: (value: T) => void) =>
        (value: T) =>
          void this.#time.after(this.#hopMs, () => isolate.isAlive && settle(value));
      this.#time.after(this.#hopMs, () => {
        const arrivedAt = this.#time.exact;
        const fail = answer(reject);
        if (this.isUnreachable) fail(new Error('D1_ERROR: Network connection lost.'));
        else {
          const call = { isolate, statements, arrivedAt, run, resolve: answer(resolve) };
          this.#enqueue({ ...call, reject: fail });
        }
      });
    });
  }

  #enqueue(call: Call): void {
    this.#waiting.push(call);
    // Looked at only where the thread is far behind: most calls are served at once.
    if (this.#stalledUntil > this.#time.exact || this.#waiting.length > 100) {
      this.#time.after(platform.longestWaitMs, () => this.#giveUp(call));
    }
    if (!this.#isBusy) void this.#serve();
  }

  async #serve(): Promise<void> {
    this.#isBusy = true;
    for (let call = this.#waiting.shift(); call; call = this.#waiting.shift()) {
      if (this.#stalledUntil > this.#time.exact)
        await this.#time.pause(this.#stalledUntil - this.#time.exact);
      if (call.hasGivenUp) continue;
      const waitedMs = this.#time.exact - call.arrivedAt;
      if (call.statements > 0) this.longestWaitMs = Math.max(this.longestWaitMs, waitedMs);
      call.isServed = true;
      await this.#answer(call);
    }
    this.#isBusy = false;
  }

  #giveUp(call: Call): void {
    if (call.isServed) return;
    call.hasGivenUp = true;
    this.longestWaitMs = platform.longestWaitMs;
    call.reject(new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.'));
  }

  async #answer({ run, statements, resolve, reject }: Call): Promise<void> {
    try {
      const result = await run();
      const rows = rowsChanged(result);
      this.rowsChanged += rows;
      const { batchMs, statementMs, rowMs } = platform.service;
      const ms = (batchMs + statements * statementMs + rows * rowMs) * this.stretch;
      if (statements > 0) {
        this.busyMs += ms;
        await this.#time.pause(ms);
      }
      resolve(result as never);
    } catch (error) {
      reject(error as Error);
    }
  }
}
