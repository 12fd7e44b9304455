import type { ActionContext } from '../data/audit/action.ts';
import { evictMembershipsOfStore } from '../data/directory/stores.ts';
import { copyStoreFacts } from '../data/shards/copy-facts.ts';
import { evictApiKeysOfStore } from '../http/access/api-key.ts';

/** Makes this isolate ask the directory again about a store; others within 30 seconds. */
export function forgetStore(storeId: number): void {
  evictMembershipsOfStore(storeId);
  evictApiKeysOfStore(storeId);
}

/**
 * Spreads a change of the facts of a store at once: this isolate forgets it, and its shard copies
 * it for the guard of all.
 */
export function spreadStoreChange({ env, defer }: ActionContext, storeId: number): void {
  forgetStore(storeId);
  defer(copyStoreFacts(env, storeId));
}
