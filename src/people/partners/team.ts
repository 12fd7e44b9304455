import { and, eq, sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { selectOpenInvitations } from '../../db/directory/invitations.ts';
import { selectPartnersOf, selectTeam } from '../../db/directory/partner-teams.ts';
import { isUserEmail } from '../../db/directory/sign-in.ts';
import { users } from '../../db/schema/directory.ts';
import { partnerMembers } from '../../db/schema/people.ts';
import type { MailLanguage } from '../../mail/outbox.ts';
import type { DeedContext } from '../deed.ts';
import { sendInvitation, type InvitationResult } from '../invitations/send-invitation.ts';

/** Loads the team of a partner, its open invitations, and the partners whose teams the user is in. One round trip. */
export async function loadTeam({ directory, actor, now }: DeedContext) {
  const partnerId = actor.userId ?? 0;
  const [members, invitations, partners] = await withDbErrors(
    directory.batch([
      selectTeam(directory, partnerId),
      selectOpenInvitations(directory, { partnerId }, now),
      selectPartnersOf(directory, partnerId),
    ]),
  );
  return { members, invitations, partners };
}

/** Finds an open invitation to the user's own team. One round trip. */
export async function findTeamInvitation({ directory, actor, now }: DeedContext, id: number) {
  const owner = { partnerId: actor.userId ?? 0 };
  return (await withDbErrors(selectOpenInvitations(directory, owner, now, id)))[0];
}

/**
 * Invites an address to the user's own team. An open invitation of the same address is replaced. Whether the address
 * belongs to a user shows nowhere, unless that user is in the team. One batch.
 */
export function inviteToTeam(
  deed: DeedContext,
  { email, language }: { email: string; language: MailLanguage },
): Promise<InvitationResult> {
  const partnerId = deed.actor.userId ?? 0;
  const isMember = sql`exists (select 1 from ${users} where ${isUserEmail(email)}
    and (${users.id} = ${partnerId} or exists (select 1 from ${partnerMembers}
      where partner_id = ${partnerId} and user_id = ${users.id})))`;
  return sendInvitation(deed, { kind: 'partner', email, language, partnerId }, isMember);
}

/**
 * Removes a user from the team of a partner: by the partner, or by the user, who leaves. Apps and their connections stay.
 * Returns whether there was such a member. One batch.
 */
export async function removeFromTeam(
  { directory, actor, from, now }: DeedContext,
  { partnerId, userId }: { partnerId: number; userId: number },
): Promise<boolean> {
  const isMember = sql`exists (select 1 from ${partnerMembers}
    where partner_id = ${partnerId} and user_id = ${userId})`;
  const [, removed] = await withDbErrors(
    directory.batch([
      auditStatement(
        directory,
        {
          at: now,
          actor,
          from,
          action: actor.userId === userId ? 'partner.member_left' : 'partner.member_removed',
          target: { kind: 'user', id: userId },
          changes: { partner: [partnerId, null] },
        },
        isMember,
      ),
      directory
        .delete(partnerMembers)
        .where(and(eq(partnerMembers.partner_id, partnerId), eq(partnerMembers.user_id, userId)))
        .returning({ id: partnerMembers.user_id }),
    ]),
  );
  return removed.length > 0;
}
