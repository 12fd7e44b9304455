import {
  idempotencyStatuses,
  operationErrorStatuses,
  acceptsIdempotencyKey,
  showsRecord,
} from '../../../src/http/operation.ts';
import { operations } from './operations.ts';

/** A test that passed, with the statuses that `recordStatus` recorded in it. */
export interface PassedTest {
  name: string;
  statuses: readonly string[];
}

/**
 * Every documented status of every operation except 500: a test that can provoke a 500 has found a
 * bug.
 */
const documented = operations.flatMap((operation) => {
  const { id, route } = operation;
  const own = [
    operation.reply.status,
    ...(showsRecord(operation) ? [304] : []),
    ...operationErrorStatuses(operation),
    401,
    429,
    503,
  ];
  return [
    ...own.map((status) => ({ label: `${status} ${route}`, observed: `${id} ${status}` })),
    ...(acceptsIdempotencyKey(operation) ? idempotencyStatuses : []).map((status) => ({
      label: `${status} ${route} for its idempotency key`,
      observed: `${id} ${status} key`,
    })),
  ];
});

/**
 * Returns the documented statuses that no test covers, as `<status> <route>`. A test covers a
 * status if the operation returned it in the test and the title of the test contains its number.
 */
export function missingStatuses(tests: readonly PassedTest[]): string[] {
  const covered = new Set(tests.flatMap(namedStatuses));
  return documented.filter(({ observed }) => !covered.has(observed)).map(({ label }) => label);
}

function namedStatuses({ name, statuses }: PassedTest): string[] {
  const numbers = new Set(name.match(/\b[1-5]\d\d\b/g));
  return statuses.filter((status) => numbers.has(status.split(' ')[1] ?? ''));
}
