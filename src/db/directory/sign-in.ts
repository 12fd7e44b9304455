import { and, eq, inArray, sql } from 'drizzle-orm';
import { withDbErrors } from '../core/errors.ts';
import type { Database } from '../core/open.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { passwords, sessions, signInFailures, users } from '../schema/directory.ts';

/** Something that sign-in attempts are counted under. */
export interface AttemptCounter {
  /** A digest, so that the table holds no addresses. */
  key: string;
  /** Failures within the window before the first wait. */
  maxFailures: number;
  /** Whether a right password forgets all its failures; others, which count further users too, lose this attempt only. */
  isOwn: boolean;
}

/** Waits against guessing of passwords. Times are milliseconds. */
export interface SignInThrottle {
  windowMs: number;
  /** The first wait; each further failure doubles it up to `maxWaitMs`. */
  firstWaitMs: number;
  maxWaitMs: number;
}

/** A counted attempt. */
interface SignInAttempt {
  /** Whether the password may be checked. If not, one of the counters has to wait. */
  isAllowed: boolean;
  /** When the next attempt is allowed if this one fails; epoch milliseconds, 0 for at once. */
  blockedUntil: number;
  /** To uncount it. */
  counted: CountedAttempt;
  /** `undefined` if no account has this address. */
  account: { userId: number; hash: string } | undefined;
}

/** The counters of an attempt, and the ends of all their waits. */
interface CountedAttempt {
  counters: readonly AttemptCounter[];
  waits: readonly number[];
}

/**
 * Counts an attempt before its password is checked, so that parallel guesses are counted too, and reads the password
 * hash. Counts nothing while one of its counters has to wait. One round trip.
 */
export async function countSignInAttempt(
  directory: Database,
  {
    counters,
    email,
    throttle,
    now,
  }: { counters: readonly AttemptCounter[]; email: string; throttle: SignInThrottle; now: number },
): Promise<SignInAttempt> {
  const keys = counters.map(({ key }) => key);
  const [counted, waiting, [account]] = await withDbErrors(
    directory.batch([
      rawDatabaseStatement<{ key: string }>(directory, countSql(counters, throttle, now)),
      directory
        .select({ until: signInFailures.blocked_until })
        .from(signInFailures)
        .where(inArray(signInFailures.key, keys)),
      directory
        .select({ userId: users.id, hash: passwords.hash })
        .from(users)
        .innerJoin(passwords, eq(passwords.user_id, users.id))
        .where(and(isUserEmail(email), eq(users.active, true))),
    ]),
  );
  const waits = waiting.map(({ until }) => until).filter((until) => until > 0);
  const blockedUntil = Math.max(0, ...waits);
  return { isAllowed: counted.length > 0, blockedUntil, account, counted: { counters, waits } };
}

/** The condition that a user has an address, without regard to letter case. */
export const isUserEmail = (email: string) => sql`${users.email} = ${email} collate nocase`;

/** Counts in one statement, so that no two attempts see the same count. */
function countSql(counters: readonly AttemptCounter[], throttle: SignInThrottle, now: number) {
  const sent = JSON.stringify(counters.map(({ key, maxFailures }) => [key, maxFailures]));
  const isOld = sql`first_at <= ${now - throttle.windowMs}`;
  const failures = sql`(case when ${isOld} then 1 else failures + 1 end)`;
  const limit = sql`(select value ->> 1 from json_each(${sent}) where value ->> 0 = sign_in_failures.key)`;
  const wait = sql`min(${throttle.maxWaitMs}, ${throttle.firstWaitMs} << min(${failures} - ${limit}, 20))`;
  return sql`
    insert into sign_in_failures (key, failures, first_at, blocked_until)
    select value ->> 0, 1, ${now}, 0 from json_each(${sent})
    where not exists (
      select 1 from sign_in_failures
      where key in (select value ->> 0 from json_each(${sent})) and blocked_until > ${now})
    on conflict (key) do update set
      failures = ${failures},
      first_at = case when ${isOld} then excluded.first_at else first_at end,
      blocked_until = case when ${failures} >= ${limit} then ${now} + ${wait} else 0 end
    returning key`;
}

/** The session that a correct password starts. */
interface NewSession {
  idHash: string;
  /** Digest of the cookie that the browser had before. Its session, if any, ends. */
  formerIdHash: string;
  userId: number;
  /** From {@link countSignInAttempt}; only waits that this attempt caused are lifted. */
  counted: CountedAttempt;
  now: number;
  expiresAt: number;
}

/** Starts a session and uncounts its attempt. One round trip. */
export async function startSession(directory: Database, session: NewSession): Promise<void> {
  const { idHash, formerIdHash, userId, counted, now, expiresAt } = session;
  await withDbErrors(
    directory.batch([
      directory.insert(sessions).values({
        id_hash: idHash,
        user_id: userId,
        created_at: now,
        seen_at: now,
        expires_at: expiresAt,
      }),
      directory.delete(sessions).where(eq(sessions.id_hash, formerIdHash)),
      ...uncountAttemptStatements(directory, counted),
      directory.update(users).set({ last_login_at: now }).where(eq(users.id, userId)),
    ]),
  );
}

/** Uncounts an attempt whose password was correct. Two statements. */
function uncountAttemptStatements(directory: Database, { counters, waits }: CountedAttempt) {
  const keysWhere = (isOwn: boolean) =>
    counters.filter((counter) => counter.isOwn === isOwn).map(({ key }) => key);
  const isCaused = inArray(signInFailures.blocked_until, [...waits]);
  return [
    directory.delete(signInFailures).where(inArray(signInFailures.key, keysWhere(true))),
    directory
      .update(signInFailures)
      .set({
        failures: sql`failures - 1`,
        blocked_until: sql`case when ${isCaused} then 0 else blocked_until end`,
      })
      .where(inArray(signInFailures.key, keysWhere(false))),
  ] as const;
}

/** A change of the password, and the session that follows it. */
interface PasswordChange extends Omit<NewSession, 'formerIdHash'> {
  /** The hash that the current password was checked against. */
  oldHash: string;
  newHash: string;
}

/**
 * Changes a password, ends all sessions of the user, and starts a new one for this browser; returns true. Returns false
 * if the password was changed after it was checked. Uncounts the attempt in either case. One batch.
 */
export async function changePassword(
  directory: Database,
  change: PasswordChange,
): Promise<boolean> {
  const { userId, oldHash, newHash, idHash, counted, now, expiresAt } = change;
  // The hash is salted, so it identifies this change.
  const isChanged = sql`exists (select 1 from ${passwords}
    where user_id = ${userId} and hash = ${newHash})`;
  const [changed] = await withDbErrors(
    directory.batch([
      rawDatabaseStatement<{ user_id: number }>(
        directory,
        sql`update ${passwords} set hash = ${newHash}, changed_at = ${now}
          where user_id = ${userId} and hash = ${oldHash} returning user_id`,
      ),
      rawDatabaseStatement(
        directory,
        sql`delete from ${sessions} where user_id = ${userId} and ${isChanged}`,
      ),
      rawDatabaseStatement(
        directory,
        sql`insert into ${sessions} (id_hash, user_id, created_at, seen_at, expires_at)
          select ${idHash}, ${userId}, ${now}, ${now}, ${expiresAt} where ${isChanged}`,
      ),
      ...uncountAttemptStatements(directory, counted),
    ]),
  );
  return changed.length > 0;
}
