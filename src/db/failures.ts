import { InvalidBody, KeyTaken, StaleRevision, unauthenticated, unavailable } from '../problem.ts';

const passing =
  /overloaded|Network connection lost|reset because its code was updated|storage operation exceeded timeout|Cannot resolve D1 DB due to transient issue|internal error; reference/;

/**
 * What a failed statement means: a unique column that is taken is invalid data of its field, an idempotency key that is
 * taken a request that was carried out, a failed assertion a stale revision or a revoked grant, a database that does not
 * answer a 503. Anything else is our own fault.
 */
export function meaningOf(error: unknown): unknown {
  const message = messages(error);
  if (message.includes('UNIQUE constraint failed: idempotency_keys.')) return new KeyTaken();
  const unique = /UNIQUE constraint failed: (.+?)(?::|$)/m.exec(message);
  if (unique?.[1]) return new InvalidBody({ [fieldOf(unique[1])]: ['Already taken.'] });
  if (message.includes('NOT NULL constraint failed: assertions.grant_live')) {
    return unauthenticated();
  }
  // A foreign key fails when a record that was there when it was read is gone.
  if (/NOT NULL constraint failed: assertions\.revision|FOREIGN KEY constraint/.test(message)) {
    return new StaleRevision();
  }
  return passing.test(message) ? unavailable() : error;
}

/** `brands.store_id, brands.name_key` is about `name`. */
function fieldOf(columns: string): string {
  const last = columns.split(', ').at(-1) ?? columns;
  return last.replace(/^\w+\./, '').replace(/_(key|folded)$/, '');
}

function messages(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${messages(error.cause)}` : '';
}
