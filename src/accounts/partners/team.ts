import { and, eq, sql } from 'drizzle-orm';
import type { Language } from '../../base/languages.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { selectOpenInvitations } from '../../data/directory/invitations.ts';
import { selectPartnersOf, selectTeam } from '../../data/directory/partner-teams.ts';
import { isUserEmail } from '../../data/directory/sign-in-accounts.ts';
import { partnerMembers } from '../../data/schema/directory/account-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { endTrust } from '../end-trust.ts';
import { sendInvitation, type InvitationResult } from '../members/invite.ts';

/**
 * Loads the team of a partner, its open invitations, and the partners whose teams the user is in.
 * One round trip.
 */
export async function loadTeam({ directory, actor, now }: ActionContext) {
  const partnerId = actor.userId ?? 0;
  const [members, invitations, partners] = await directory.batch([
    selectTeam(directory, partnerId),
    selectOpenInvitations(directory, { partnerId }, now),
    selectPartnersOf(directory, partnerId),
  ]);
  return { members, invitations, partners };
}

/** Finds an open invitation to the user's own team. One round trip. */
export async function findTeamInvitation({ directory, actor, now }: ActionContext, id: number) {
  const owner = { partnerId: actor.userId ?? 0 };
  return (await selectOpenInvitations(directory, owner, now, id))[0];
}

/**
 * Invites an address to the user's own team. An open invitation of the same address is replaced.
 * The result does not reveal whether the address belongs to a user, unless that user is in the
 * team. One batch.
 */
export function inviteToTeam(
  action: ActionContext,
  { email, language }: { email: string; language: Language },
): Promise<InvitationResult> {
  const partnerId = action.actor.userId ?? 0;
  const isMember = sql`exists (select 1 from ${users} where ${isUserEmail(email)}
    and (${users.id} = ${partnerId} or exists (select 1 from ${partnerMembers}
      where partner_id = ${partnerId} and user_id = ${users.id})))`;
  return sendInvitation(action, { kind: 'partner', email, language, partnerId }, isMember);
}

/**
 * Removes a user from the team of a partner: by the partner, or by the user, who leaves. Apps and
 * their connections stay. Returns whether there was such a member. One batch.
 */
export async function removeFromTeam(
  action: ActionContext,
  { partnerId, userId }: { partnerId: number; userId: number },
): Promise<boolean> {
  const { directory, actor, from, now } = action;
  const isMember = sql`exists (select 1 from ${partnerMembers}
    where partner_id = ${partnerId} and user_id = ${userId})`;
  const results = await directory.batch([
    auditStatement(
      directory,
      {
        at: now,
        actor,
        from,
        action: actor.userId === userId ? 'partner.member_left' : 'partner.member_removed',
        target: { kind: 'user', id: userId },
        partnerId,
        changes: { partner: [partnerId, null] },
      },
      isMember,
    ),
    ...endTrust(action, 'team_member_removed', { userId, partnerId }, isMember),
    directory
      .delete(partnerMembers)
      .where(and(eq(partnerMembers.partner_id, partnerId), eq(partnerMembers.user_id, userId)))
      .returning({ id: partnerMembers.user_id }),
  ]);
  return (results.at(-1) as unknown[]).length > 0;
}
