import { and, eq, gt, lte, sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import type { Database } from '../core/open-database.ts';
import { prepareSql } from '../core/raw.ts';
import { passwords, sessions } from '../schema/directory/credentials-tables.ts';
import { memberships, stores, users } from '../schema/directory/directory-tables.ts';
import { apps } from '../schema/directory/partners-tables.ts';
import type { App } from './apps.ts';
import { attemptWindows } from './attempt-counters.ts';
import { factorSince } from './second-factor.ts';
import { storeColumns } from './stores.ts';

/** A store that a user is a member of, with the columns needed to open it. */
export type ManagedStore = Awaited<ReturnType<typeof selectManagedStores>>[number];

/** The user of a session. */
export interface SessionUser {
  id: number;
  name: string;
  email: string;
  isOperator: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
  hasSecondFactor: boolean;
  language: Language | null;
}

type Language = NonNullable<(typeof users.$inferSelect)['language']>;

/** The session of a browser. Times are epoch milliseconds. */
export interface UserSession {
  user: SessionUser;
  startedAt: number;
  seenAt: number;
  /** When the user last proved who they are. */
  provedAt: number;
  /**
   * When the user last showed a code of their present second factor in this session; `null` if
   * never.
   */
  factorAt: number | null;
  /** The stores of the user that they may open now, by name. */
  stores: ManagedStore[];
  /**
   * Active stores that ask all members for a second factor, of which this session has shown no
   * code.
   */
  lockedStores: ManagedStore[];
  inactiveStores: ManagedStore[];
}

/**
 * Finds the session of a browser by the digest of its cookie. Returns `undefined` if it has expired
 * or was ended, if it started before the last change of the password, or if the user is inactive.
 * One round trip.
 */
export async function findSession(
  directory: Database,
  idHash: string,
  now: number,
): Promise<UserSession | undefined> {
  const [[session], managed] = await directory.batch([
    selectLiveSession(directory, idHash, now),
    selectManagedStores(directory, idHash),
  ]);
  return session && withStores(session, managed);
}

const withStores = (
  session: Omit<UserSession, 'stores' | 'lockedStores' | 'inactiveStores'>,
  managed: readonly ManagedStore[],
): UserSession => {
  const active = managed.filter((store) => store.active);
  const hasShownCode = session.user.hasSecondFactor && session.factorAt !== null;
  const isLocked = (store: ManagedStore) => store.mfa_required && !hasShownCode;
  return {
    ...session,
    stores: active.filter((store) => !isLocked(store)),
    lockedStores: active.filter(isLocked),
    inactiveStores: managed.filter((store) => !store.active),
  };
};

/**
 * The time of a session's last code or passkey, unless the user has set up another second factor
 * since then.
 */
const presentFactorAt = sql<
  number | null
>`case when ${sessions.factor_at} >= coalesce(${factorSince(sessions.user_id)}, 0)
  then ${sessions.factor_at} end`;

/** Selects a live session, for batches that read more than {@link findSession} does. */
function selectLiveSession(directory: Database, idHash: string, now: number) {
  return directory
    .select({
      user: {
        id: users.id,
        name: users.name,
        email: users.email,
        isOperator: users.super_user,
        // D1 returns columns by name, and `sessions.created_at` has the same.
        createdAt: sql<number>`${users.created_at}`.as('user_created_at'),
        hasSecondFactor: users.mfa_enabled,
        language: users.language,
      },
      startedAt: sessions.created_at,
      seenAt: sessions.seen_at,
      provedAt: sessions.proved_at,
      factorAt: presentFactorAt,
    })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.user_id), eq(users.active, true)))
    .innerJoin(
      passwords,
      and(eq(passwords.user_id, users.id), lte(passwords.changed_at, sessions.created_at)),
    )
    .where(and(eq(sessions.id_hash, idHash), gt(sessions.expires_at, now)));
}

/** Selects the stores of the user of a session. Does not check whether the session is live. */
function selectManagedStores(directory: Database, idHash: string) {
  return directory
    .select({
      ...storeColumns,
      name: stores.name,
      ownerId: stores.owner_id,
      role: memberships.role,
      closedAt: stores.closed_at,
      closedBy: stores.closed_by,
      closeReason: stores.close_reason,
      lockedAt: stores.locked_at,
      lockReason: stores.lock_reason,
      eraseAt: stores.erase_at,
    })
    .from(memberships)
    .innerJoin(stores, eq(stores.id, memberships.store_id))
    .where(
      sql`${memberships.user_id} = (select user_id from ${sessions} where id_hash = ${idHash})`,
    )
    .orderBy(stores.name, stores.id)
    .limit(1000);
}

/**
 * Records that a session is in use, extends it, and keeps the language of its page, in which its
 * user gets mails. Times are epoch milliseconds.
 */
export async function touchSession(
  directory: Database,
  idHash: string,
  { userId, language, now, expiresAt }: SessionUse,
): Promise<void> {
  await directory.batch([
    directory
      .update(sessions)
      .set({ seen_at: now, expires_at: expiresAt })
      .where(eq(sessions.id_hash, idHash)),
    directory
      .update(users)
      .set({ language })
      .where(sql`${users.id} = ${userId} and ${users.language} is not ${language}`),
  ]);
}

interface SessionUse {
  userId: number;
  language: Language;
  now: number;
  expiresAt: number;
}

/** Ends the session of one browser. */
export async function endSession(directory: Database, idHash: string): Promise<void> {
  await directory.delete(sessions).where(eq(sessions.id_hash, idHash));
}

/** How long expired invitations are kept, so that their page can describe them. */
const invitationsKeptMs = 30 * dayMs;

/** The most rows that one call deletes from each table. */
export const sessionDeleteLimit = 1_000;

/**
 * Whether {@link deleteExpiredSessions} has something to do. Reads a row of each table, by its
 * index.
 */
export const hasExpiredSessions = (now: number) =>
  sql`exists (select 1 from sessions where expires_at <= ${now})
    or exists (select 1 from sign_in_failures where first_at <= ${now - attemptWindows.day} and blocked_until <= ${now})
    or exists (select 1 from one_use_links where expires_at <= ${now})
    or exists (select 1 from remembered_devices where expires_at <= ${now})
    or exists (select 1 from invitations where expires_at <= ${now - invitationsKeptMs})`;

/**
 * Deletes expired sessions, remembered devices and links of mails, and attempts older than their
 * longest window. `now` is epoch milliseconds. Expired invitations go after 30 days. A new address
 * no longer waits for its confirmation when its link expired unused. Returns the number of deleted
 * rows. One round trip.
 */
export async function deleteExpiredSessions(directory: D1Database, now: number): Promise<number> {
  const results = await directory.batch(
    [
      sql`delete from sessions where id_hash in (
        select id_hash from sessions where expires_at <= ${now}
        order by expires_at limit ${sessionDeleteLimit})`,
      sql`delete from sign_in_failures where key in (
        select key from sign_in_failures where first_at <= ${now - attemptWindows.day} and blocked_until <= ${now}
        order by first_at limit ${sessionDeleteLimit})`,
      sql`update users set temporary_email = null from (
          select user_id, email from one_use_links
          where expires_at <= ${now} and kind = 'confirm_email' and used_at is null
          order by expires_at limit ${sessionDeleteLimit}) late
        where users.id = late.user_id and users.temporary_email = late.email`,
      sql`delete from one_use_links where token_hash in (
        select token_hash from one_use_links where expires_at <= ${now}
        order by expires_at limit ${sessionDeleteLimit})`,
      sql`delete from remembered_devices where id in (
        select id from remembered_devices where expires_at <= ${now}
        order by expires_at limit ${sessionDeleteLimit})`,
      sql`delete from invitations where id in (
        select id from invitations where expires_at <= ${now - invitationsKeptMs}
        order by expires_at limit ${sessionDeleteLimit})`,
    ].map((query) => prepareSql(directory, query)),
  );
  return results.reduce((sum, { meta }) => sum + meta.changes, 0);
}

/**
 * Loads the data that a decision on a consent page is checked against, not from the cache: the
 * session, its stores, and the app. One round trip.
 */
export async function loadConsent(
  directory: Database,
  { idHash, clientId, now }: { idHash: string; clientId: string; now: number },
): Promise<{ session: UserSession | undefined; app: App | undefined }> {
  const [[session], stores, [app]] = await directory.batch([
    selectLiveSession(directory, idHash, now),
    selectManagedStores(directory, idHash),
    directory.select().from(apps).where(eq(apps.client_id, clientId)),
  ]);
  return { session: session && withStores(session, stores), app };
}
