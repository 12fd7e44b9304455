import { sql, type SQL } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { passwords, sessions } from '../../db/schema/credentials.ts';
import { users } from '../../db/schema/directory.ts';
import { insertMailToUser, prepareMail, type MailLanguage } from '../../mail/outbox.ts';
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

/**
 * Sends the link that sets a new password to an address, if an active user signs in with it. Does the same work for any
 * other address, so that the answer and its time tell nothing. One round trip.
 */
export async function requestPasswordReset(
  deed: DeedContext,
  email: string,
  language: MailLanguage,
): Promise<void> {
  const userId = sql`(select u.id from ${users} u join ${passwords} p on p.user_id = u.id
    where u.email = ${email} collate nocase and u.active = 1)`;
  const { statements } = await prepareReset(deed, userId, language);
  await withDbErrors(deed.directory.batch(statements));
  deed.defer(wakeMail(deed.env));
}

/** Sends a user the link that sets a new password, as an operator. Nothing ends until it is used. One round trip. */
export async function sendPasswordReset(
  deed: DeedContext,
  { userId, reason, language = 'en' }: { userId: number; reason?: string; language?: MailLanguage },
): Promise<void> {
  const { statements } = await prepareReset(deed, sql`${userId}`, language);
  const line = userLine(deed, 'user.password_reset_sent', userId, reason);
  const [first, ...others] = statements;
  await withDbErrors(
    deed.directory.batch([first, ...others, auditStatement(deed.directory, line)]),
  );
  deed.defer(wakeMail(deed.env));
}

async function prepareReset(
  { settings, directory, now }: DeedContext,
  userId: SQL,
  language: MailLanguage,
) {
  const { token, hash } = await makeLinkToken();
  const link = settings.linkOrigin + linkPath('password_reset', token);
  const mail = await prepareMail(settings, { kind: 'password_reset', data: { link }, language });
  const email = sql`(select email from ${users} where id = ${userId})`;
  const isActive = sql`exists (select 1 from ${users} where id = ${userId} and active = 1)`;
  const statements = [
    insertLinkStatement(directory, { hash, kind: 'password_reset', userId, email, now }, isActive),
    insertMailToUser(directory, mail, userId, now, sql`u.active = 1`),
  ] as const;
  return { statements };
}

/**
 * Sets a new password with a link, once: ends all sessions and all other links that reset it, and tells the user. The second
 * factor stays. Returns false if the link no longer works, also because the user has another address by now. One batch.
 */
export async function resetPassword(
  deed: DeedContext,
  link: OpenLink & { user: NonNullable<OpenLink['user']> },
  newHash: string,
  language: MailLanguage,
): Promise<boolean> {
  const { settings, directory, now } = deed;
  const userId = link.user.id;
  const claim = claimLink(
    directory,
    link,
    now,
    sql`exists (select 1 from ${users} u where u.id = ${userId} and u.active = 1
      and u.email = ${link.email} collate nocase)`,
  );
  const { isClaimed } = claim;
  const mail = await prepareMail(settings, { kind: 'password_changed', data: {}, language });
  const line = userLine(deed, 'user.password_reset', userId);
  const [claimed] = await withDbErrors(
    directory.batch([
      claim.statement,
      rawDatabaseStatement(
        directory,
        sql`insert into ${passwords} (user_id, hash, changed_at)
          select ${userId}, ${newHash}, ${now} where ${isClaimed}
          on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`,
      ),
      rawDatabaseStatement(
        directory,
        sql`delete from ${sessions} where user_id = ${userId} and ${isClaimed}`,
      ),
      rawDatabaseStatement(
        directory,
        sql`update ${users} set confirmed_at = coalesce(confirmed_at, ${now}) where id = ${userId} and ${isClaimed}`,
      ),
      endLinksStatement(directory, userId, ['password_reset'], now, isClaimed),
      insertMailToUser(directory, mail, userId, now, isClaimed),
      auditStatement(directory, line, isClaimed),
    ]),
  );
  if (claimed.length === 0) return false;
  deed.defer(wakeMail(deed.env));
  return true;
}
