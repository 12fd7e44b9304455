import { openDatabase, type Database, shardBinding } from '../../data/core/open-database.ts';
import type { Store } from '../../data/core/store.ts';
import { selectFormerMembers } from '../../data/directory/members.ts';
import { loadMembership } from '../../data/directory/stores.ts';
import { wakeNotices } from '../../data/grants/app-notices.ts';
import { revokeGrantsOfFormerMembers, type Grantor } from '../../data/grants/former-members.ts';
import type { RotatedGrant } from '../../data/grants/rotate.ts';
import type { TokenRequest } from './request-context.ts';

/**
 * Revokes the grants that users gave in stores that they no longer manage: the directory cannot end
 * them in one transaction. Returns whether one of the grantors was such a user. One round trip to
 * the directory.
 */
export async function endFormerMemberships(
  env: Env,
  shard: Database,
  grantors: readonly Grantor[],
  now: number,
): Promise<boolean> {
  const former = await selectFormerMembers(openDatabase(env.DIRECTORY), grantors);
  if (former.length > 0) await revokeGrantsOfFormerMembers(shard, former, now);
  return former.length > 0;
}

/**
 * Returns the store of a grant if the user who gave it still manages the store. If not, revokes the
 * grants that the user gave there. Asks the directory without the cache: a refresh is rare, and
 * gives access for ten minutes.
 */
export async function findGrantedStore(
  { env, now, defer }: TokenRequest,
  { user_id: userId, store_id: storeId, store_alias: alias }: RotatedGrant,
  shard: number,
): Promise<Store | undefined> {
  const asked = { userId, storeId, alias };
  const membership = await loadMembership(openDatabase(env.DIRECTORY), asked, now);
  if (membership?.store) return membership.store;
  const database = openDatabase(shardBinding(env, shard));
  await revokeGrantsOfFormerMembers(database, [{ userId, storeId }], now);
  defer(wakeNotices(env, shard));
  return undefined;
}
