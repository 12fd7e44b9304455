import { sql, type SQL } from 'drizzle-orm';
import { msLeftOfTurn } from '../../base/durations.ts';
import {
  aliasTaken,
  answerTooLarge,
  clockPolicy,
  conflict,
  ConflictError,
  DatabaseUnavailable,
  eventBudgetExceeded,
  IdempotencyKeyInUse,
  listTooLong,
  RecordChanged,
  DryRunEnded,
  StoreElsewhere,
  TooManyGrants,
  TooManyStores,
  TooManyStoresToday,
  tooManyRequests,
  TooManyTestStores,
  unauthenticated,
  ValidationError,
  type DatabaseFailure,
} from '../../base/errors.ts';

/** Why a batch aborts itself. `data-errors.ts` says which error each cause becomes. */
export type AbortCause =
  | 'alias_taken'
  | 'answer_too_large'
  | 'conflict'
  | 'event_budget'
  | 'facts'
  | 'grant_live'
  | 'grants'
  | 'idempotency_key'
  | 'list_too_long'
  | 'move_lost'
  | 'moving'
  | 'dry_run'
  | 'placement'
  | 'shard_number'
  | 'stores'
  | 'stores_today'
  | 'test_clock'
  | 'test_store_full'
  | 'test_stores'
  | 'unchanged';

/**
 * SQL text of an expression that aborts the batch with the name of the cause. A select cannot raise
 * an error, but a JSON path that is wrong can. SQLite evaluates it only when it is reached, so it
 * stands in a branch of `iif` or `coalesce`. It writes nothing, so D1 may repeat it.
 */
export const abortWith = (cause: AbortCause) => `json_extract('{}', '${cause}')`;

/**
 * A statement that aborts its batch unless the condition holds; a null does not hold. Writes
 * nothing.
 */
export const abortUnless = (condition: SQL, cause: AbortCause): SQL =>
  sql`select iif(${condition}, 1, ${sql.raw(abortWith(cause))})`;

/**
 * The errors of batches that abort themselves. A cause without one is read by the code that named
 * it.
 */
const errorsOfCauses: Readonly<Record<AbortCause, (() => Error) | undefined>> = {
  alias_taken: aliasTaken,
  answer_too_large: answerTooLarge,
  conflict: () => new ConflictError(),
  event_budget: () => eventBudgetExceeded(Math.ceil(msLeftOfTurn(Date.now()) / 1000)),
  facts: () => new StoreElsewhere(),
  // A revoked grant.
  grant_live: unauthenticated,
  grants: () => new TooManyGrants(),
  // A request that was executed before.
  idempotency_key: () => new IdempotencyKeyInUse(),
  list_too_long: listTooLong,
  move_lost: undefined,
  moving: undefined,
  dry_run: () => new DryRunEnded(),
  placement: () => new StoreElsewhere(),
  shard_number: undefined,
  stores: () => new TooManyStores(),
  stores_today: () => new TooManyStoresToday(),
  test_clock: () => tooManyRequests(clockPolicy),
  test_store_full: () => conflict('test_store_full'),
  test_stores: () => new TooManyTestStores(),
  unchanged: () => new RecordChanged(),
};

/**
 * Maps a failed statement to an error of the application. An unknown error is returned as it is. No
 * other code reads the texts of D1.
 *
 * - A batch that aborted itself: the error of its cause.
 * - A value that is already taken in a unique column: `ValidationError` of its field.
 * - An idempotency key that is already recorded: `IdempotencyKeyInUse`.
 * - A foreign key whose record is gone: `ConflictError`.
 * - A value that is too large for the database: 400.
 * - A database that does not respond, is full or gives up: 503.
 */
export function toAppError(error: unknown): unknown {
  const message = messageChain(error);
  if (message.includes('UNIQUE constraint failed: idempotency_keys.')) {
    return new IdempotencyKeyInUse();
  }
  const unique = /UNIQUE constraint failed: (.+?)(?::|$)/m.exec(message);
  if (unique?.[1]) return new ValidationError({ [fieldOf(unique[1])]: ['Already taken.'] });
  const cause = readAbortCause(message);
  if (cause !== undefined) return errorsOfCauses[cause]?.() ?? error;
  // SQLite builds no value beyond 2 MB, such as the records of one include.
  if (/string or blob too big/.test(message)) return answerTooLarge();
  // A foreign key fails when a record was deleted after it was read.
  if (message.includes('FOREIGN KEY constraint')) return new ConflictError();
  const failure = findDatabaseFailure(message);
  return failure ? new DatabaseUnavailable(failure, error) : error;
}

/**
 * The cause for which a batch aborted itself, from an error that no table maps; `undefined` for
 * another failure.
 */
export const abortCauseOf = (error: unknown) => readAbortCause(messageChain(error));

/** The field that a unique index is about: `name` for `brands.store_id, brands.name_key`. */
function fieldOf(columns: string): string {
  const last = columns.split(', ').at(-1) ?? columns;
  return last.replace(/^\w+\./, '').replace(/_(key|folded)$/, '');
}

/** The cause in the text of D1 that `abortWith` creates. */
const readAbortCause = (message: string) =>
  /bad JSON path: '(\w+)'/.exec(message)?.[1] as AbortCause | undefined;

function messageChain(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${messageChain(error.cause)}` : '';
}

/**
 * The messages of D1 that are neither a constraint nor a mistake of ours, with the outcome of the
 * statements that each reports. The first match counts. A message that is not listed, such as a
 * syntax error or a wrong type, is a bug and becomes a 500.
 *
 * - `not_run`: nothing was run, so anything may be repeated.
 * - `unknown`: it may have been committed, so only what changes nothing, or recognises its own
 *   commit, may be repeated.
 * - `silent`: it did not answer within its time (`timeLimits`), so it may still run. A repetition
 *   would wait as long.
 * - `overloaded`: nothing was run, but the database has too much to do. A repetition would add to
 *   it.
 * - `too_heavy`: a statement was too much for the database, this one or another. A repetition of
 *   that one would fail too, and each stops all stores of a shard.
 * - `full`: the database takes no more data until space is freed.
 */
export const databaseFailures: readonly (readonly [text: string, failure: DatabaseFailure])[] = [
  ['Exceeded maximum DB size', 'full'],
  ["exceeded D1's maximum account storage limit", 'full'],
  ['Exceeded maximum account storage limit', 'full'],
  ['database or disk is full', 'full'],
  ['exceeded its CPU time limit and was reset', 'too_heavy'],
  ['exceeded its memory limit and was reset', 'too_heavy'],
  ['storage operation exceeded timeout which caused object to be reset', 'too_heavy'],
  ['is overloaded', 'overloaded'],
  ['Cannot resolve D1 DB due to transient issue', 'not_run'],
  ['Internal error while starting up D1 DB storage caused object to be reset', 'not_run'],
  ["Can't read from request stream because client disconnected", 'not_run'],
  ['reset because its code was updated', 'unknown'],
  ['Internal error in D1 DB storage caused object to be reset', 'unknown'],
  ['Network connection lost', 'unknown'],
  // How D1 reports a fault of its own that has no message.
  ['internal error; reference', 'unknown'],
];

/**
 * Returns the failure of the database that a message of D1 reports; `undefined` for a message that
 * is about the statement.
 */
export const findDatabaseFailure = (message: string): DatabaseFailure | undefined =>
  databaseFailures.find(([text]) => message.includes(text))?.[1];

/**
 * Returns the failure of its database that a failed call reports, whether `toAppError` has mapped
 * it or not.
 */
export const failureOf = (error: unknown): DatabaseFailure | undefined =>
  error instanceof DatabaseUnavailable ? error.failure : findDatabaseFailure(String(error));
