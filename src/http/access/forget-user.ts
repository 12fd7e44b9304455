import { evictMembershipsOfUser } from '../../data/directory/stores.ts';
import { evictApiKeysOfUser } from './api-key.ts';

/**
 * Makes this isolate ask the directory again what a user may do, by key or by app; others within 30
 * seconds.
 */
export function forgetUser(userId: number): void {
  evictMembershipsOfUser(userId);
  evictApiKeysOfUser(userId);
}
