import { eq, sql } from 'drizzle-orm';
import { notFound } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { passwords } from '../../data/schema/directory/credentials-tables.ts';
import { stores, users } from '../../data/schema/directory/directory-tables.ts';
import { sendInvitation, type InvitationResult } from './send-invitation.ts';

/**
 * Sends the invitation of the owner of a store again, with a new link in place of the open one. An owner who has a
 * password or is locked out gets none (`already_member`). One batch, after a read.
 */
export async function inviteOwner(
  action: ActionContext,
  store: { id: number; name: string; owner_id: number },
  { reason }: { reason: string },
): Promise<InvitationResult> {
  const { directory } = action;
  const [owner] = await directory
    .select({ email: users.email, language: users.language })
    .from(users)
    .where(eq(users.id, store.owner_id));
  if (!owner) throw notFound();
  const { email, language } = owner;
  const isInvited = sql`exists (select 1 from ${stores} s join ${users} o on o.id = s.owner_id
    where s.id = ${store.id} and s.erased_at is null and o.id = ${store.owner_id} and o.active = 1
      and o.email = ${email}
      and not exists (select 1 from ${passwords} p where p.user_id = o.id))`;
  return sendInvitation(
    action,
    {
      kind: 'store',
      role: 'owner',
      email,
      storeId: store.id,
      storeName: store.name,
      reason,
      ...(language !== null && { language }),
    },
    sql`(not ${isInvited})`,
  );
}
