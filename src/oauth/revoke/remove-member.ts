import { openDatabase } from '../../db/core/open.ts';
import type { Store } from '../../db/core/store.ts';
import { removeMembership } from '../../db/directory/members.ts';
import { revokeGrantsOfFormerMembers } from '../../db/grants/former-members.ts';
import { shardBinding } from '../../db/shards/shards.ts';

/**
 * Removes a member of a store. First the membership, so that the user makes no new grants; then the user's grants there
 * end, and webhooks that lose their consent pause. Returns `false` for the owner. Throws a 503 when a database does not
 * respond; it can be repeated, and `maintainGrants` ends what was left within a day.
 */
export async function removeMember(
  env: Env,
  store: Pick<Store, 'id' | 'shard'>,
  userId: number,
  now: number,
): Promise<boolean> {
  const member = { userId, storeId: store.id };
  if (!(await removeMembership(openDatabase(env.DIRECTORY), member))) return false;
  const shard = openDatabase(shardBinding(env, store.shard));
  await revokeGrantsOfFormerMembers(shard, [member], now);
  return true;
}
