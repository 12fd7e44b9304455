import { sql, type SQL } from 'drizzle-orm';
import { linkPath } from '../../base/page-paths.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { passwords } from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';
import {
  claimLink,
  insertLinkStatement,
  makeLinkToken,
  type OpenLink,
} from '../sign-in/one-use-links.ts';
import { userLine } from './user-line.ts';

/**
 * Sends the link that sets a new password to an address, if an active user signs in with it. Does
 * the same work for any other address, so that the answer and its time reveal nothing. One round
 * trip.
 */
export async function requestPasswordReset(action: ActionContext, email: string): Promise<void> {
  const userId = sql`(select users.id from ${users} join ${passwords} on passwords.user_id = users.id
    where users.email = ${email} collate nocase and users.active = 1)`;
  const { statements } = await prepareReset(action, userId);
  await action.directory.batch(statements);
  action.defer(wakeMail(action.env));
}

/**
 * Sends a user the link that sets a new password, as an operator. Nothing ends until it is used.
 * One round trip.
 */
export async function sendPasswordReset(
  action: ActionContext,
  { userId, reason }: { userId: number; reason?: string },
): Promise<void> {
  const { statements } = await prepareReset(action, sql`${userId}`);
  const line = userLine(action, 'user.password_reset_sent', userId, reason);
  const [first, ...others] = statements;
  await action.directory.batch([first, ...others, auditStatement(action.directory, line)]);
  action.defer(wakeMail(action.env));
}

async function prepareReset({ settings, directory, now }: ActionContext, userId: SQL) {
  const { token, hash } = await makeLinkToken();
  const link = settings.linkOrigin + linkPath('password_reset', token);
  const mail = await prepareMail(settings, { kind: 'password_reset', data: { link } });
  const email = sql`(select email from ${users} where id = ${userId})`;
  const isActive = sql`exists (select 1 from ${users} where id = ${userId} and active = 1)`;
  const statements = [
    insertLinkStatement(directory, { hash, kind: 'password_reset', userId, email, now }, isActive),
    insertMailToUser(directory, mail, userId, now, sql`users.active = 1`),
  ] as const;
  return { statements };
}

/**
 * Sets a new password with a link, once; what rested on the old one ends (`endTrust`). Notifies the
 * user. The second factor stays. Returns false if the link no longer works, also because the user
 * has another address by now. One batch.
 */
export async function resetPassword(
  action: ActionContext,
  link: OpenLink & { user: NonNullable<OpenLink['user']> },
  newHash: string,
): Promise<boolean> {
  const { settings, directory, now } = action;
  const userId = link.user.id;
  const claim = claimLink(
    directory,
    link,
    now,
    sql`exists (select 1 from ${users} where users.id = ${userId} and users.active = 1
      and users.email = ${link.email} collate nocase)`,
  );
  const { isClaimed } = claim;
  const mail = await prepareMail(settings, { kind: 'password_changed', data: {} });
  const line = userLine(action, 'user.password_reset', userId);
  const [claimed] = await directory.batch([
    claim.statement,
    rawDatabaseStatement(
      directory,
      sql`insert into ${passwords} (user_id, hash, changed_at)
          select ${userId}, ${newHash}, ${now} where ${isClaimed}
          on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`,
    ),
    ...endTrust(action, 'password_reset', { userId }, isClaimed),
    rawDatabaseStatement(
      directory,
      sql`update ${users} set confirmed_at = coalesce(confirmed_at, ${now}) where id = ${userId} and ${isClaimed}`,
    ),
    insertMailToUser(directory, mail, userId, now, isClaimed),
    auditStatement(directory, line, isClaimed),
  ]);
  if (claimed.length === 0) return false;
  action.defer(wakeMail(action.env));
  return true;
}
