import {
  answerTooLarge,
  ConflictError,
  eventBudgetExceeded,
  IdempotencyKeyInUse,
  serviceUnavailable,
  unauthenticated,
  ValidationError,
} from '../../errors.ts';
import { secondsLeftToday } from './event-budget.ts';

/** Messages of D1 after which the same statement may succeed. */
const transientErrors =
  /overloaded|Network connection lost|reset because its code was updated|storage operation exceeded timeout|Cannot resolve D1 DB due to transient issue|internal error; reference/;

/**
 * Maps a failed statement to an error of the application. An unknown error is returned as it is.
 *
 * - A value that is already taken in a unique column: `ValidationError` of its field.
 * - An idempotency key that is already recorded: `IdempotencyKeyInUse`.
 * - A failed assertion (`StoreStatements.assert`) or foreign key: `ConflictError`.
 * - A revoked grant (`assertGrantLives`): 401.
 * - A day's budget of events that is used up (`countBytesStatement`): 429.
 * - A value that is too large for the database: 400.
 * - A database that does not respond: 503.
 */
export function toAppError(error: unknown): unknown {
  const message = messageChain(error);
  if (message.includes('UNIQUE constraint failed: idempotency_keys.')) {
    return new IdempotencyKeyInUse();
  }
  const unique = /UNIQUE constraint failed: (.+?)(?::|$)/m.exec(message);
  if (unique?.[1]) return new ValidationError({ [fieldOf(unique[1])]: ['Already taken.'] });
  if (message.includes('NOT NULL constraint failed: assertions.grant_live')) {
    return unauthenticated();
  }
  if (message.includes('NOT NULL constraint failed: event_budgets.bytes')) {
    return eventBudgetExceeded(secondsLeftToday(Date.now()));
  }
  // SQLite builds no value beyond 2 MB, such as the records of one include.
  if (/string or blob too big/.test(message)) return answerTooLarge();
  // A foreign key fails when a record was deleted after it was read.
  if (/NOT NULL constraint failed: assertions\.revision|FOREIGN KEY constraint/.test(message)) {
    return new ConflictError();
  }
  return transientErrors.test(message) ? serviceUnavailable() : error;
}

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
