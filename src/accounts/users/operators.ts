import { sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import { conflict } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { audit } from '../../data/schema/directory/account-tables.ts';
import { passwords } from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { forgetUser } from '../../http/access/forget-user.ts';
import {
  insertMailToOperators,
  insertMailToUser,
  prepareMail,
  wakeMail,
} from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';
import type { UserRow } from './create-user.ts';
import { assertFound, inactiveError, userStatement } from './find-user.ts';
import { userLine } from './user-line.ts';

/**
 * The condition that another user is an operator who can sign in. Such a user is active, with a
 * password, and with a second factor where operators must have one.
 */
export const isOtherOperatorSql = (
  { settings }: Pick<ActionContext, 'settings'>,
  userId: number,
) => sql`exists (select 1 from ${users} join ${passwords} on passwords.user_id = users.id
    where users.super_user = 1 and users.active = 1 and users.id <> ${userId}
      and ${settings.isOperatorMfaRequired ? sql`users.mfa_enabled = 1` : sql`1`})`;

/** How long two operators must have been ones before they decide together. */
const acquaintanceMs = 7 * dayMs;

const isMade = sql`audit.target_kind = 'user' and audit.action = 'user.made_operator'`;

/** The condition that one of these users was made an operator within seven days. */
export const isNewOperator = (now: number, ...userIds: readonly number[]) =>
  sql`exists (select 1 from ${audit} where ${isMade} and audit.at > ${now - acquaintanceMs}
    and audit.target_id in (select cast(value as text) from json_each(${JSON.stringify(userIds)})))`;

/** A common table of a user, who made them an operator, who made those, and so on. */
const makersOf = (
  name: 'one' | 'other',
  userId: number,
) => sql`${sql.raw(name)} (id) as (select cast(${userId} as integer)
  union select cast(audit.actor_id as integer) from ${sql.raw(name)} made
    join ${audit} on ${isMade} and audit.target_id = cast(made.id as text))`;

/**
 * The condition that two operators may be one person: one made the other, or somebody made both,
 * over any number of steps. Those whom nobody made, such as the first one, count only as makers of
 * the other: else they had made all.
 */
export const mayBeOnePerson = (one: number, other: number) =>
  sql`exists (with recursive ${makersOf('one', one)}, ${makersOf('other', other)}
    select 1 from one join other using (id) where one.id in (${one}, ${other}) or exists (
      select 1 from ${audit} where ${isMade} and audit.target_id = cast(one.id as text) and audit.actor_id <> audit.target_id))`;

/**
 * Makes an active user an operator of the service, and notifies them and all other operators.
 * Throws a 409 for a user without a second factor where operators must have one. One batch.
 */
export async function makeOperator(
  action: ActionContext,
  { userId, reason }: { userId: number; reason: string },
): Promise<UserRow> {
  const { directory, settings, now } = action;
  const mail = await prepareMail(settings, { kind: 'operator_made', data: {} });
  const news = await prepareMail(settings, {
    kind: 'operator_added',
    data: { by: action.actor.name, userId, reason },
  });
  const hasFactor = settings.isOperatorMfaRequired ? sql`mfa_enabled = 1` : sql`1`;
  const isReady = sql`id = ${userId} and super_user = 0 and active = 1 and ${hasFactor}`;
  const isNone = sql`exists (select 1 from ${users} where ${isReady})`;
  const [, , , , [user]] = await directory.batch([
    auditStatement(directory, userLine(action, 'user.made_operator', userId, reason), isNone),
    insertMailToUser(directory, mail, userId, now, isNone),
    insertMailToOperators(directory, news, now, isNone),
    rawDatabaseStatement(
      directory,
      sql`update ${users} set super_user = 1, updated_at = ${now} where ${isReady}`,
    ),
    userStatement(action, userId),
  ]);
  forgetUser(userId);
  const made = assertFound(user);
  if (!made.active) throw inactiveError(made);
  if (!made.super_user) throw conflict('second_factor_missing');
  action.defer(wakeMail(action.env));
  return assertFound(user);
}

/**
 * Takes the powers of an operator away: their sessions and keys for operators end, and so do their
 * invitations. Throws a 409 for the last one who can sign in: of two operators who revoke each
 * other at once, one stays. One batch.
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
  forgetUser(userId);
  const user = assertFound((results.at(-1) as UserRow[])[0]);
  if (user.super_user) throw conflict('last_operator');
  return user;
}
