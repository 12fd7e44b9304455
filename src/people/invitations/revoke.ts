import { and, eq } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { isInvitationOpen, type OpenInvitation } from '../../db/directory/invitations.ts';
import { invitations } from '../../db/schema/people.ts';
import type { DeedContext } from '../deed.ts';

/** Withdraws an open invitation: its link works no more. Does nothing to one that was accepted meanwhile. One batch. */
export async function revokeInvitation(
  { directory, actor, from, now }: DeedContext,
  { id, email, role }: Pick<OpenInvitation, 'id' | 'email' | 'role'>,
  storeId?: number,
): Promise<void> {
  const isOpen = isInvitationOpen(now);
  await withDbErrors(
    directory.batch([
      auditStatement(
        directory,
        {
          at: now,
          actor,
          from,
          action: 'member.invitation_revoked',
          target: { kind: 'invitation', id },
          ...(storeId !== undefined && { storeId }),
          changes: { email: [email, null], ...(role && { role: [role, null] }) },
        },
        sql`exists (select 1 from ${invitations} where id = ${id} and ${isOpen})`,
      ),
      directory
        .update(invitations)
        .set({ revoked_at: now })
        .where(and(eq(invitations.id, id), isOpen)),
    ]),
  );
}
