import { and, eq } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { openDatabase } from '../../db/core/open.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { findMember, isMemberWithRole } from '../../db/directory/members.ts';
import { revokeGrantsOfFormerMembers } from '../../db/grants/former-members.ts';
import { memberships } from '../../db/schema/directory.ts';
import { shardBinding } from '../../db/shards/shards.ts';
import type { DeedContext } from '../deed.ts';
import { forgetMember } from './forget-member.ts';
import type { MembersStore } from './remove-member.ts';

/** What a member other than the owner may be. */
export const assignableRoles = ['manager', 'viewer'] as const;

export type AssignableRole = (typeof assignableRoles)[number];

/**
 * Makes a manager a viewer or the other way round. A viewer connects no apps, so those that the member connected lose their
 * grants, as when a member leaves. Returns `false` for the owner and for somebody who is no member.
 */
export async function changeRole(
  deed: DeedContext,
  store: MembersStore,
  userId: number,
  role: AssignableRole,
): Promise<boolean> {
  const { env, directory, actor, from, now } = deed;
  const membership = { userId, storeId: store.id };
  const member = await findMember(directory, membership);
  if (!member || member.role === 'owner') return false;
  if (member.role !== role) {
    await withDbErrors(
      directory.batch([
        auditStatement(
          directory,
          {
            at: now,
            actor,
            from,
            action: 'member.role_changed',
            target: { kind: 'user', id: userId },
            storeId: store.id,
            changes: { role: [member.role, role] },
          },
          isMemberWithRole(membership, [member.role]),
        ),
        directory
          .update(memberships)
          .set({ role })
          .where(
            and(
              eq(memberships.user_id, userId),
              eq(memberships.store_id, store.id),
              eq(memberships.role, member.role),
            ),
          ),
      ]),
    );
    forgetMember(userId, store.id);
  }
  if (role === 'viewer') {
    const shard = openDatabase(shardBinding(env, store.shard));
    await revokeGrantsOfFormerMembers(shard, [membership], now);
  }
  return true;
}
