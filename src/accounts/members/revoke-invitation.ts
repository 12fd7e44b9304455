import { and, eq } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { isInvitationOpen, type OpenInvitation } from '../../data/directory/invitations.ts';
import { invitations } from '../../data/schema/directory/account-tables.ts';

/**
 * Withdraws an open invitation: its link no longer works. Returns false, and does nothing, if it
 * was accepted or withdrawn meanwhile. One batch.
 */
export async function revokeInvitation(
  { directory, actor, from, now }: ActionContext,
  { id, email, role }: Pick<OpenInvitation, 'id' | 'email' | 'role'>,
  { storeId, partnerId }: { storeId?: number; partnerId?: number } = {},
): Promise<boolean> {
  const isOpen = isInvitationOpen(now);
  const [, revoked] = await directory.batch([
    auditStatement(
      directory,
      {
        at: now,
        actor,
        from,
        action: 'member.invitation_revoked',
        target: { kind: 'invitation', id },
        ...(storeId !== undefined && { storeId }),
        ...(partnerId !== undefined && { partnerId }),
        changes: { email: [email, null], ...(role && { role: [role, null] }) },
      },
      sql`exists (select 1 from ${invitations} where id = ${id} and ${isOpen})`,
    ),
    directory
      .update(invitations)
      .set({ revoked_at: now })
      .where(and(eq(invitations.id, id), isOpen))
      .returning({ id: invitations.id }),
  ]);
  return revoked.length > 0;
}
