import { sql } from 'drizzle-orm';
import { isUserEmail } from '../../db/directory/sign-in.ts';
import { memberships, users } from '../../db/schema/directory.ts';
import type { DeedContext } from '../deed.ts';
import type { InvitationRequest } from './invite.ts';
import { sendInvitation, type InvitationResult } from './send-invitation.ts';

interface NewMember extends Pick<InvitationRequest, 'email' | 'name' | 'language'> {
  role: 'manager' | 'viewer';
}

/**
 * Invites an address to a store. An open invitation of the same address is replaced, so the same call sends the mail again
 * with a new link. A store has at most 50 open ones. One batch.
 */
export function inviteMember(
  deed: DeedContext,
  store: { id: number; name: string },
  { email, name, language, role }: NewMember,
): Promise<InvitationResult> {
  const isMember = sql`exists (select 1 from ${memberships} m join ${users} on ${users.id} = m.user_id
    where m.store_id = ${store.id} and ${isUserEmail(email)})`;
  return sendInvitation(
    deed,
    { kind: 'store', email, name, language, storeId: store.id, storeName: store.name, role },
    isMember,
  );
}
