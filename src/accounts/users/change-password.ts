import { sql } from 'drizzle-orm';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import {
  uncountAttemptStatements,
  type CountedAttempt,
} from '../../data/directory/attempt-counters.ts';
import { passwords } from '../../data/schema/directory/credentials-tables.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';
import { startSessionStatements, type NewSession } from '../sign-in/session-actions.ts';
import { userLine } from './user-line.ts';

/** Replaces the hash of a password that stays. Nothing is written if it was changed since. */
export const replaceHash = (
  directory: ActionContext['directory'],
  { userId, hash }: { userId: number; hash: string },
  newHash: string,
) =>
  directory.batch([
    rawDatabaseStatement(
      directory,
      sql`update ${passwords} set hash = ${newHash} where user_id = ${userId} and hash = ${hash}`,
    ),
  ]);

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
 * Changes a password, ends all sessions of the user, starts a new one for this browser, and
 * notifies the user; returns true. Returns false if the password was changed after it was checked.
 * Uncounts the attempt in either case. One batch.
 */
export async function changePassword(
  action: ActionContext,
  { userId, oldHash, newHash, session, counted }: PasswordChange,
): Promise<boolean> {
  const { settings, directory, now } = action;
  // The hash is salted, so it identifies this change.
  const isChanged = sql`exists (select 1 from ${passwords}
    where user_id = ${userId} and hash = ${newHash})`;
  const mail = await prepareMail(settings, { kind: 'password_changed', data: {} });
  const line = userLine(action, 'user.password_changed', userId);
  const [changed] = await directory.batch([
    rawDatabaseStatement<{ user_id: number }>(
      directory,
      sql`update ${passwords} set hash = ${newHash}, changed_at = ${now}
          where user_id = ${userId} and hash = ${oldHash} returning user_id`,
    ),
    ...endTrust(action, 'password_changed', { userId }, isChanged),
    ...(await startSessionStatements(action, { ...session, userId }, isChanged)),
    insertMailToUser(directory, mail, userId, now, isChanged),
    auditStatement(directory, line, isChanged),
    ...uncountAttemptStatements(directory, counted),
  ]);
  if (changed.length === 0) return false;
  action.defer(wakeMail(action.env));
  return true;
}
