import { evictMembership } from '../../data/directory/stores.ts';
import { evictApiKeysOfUser } from '../../http/access/api-key.ts';

/** Makes this isolate ask the directory again what a user may do in a store; other isolates do so within 30 seconds. */
export function forgetMember(userId: number, storeId: number): void {
  evictMembership(userId, storeId);
  evictApiKeysOfUser(userId);
}
