import { and, eq, inArray, sql } from 'drizzle-orm';
import { answered } from './answered.ts';
import type { Shard } from './open.ts';
import { plainStatement } from './raw.ts';
import { passwords, sessions, signInFailures, users } from './schema/directory.ts';
import { takingBack } from './taking-back.ts';

/** What an attempt to sign in is counted under; the keys are digests that tell nobody's address. */
export interface AttemptKeys {
  account: string;
  network: string;
}

/** How guessing is slowed down; times in milliseconds. */
export interface Throttle {
  /** Attempts that go wrong within `window` before the first wait. */
  account: number;
  network: number;
  window: number;
  /** The first wait; each further failure doubles it up to `longest`. */
  wait: number;
  longest: number;
}

export interface Attempt {
  /** Whether the password may be looked at; else somebody has to wait. */
  isAllowed: boolean;
  /** When the next attempt is allowed if this one is wrong; epoch milliseconds, 0 for at once. */
  blockedUntil: number;
  /** `undefined` when nobody signs in with this address. */
  account: { userId: number; hash: string } | undefined;
}

/**
 * Counts an attempt before its password is looked at, so that parallel guesses are counted too, and reads what it
 * is checked against. Counts nothing while one of the keys has to wait. One round trip.
 */
export async function countAttempt(
  directory: Shard,
  {
    keys,
    email,
    throttle,
    now,
  }: { keys: AttemptKeys; email: string; throttle: Throttle; now: number },
): Promise<Attempt> {
  const [counted, waits, [account]] = await answered(
    directory.batch([
      plainStatement<{ key: string }>(directory, counting(keys, throttle, now)),
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

/** One statement, so that no two attempts see the same count. */
function counting({ account, network }: AttemptKeys, throttle: Throttle, now: number) {
  const isOld = sql`first_at <= ${now - throttle.window}`;
  const failures = sql`(case when ${isOld} then 1 else failures + 1 end)`;
  const limit = sql`(case when key = ${account} then ${throttle.account} else ${throttle.network} end)`;
  const wait = sql`min(${throttle.longest}, ${throttle.wait} << min(${failures} - ${limit}, 20))`;
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

/** What a right password leads to. */
export interface NewSession {
  idHash: string;
  /** The digest of the cookie that the browser had before; its session, if any, ends. */
  formerIdHash: string;
  userId: number;
  keys: AttemptKeys;
  /** As {@link countAttempt} told it: only a wait that this very attempt caused is lifted. */
  blockedUntil: number;
  now: number;
  expiresAt: number;
}

/** Starts a session and takes back what its attempt was counted as. One round trip. */
export async function startSession(directory: Shard, given: NewSession): Promise<void> {
  const { idHash, formerIdHash, userId, keys, blockedUntil, now, expiresAt } = given;
  await answered(
    directory.batch([
      directory.insert(sessions).values({
        id_hash: idHash,
        user_id: userId,
        created_at: now,
        seen_at: now,
        expires_at: expiresAt,
      }),
      directory.delete(sessions).where(eq(sessions.id_hash, formerIdHash)),
      ...takingBack(directory, { keys, blockedUntil }),
      directory.update(users).set({ last_login_at: now }).where(eq(users.id, userId)),
    ]),
  );
}
