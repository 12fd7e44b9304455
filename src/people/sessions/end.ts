import { sql, type SQL } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { sessions } from '../../db/schema/credentials.ts';
import type { DeedContext } from '../deed.ts';
import { userLine } from '../users/user-line.ts';

/** Ends one session of a user, or all but one. Does nothing if there is none. One batch with its line of the audit. */
export async function endOwnSessions(
  deed: DeedContext,
  userId: number,
  which: { idHash: string } | { exceptIdHash: string },
): Promise<void> {
  const own: SQL =
    'idHash' in which
      ? sql`user_id = ${userId} and id_hash = ${which.idHash}`
      : sql`user_id = ${userId} and id_hash <> ${which.exceptIdHash}`;
  const { directory } = deed;
  const line = userLine(deed, 'user.sessions_ended', userId);
  await withDbErrors(
    directory.batch([
      auditStatement(directory, line, sql`exists (select 1 from ${sessions} where ${own})`),
      rawDatabaseStatement(directory, sql`delete from ${sessions} where ${own}`),
    ]),
  );
}
