import { eq, sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { users } from '../../db/schema/directory.ts';
import { mutableKinds, type MutableKind } from '../../mail/kinds.ts';
import type { DeedContext } from '../deed.ts';
import { userLine } from './user-line.ts';

/** The mails that a user gets besides those about security. */
export interface MailPreferences {
  /** Whether there are any at all (`users.allow_notifications`). */
  allows: boolean;
  muted: readonly MutableKind[];
}

/** Reads the preferences of a user. One round trip. */
export async function findMailPreferences(
  { directory }: Pick<DeedContext, 'directory'>,
  userId: number,
): Promise<MailPreferences> {
  const [row] = await withDbErrors(
    directory
      .select({ allows: users.allow_notifications, muted: users.muted_mails })
      .from(users)
      .where(eq(users.id, userId)),
  );
  const { allows = true, muted = [] } = row ?? {};
  return { allows, muted: mutableKinds.filter((kind) => muted.includes(kind)) };
}

/** Changes the preferences of a user. One round trip; nothing is written if they are the same. */
export async function changeMailPreferences(
  deed: DeedContext,
  userId: number,
  { allows, muted }: MailPreferences,
): Promise<void> {
  const { directory, now } = deed;
  const mutedMails = mutableKinds.filter((kind) => muted.includes(kind));
  const differs = sql`${users.id} = ${userId} and (${users.allow_notifications} <> ${Number(allows)}
    or ${users.muted_mails} <> ${JSON.stringify(mutedMails)})`;
  await withDbErrors(
    directory.batch([
      auditStatement(
        directory,
        userLine(deed, 'user.notifications_changed', userId, undefined),
        sql`exists (select 1 from ${users} where ${differs})`,
      ),
      directory
        .update(users)
        .set({ allow_notifications: allows, muted_mails: mutedMails, updated_at: now })
        .where(differs),
    ]),
  );
}
