import {
  answerTooLarge,
  clockPolicy,
  conflict,
  ConflictError,
  DatabaseUnavailable,
  eventBudgetExceeded,
  IdempotencyKeyInUse,
  listTooLong,
  RecordChanged,
  StoreElsewhere,
  TooManyStores,
  TooManyStoresToday,
  tooManyRequests,
  TooManyTestStores,
  unauthenticated,
  ValidationError,
} from '../../base/errors.ts';
import type { AbortCause } from './abort.ts';
import { secondsLeftToday } from './budget-day.ts';
import { findDatabaseFailure } from './database-failures.ts';

/** The errors of batches that abort themselves (`abort.ts`). A cause without one is read by the code that named it. */
const errorsOfCauses: Readonly<Record<AbortCause, (() => Error) | undefined>> = {
  answer_too_large: answerTooLarge,
  conflict: () => new ConflictError(),
  event_budget: () => eventBudgetExceeded(secondsLeftToday(Date.now())),
  facts: () => new StoreElsewhere(),
  // A revoked grant.
  grant_live: unauthenticated,
  list_too_long: listTooLong,
  move_lost: undefined,
  moving: undefined,
  heartbeat: undefined,
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
 * Maps a failed statement to an error of the application. An unknown error is returned as it is. No other code reads the texts
 * of D1.
 *
 * - A batch that aborted itself: the error of its cause.
 * - A value that is already taken in a unique column: `ValidationError` of its field.
 * - An idempotency key that is already recorded: `IdempotencyKeyInUse`.
 * - A foreign key whose record is gone: `ConflictError`.
 * - A value that is too large for the database: 400.
 * - A database that does not respond, is full or gives up: 503 (`database-failures.ts`).
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

/** The cause for which a batch aborted itself, from an error that no table maps; `undefined` for another failure. */
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
