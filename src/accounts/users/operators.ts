import { sql } from 'drizzle-orm';
import { conflict } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { passwords } from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { evictApiKeysOfUser } from '../../http/access/api-key.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';
import type { UserRow } from './create-user.ts';
import { assertFound, userStatement } from './find-user.ts';
import { userLine } from './user-line.ts';

/**
 * The condition that another user is an operator who can sign in. Such a user is active, with a password, and with a second factor
 * where operators must have one.
 */
export const isOtherOperatorSql = (
  { settings }: Pick<ActionContext, 'settings'>,
  userId: number,
) => sql`exists (select 1 from ${users} o join ${passwords} p on p.user_id = o.id
    where o.super_user = 1 and o.active = 1 and o.id <> ${userId}
      and ${settings.isOperatorMfaRequired ? sql`o.mfa_enabled = 1` : sql`1`})`;

/**
 * Makes an active user an operator of the service, and notifies them. Throws a 409 for a user without a second factor
 * where operators must have one. One batch.
 */
export async function makeOperator(
  action: ActionContext,
  { userId, reason }: { userId: number; reason: string },
): Promise<UserRow> {
  const { directory, settings, now } = action;
  const mail = await prepareMail(settings, { kind: 'operator_made', language: 'en', data: {} });
  const hasFactor = settings.isOperatorMfaRequired ? sql`mfa_enabled = 1` : sql`1`;
  const isReady = sql`id = ${userId} and super_user = 0 and active = 1 and ${hasFactor}`;
  const isNone = sql`exists (select 1 from ${users} where ${isReady})`;
  const [, , , [user]] = await directory.batch([
    auditStatement(directory, userLine(action, 'user.made_operator', userId, reason), isNone),
    insertMailToUser(directory, mail, userId, now, isNone),
    rawDatabaseStatement(
      directory,
      sql`update ${users} set super_user = 1, updated_at = ${now} where ${isReady}`,
    ),
    userStatement(action, userId),
  ]);
  evictApiKeysOfUser(userId);
  const { super_user: isOperator, active } = assertFound(user);
  if (!isOperator) throw conflict(active ? 'second_factor_missing' : 'user_inactive');
  action.defer(wakeMail(action.env));
  return assertFound(user);
}

/**
 * Takes the powers of an operator away: their sessions and keys for operators end, and so do their invitations. Throws a 409 for the last one who can
 * sign in: of two operators who revoke each other at once, one stays. One batch.
 */
export async function revokeOperator(
  action: ActionContext,
  { userId, reason }: { userId: number; reason: string },
): Promise<UserRow> {
  const { directory, now } = action;
  const isReady = sql`id = ${userId} and super_user = 1 and ${isOtherOperatorSql(action, userId)}`;
  const isOne = sql`exists (select 1 from ${users} where ${isReady})`;
  const results = await directory.batch([
    auditStatement(directory, userLine(action, 'user.unmade_operator', userId, reason), isOne),
    ...endTrust(action, 'operator_unmade', { userId }, isOne),
    rawDatabaseStatement(
      directory,
      sql`update ${users} set super_user = 0, updated_at = ${now} where ${isReady}`,
    ),
    userStatement(action, userId),
  ]);
  evictApiKeysOfUser(userId);
  const user = assertFound((results.at(-1) as UserRow[])[0]);
  if (user.super_user) throw conflict('last_operator');
  return user;
}
