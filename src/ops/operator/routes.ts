import { blockedHostOperations, operatedAppOperations, serviceOperations } from './service.ts';
import { operatedStoreOperations } from './stores.ts';
import { operatedUserOperations } from './users.ts';

/** The operations of operators but those on jobs (`jobs.ts`). */
export const operatorOperations = [
  ...operatedStoreOperations,
  ...operatedUserOperations,
  ...operatedAppOperations,
  ...blockedHostOperations,
  ...serviceOperations,
];
