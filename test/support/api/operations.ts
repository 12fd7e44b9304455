import type { Operation } from '../../../src/http/operation.ts';
import { operationGroups } from '../../../src/operations.ts';

/** All operations of the API. */
export const operations = operationGroups.flatMap((group) => group.operations);

/** Whether the items of a body are valid or fail on their own: an invalid one is part of a 200. */
export const hasTolerantItems = ({ id }: Operation) =>
  ['changeStocks', 'changePrices'].includes(id);

/** The operations of a store, whose paths begin with its alias. */
export const storeOperations = operations.filter(({ isStoreScoped }) => isStoreScoped);
