import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { lifetimes } from '../lifetimes.ts';
import { answered } from './answered.ts';
import type { Shard } from './open.ts';
import { plainStatement } from './raw.ts';
import { credentials } from './schema/directory.ts';

/** How many header pairs that are not revoked a user may have. */
export const maxPairs = 20;

/** The pairs of a user that are not revoked, the newest first. One round trip. */
export const listPairs = (directory: Shard, userId: number) =>
  answered(ownPairs(directory, userId).orderBy(desc(credentials.id)).limit(maxPairs));

/** One of them; `undefined` for a revoked pair and for one of somebody else. One round trip. */
export async function findOwnPair(directory: Shard, userId: number, id: number) {
  const [pair] = await answered(ownPairs(directory, userId, id).limit(1));
  return pair;
}

/** What is kept of a new pair: digests of its two parts, and the end of the secret. */
export type NewPair = Pick<
  typeof credentials.$inferInsert,
  'user_id' | 'name' | 'token_hash' | 'secret_hash' | 'last_four' | 'created_at'
>;

/** Adds a pair, unless the user has as many as there may be; answers whether it was added. One round trip. */
export async function addPair(directory: Shard, pair: NewPair): Promise<boolean> {
  const { user_id, name, token_hash, secret_hash, last_four, created_at } = pair;
  const [added] = await answered(
    directory.batch([
      plainStatement<{ id: number }>(
        directory,
        sql`insert into ${credentials} (user_id, name, token_hash, secret_hash, last_four, created_at)
          select ${user_id}, ${name}, ${token_hash}, ${secret_hash}, ${last_four}, ${created_at}
          where (select count(*) from ${credentials}
            where user_id = ${user_id} and revoked_at is null) < ${maxPairs}
          returning id`,
      ),
    ]),
  );
  return added.length > 0;
}

/** Revokes a pair of a user; a pair that is revoked, or not theirs, stays as it is. One round trip. */
export async function revokePair(
  directory: Shard,
  { userId, id, now }: { userId: number; id: number; now: number },
): Promise<void> {
  await answered(directory.update(credentials).set({ revoked_at: now }).where(isOwn(userId, id)));
}

/** Notes that a pair is in use, unless that was noted within the hour. */
export async function noteUse(directory: Shard, id: number, now: number): Promise<void> {
  const isDue = sql`coalesce(${credentials.last_used_at}, 0) <= ${now - lifetimes.useLag}`;
  await answered(
    directory
      .update(credentials)
      .set({ last_used_at: now })
      .where(and(eq(credentials.id, id), isDue)),
  );
}

const isOwn = (userId: number, id?: number) =>
  and(
    eq(credentials.user_id, userId),
    isNull(credentials.revoked_at),
    id === undefined ? undefined : eq(credentials.id, id),
  );

const ownPairs = (directory: Shard, userId: number, id?: number) =>
  directory
    .select({
      id: credentials.id,
      name: credentials.name,
      lastFour: credentials.last_four,
      createdAt: credentials.created_at,
      lastUsedAt: credentials.last_used_at,
    })
    .from(credentials)
    .where(isOwn(userId, id));
