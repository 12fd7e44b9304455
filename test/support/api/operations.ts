import { operationGroups } from '../../../src/operations.ts';

/** All operations of the API. */
export const operations = operationGroups.flatMap((group) => group.operations);

/** The operations of a store, whose paths begin with its alias. */
export const storeOperations = operations.filter(({ isStoreScoped }) => isStoreScoped);
