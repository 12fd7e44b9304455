import { openDatabase } from '../../db/core/open.ts';
import { shardBinding } from '../../db/core/shards.ts';
import { selectFormerMembers } from '../../db/directory/members.ts';
import { revokeGrantsOfFormerMembers } from '../../db/grants/former-members.ts';
import type { RotatedGrant } from '../../db/grants/rotate.ts';
import type { TokenRequest } from './request.ts';

/**
 * Whether the user who gave a grant still manages its store. If not, revokes what the user granted there. One round trip
 * to the directory, without the cache: a refresh is rare, and gives access for ten minutes.
 */
export async function isGrantedByMember(
  { env, now }: TokenRequest,
  { user_id: userId, store_id: storeId }: RotatedGrant,
  shard: number,
): Promise<boolean> {
  const former = await selectFormerMembers(openDatabase(env.DIRECTORY), [{ userId, storeId }]);
  if (former.length === 0) return true;
  await revokeGrantsOfFormerMembers(openDatabase(shardBinding(env, shard)), former, now);
  return false;
}
