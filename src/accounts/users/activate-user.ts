import { sql } from 'drizzle-orm';
import { conflict } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { erasedAddress } from '../../data/directory/user-overview.ts';
import { sessions } from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { forgetUser } from '../../http/access/forget-user.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';
import type { UserRow } from './create-user.ts';
import { assertFound, inactiveError, userStatement } from './find-user.ts';
import { isOtherOperatorSql } from './operators.ts';
import { userLine } from './user-line.ts';

interface UserAction {
  userId: number;
  reason: string;
}

/** Ends all sessions of a user, with what rests on them; keys and passwords stay. One batch. */
export async function endSessions(
  action: ActionContext,
  { userId, reason }: UserAction,
): Promise<UserRow> {
  const { directory } = action;
  const hasSessions = sql`exists (select 1 from ${sessions} where user_id = ${userId})`;
  const results = await directory.batch([
    auditStatement(directory, userLine(action, 'user.sessions_ended', userId, reason), hasSessions),
    ...endTrust(action, 'sessions_ended', { userId }, sql`1`),
    userStatement(action, userId),
  ]);
  return assertFound((results.at(-1) as UserRow[])[0]);
}

/**
 * Deactivates a user: sessions and keys end, and the grants that they gave end in every store
 * within a minute. Their stores stay as they are. They get a mail with the reason. Throws a 409 for
 * the last operator. Does nothing to an inactive user. One batch.
 */
export async function deactivateUser(
  action: ActionContext,
  { userId, reason }: UserAction,
): Promise<UserRow> {
  const { directory, settings, now } = action;
  const mail = await prepareMail(settings, { kind: 'user_deactivated', data: { reason } });
  const isReady = sql`id = ${userId} and active = 1 and (super_user = 0 or ${isOtherOperatorSql(action, userId)})`;
  const isActive = sql`exists (select 1 from ${users} where ${isReady})`;
  const results = await directory.batch([
    auditStatement(directory, userLine(action, 'user.deactivated', userId, reason), isActive),
    insertMailToUser(directory, mail, userId, now, isActive),
    rawDatabaseStatement(
      directory,
      sql`update ${users} set active = 0, updated_at = ${now} where ${isReady}`,
    ),
    ...endTrust(
      action,
      'user_deactivated',
      { userId },
      sql`exists (select 1 from ${users} where id = ${userId} and active = 0)`,
    ),
    userStatement(action, userId),
  ]);
  forgetUser(userId);
  const user = assertFound((results.at(-1) as UserRow[])[0]);
  if (user.active) throw conflict('last_operator');
  action.defer(wakeMail(action.env));
  return user;
}

/**
 * Activates an inactive user, who can then sign in again. Ended sessions and grants stay ended. 409
 * for an erased one. One batch.
 */
export async function reactivateUser(
  action: ActionContext,
  { userId, reason }: { userId: number; reason?: string },
): Promise<UserRow> {
  const { directory, now } = action;
  const isReady = sql`id = ${userId} and active = 0 and email <> ${erasedAddress(userId)}`;
  const isInactive = sql`exists (select 1 from ${users} where ${isReady})`;
  const [, , [user]] = await directory.batch([
    auditStatement(directory, userLine(action, 'user.reactivated', userId, reason), isInactive),
    rawDatabaseStatement(
      directory,
      sql`update ${users} set active = 1, updated_at = ${now} where ${isReady}`,
    ),
    userStatement(action, userId),
  ]);
  forgetUser(userId);
  const found = assertFound(user);
  if (!found.active) throw inactiveError(found);
  return found;
}
