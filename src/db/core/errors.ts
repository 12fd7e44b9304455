import {
  answerTooLarge,
  ConflictError,
  DatabaseUnavailable,
  eventBudgetExceeded,
  IdempotencyKeyInUse,
  listTooLong,
  RecordChanged,
  StoreElsewhere,
  TooManyTestStores,
  unauthenticated,
  ValidationError,
} from '../../errors.ts';
import { listTooLongAbort } from '../lists/limits.ts';
import { findDatabaseFailure } from './database-failures.ts';
import { secondsLeftToday } from './event-budget.ts';

/**
 * Maps a failed statement to an error of the application. An unknown error is returned as it is.
 *
 * - A value that is already taken in a unique column: `ValidationError` of its field.
 * - An idempotency key that is already recorded: `IdempotencyKeyInUse`.
 * - A failed assertion (`StoreStatements.assert`) or foreign key: `ConflictError`.
 * - A failed guard (`guardStatement`): 401 for a revoked grant, `StoreElsewhere` for a store that is not in this shard.
 * - A record that no longer is what a precondition saw (`observed-reads.ts`): `RecordChanged`.
 * - A day's budget of events that is used up (`countBytesStatement`): 429.
 * - More test stores than a partner may have (`people/stores/insert-store.ts`): `TooManyTestStores`.
 * - A value that is too large for the database, or a list that is too long for its order: 400.
 * - A database that does not respond, is full or gives up: 503 (`database-failures.ts`).
 */
function toAppError(error: unknown): unknown {
  const message = messageChain(error);
  if (message.includes('UNIQUE constraint failed: idempotency_keys.')) {
    return new IdempotencyKeyInUse();
  }
  const unique = /UNIQUE constraint failed: (.+?)(?::|$)/m.exec(message);
  if (unique?.[1]) return new ValidationError({ [fieldOf(unique[1])]: ['Already taken.'] });
  const guard = failedGuard(message);
  if (guard === 'resident' || guard === 'facts') return new StoreElsewhere();
  if (guard === 'unchanged') return new RecordChanged();
  if (guard === 'grant_live') return unauthenticated();
  if (guard === 'test_stores') return new TooManyTestStores();
  if (guard === 'answer_too_large') return answerTooLarge();
  if (guard === listTooLongAbort) return listTooLong();
  if (message.includes('NOT NULL constraint failed: event_budgets.bytes')) {
    return eventBudgetExceeded(secondsLeftToday(Date.now()));
  }
  // SQLite builds no value beyond 2 MB, such as the records of one include.
  if (/string or blob too big/.test(message)) return answerTooLarge();
  // A foreign key fails when a record was deleted after it was read.
  if (/NOT NULL constraint failed: assertions\.revision|FOREIGN KEY constraint/.test(message)) {
    return new ConflictError();
  }
  const failure = findDatabaseFailure(message);
  return failure ? new DatabaseUnavailable(failure) : error;
}

/** The cause that a guard aborted a batch for (`failGuard`). */
const failedGuard = (message: string) => /bad JSON path: '(\w+)'/.exec(message)?.[1];

/** Whether a replica aborted a batch because it lags too much, or nobody renews its pulse. */
export const isStaleReplica = (error: unknown) => failedGuard(messageChain(error)) === 'pulse';

/** The field that a unique index is about: `name` for `brands.store_id, brands.name_key`. */
function fieldOf(columns: string): string {
  const last = columns.split(', ').at(-1) ?? columns;
  return last.replace(/^\w+\./, '').replace(/_(key|folded)$/, '');
}

function messageChain(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${messageChain(error.cause)}` : '';
}

/** Awaits a query that runs outside a store handle and throws its failure as {@link toAppError} maps it. */
export async function withDbErrors<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw toAppError(error);
  }
}
