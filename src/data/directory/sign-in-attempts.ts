import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import {
  passwords,
  secondFactors,
  signInFailures,
} from '../schema/directory/credentials-tables.ts';
import { users } from '../schema/directory/directory-tables.ts';

/** Something that sign-in attempts are counted under. */
export interface AttemptCounter {
  /** A digest, so that the table holds no addresses. */
  key: string;
  /** Failures within the window before the first wait. */
  maxFailures: number;
  /**
   * Whether a correct password clears all its failures. Other counters, which also count other users, lose only this
   * attempt.
   */
  isOwn: boolean;
}

/** Waits against guessing of passwords. Times are milliseconds. */
export interface SignInThrottle {
  windowMs: number;
  /** The first wait; each further failure doubles it up to `maxWaitMs`. */
  firstWaitMs: number;
  maxWaitMs: number;
}

/** An attempt after it was counted. */
interface Attempt {
  /** Whether it is allowed. If not, one of the counters has to wait. */
  isAllowed: boolean;
  /** When the next attempt is allowed if this one fails; epoch milliseconds, 0 for at once. */
  blockedUntil: number;
  /** To uncount it. */
  counted: CountedAttempt;
}

/** An attempt to sign in. */
interface SignInAttempt extends Attempt {
  /** `undefined` if no account has this address. */
  account: SignInAccount | undefined;
}

/** The data that a sign-in is checked against. */
export interface SignInAccount {
  userId: number;
  name: string;
  hash: string;
  /** When the password was last changed. */
  changedAt: number;
  hasSecondFactor: boolean;
}

/** The counters of an attempt, and the ends of all their waits. */
export interface CountedAttempt {
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
  const [counted, waiting, [account]] = await directory.batch([
    ...countStatements(directory, counters, throttle, now),
    directory
      .select({
        userId: users.id,
        name: users.name,
        hash: passwords.hash,
        changedAt: passwords.changed_at,
        hasSecondFactor: users.mfa_enabled,
      })
      .from(users)
      .innerJoin(passwords, eq(passwords.user_id, users.id))
      .where(and(isUserEmail(email), eq(users.active, true))),
  ]);
  return { ...toAttempt(counters, counted, waiting), account };
}

/** Counts an attempt at something else than a password, such as a code or a request for a mail. One round trip. */
export async function countAttempt(
  directory: Database,
  {
    counters,
    throttle,
    now,
  }: { counters: readonly AttemptCounter[]; throttle: SignInThrottle; now: number },
): Promise<Attempt> {
  const [counted, waiting] = await directory.batch(
    countStatements(directory, counters, throttle, now),
  );
  return toAttempt(counters, counted, waiting);
}

/** The data that a code of the second factor is checked against. */
export interface CodeAccount {
  userId: number;
  name: string;
  email: string;
  /** Sealed. */
  secret: string;
  /** When the password was last changed. */
  changedAt: number;
}

/** Counts an attempt at a code before it is checked, and reads the data that it is checked against. One round trip. */
export async function countCodeAttempt(
  directory: Database,
  {
    counters,
    userId,
    throttle,
    now,
  }: { counters: readonly AttemptCounter[]; userId: number; throttle: SignInThrottle; now: number },
): Promise<Attempt & { account: CodeAccount | undefined }> {
  const [counted, waiting, [account]] = await directory.batch([
    ...countStatements(directory, counters, throttle, now),
    directory
      .select({
        userId: users.id,
        name: users.name,
        email: users.email,
        secret: secondFactors.secret,
        changedAt: passwords.changed_at,
      })
      .from(users)
      .innerJoin(passwords, eq(passwords.user_id, users.id))
      .innerJoin(secondFactors, eq(secondFactors.user_id, users.id))
      .where(and(eq(users.id, userId), eq(users.active, true))),
  ]);
  return { ...toAttempt(counters, counted, waiting), account };
}

function countStatements(
  directory: Database,
  counters: readonly AttemptCounter[],
  throttle: SignInThrottle,
  now: number,
) {
  const keys = counters.map(({ key }) => key);
  return [
    rawDatabaseStatement<{ key: string }>(directory, countSql(counters, throttle, now)),
    directory
      .select({ until: signInFailures.blocked_until })
      .from(signInFailures)
      .where(inArray(signInFailures.key, keys)),
  ] as const;
}

function toAttempt(
  counters: readonly AttemptCounter[],
  counted: readonly unknown[],
  waiting: readonly { until: number }[],
): Attempt {
  const waits = waiting.map(({ until }) => until).filter((until) => until > 0);
  const blockedUntil = Math.max(0, ...waits);
  return { isAllowed: counted.length > 0, blockedUntil, counted: { counters, waits } };
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

/** Uncounts an attempt whose password was correct. Two statements. */
export function uncountAttemptStatements(directory: Database, { counters, waits }: CountedAttempt) {
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
