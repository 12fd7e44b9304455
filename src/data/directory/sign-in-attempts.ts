import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { toBase64url } from '../../base/crypto/base64.ts';
import { computeMac } from '../../base/crypto/hmac.ts';
import { deriveKey } from '../../base/crypto/keys.ts';
import type { Settings } from '../../base/settings.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import {
  passkeys,
  passwords,
  secondFactors,
  signInFailures,
} from '../schema/directory/credentials-tables.ts';
import { users } from '../schema/directory/directory-tables.ts';

/** Something that attempts are counted under: sign-ins, hashes of passwords, requests for mails. */
export interface AttemptCounter {
  /** A digest, so that the table holds no addresses. */
  key: string;
  /** Attempts within the window before the first wait. */
  maxAttempts: number;
  /**
   * The attempts that a correct password takes back: all of a counter of one account, this one where others are counted, too,
   * or nothing.
   */
  takenBack: 'all' | 'one' | 'nothing';
  /**
   * The window of a counter that is full until its window ends, in milliseconds. The others have the window and the
   * doubling waits of {@link SignInThrottle}.
   */
  fixedWindowMs?: number;
  /** How many an attempt counts as, such as two hashes; 1 unless given. */
  weight?: number;
  /** The user is told of the attempt that reaches the limit. */
  isTold?: true;
}

/** A counter whose key is not computed: the parts of the key, the attempts before the first wait, and what differs from a shared one. */
export type NamedCounter = readonly [
  parts: readonly string[],
  maxAttempts: number,
  options?: Partial<Omit<AttemptCounter, 'key' | 'maxAttempts'>>,
];

const encoder = new TextEncoder();

/**
 * Computes the keys of counters. They are MACs, so that the table holds neither addresses nor networks. A rotation of the key
 * makes all counters start again.
 */
export async function toCounters(
  { tokenKeys }: Pick<Settings, 'tokenKeys'>,
  counters: readonly NamedCounter[],
): Promise<AttemptCounter[]> {
  const key = await deriveKey(tokenKeys.current, 'sign-in-failures/v1', 'sign');
  return Promise.all(
    counters.map(async ([parts, max, options]) => ({
      // As JSON, so that no address can be written to look like the parts of another counter.
      key: toBase64url(await computeMac(key, encoder.encode(JSON.stringify(parts)))),
      maxAttempts: max,
      takenBack: 'one',
      ...options,
    })),
  );
}

/** The counters of a client's networks, the near and the wide one; none without an address. */
export function networkCounters(
  networks: { near: string; wide?: string } | undefined,
  {
    name,
    max,
    options = {},
  }: {
    name: string;
    max: { network: number; wideNetwork: number };
    options?: NamedCounter[2] & object;
  },
): NamedCounter[] {
  if (!networks) return [];
  const { near, wide } = networks;
  return [
    [[name, near], max.network, options],
    ...(wide === undefined ? [] : [[[name, wide], max.wideNetwork, options] as const]),
  ];
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
  /** The limit that this attempt reached, if its user is told of it. */
  told: number | undefined;
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
  hasPasskey: boolean;
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
        hasPasskey: ownsPasskey,
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

const ownsPasskey = sql<number>`exists (select 1 from ${passkeys} where user_id = ${users.id})`
  .mapWith(Boolean)
  .as('has_passkey');

/** The data that a code of the second factor, or a passkey, is checked against. */
export interface FactorAccount {
  userId: number;
  name: string;
  email: string;
  hasPasskey: boolean;
  /** That of the authenticator app, sealed; null without one. */
  secret: string | null;
  /** The passkey of this user that was shown. */
  passkey: StoredPasskey | undefined;
}

/** A passkey as its use is checked. */
export interface StoredPasskey {
  id: number;
  userId: number;
  name: string;
  publicKey: string;
  signCount: number;
  challengedAt: number;
}

/** A passkey of an active user, as it signs in without the password. */
export interface LonePasskey extends StoredPasskey {
  email: string;
  worksAlone: boolean;
}

const storedPasskey = {
  id: passkeys.id,
  userId: passkeys.user_id,
  // D1 returns columns by name, and users have one, too.
  name: sql<string>`${passkeys.name}`.as('passkey_name'),
  publicKey: passkeys.public_key,
  signCount: passkeys.sign_count,
  challengedAt: passkeys.challenged_at,
};

/** The condition that a passkey has an id of its authenticator and is not blocked. */
const isUsable = (credentialId: string) =>
  and(eq(passkeys.credential_id, credentialId), isNull(passkeys.blocked_at));

/**
 * Counts an attempt to sign in with a passkey alone, before it is checked. Reads the passkey with an id of its authenticator,
 * if its user is active. One round trip.
 */
export async function countPasskeyAttempt(
  directory: Database,
  {
    counters,
    credentialId,
    throttle,
    now,
  }: {
    counters: readonly AttemptCounter[];
    credentialId: string;
    throttle: SignInThrottle;
    now: number;
  },
): Promise<Attempt & { passkey: LonePasskey | undefined }> {
  const [counted, waiting, [passkey]] = await directory.batch([
    ...countStatements(directory, counters, throttle, now),
    directory
      .select({ ...storedPasskey, email: users.email, worksAlone: passkeys.works_alone })
      .from(passkeys)
      .innerJoin(users, eq(users.id, passkeys.user_id))
      .where(and(isUsable(credentialId), eq(users.active, true))),
  ]);
  return { ...toAttempt(counters, counted, waiting), passkey };
}

/**
 * Counts an attempt at a code, or with a passkey, before it is checked, and reads the data that it is checked against. One
 * round trip.
 */
export async function countCodeAttempt(
  directory: Database,
  {
    counters,
    userId,
    credentialId = '',
    throttle,
    now,
  }: {
    counters: readonly AttemptCounter[];
    userId: number;
    credentialId?: string | undefined;
    throttle: SignInThrottle;
    now: number;
  },
): Promise<Attempt & { account: FactorAccount | undefined }> {
  const [counted, waiting, [account], [passkey]] = await directory.batch([
    ...countStatements(directory, counters, throttle, now),
    directory
      .select({
        userId: users.id,
        name: users.name,
        email: users.email,
        secret: secondFactors.secret,
        hasPasskey: ownsPasskey,
      })
      .from(users)
      .leftJoin(secondFactors, eq(secondFactors.user_id, users.id))
      .where(and(eq(users.id, userId), eq(users.active, true), eq(users.mfa_enabled, true))),
    directory.select(storedPasskey).from(passkeys).where(isUsable(credentialId)),
  ]);
  const own = passkey?.userId === userId ? passkey : undefined;
  return {
    ...toAttempt(counters, counted, waiting),
    account: account && { ...account, passkey: own },
  };
}

function countStatements(
  directory: Database,
  counters: readonly AttemptCounter[],
  throttle: SignInThrottle,
  now: number,
) {
  const keys = counters.map(({ key }) => key);
  return [
    rawDatabaseStatement<Counted>(directory, countSql(counters, throttle, now)),
    directory
      .select({ until: signInFailures.blocked_until })
      .from(signInFailures)
      .where(inArray(signInFailures.key, keys)),
  ] as const;
}

/** A counter after its attempt. */
interface Counted {
  key: string;
  failures: number;
}

function toAttempt(
  counters: readonly AttemptCounter[],
  counted: readonly Counted[],
  waiting: readonly { until: number }[],
): Attempt {
  const waits = waiting.map(({ until }) => until).filter((until) => until > 0);
  const blockedUntil = Math.max(0, ...waits);
  const told = counters.find(
    ({ key, isTold, maxAttempts }) =>
      isTold && counted.some((row) => row.key === key && row.failures === maxAttempts),
  );
  return {
    isAllowed: counted.length > 0,
    blockedUntil,
    counted: { counters, waits },
    told: told?.maxAttempts,
  };
}

/** The condition that a user has an address, without regard to letter case. */
export const isUserEmail = (email: string) => sql`${users.email} = ${email} collate nocase`;

/** Counts in one statement, so that no two attempts see the same count. */
function countSql(counters: readonly AttemptCounter[], throttle: SignInThrottle, now: number) {
  const sent = JSON.stringify(
    counters.map(({ key, maxAttempts, fixedWindowMs = null, weight = 1 }) => [
      key,
      maxAttempts,
      weight,
      fixedWindowMs,
    ]),
  );
  const own = (column: number) =>
    sql`(select value ->> ${sql.raw(String(column))} from json_each(${sent}) where value ->> 0 = sign_in_failures.key)`;
  const [limit, weight, fixedWindow] = [own(1), own(2), own(3)];
  const isOld = sql`first_at <= ${now} - coalesce(${fixedWindow}, ${throttle.windowMs})`;
  const failures = sql`(case when ${isOld} then ${weight} else failures + ${weight} end)`;
  const wait = sql`min(${throttle.maxWaitMs}, ${throttle.firstWaitMs} << min(${failures} - ${limit}, 20))`;
  const windowEnd = sql`(case when ${isOld} then ${now} else first_at end) + ${fixedWindow}`;
  return sql`
    insert into sign_in_failures (key, failures, first_at, blocked_until)
    select value ->> 0, value ->> 2, ${now}, 0 from json_each(${sent})
    where not exists (
      select 1 from sign_in_failures
      where key in (select value ->> 0 from json_each(${sent})) and blocked_until > ${now})
    on conflict (key) do update set
      failures = ${failures},
      first_at = case when ${isOld} then excluded.first_at else first_at end,
      blocked_until = case when ${failures} >= ${limit} then coalesce(${windowEnd}, ${now} + ${wait}) else 0 end
    returning key, failures`;
}

/** Takes back an attempt whose password was correct, except its hashes. Two statements. */
export function uncountAttemptStatements(directory: Database, { counters, waits }: CountedAttempt) {
  const keysOf = (takenBack: AttemptCounter['takenBack']) =>
    counters.filter((counter) => counter.takenBack === takenBack).map(({ key }) => key);
  const isCaused = inArray(signInFailures.blocked_until, [...waits]);
  return [
    directory.delete(signInFailures).where(inArray(signInFailures.key, keysOf('all'))),
    directory
      .update(signInFailures)
      .set({
        failures: sql`failures - 1`,
        blocked_until: sql`case when ${isCaused} then 0 else blocked_until end`,
      })
      .where(inArray(signInFailures.key, keysOf('one'))),
  ] as const;
}
