import { sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { oneUseLinks, passwords, sessions } from '../../db/schema/credentials.ts';
import { users } from '../../db/schema/directory.ts';
import type { DeedContext } from '../deed.ts';
import {
  claimLink,
  endLinksStatement,
  insertLinkStatement,
  makeLinkToken,
} from '../links/one-use-links.ts';
import { userLine } from '../users/user-line.ts';
import type { UserLink } from './change-email.ts';

/**
 * Takes the change of an address back, with the link that was sent to the old one. Whoever changed it may know the password,
 * so all sessions and links end, and `uselessHash` replaces the hash of the password, which nobody can match. Returns the
 * token that sets a new password; `undefined` if the link no longer works. One batch.
 */
export async function undoEmailChange(
  deed: DeedContext,
  { user, ...link }: UserLink,
  uselessHash: string,
): Promise<string | undefined> {
  const { directory, now } = deed;
  const { token, hash } = await makeLinkToken();
  const { statement, isClaimed } = claimLink(
    directory,
    { ...link, user },
    now,
    sql`not exists (select 1 from ${users} o where o.email = ${link.email} collate nocase and o.id <> ${user.id})
      and exists (select 1 from ${users} u where u.id = ${user.id} and u.active = 1)`,
  );
  const changes = { email: [user.email, link.email] } as const;
  const line = { ...userLine(deed, 'user.email_change_undone', user.id), changes };
  const reset = {
    hash,
    kind: 'password_reset',
    userId: user.id,
    email: link.email,
    now,
  } as const;
  const [claimed] = await withDbErrors(
    directory.batch([
      statement,
      rawDatabaseStatement(
        directory,
        sql`update ${users} set email = ${link.email}, temporary_email = null, updated_at = ${now}
          where id = ${user.id} and ${isClaimed}`,
      ),
      rawDatabaseStatement(
        directory,
        sql`delete from ${sessions} where user_id = ${user.id} and ${isClaimed}`,
      ),
      rawDatabaseStatement(
        directory,
        sql`update ${passwords} set hash = ${uselessHash}, changed_at = ${now}
          where user_id = ${user.id} and ${isClaimed}`,
      ),
      endLinksStatement(directory, user.id, ['confirm_email', 'password_reset'], now, isClaimed),
      // Of several changes the oldest counts: who made a later one cannot make its link worthless.
      endLinksStatement(
        directory,
        user.id,
        ['undo_email'],
        now,
        sql`${isClaimed} and created_at >= (select created_at from ${oneUseLinks} where token_hash = ${link.hash})`,
      ),
      insertLinkStatement(directory, reset, isClaimed),
      auditStatement(directory, line, isClaimed),
    ]),
  );
  return claimed.length > 0 ? token : undefined;
}
