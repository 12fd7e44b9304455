import { sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { users } from '../../db/schema/directory.ts';
import { insertMail, insertMailToUser, prepareMail, type MailLanguage } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake.ts';
import type { DeedContext } from '../deed.ts';
import { linkPath } from '../links/link-paths.ts';
import {
  claimLink,
  endLinksStatement,
  insertLinkStatement,
  makeLinkToken,
  type OpenLink,
} from '../links/one-use-links.ts';
import { userLine } from '../users/user-line.ts';

/** A link with its user, as a page loaded it. */
export type UserLink = OpenLink & { user: NonNullable<OpenLink['user']> };

/** The condition that nobody else has an address. */
const isFreeFor = (email: string, userId: number) =>
  sql`not exists (select 1 from ${users} o where o.email = ${email} collate nocase and o.id <> ${userId})`;

/**
 * Asks for another address of a user: sends a link to the new one and tells the old one. The old one stays until the link is
 * used. Whether somebody has the new address makes no difference: only the owner of its mailbox learns it. One batch.
 */
export async function requestEmailChange(
  deed: DeedContext,
  { userId, newEmail, language }: { userId: number; newEmail: string; language: MailLanguage },
): Promise<void> {
  const { settings, directory, now } = deed;
  const { token, hash } = await makeLinkToken();
  const link = settings.linkOrigin + linkPath('confirm_email', token);
  const [confirmation, notice] = await Promise.all([
    prepareMail(settings, { kind: 'email_confirmation', data: { link }, language }),
    prepareMail(settings, { kind: 'email_change_requested', data: { newEmail }, language }),
  ]);
  const changes = { temporary_email: [null, newEmail] } as const;
  const line = { ...userLine(deed, 'user.email_change_requested', userId), changes };
  const newLink = { hash, kind: 'confirm_email', userId, email: newEmail, now } as const;
  await withDbErrors(
    directory.batch([
      endLinksStatement(directory, userId, ['confirm_email'], now, sql`1`),
      insertLinkStatement(directory, newLink),
      rawDatabaseStatement(
        directory,
        sql`update ${users} set temporary_email = ${newEmail}, updated_at = ${now} where id = ${userId}`,
      ),
      insertMail(directory, confirmation, { address: newEmail }, now),
      insertMailToUser(directory, notice, userId, now),
      auditStatement(directory, line),
    ]),
  );
  deed.defer(wakeMail(deed.env));
}

/**
 * Makes the new address of a user the address, with the link that was sent to it, and sends the old one a link that takes it
 * back within seven days. Returns false if the link no longer works, or somebody else has the address by now. One batch.
 */
export async function confirmEmail(
  deed: DeedContext,
  { user, ...link }: UserLink,
  language: MailLanguage,
): Promise<boolean> {
  const { settings, directory, now } = deed;
  const { token, hash } = await makeLinkToken();
  const data = { newEmail: link.email, link: settings.linkOrigin + linkPath('undo_email', token) };
  const mail = await prepareMail(settings, { kind: 'email_changed', data, language });
  const { statement, isClaimed } = claimLink(
    directory,
    { ...link, user },
    now,
    sql`${isFreeFor(link.email, user.id)} and exists (select 1 from ${users} u where u.id = ${user.id}
      and u.active = 1 and u.email = ${user.email} and u.temporary_email = ${link.email})`,
  );
  const changes = { email: [user.email, link.email] } as const;
  const line = { ...userLine(deed, 'user.email_changed', user.id), changes };
  const undo = { hash, kind: 'undo_email', userId: user.id, email: user.email, now } as const;
  const [claimed] = await withDbErrors(
    directory.batch([
      statement,
      insertLinkStatement(directory, undo, isClaimed),
      // Before the change: to the old address.
      insertMailToUser(directory, mail, user.id, now, isClaimed),
      rawDatabaseStatement(
        directory,
        sql`update ${users} set email = ${link.email}, temporary_email = null, confirmed_at = ${now},
          updated_at = ${now} where id = ${user.id} and ${isClaimed}`,
      ),
      endLinksStatement(directory, user.id, ['password_reset'], now, isClaimed),
      auditStatement(directory, line, isClaimed),
    ]),
  );
  if (claimed.length === 0) return false;
  deed.defer(wakeMail(deed.env));
  return true;
}
