import { sql } from 'drizzle-orm';
import { memberRoles, assignableRoles, Role } from '../../base/roles.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { findMember, isMemberWithRole } from '../../data/directory/members.ts';
import { memberships, stores, users } from '../../data/schema/directory/directory-tables.ts';
import { forgetUser } from '../../http/access/forget-user.ts';
import { insertMailToMembers, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';
import type { MembersStore } from './remove-member.ts';

/**
 * Makes another member the owner of a store; the owner so far becomes a manager, whose connections
 * of apps end there. One batch, with mails to both. Returns `false` unless `userId` is an active
 * member and `ownerId` still owns the store: two hand-overs have one winner.
 */
export async function handOverStore(
  action: ActionContext,
  store: MembersStore & { ownerId: number },
  userId: number,
): Promise<boolean> {
  const { env, settings, directory, actor, from, now, defer } = action;
  const { id: storeId, ownerId } = store;
  const member = await findMember(directory, { userId, storeId });
  if (!member || member.role === Role.owner) return false;
  const data = { store: store.name, member: member.name };
  const mail = await prepareMail(settings, {
    kind: 'ownership_handed_over',
    data,
  });
  const isPossible = sql`${isMemberWithRole({ userId, storeId }, assignableRoles)}
    and exists (select 1 from ${users} where id = ${userId} and active = 1)
    and exists (select 1 from ${stores} where id = ${storeId} and owner_id = ${ownerId})`;
  const owner = sql`(select owner_id from ${stores} where id = ${storeId})`;
  const [, , changed] = await directory.batch([
    auditStatement(
      directory,
      {
        at: now,
        actor,
        from,
        action: 'store.handed_over',
        target: { kind: 'store', id: storeId },
        storeId,
        changes: { owner_id: [ownerId, userId] },
      },
      isPossible,
    ),
    insertMailToMembers(
      directory,
      mail,
      { storeId, roles: memberRoles },
      now,
      sql`users.id in (${ownerId}, ${userId}) and ${isPossible}`,
    ),
    rawDatabaseStatement<{ id: number }>(
      directory,
      sql`update ${stores} set owner_id = ${userId}, updated_at = ${now}
          where id = ${storeId} and ${isPossible} returning id`,
    ),
    ...endTrust(
      action,
      'store_handed_over',
      { userId: ownerId, storeId },
      sql`exists (select 1 from ${stores} where id = ${storeId} and owner_id = ${userId})`,
    ),
    // True of every store, so these change nothing when the store was not handed over.
    rawDatabaseStatement(
      directory,
      sql`update ${memberships} set role = 'manager'
          where store_id = ${storeId} and role = 'owner' and user_id <> ${owner}`,
    ),
    rawDatabaseStatement(
      directory,
      sql`update ${memberships} set role = 'owner' where store_id = ${storeId} and user_id = ${owner}`,
    ),
  ]);
  const isWinner = changed.length > 0;
  if (!isWinner) return false;
  forgetUser(ownerId);
  forgetUser(userId);
  defer(wakeMail(env));
  return true;
}
