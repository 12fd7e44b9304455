import { sql } from 'drizzle-orm';
import { evictApiKeysOfUser } from '../../access/api-keys.ts';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { sessions } from '../../db/schema/credentials.ts';
import { users } from '../../db/schema/directory.ts';
import { conflict } from '../../errors.ts';
import type { DeedContext } from '../deed.ts';
import type { UserRow } from './create-user.ts';
import { assertFound, userStatement } from './find-user.ts';
import { isOtherOperatorSql } from './operators.ts';
import { userLine } from './user-line.ts';

interface UserDeed {
  userId: number;
  reason: string;
}

/** Ends all sessions of a user; keys and passwords stay. One batch. */
export async function endSessions(
  deed: DeedContext,
  { userId, reason }: UserDeed,
): Promise<UserRow> {
  const { directory } = deed;
  const hasSessions = sql`exists (select 1 from ${sessions} where user_id = ${userId})`;
  const [, , [user]] = await withDbErrors(
    directory.batch([
      auditStatement(directory, userLine(deed, 'user.sessions_ended', userId, reason), hasSessions),
      endSessionsStatement(deed, userId),
      userStatement(deed, userId),
    ]),
  );
  return assertFound(user);
}

/**
 * Locks a user out: sessions and keys end, and what they granted ends in every store within a minute. Their stores stay as they
 * are. Throws a 409 for the last operator. A user who is inactive stays so. One batch.
 */
export async function deactivateUser(
  deed: DeedContext,
  { userId, reason }: UserDeed,
): Promise<UserRow> {
  const { directory, now } = deed;
  const isReady = sql`id = ${userId} and active = 1 and (super_user = 0 or ${isOtherOperatorSql(userId)})`;
  const isActive = sql`exists (select 1 from ${users} where ${isReady})`;
  const [, , , [user]] = await withDbErrors(
    directory.batch([
      auditStatement(directory, userLine(deed, 'user.deactivated', userId, reason), isActive),
      rawDatabaseStatement(
        directory,
        sql`update ${users} set active = 0, updated_at = ${now} where ${isReady}`,
      ),
      rawDatabaseStatement(
        directory,
        sql`delete from ${sessions} where user_id = ${userId}
          and exists (select 1 from ${users} where id = ${userId} and active = 0)`,
      ),
      userStatement(deed, userId),
    ]),
  );
  evictApiKeysOfUser(userId);
  if (assertFound(user).active) throw conflict('last_operator');
  return assertFound(user);
}

/** Lets an inactive user sign in again. Sessions and grants that have ended stay so. One batch. */
export async function reactivateUser(
  deed: DeedContext,
  { userId, reason }: { userId: number; reason?: string },
): Promise<UserRow> {
  const { directory, now } = deed;
  const isReady = sql`id = ${userId} and active = 0`;
  const isInactive = sql`exists (select 1 from ${users} where ${isReady})`;
  const [, , [user]] = await withDbErrors(
    directory.batch([
      auditStatement(directory, userLine(deed, 'user.reactivated', userId, reason), isInactive),
      rawDatabaseStatement(
        directory,
        sql`update ${users} set active = 1, updated_at = ${now} where ${isReady}`,
      ),
      userStatement(deed, userId),
    ]),
  );
  evictApiKeysOfUser(userId);
  return assertFound(user);
}

const endSessionsStatement = ({ directory }: DeedContext, userId: number) =>
  rawDatabaseStatement(directory, sql`delete from ${sessions} where user_id = ${userId}`);
