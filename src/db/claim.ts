import { sql } from 'drizzle-orm';
import { rawStatement } from './raw.ts';
import { idempotencyKeys } from './schema/idempotency.ts';
import { mayChange, preparatory, type Statement } from './statement.ts';
import type { StoreStatements } from './store-statements.ts';

/** What a request with an idempotency key is known by: MACs of the caller's key, and of the request. */
export interface KeyedRequest {
  key: string;
  fingerprint: string;
}

/** What is kept of a request that was carried out; `created_at` is epoch milliseconds. */
export interface CarriedOut {
  fingerprint: string;
  /** Sealed; `null` when it is not known, or too long. */
  answer: string | null;
  created_at: number;
}

/** Reads what is known of a key. */
export const knownOf = (db: StoreStatements, { key }: KeyedRequest) =>
  rawStatement<CarriedOut>(
    db,
    sql`select fingerprint, answer, created_at from ${idempotencyKeys}
      where store_id = ${db.store.id} and key = ${key}`,
  );

/** Keeps the answer of a request, which has claimed its key unless it found nothing to change. */
export const remembering = (
  db: StoreStatements,
  { key, fingerprint }: KeyedRequest,
  answer: string | null,
) =>
  preparatory(
    rawStatement(
      db,
      sql`insert into ${idempotencyKeys} (store_id, key, fingerprint, changes_before, created_at, answer)
        values (${db.store.id}, ${key}, ${fingerprint}, total_changes(), ${db.now}, ${answer})
        on conflict do update set answer = excluded.answer
          where answer is null and fingerprint = excluded.fingerprint`,
    ),
  );

/** The key of a request on its way into the batch that makes the change. */
export class Claim {
  readonly #db: StoreStatements;
  readonly #request: KeyedRequest;
  readonly #answer: string | null;
  /** Whether a batch that changed something took the key. */
  isTaken = false;

  /** `answer` is the sealed answer where it is known before the change. */
  constructor(db: StoreStatements, request: KeyedRequest, answer: string | null) {
    this.#db = db;
    this.#request = request;
    this.#answer = answer;
  }

  /** Whether the key belongs into this batch: it is the first one that may change something. */
  joins(statements: readonly Statement[]): boolean {
    return !this.isTaken && statements.some(mayChange);
  }

  /**
   * The statements around those of the batch: the first takes the key, or aborts with `KeyTaken`; the last lets it go
   * again, and answers with a row, when nothing was changed in between.
   */
  around(): { first: Statement; last: Statement } {
    const { key, fingerprint } = this.#request;
    const { store, now } = this.#db;
    return {
      first: rawStatement(
        this.#db,
        sql`insert into ${idempotencyKeys} (store_id, key, fingerprint, changes_before, answer, created_at)
          values (${store.id}, ${key}, ${fingerprint}, total_changes(), ${this.#answer}, ${now})`,
      ),
      last: rawStatement(
        this.#db,
        sql`delete from ${idempotencyKeys} where store_id = ${store.id} and key = ${key}
          and changes_before = total_changes() - 1 returning key`,
      ),
    };
  }
}
