import { sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { uncountAttemptStatements, type CountedAttempt } from '../../db/directory/sign-in.ts';
import { passwords, sessions } from '../../db/schema/credentials.ts';
import { insertMailToUser, prepareMail } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake.ts';
import type { DeedContext } from '../deed.ts';
import { startSessionStatements, type NewSession } from '../sessions/start-session.ts';
import { userLine } from '../users/user-line.ts';

/** A change of the password, and the session that follows it. */
interface PasswordChange {
  userId: number;
  /** The hash that the current password was checked against. */
  oldHash: string;
  newHash: string;
  session: Omit<NewSession, 'userId'>;
  /** The attempt at the current password. */
  counted: CountedAttempt;
}

/**
 * Changes a password, ends all sessions of the user, starts a new one for this browser, and tells the user; returns true.
 * Returns false if the password was changed after it was checked. Uncounts the attempt in either case. One batch.
 */
export async function changePassword(
  deed: DeedContext,
  { userId, oldHash, newHash, session, counted }: PasswordChange,
): Promise<boolean> {
  const { settings, directory, now } = deed;
  // The hash is salted, so it identifies this change.
  const isChanged = sql`exists (select 1 from ${passwords}
    where user_id = ${userId} and hash = ${newHash})`;
  const { language } = session;
  const mail = await prepareMail(settings, { kind: 'password_changed', data: {}, language });
  const line = userLine(deed, 'user.password_changed', userId);
  const [changed] = await withDbErrors(
    directory.batch([
      rawDatabaseStatement<{ user_id: number }>(
        directory,
        sql`update ${passwords} set hash = ${newHash}, changed_at = ${now}
          where user_id = ${userId} and hash = ${oldHash} returning user_id`,
      ),
      rawDatabaseStatement(
        directory,
        sql`delete from ${sessions} where user_id = ${userId} and ${isChanged}`,
      ),
      ...(await startSessionStatements(deed, { ...session, userId }, isChanged)),
      insertMailToUser(directory, mail, userId, now, isChanged),
      auditStatement(directory, line, isChanged),
      ...uncountAttemptStatements(directory, counted),
    ]),
  );
  if (changed.length === 0) return false;
  deed.defer(wakeMail(deed.env));
  return true;
}
