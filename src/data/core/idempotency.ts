import { sql } from 'drizzle-orm';
import { idempotencyKeys } from '../schema/store/internal-tables.ts';
import { abortUnless } from './data-errors.ts';
import { countBytes, mayRecord, type EventBudget } from './event-budget.ts';
import { eventScope } from './event-id.ts';
import { rawStatement } from './raw.ts';
import {
  type ChangeRecorder,
  markPreparatory,
  mayChangeData,
  type RecordChange,
  type Statement,
} from './statement.ts';
import type { StoreScope } from './store.ts';

/**
 * Identifies a request with an idempotency key: MACs of the key that was sent, and of the request.
 */
export interface IdempotencyKey {
  key: string;
  fingerprint: string;
  /**
   * The same by former root keys, and by the earlier key of a call: what was executed before is
   * found by them.
   */
  former?: readonly { key: string; fingerprint: string }[];
}

/** The condition that a record is that of a key, by whichever root key it was made. */
const isOfKey = ({ key, former = [] }: Pick<IdempotencyKey, 'key' | 'former'>) =>
  former.length === 0
    ? sql`key = ${key}`
    : sql`key in ${[key, ...former.map((other) => other.key)]}`;

/** The record of a request that was executed. */
export interface ExecutedRequest {
  key: string;
  fingerprint: string;
  /** Sealed; `null` when it is not known yet, or was too long to be stored. */
  response: string | null;
  /** Epoch milliseconds. */
  created_at: number;
}

/** Selects the record of a key. */
export const selectExecutedRequest = (db: StoreScope, key: IdempotencyKey) =>
  rawStatement<ExecutedRequest>(
    db,
    sql`select key, fingerprint, response, created_at from ${idempotencyKeys}
      where store_id = ${db.store.id} and ${isOfKey(key)}`,
  );

/** The condition that a request with this key was executed. */
export const isExecutedRequest = (db: StoreScope, key: Pick<IdempotencyKey, 'key' | 'former'>) =>
  sql`exists (select 1 from ${idempotencyKeys} where store_id = ${db.store.id} and ${isOfKey(key)})`;

/**
 * Statements that save the sealed response of a request. They also record the key when the request
 * changed nothing and so did not record it. A response beyond the `budget` of the store for today
 * waits for no turn: without room in the present one it is not saved. A saved one counts. Without a
 * budget each is saved.
 */
export function saveResponseStatements(
  db: StoreScope,
  { key, fingerprint }: IdempotencyKey,
  response: string | null,
  budget?: EventBudget,
): Statement[] {
  // Sealed responses are ASCII.
  const bytes = response?.length ?? 0;
  const scope = eventScope(db);
  const isKept = budget ? mayRecord(scope, budget, bytes) : sql`true`;
  return [
    rawStatement(
      db,
      sql`insert into ${idempotencyKeys} (store_id, key, fingerprint, changes_before, created_at, response)
        values (${db.store.id}, ${key}, ${fingerprint}, total_changes(), ${db.now}, iif(${isKept}, ${response}, null))
        on conflict do update set response = excluded.response
          where response is null and fingerprint = excluded.fingerprint`,
    ),
    rawStatement(db, countBytes(scope, sql`iif(changes() > 0 and ${isKept}, ${bytes}, 0)`, budget)),
  ].map((statement) => markPreparatory(statement));
}

/**
 * Records an idempotency key in the batch that makes the change, so that both are committed or
 * neither.
 */
export class IdempotencyRecorder implements ChangeRecorder {
  readonly #db: StoreScope;
  readonly #key: IdempotencyKey;
  readonly #response: string | null;
  readonly #record: RecordChange;
  /** Whether a batch that changed data recorded the key. */
  isRecorded = false;
  /**
   * Whether it is known that the request was, or was not, executed before: a batch has looked, or
   * its refusal is handled.
   */
  isDecided = false;

  /**
   * `response` is the sealed response where it is known before the change, else `null`. `record`
   * goes with the change.
   */
  constructor(
    db: StoreScope,
    key: IdempotencyKey,
    response: string | null,
    record: RecordChange = () => [],
  ) {
    this.#db = db;
    this.#key = key;
    this.#response = response;
    this.#record = record;
  }

  /**
   * The first batch that may change data records the key; one before it aborts with
   * `IdempotencyKeyInUse` if it is there.
   */
  around(statements: readonly Statement[]) {
    const takesKey = !this.isRecorded && statements.some(mayChangeData);
    const none = { first: this.isDecided ? [] : [this.#assertNew()], last: [] };
    return {
      ...(takesKey ? this.wrap(statements) : none),
      settle: (last: unknown) => {
        this.isDecided = true;
        if (takesKey) this.isRecorded = (last as unknown[]).length === 0;
      },
    };
  }

  #assertNew(): Statement {
    return rawStatement(
      this.#db,
      abortUnless(sql`not ${isExecutedRequest(this.#db, this.#key)}`, 'idempotency_key'),
    );
  }

  /**
   * Returns the statements to put around those of the batch. The first records the key and aborts
   * the batch with `IdempotencyKeyInUse` if it is recorded already. The last deletes the key, and
   * returns a row, if the batch changed nothing.
   */
  wrap(statements: readonly Statement[]): { first: Statement[]; last: Statement[] } {
    const { key, fingerprint, former = [] } = this.#key;
    const { store, now } = this.#db;
    // A record by a former root key is inserted again, which aborts.
    const recorded =
      former.length === 0
        ? sql`${key}`
        : sql`coalesce((select key from ${idempotencyKeys}
            where store_id = ${store.id} and ${isOfKey(this.#key)} limit 1), ${key})`;
    const ofKey = sql`store_id = ${store.id} and key = ${key}`;
    const isChanged = sql`(select changes_before from ${idempotencyKeys} where ${ofKey}) < total_changes() - 1`;
    return {
      first: [
        rawStatement(
          this.#db,
          sql`insert into ${idempotencyKeys} (store_id, key, fingerprint, changes_before, response, created_at)
            values (${store.id}, ${recorded}, ${fingerprint}, total_changes(), ${this.#response}, ${now})`,
        ),
      ],
      last: [
        ...this.#record(statements, isChanged),
        rawStatement(
          this.#db,
          sql`delete from ${idempotencyKeys} where ${ofKey} and changes_before = total_changes() - 1 returning key`,
        ),
      ],
    };
  }
}

/**
 * Returns the statements to put around a batch that is only tried: if it changed anything, it
 * undoes itself. One that changed nothing is a refusal or a repetition, whose results say which.
 */
export function dryRunStatements(db: StoreScope): { first: Statement[]; last: Statement[] } {
  const key = { key: `dry_run:${crypto.randomUUID()}`, fingerprint: '' };
  const { first, last } = new IdempotencyRecorder(db, key, null).wrap([]);
  const undo = abortUnless(sql`not ${isExecutedRequest(db, key)}`, 'dry_run');
  return { first, last: [...last, rawStatement(db, undo)] };
}
