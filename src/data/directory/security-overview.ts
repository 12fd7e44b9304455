import { and, desc, eq, gt, gte, isNull, sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { passwords, recoveryCodes, sessions } from '../schema/directory/credentials-tables.ts';
import { users } from '../schema/directory/directory-tables.ts';

/** Reads what the security page of a user shows. One round trip. */
export async function loadSecurity(directory: Database, userId: number) {
  const [[row], [codes]] = await directory.batch([
    directory
      .select({
        passwordChangedAt: passwords.changed_at,
        temporaryEmail: users.temporary_email,
        language: users.language,
      })
      .from(users)
      .innerJoin(passwords, eq(passwords.user_id, users.id))
      .where(eq(users.id, userId)),
    directory
      .select({ count: sql<number>`count(*)` })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.user_id, userId), isNull(recoveryCodes.used_at))),
  ]);
  return row && { ...row, codesLeft: codes?.count ?? 0 };
}

/** The most sessions that the page of devices lists: the latest ones. */
const maxListed = 100;

/** Lists the live sessions of a user, the last used one first. One round trip. */
export async function listSessions(directory: Database, userId: number, now: number) {
  return directory
    .select({
      idHash: sessions.id_hash,
      device: sessions.device,
      country: sessions.country,
      startedAt: sessions.created_at,
      seenAt: sessions.seen_at,
    })
    .from(sessions)
    .innerJoin(
      passwords,
      and(eq(passwords.user_id, sessions.user_id), gte(sessions.created_at, passwords.changed_at)),
    )
    .where(and(eq(sessions.user_id, userId), gt(sessions.expires_at, now)))
    .orderBy(desc(sessions.seen_at))
    .limit(maxListed);
}
