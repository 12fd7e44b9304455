import { drizzle } from 'drizzle-orm/d1';

/**
 * Opens a D1 database (the directory or a shard) with Drizzle. The only import of `drizzle-orm/d1`. Reads from `nearest`
 * may be answered by a read replica that lags; whoever reads there must ask the primary before refusing anything.
 */
export const openDatabase = (binding: D1Database, from: 'primary' | 'nearest' = 'primary') =>
  // A session has the two methods that Drizzle calls, `prepare` and `batch`.
  drizzle(
    from === 'primary'
      ? binding
      : (binding.withSession('first-unconstrained') as unknown as D1Database),
  );

export type Database = ReturnType<typeof openDatabase>;

/**
 * The database of a request. Its batches run at the primary, unless it starts `near`: at the nearest copy
 * (`first-unconstrained`), or at a copy that shows at least the state of a bookmark.
 */
export class DatabaseSession {
  readonly database: Database;
  readonly #binding: D1Database;
  #near: D1DatabaseSession | undefined;
  #bookmark: string | undefined;
  #rowsRead = 0;

  constructor(binding: D1Database, near?: string) {
    this.#binding = binding;
    this.#near = near === undefined ? undefined : binding.withSession(near);
    const client = {
      prepare: (sql: string) => binding.prepare(sql),
      batch: (statements: D1PreparedStatement[]) => this.#batch(statements),
    };
    this.database = drizzle(client as unknown as D1Database);
  }

  /** Whether a replica may run the next batch. */
  get isNear(): boolean {
    return this.#near !== undefined;
  }

  /** The state that the last batch showed or made; `undefined` before the first. */
  get bookmark(): string | undefined {
    return this.#bookmark;
  }

  /** The rows that all batches so far have read, as the platform counts them. */
  get rowsRead(): number {
    return this.#rowsRead;
  }

  /** Runs the batches from now on at the primary. */
  leaveReplica(): void {
    this.#near = undefined;
  }

  async #batch(statements: D1PreparedStatement[]) {
    // A new session each time: one that has started at the primary may read its second batch elsewhere.
    const session = this.#near ?? this.#binding.withSession('first-primary');
    const results = await session.batch(statements);
    this.#bookmark = session.getBookmark() ?? this.#bookmark;
    for (const { meta } of results) this.#rowsRead += meta.rows_read;
    return results;
  }
}
