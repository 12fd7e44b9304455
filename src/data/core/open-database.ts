import { DatabaseUnavailable, serviceUnavailable } from '../../base/errors.ts';
import { toAppError } from './data-errors.ts';
import { connectDrizzle, preparable, prepareNow, type D1Client } from './drizzle-adapter.ts';
import {
  preparedStatements,
  type RowDecoder,
  type Statement,
  type TypedStatement,
} from './statement.ts';
import type { StoreScope } from './store.ts';

/**
 * Makes text a statement of a database. The only place that does, so that all SQL is written in one
 * of two ways: with Drizzle's builder, or tagged (`raw.ts`). Lint refuses others
 * (`oxlint.config.ts`).
 */
export const prepareText = (binding: Pick<D1Database, 'prepare'>, text: string) =>
  binding.prepare(text);

/**
 * A handle on a D1 database. Errors of D1 are thrown as errors of the application
 * (`data-errors.ts`).
 */
export type Database = ReturnType<typeof connectDrizzle>;

/** Makes text with `?` parameters a statement of a batch. */
export function textStatement<Row>(
  database: Database,
  sql: string,
  params: unknown[],
  decode?: RowDecoder,
) {
  const query = { sql, params };
  const prepared = {
    getQuery: () => query,
    stmt: prepareText(database.$client, sql),
    mapResult: ({ results }: D1Result<Record<string, unknown>>) => decode?.(results) ?? results,
  };
  return preparable(() => prepared) as unknown as TypedStatement<Row[]>;
}

const databases = new WeakMap<StoreScope, Database>();

/**
 * Lets `rawStatement` find the database of a store handle. Called by the constructor of
 * `StoreStatements` only.
 */
export const registerDatabase = (db: StoreScope, database: Database) =>
  void databases.set(db, database);

/** The database of a store handle. */
export function databaseOf(db: StoreScope): Database {
  const database = databases.get(db);
  if (!database) throw new Error('not a store handle');
  return database;
}

/**
 * How long a call of a database may take, in milliseconds. D1 has no limit of its own for a
 * database that does not answer, and ends every statement after 30 s.
 *
 * - `read`: of a request that changes nothing, and of its authentication;
 * - `change`: of a request that may change data, which may commit although its request has ended;
 * - `work`: of work without a caller.
 */
export const timeLimits = { read: 3_000, change: 10_000, work: 35_000 } as const;

/**
 * Waits for a call of a database no longer than its limit, then throws a 503. The call itself
 * cannot be ended: what it returns later is dropped. Errors of D1 are thrown as errors of the
 * application.
 *
 * One promise: `Promise.race` with `finally` and `catch` makes six, and every request waits here.
 */
function withinLimit<T>(call: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DatabaseUnavailable('silent')), limitMs);
    call.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(toAppError(error));
      },
    );
  });
}

type BatchOfRows = (
  statements: D1PreparedStatement[],
) => Promise<D1Result<Record<string, unknown>>[]>;

/** Runs statements in one call of `batch`, and decodes their results. */
async function runBatch(
  batch: BatchOfRows,
  statements: readonly Statement[],
  limitMs: number,
): Promise<unknown[]> {
  const prepared = statements.map(
    (statement) => preparedStatements.get(statement) ?? prepareNow(statement),
  );
  const bound = prepared.map((statement) => statement.stmt.bind(...statement.getQuery().params));
  const results = await withinLimit(batch(bound), limitMs);
  return results.map((result, index) => prepared[index]?.mapResult(result, true));
}

/**
 * Opens the directory or a shard with Drizzle, for a request that waits for what it `reads`, or for
 * `work` without a caller.
 */
export function openDatabase(binding: D1Database, use: keyof typeof opened = 'work'): Database {
  let database = opened[use].get(binding);
  if (!database) {
    const limitMs = use === 'reads' ? timeLimits.read : timeLimits.work;
    opened[use].set(binding, (database = connect(binding, limitMs)));
  }
  return database;
}

/** The database of each binding, made once: it holds nothing of a request. */
const opened = {
  reads: new WeakMap<D1Database, Database>(),
  work: new WeakMap<D1Database, Database>(),
};

function connect(client: D1Client, limitMs: number): Database {
  const batch: BatchOfRows = (bound) => client.batch(bound);
  return connectDrizzle(client, {
    one: (call) => withinLimit(call, limitMs),
    batch: (statements) => runBatch(batch, statements, limitMs),
  });
}

/** The database of a request, which counts what its batches cost. */
export class DatabaseSession {
  readonly #binding: D1Database;
  readonly #limitMs: number;
  #rowsRead = 0;
  #sqlMs = 0;
  #waitMs = 0;

  constructor(binding: D1Database, limitMs: number) {
    this.#binding = binding;
    this.#limitMs = limitMs;
  }

  /** The rows that all batches so far have read, as the platform counts them. */
  get rowsRead(): number {
    return this.#rowsRead;
  }

  /** The milliseconds that all batches took in the database. */
  get sqlMs(): number {
    return this.#sqlMs;
  }

  /**
   * The milliseconds until the answers came. Far above {@link sqlMs}, the platform or the distance
   * is slow, not the SQL.
   */
  get waitMs(): number {
    return this.#waitMs;
  }

  /** Runs statements as one transaction, and decodes their results. */
  batch(statements: readonly Statement[]): Promise<unknown[]> {
    return runBatch((bound) => this.#run(bound), statements, this.#limitMs);
  }

  async #run(statements: D1PreparedStatement[]) {
    const start = Date.now();
    let results: D1Result<Record<string, unknown>>[];
    try {
      results = await this.#binding.batch(statements);
    } finally {
      this.#waitMs += Date.now() - start;
    }
    for (const { meta } of results) {
      this.#rowsRead += meta.rows_read;
      this.#sqlMs += meta.duration;
    }
    return results;
  }
}

/**
 * Numbers of the shards that are being restored (variable `RESTORING_SHARDS`); nothing may touch
 * them until that is done.
 */
export function restoringShards({
  RESTORING_SHARDS: numbers = '',
}: Partial<Env>): ReadonlySet<number> {
  return numbers.length === 0 ? none : new Set(numbers.split(' ').filter(Boolean).map(Number));
}

const none: ReadonlySet<number> = new Set();

/** The number of the shard with a binding of this name; `undefined` for another kind of binding. */
export function shardOfBinding(name: string): number | undefined {
  const number = /^STORE_(\d+)$/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
}

/**
 * The bindings `STORE_0`, `STORE_1`, ... by shard number, without the shards that are being
 * restored.
 */
export function shardBindings(env: Env): Map<number, D1Database> {
  const bindings = new Map<number, D1Database>();
  const restoring = restoringShards(env);
  for (const [name, binding] of Object.entries(env)) {
    const shard = shardOfBinding(name);
    // A binding of this name is a D1 database in every configuration (wrangler.toml).
    if (shard !== undefined && !restoring.has(shard)) bindings.set(shard, binding as D1Database);
  }
  return bindings;
}

/**
 * Whether the deployment has a shard of this number. A token can name any number if its key leaked.
 */
export const hasShard = (env: Env, shard: number) => `STORE_${shard}` in env;

/** The database of one shard. Throws a 503 while that shard is being restored. */
export function shardBinding(env: Env, shard: number): D1Database {
  if (restoringShards(env).has(shard)) throw serviceUnavailable();
  const binding = (env as unknown as Record<string, D1Database | undefined>)[`STORE_${shard}`];
  if (!binding) throw new Error(`no binding STORE_${shard}`);
  return binding;
}
