import { sql } from 'drizzle-orm';
import { linkPath } from '../../base/page-paths.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { passwords } from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { insertMail, insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';
import {
  claimLink,
  endLinksStatement,
  insertLinkStatement,
  makeLinkToken,
  type OpenLink,
} from '../sign-in/one-use-links.ts';
import { userLine } from './user-line.ts';

/** A link with its user, as a page loaded it. */
export type UserLink = OpenLink & { user: NonNullable<OpenLink['user']> };

/** The condition that no other user has an address. */
const isFreeFor = (email: string, userId: number) =>
  sql`not exists (select 1 from ${users} where users.email = ${email} collate nocase and users.id <> ${userId})`;

/**
 * Asks for another address of a user: sends a link to the new one and a notice to the old one. The
 * old one stays until the link is used. The result does not reveal whether another user has the new
 * address: only the owner of its mailbox learns it. One batch.
 */
export async function requestEmailChange(
  action: ActionContext,
  { userId, newEmail }: { userId: number; newEmail: string },
): Promise<void> {
  const { settings, directory, now } = action;
  const { token, hash } = await makeLinkToken();
  const link = settings.linkOrigin + linkPath('confirm_email', token);
  const [confirmation, notice] = await Promise.all([
    prepareMail(settings, { kind: 'email_confirmation', data: { link } }),
    prepareMail(settings, { kind: 'email_change_requested', data: { newEmail } }),
  ]);
  const changes = { temporary_email: [null, newEmail] } as const;
  const line = { ...userLine(action, 'user.email_change_requested', userId), changes };
  const newLink = { hash, kind: 'confirm_email', userId, email: newEmail, now } as const;
  await directory.batch([
    endLinksStatement(directory, userId, ['confirm_email'], now, sql`1`),
    insertLinkStatement(directory, newLink),
    rawDatabaseStatement(
      directory,
      sql`update ${users} set temporary_email = ${newEmail}, updated_at = ${now} where id = ${userId}`,
    ),
    insertMail(directory, confirmation, { address: newEmail, userId, language: 'en' }, now),
    insertMailToUser(directory, notice, userId, now),
    auditStatement(directory, line),
  ]);
  action.defer(wakeMail(action.env));
}

/**
 * Cancels the change of an address that waits for its link. Does nothing if there is none. One
 * batch.
 */
export async function cancelEmailChange(action: ActionContext, userId: number): Promise<void> {
  const { directory } = action;
  const isWaiting = sql`exists (select 1 from ${users} where id = ${userId} and temporary_email is not null)`;
  await directory.batch([
    auditStatement(directory, userLine(action, 'user.email_change_cancelled', userId), isWaiting),
    ...endTrust(action, 'email_change_cancelled', { userId }, sql`1`),
  ]);
}

/**
 * Confirms the new address of a user with the link that was sent to it. Sends the old address a
 * link that undoes the change within seven days. Returns false if the link no longer works, or
 * another user has the address by now. One batch.
 */
export async function confirmEmail(
  action: ActionContext,
  { user, ...link }: UserLink,
): Promise<boolean> {
  const { settings, directory, now } = action;
  const { token, hash } = await makeLinkToken();
  const data = { newEmail: link.email, link: settings.linkOrigin + linkPath('undo_email', token) };
  const mail = await prepareMail(settings, { kind: 'email_changed', data });
  const { statement, isClaimed } = claimLink(
    directory,
    { ...link, user },
    now,
    sql`${isFreeFor(link.email, user.id)} and exists (select 1 from ${users} where users.id = ${user.id}
      and users.active = 1 and users.email = ${user.email} and users.temporary_email = ${link.email})
      and not exists (select 1 from ${passwords} where passwords.user_id = ${user.id} and passwords.changed_at > created_at)`,
  );
  const changes = { email: [user.email, link.email] } as const;
  const line = { ...userLine(action, 'user.email_changed', user.id), changes };
  const undo = { hash, kind: 'undo_email', userId: user.id, email: user.email, now } as const;
  const [claimed] = await directory.batch([
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
  ]);
  if (claimed.length === 0) return false;
  action.defer(wakeMail(action.env));
  return true;
}
