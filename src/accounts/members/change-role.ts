import { and, eq } from 'drizzle-orm';
import { type AssignableRole, Role } from '../../base/roles.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { openDatabase, shardBinding } from '../../data/core/open-database.ts';
import { findMember, isMemberWithRole } from '../../data/directory/members.ts';
import { wakeNotices } from '../../data/grants/app-notices.ts';
import { revokeGrantsOfFormerMembers } from '../../data/grants/former-members.ts';
import { memberships } from '../../data/schema/directory/directory-tables.ts';
import { forgetUser } from '../../http/access/forget-user.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';
import type { MembersStore } from './remove-member.ts';

/**
 * Changes the role of a manager to viewer, or of a viewer to manager. A viewer connects no apps, so
 * those that the member connected lose their grants, as when a member leaves. Returns `false` for
 * the owner and for a user who is no member.
 */
export async function changeRole(
  action: ActionContext,
  store: MembersStore,
  userId: number,
  role: AssignableRole,
): Promise<boolean> {
  const { env, settings, directory, actor, from, now, defer } = action;
  const membership = { userId, storeId: store.id };
  const member = await findMember(directory, membership);
  if (!member || member.role === Role.owner) return false;
  if (member.role !== role) {
    const mail = await prepareMail(settings, {
      kind: 'role_changed',
      data: {
        store: store.name,
        role,
        by: actor.kind === 'operator' ? settings.serviceName : actor.name,
      },
    });
    await directory.batch([
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
      ...(role === Role.viewer
        ? endTrust(
            action,
            'member_made_viewer',
            membership,
            isMemberWithRole(membership, [member.role]),
          )
        : []),
      insertMailToUser(directory, mail, userId, now, isMemberWithRole(membership, [member.role])),
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
    ]);
    forgetUser(userId);
    defer(wakeMail(env));
  }
  if (role === Role.viewer) {
    const shard = openDatabase(shardBinding(env, store.shard));
    await revokeGrantsOfFormerMembers(shard, [membership], now);
    defer(wakeNotices(env, store.shard));
  }
  return true;
}
