import { and, eq, ne } from 'drizzle-orm';
import { assignableRoles, Role } from '../../base/roles.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { openDatabase, shardBinding } from '../../data/core/open-database.ts';
import type { Store } from '../../data/core/store.ts';
import { findMember, isMemberWithRole } from '../../data/directory/members.ts';
import { wakeNotices } from '../../data/grants/app-notices.ts';
import { revokeGrantsOfFormerMembers } from '../../data/grants/former-members.ts';
import { memberships } from '../../data/schema/directory/directory-tables.ts';
import { forgetUser } from '../../http/access/forget-user.ts';
import { insertMailToMembers, insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';

/** A store whose members change. */
export type MembersStore = Pick<Store, 'id' | 'shard'> & { name: string };

/**
 * Removes a member of a store, or lets them leave. The membership ends in one batch with its mails
 * and its line of the audit, and with it pages and API keys. Then the user's grants there end, and
 * webhooks that lose their consent pause. Returns `false` for the owner, who must hand over first.
 * Throws a 503 when a database does not respond. It can be repeated, and the sweep of the shard
 * ends grants that remain.
 */
export async function removeMember(
  action: ActionContext,
  store: MembersStore,
  userId: number,
  { isLeaving = false, reason }: { isLeaving?: boolean; reason?: string } = {},
): Promise<boolean> {
  const membership = { userId, storeId: store.id };
  const member = await findMember(action.directory, membership);
  if (member && !(await endMembership(action, store, { ...member, isLeaving, reason })))
    return false;
  const shard = openDatabase(shardBinding(action.env, store.shard));
  await revokeGrantsOfFormerMembers(shard, [membership], action.now);
  action.defer(wakeNotices(action.env, store.shard));
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
  action: ActionContext,
  { id: storeId, name: store }: MembersStore,
  { userId, name, email, role, isLeaving, reason }: LeavingMember,
): Promise<boolean> {
  const { env, settings, directory, actor, from, now, defer } = action;
  const membership = { userId, storeId };
  const isRemovable = isMemberWithRole(membership, assignableRoles);
  const isTheirs = and(eq(memberships.user_id, userId), eq(memberships.store_id, storeId));
  const notified = await prepareMail(settings, {
    kind: 'you_were_removed',
    data: { store },
  });
  const data = { member: name, store };
  const notice = await prepareMail(settings, { kind: 'member_removed', data });
  const owners = {
    storeId,
    roles: [Role.owner] as const,
    ...(actor.userId !== null && { exceptUserId: actor.userId }),
  };
  const remaining = directory.select({ role: memberships.role }).from(memberships).where(isTheirs);
  const results = await directory.batch([
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
    insertMailToMembers(directory, notice, owners, now, isRemovable),
    ...endTrust(action, 'member_removed', membership, isRemovable),
    ...(isLeaving ? [] : [insertMailToUser(directory, notified, userId, now, isRemovable)]),
    directory.delete(memberships).where(and(isTheirs, ne(memberships.role, Role.owner))),
  ]);
  forgetUser(userId);
  defer(wakeMail(env));
  return results[0][0]?.role !== Role.owner;
}
