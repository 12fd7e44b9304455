import { sql } from 'drizzle-orm';
import { answered } from './answered.ts';
import type { Shard } from './open.ts';
import { plainStatement } from './raw.ts';
import { passwords, sessions } from './schema/directory.ts';
import type { NewSession } from './sign-in.ts';
import { takingBack } from './taking-back.ts';

/** What changing a password needs besides the session that goes on. */
export interface NewPassword extends Omit<NewSession, 'formerIdHash'> {
  /** The hash that the current password was checked against. */
  oldHash: string;
  newHash: string;
}

/**
 * Changes a password unless somebody else did since it was checked, and answers whether it did. All sessions of
 * the user end then, and one of this browser starts. What the attempt was counted as is taken back. One batch.
 */
export async function changePassword(directory: Shard, given: NewPassword): Promise<boolean> {
  const { userId, oldHash, newHash, idHash, keys, blockedUntil, now, expiresAt } = given;
  // Salted, so it is of this very change.
  const isChanged = sql`exists (select 1 from ${passwords}
    where user_id = ${userId} and hash = ${newHash})`;
  const [changed] = await answered(
    directory.batch([
      plainStatement<{ user_id: number }>(
        directory,
        sql`update ${passwords} set hash = ${newHash}, changed_at = ${now}
          where user_id = ${userId} and hash = ${oldHash} returning user_id`,
      ),
      plainStatement(
        directory,
        sql`delete from ${sessions} where user_id = ${userId} and ${isChanged}`,
      ),
      plainStatement(
        directory,
        sql`insert into ${sessions} (id_hash, user_id, created_at, seen_at, expires_at)
          select ${idHash}, ${userId}, ${now}, ${now}, ${expiresAt} where ${isChanged}`,
      ),
      ...takingBack(directory, { keys, blockedUntil }),
    ]),
  );
  return changed.length > 0;
}
