import { sql, type SQL } from 'drizzle-orm';
import type { ActionContext } from '../../data/audit/action.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { auditStatement } from '../../data/directory/audit-lines.ts';
import { sessions } from '../../data/schema/directory/credentials-tables.ts';
import { endTrust } from '../end-trust.ts';
import { userLine } from '../users/user-line.ts';

/** Ends one session of a user, or all but one, with what rests on them. Does nothing if there is none. One batch with its line of the audit. */
export async function endOwnSessions(
  action: ActionContext,
  userId: number,
  which: { idHash: string } | { exceptIdHash: string },
): Promise<void> {
  const own: SQL =
    'idHash' in which
      ? sql`user_id = ${userId} and id_hash = ${which.idHash}`
      : sql`user_id = ${userId} and id_hash <> ${which.exceptIdHash}`;
  const { directory } = action;
  const line = userLine(action, 'user.sessions_ended', userId);
  const ends =
    'idHash' in which
      ? [rawDatabaseStatement(directory, sql`delete from ${sessions} where ${own}`)]
      : endTrust(
          action,
          'other_sessions_ended',
          { userId, keptIdHash: which.exceptIdHash },
          sql`1`,
        );
  await directory.batch([
    auditStatement(directory, line, sql`exists (select 1 from ${sessions} where ${own})`),
    ...ends,
  ]);
}
