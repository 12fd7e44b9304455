import { and, eq, ne } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { openDatabase } from '../../db/core/open.ts';
import type { Store } from '../../db/core/store.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { findMember, isMemberWithRole } from '../../db/directory/members.ts';
import { revokeGrantsOfFormerMembers } from '../../db/grants/former-members.ts';
import { memberships } from '../../db/schema/directory.ts';
import { shardBinding } from '../../db/shards/shards.ts';
import { insertMailToMembers, insertMailToUser, prepareMail } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake.ts';
import type { DeedContext } from '../deed.ts';
import { forgetMember } from './forget-member.ts';

/** A store whose members change. */
export type MembersStore = Pick<Store, 'id' | 'shard'> & { name: string };

/**
 * Removes a member of a store, or lets them leave. The membership ends in one batch with its mails and its line of the audit,
 * and with it pages and API keys; then the user's grants there end, and webhooks that lose their consent pause. Returns
 * `false` for the owner, who must hand over first. Throws a 503 when a database does not respond. It can be repeated, and the
 * sweep of the shard ends grants that were left.
 */
export async function removeMember(
  deed: DeedContext,
  store: MembersStore,
  userId: number,
  { isLeaving = false, reason }: { isLeaving?: boolean; reason?: string } = {},
): Promise<boolean> {
  const membership = { userId, storeId: store.id };
  const member = await findMember(deed.directory, membership);
  if (member && !(await endMembership(deed, store, { ...member, isLeaving, reason }))) return false;
  const shard = openDatabase(shardBinding(deed.env, store.shard));
  await revokeGrantsOfFormerMembers(shard, [membership], deed.now);
  return true;
}

interface LeavingMember {
  userId: number;
  name: string;
  email: string;
  role: string;
  isLeaving: boolean;
  reason: string | undefined;
}

/** Returns whether the user is no member now. One round trip. */
async function endMembership(
  { env, settings, directory, actor, from, now, defer }: DeedContext,
  { id: storeId, name: store }: MembersStore,
  { userId, name, email, role, isLeaving, reason }: LeavingMember,
): Promise<boolean> {
  const membership = { userId, storeId };
  const isRemovable = isMemberWithRole(membership, ['manager', 'viewer']);
  const isTheirs = and(eq(memberships.user_id, userId), eq(memberships.store_id, storeId));
  const language = 'en';
  const told = await prepareMail(settings, { kind: 'you_were_removed', data: { store }, language });
  const data = { member: name, store };
  const tells = await prepareMail(settings, { kind: 'member_removed', data, language });
  const owners = {
    storeId,
    roles: ['owner'] as const,
    ...(actor.userId !== null && { exceptUserId: actor.userId }),
  };
  const remaining = directory.select({ role: memberships.role }).from(memberships).where(isTheirs);
  const results = await withDbErrors(
    directory.batch([
      remaining,
      auditStatement(
        directory,
        {
          at: now,
          actor,
          from,
          action: isLeaving ? 'member.left' : 'member.removed',
          target: { kind: 'user', id: userId },
          storeId,
          changes: { email: [email, null], role: [role, null] },
          ...(reason !== undefined && { reason }),
        },
        isRemovable,
      ),
      insertMailToMembers(directory, tells, owners, now, isRemovable),
      ...(isLeaving ? [] : [insertMailToUser(directory, told, userId, now, isRemovable)]),
      directory.delete(memberships).where(and(isTheirs, ne(memberships.role, 'owner'))),
    ]),
  );
  forgetMember(userId, storeId);
  defer(wakeMail(env));
  return results[0][0]?.role !== 'owner';
}
