import { showsRecord, takesPreconditions, type Operation } from '../../../src/http/operation.ts';
import { operationGroups } from '../../../src/routes/operations.ts';

/** All operations of the API. */
export const operations = operationGroups.flatMap((group) => group.operations);

/**
 * Every operation with the pattern of its paths; those with fewer parameters first, as in the
 * router.
 */
const routes = operations
  .toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^/v2${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

/** Returns the operation that serves a call, if any. A literal path wins over a parameter. */
export function operationFor(method: string, path: string): Operation | undefined {
  const pathname = path.split('?')[0] ?? '';
  const matches = routes.filter(({ pattern }) => pattern.test(pathname));
  return matches.find(
    ({ operation }) => operation.method === method && operation.path === matches[0]?.operation.path,
  )?.operation;
}

/** Whether the items of a body are valid or fail on their own: an invalid one is part of a 200. */
export const hasTolerantItems = ({ id }: Operation) =>
  ['changeStocks', 'changePrices'].includes(id);

/** The operations of a store, whose paths begin with its alias. */
export const storeOperations = operations.filter(({ isStoreScoped }) => isStoreScoped);

/**
 * The changes that take `If-Match`. Changes come before deletions, and children before their
 * parents, so that each finds its record.
 */
export const conditionalChanges = storeOperations
  .filter((operation) => takesPreconditions(operation) && !showsRecord(operation))
  .toSorted(
    (one, other) =>
      Number(one.method === 'DELETE') - Number(other.method === 'DELETE') ||
      other.pathParams.length - one.pathParams.length ||
      Number(other.path.includes('skus')) - Number(one.path.includes('skus')),
  );
