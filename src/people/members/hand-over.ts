import { sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { findMember, isMemberWithRole } from '../../db/directory/members.ts';
import { memberRoles, memberships, stores, users } from '../../db/schema/directory.ts';
import { insertMailToMembers, prepareMail } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake.ts';
import type { DeedContext } from '../deed.ts';
import { forgetMember } from './forget-member.ts';
import type { MembersStore } from './remove-member.ts';

/**
 * Makes another member the owner of a store; the owner so far becomes a manager. All of it is one batch, with mails to both.
 * Returns `false` unless `userId` is an active member and `ownerId` still owns the store: two hand-overs have one winner.
 */
export async function handOverStore(
  deed: DeedContext,
  store: MembersStore & { ownerId: number },
  userId: number,
): Promise<boolean> {
  const { env, settings, directory, actor, from, now, defer } = deed;
  const { id: storeId, ownerId } = store;
  const member = await findMember(directory, { userId, storeId });
  if (!member || member.role === 'owner') return false;
  const data = { store: store.name, member: member.name };
  const mail = await prepareMail(settings, {
    kind: 'ownership_handed_over',
    data,
    language: 'en',
  });
  const isPossible = sql`${isMemberWithRole({ userId, storeId }, ['manager', 'viewer'])}
    and exists (select 1 from ${users} where id = ${userId} and active = 1)
    and exists (select 1 from ${stores} where id = ${storeId} and owner_id = ${ownerId})`;
  const owner = sql`(select owner_id from ${stores} where id = ${storeId})`;
  const [, , changed] = await withDbErrors(
    directory.batch([
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
        sql`u.id in (${ownerId}, ${userId}) and ${isPossible}`,
      ),
      rawDatabaseStatement<{ id: number }>(
        directory,
        sql`update ${stores} set owner_id = ${userId}, updated_at = ${now}
          where id = ${storeId} and ${isPossible} returning id`,
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
    ]),
  );
  const isWinner = changed.length > 0;
  if (!isWinner) return false;
  forgetMember(ownerId, storeId);
  forgetMember(userId, storeId);
  defer(wakeMail(env));
  return true;
}
