import { sql } from 'drizzle-orm';
import type { ActionContext } from '../../data/audit/action.ts';
import type { AssignableRole } from '../../data/directory/members.ts';
import { isUserEmail } from '../../data/directory/sign-in-attempts.ts';
import { memberships, users } from '../../data/schema/directory/directory-tables.ts';
import type { InvitationRequest } from './invite.ts';
import { sendInvitation, type InvitationResult } from './send-invitation.ts';

interface NewMember extends Pick<InvitationRequest, 'email' | 'name' | 'language' | 'reason'> {
  role: AssignableRole;
}

/**
 * Invites an address to a store. An open invitation of the same address is replaced, so the same call sends the mail again
 * with a new link. A store has at most 50 open ones. The owner gets a mail if an operator invites. One batch.
 */
export function inviteMember(
  action: ActionContext,
  store: { id: number; name: string },
  { email, name, language, role, reason }: NewMember,
): Promise<InvitationResult> {
  return sendInvitation(
    action,
    {
      kind: 'store',
      email,
      name,
      language,
      storeId: store.id,
      storeName: store.name,
      role,
      reason,
    },
    isMemberSql(store.id, email),
  );
}

/** The condition that the user with an address is a member of a store. */
const isMemberSql = (storeId: number, email: string) =>
  sql`exists (select 1 from ${memberships} m join ${users} on ${users.id} = m.user_id
    where m.store_id = ${storeId} and ${isUserEmail(email)})`;

/** Whether the user with an address is a member of a store. One round trip. */
export async function isMember(
  { directory }: Pick<ActionContext, 'directory'>,
  storeId: number,
  email: string,
): Promise<boolean> {
  const rows = await directory.all(sql`select 1 where ${isMemberSql(storeId, email)}`);
  return rows.length > 0;
}
