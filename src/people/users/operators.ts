import { sql } from 'drizzle-orm';
import { evictApiKeysOfUser } from '../../access/api-keys.ts';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { users } from '../../db/schema/directory.ts';
import { conflict } from '../../errors.ts';
import { insertMailToUser, prepareMail } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake.ts';
import type { DeedContext } from '../deed.ts';
import type { UserRow } from './create-user.ts';
import { assertFound, userStatement } from './find-user.ts';
import { userLine } from './user-line.ts';

/** The condition that somebody else is an operator who can sign in. */
export const isOtherOperatorSql = (userId: number) =>
  sql`exists (select 1 from ${users} o where o.super_user = 1 and o.active = 1 and o.id <> ${userId})`;

/** Makes an active user an operator of the service, and tells them. One batch. */
export async function makeOperator(
  deed: DeedContext,
  { userId, reason }: { userId: number; reason: string },
): Promise<UserRow> {
  const { directory, settings, now } = deed;
  const mail = await prepareMail(settings, { kind: 'operator_made', language: 'en', data: {} });
  const isReady = sql`id = ${userId} and super_user = 0 and active = 1`;
  const isNone = sql`exists (select 1 from ${users} where ${isReady})`;
  const [, , , [user]] = await withDbErrors(
    directory.batch([
      auditStatement(directory, userLine(deed, 'user.made_operator', userId, reason), isNone),
      insertMailToUser(directory, mail, userId, now, sql`u.super_user = 0 and u.active = 1`),
      rawDatabaseStatement(
        directory,
        sql`update ${users} set super_user = 1, updated_at = ${now} where ${isReady}`,
      ),
      userStatement(deed, userId),
    ]),
  );
  evictApiKeysOfUser(userId);
  if (!assertFound(user).super_user) throw conflict('user_inactive');
  deed.defer(wakeMail(deed.env));
  return assertFound(user);
}

/**
 * Takes the powers of an operator away; their keys for operators count no more. Throws a 409 for the last one who can sign in:
 * of two operators who unmake each other at once, one stays. One batch.
 */
export async function unmakeOperator(
  deed: DeedContext,
  { userId, reason }: { userId: number; reason: string },
): Promise<UserRow> {
  const { directory, now } = deed;
  const isReady = sql`id = ${userId} and super_user = 1 and ${isOtherOperatorSql(userId)}`;
  const isOne = sql`exists (select 1 from ${users} where ${isReady})`;
  const [, , [user]] = await withDbErrors(
    directory.batch([
      auditStatement(directory, userLine(deed, 'user.unmade_operator', userId, reason), isOne),
      rawDatabaseStatement(
        directory,
        sql`update ${users} set super_user = 0, updated_at = ${now} where ${isReady}`,
      ),
      userStatement(deed, userId),
    ]),
  );
  evictApiKeysOfUser(userId);
  if (assertFound(user).super_user) throw conflict('last_operator');
  return assertFound(user);
}
