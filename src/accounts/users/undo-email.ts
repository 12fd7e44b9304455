import { sql } from 'drizzle-orm';
import type { Language } from '../../base/languages.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { evictApp } from '../../data/directory/apps.ts';
import { oneUseLinks, passwords } from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { forgetUser } from '../../http/access/forget-user.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';
import { forgetStore } from '../forget-store.ts';
import {
  claimLink,
  endLinksStatement,
  insertLinkStatement,
  makeLinkToken,
} from '../sign-in/one-use-links.ts';
import type { UserLink } from './change-email.ts';
import { type DoneLine, listDoneSince } from './done-since.ts';
import { userLine } from './user-line.ts';

/**
 * Undoes the change of an address, with the link that was sent to the old one. The author of the
 * change may know the password, so what they made, opened or gave to others since they asked for it
 * ends (`endTrust`). `uselessHash`, which no password matches, replaces the hash of the password.
 * The restored address gets a mail that lists what was done, in the words of `describe`. The mails
 * of that time went to the other one. Returns the list, and the token that sets a new password;
 * `undefined` if the link no longer works. One batch of the directory; the shards follow within a
 * minute.
 */
export async function undoEmailChange(
  action: ActionContext,
  { user, ...link }: UserLink,
  uselessHash: string,
  describe: (line: DoneLine) => Readonly<Record<Language, string>>,
): Promise<{ token: string; done: DoneLine[] } | undefined> {
  const { env, settings, directory, now } = action;
  const { token, hash } = await makeLinkToken();
  const { statement, isClaimed } = claimLink(
    directory,
    { ...link, user },
    now,
    sql`not exists (select 1 from ${users} where users.email = ${link.email} collate nocase and users.id <> ${user.id})
      and exists (select 1 from ${users} where users.id = ${user.id} and users.active = 1)`,
  );
  // The author of the change may have prepared more between asking for it and confirming it, in the
  // batch of this link.
  const askedAt = sql`(select coalesce((select min(confirmed.created_at) from ${oneUseLinks} confirmed where confirmed.user_id = one_use_links.user_id
      and confirmed.kind = 'confirm_email' and confirmed.used_at = one_use_links.created_at), one_use_links.created_at)
    from ${oneUseLinks} where one_use_links.token_hash = ${link.hash})`;
  const done = await listDoneSince(action, user.id, askedAt);
  const mail = await prepareMail(settings, {
    kind: 'email_change_undone',
    data: { lines: done.map((one) => ({ texts: describe(one), target: one.target })) },
  });
  const changes = { email: [user.email, link.email] } as const;
  const line = { ...userLine(action, 'user.email_change_undone', user.id), changes };
  const reset = {
    hash,
    kind: 'password_reset',
    userId: user.id,
    email: link.email,
    now,
  } as const;
  const [claimed] = await directory.batch([
    statement,
    rawDatabaseStatement(
      directory,
      sql`update ${users} set email = ${link.email}, updated_at = ${now}
          where id = ${user.id} and ${isClaimed}`,
    ),
    ...endTrust(action, 'email_change_undone', { userId: user.id, since: askedAt }, isClaimed),
    rawDatabaseStatement(
      directory,
      sql`update ${passwords} set hash = ${uselessHash}, changed_at = ${now}
          where user_id = ${user.id} and ${isClaimed}`,
    ),
    // Of several changes the oldest counts: the author of a later one cannot invalidate its link.
    endLinksStatement(
      directory,
      user.id,
      ['undo_email'],
      now,
      sql`${isClaimed} and created_at >= (select created_at from ${oneUseLinks} where token_hash = ${link.hash})`,
    ),
    insertLinkStatement(directory, reset, isClaimed),
    insertMailToUser(directory, mail, user.id, now, isClaimed),
    auditStatement(directory, line, isClaimed),
  ]);
  if (claimed.length === 0) return undefined;
  forgetUser(user.id);
  for (const { storeId, action: name, targetId } of done) {
    if (storeId !== null) forgetStore(storeId);
    if (name.startsWith('app.')) evictApp(targetId);
  }
  action.defer(wakeMail(env));
  return { token, done };
}
