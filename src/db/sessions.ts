import { and, eq, gt, lte, sql } from 'drizzle-orm';
import { answered } from './answered.ts';
import type { Shard } from './open.ts';
import { memberships, passwords, sessions, stores, users } from './schema/directory.ts';
import { storeColumns } from './store-columns.ts';

/** A store that somebody may manage, with what is needed to open it. */
export type ManagedStore = Awaited<ReturnType<typeof managedStores>>[number];

/** Who is signed in with a browser. */
export interface SignedIn {
  user: { id: number; name: string; email: string };
  startedAt: number;
  seenAt: number;
  /** Active ones alone, by name. */
  stores: ManagedStore[];
}

/**
 * The session of a browser, by the digest of its cookie, and the stores its user may manage. `undefined` when it
 * is over: expired, signed out, started before the last change of the password, or of an inactive user. One
 * round trip.
 */
export async function findSession(
  directory: Shard,
  idHash: string,
  now: number,
): Promise<SignedIn | undefined> {
  const [[session], managed] = await answered(
    directory.batch([liveSession(directory, idHash, now), managedStores(directory, idHash)]),
  );
  return session && { ...session, stores: managed };
}

/** The statement that reads a live session, for batches that need more than {@link findSession} reads. */
export function liveSession(directory: Shard, idHash: string, now: number) {
  return directory
    .select({
      user: { id: users.id, name: users.name, email: users.email },
      startedAt: sessions.created_at,
      seenAt: sessions.seen_at,
    })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.user_id), eq(users.active, true)))
    .innerJoin(
      passwords,
      and(eq(passwords.user_id, users.id), lte(passwords.changed_at, sessions.created_at)),
    )
    .where(and(eq(sessions.id_hash, idHash), gt(sessions.expires_at, now)));
}

/** The statement that reads the active stores of whoever a session belongs to; it does not look whether it is over. */
export function managedStores(directory: Shard, idHash: string) {
  return directory
    .select({
      ...storeColumns,
      name: stores.name,
      ownerId: stores.owner_id,
      role: memberships.role,
    })
    .from(memberships)
    .innerJoin(stores, and(eq(stores.id, memberships.store_id), eq(stores.active, true)))
    .where(
      sql`${memberships.user_id} = (select user_id from ${sessions} where id_hash = ${idHash})`,
    )
    .orderBy(stores.name, stores.id)
    .limit(1000);
}

/** Notes that a session is in use, which moves its end. Times are epoch milliseconds. */
export async function touchSession(
  directory: Shard,
  idHash: string,
  times: { now: number; expiresAt: number },
): Promise<void> {
  await answered(
    directory
      .update(sessions)
      .set({ seen_at: times.now, expires_at: times.expiresAt })
      .where(eq(sessions.id_hash, idHash)),
  );
}

/** Ends the session of one browser. */
export async function endSession(directory: Shard, idHash: string): Promise<void> {
  await answered(directory.delete(sessions).where(eq(sessions.id_hash, idHash)));
}

/** Ends every session of the user whose session this is, this one included. */
export async function endAllSessions(directory: Shard, idHash: string): Promise<void> {
  const itsUser = sql`(select user_id from ${sessions} where id_hash = ${idHash})`;
  await answered(directory.delete(sessions).where(sql`${sessions.user_id} = ${itsUser}`));
}
