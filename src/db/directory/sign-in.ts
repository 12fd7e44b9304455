import { and, eq, inArray, sql } from 'drizzle-orm';
import { withDbErrors } from '../core/errors.ts';
import type { Database } from '../core/open.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { passwords, sessions, signInFailures, users } from '../schema/directory.ts';

/** The keys under which a sign-in attempt is counted: digests, so that the table holds no addresses. */
export interface SignInKeys {
  account: string;
  network: string;
}

/** Limits against guessing of passwords. Times are milliseconds. */
export interface SignInThrottle {
  /** Failures within `window` before the first wait. */
  maxAccountFailures: number;
  maxNetworkFailures: number;
  windowMs: number;
  /** The first wait; each further failure doubles it up to `longest`. */
  firstWaitMs: number;
  maxWaitMs: number;
}

/** A counted attempt. */
interface SignInAttempt {
  /** Whether the password may be checked. If not, one of the keys has to wait. */
  isAllowed: boolean;
  /** When the next attempt is allowed if this one fails; epoch milliseconds, 0 for at once. */
  blockedUntil: number;
  /** `undefined` if no account has this address. */
  account: { userId: number; hash: string } | undefined;
}

/**
 * Counts an attempt before its password is checked, so that parallel guesses are counted too, and reads the password
 * hash. Counts nothing while one of the keys has to wait. One round trip.
 */
export async function countSignInAttempt(
  directory: Database,
  {
    keys,
    email,
    throttle,
    now,
  }: { keys: SignInKeys; email: string; throttle: SignInThrottle; now: number },
): Promise<SignInAttempt> {
  const [counted, waits, [account]] = await withDbErrors(
    directory.batch([
      rawDatabaseStatement<{ key: string }>(directory, countSql(keys, throttle, now)),
      directory
        .select({ until: signInFailures.blocked_until })
        .from(signInFailures)
        .where(inArray(signInFailures.key, [keys.account, keys.network])),
      directory
        .select({ userId: users.id, hash: passwords.hash })
        .from(users)
        .innerJoin(passwords, eq(passwords.user_id, users.id))
        .where(and(inArray(users.email, [email, email.toLowerCase()]), eq(users.active, true))),
    ]),
  );
  const blockedUntil = Math.max(0, ...waits.map(({ until }) => until));
  return { isAllowed: counted.length > 0, blockedUntil, account };
}

/** Counts in one statement, so that no two attempts see the same count. */
function countSql({ account, network }: SignInKeys, throttle: SignInThrottle, now: number) {
  const isOld = sql`first_at <= ${now - throttle.windowMs}`;
  const failures = sql`(case when ${isOld} then 1 else failures + 1 end)`;
  const limit = sql`(case when key = ${account} then ${throttle.maxAccountFailures} else ${throttle.maxNetworkFailures} end)`;
  const wait = sql`min(${throttle.maxWaitMs}, ${throttle.firstWaitMs} << min(${failures} - ${limit}, 20))`;
  return sql`
    insert into sign_in_failures (key, failures, first_at, blocked_until)
    select value, 1, ${now}, 0 from json_each(${JSON.stringify([account, network])})
    where not exists (
      select 1 from sign_in_failures
      where key in (${account}, ${network}) and blocked_until > ${now})
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
  keys: SignInKeys;
  /** From {@link countSignInAttempt}; only a wait that this attempt caused is lifted. */
  blockedUntil: number;
  now: number;
  expiresAt: number;
}

/** Starts a session and uncounts its attempt. One round trip. */
export async function startSession(directory: Database, session: NewSession): Promise<void> {
  const { idHash, formerIdHash, userId, keys, blockedUntil, now, expiresAt } = session;
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
      ...uncountAttemptStatements(directory, { keys, blockedUntil }),
      directory.update(users).set({ last_login_at: now }).where(eq(users.id, userId)),
    ]),
  );
}

/** Uncounts an attempt whose password was correct. Two statements. */
function uncountAttemptStatements(
  directory: Database,
  { keys, blockedUntil }: { keys: SignInKeys; blockedUntil: number },
) {
  return [
    directory.delete(signInFailures).where(eq(signInFailures.key, keys.account)),
    directory
      .update(signInFailures)
      .set({
        failures: sql`failures - 1`,
        blocked_until: sql`case when blocked_until = ${blockedUntil} then 0 else blocked_until end`,
      })
      .where(eq(signInFailures.key, keys.network)),
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
  const { userId, oldHash, newHash, idHash, keys, blockedUntil, now, expiresAt } = change;
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
      ...uncountAttemptStatements(directory, { keys, blockedUntil }),
    ]),
  );
  return changed.length > 0;
}
