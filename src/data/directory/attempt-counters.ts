import { inArray, sql } from 'drizzle-orm';
import type { BatchResponse } from 'drizzle-orm/batch';
import { toBase64url } from '../../base/crypto/base64.ts';
import { computeMac } from '../../base/crypto/hmac.ts';
import { deriveKey } from '../../base/crypto/keys.ts';
import { dayMs, hourMs, minuteMs } from '../../base/durations.ts';
import type { Settings } from '../../base/settings.ts';
import type { ActionContext } from '../audit/action.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import type { Statement } from '../core/statement.ts';
import { signInFailures } from '../schema/directory/credentials-tables.ts';

/**
 * The waits after too many attempts within an hour: from the first one they double up to the
 * longest.
 */
export const attemptWaits = { firstMs: 30_000, longestMs: 15 * minuteMs };

/**
 * How long attempts count. In an hour the limit begins the waits; the others are full until they
 * end.
 */
export const attemptWindows = { hour: hourMs, minute: minuteMs, day: dayMs };

interface Limit {
  /** Attempts within the window before the first wait. */
  max: number;
  window: keyof typeof attemptWindows;
  /**
   * The attempts that a right one takes back: `all` of an account, `one` where others are counted,
   * too.
   */
  takenBack?: 'all' | 'one';
  /** The user is told of the attempt that reaches the limit. */
  isTold?: true;
}

/** The limits of all attempts that are counted in the directory. */
export const attemptLimits = {
  /**
   * Passwords of an account from one network, from one known browser, or by its signed-in users.
   */
  source: { max: 5, window: 'hour', takenBack: 'all' },
  /** Those from all networks. It is high, so that a few strangers cannot lock the user out. */
  account: { max: 50, window: 'hour', takenBack: 'one' },
  /** Uses of a passkey alone, from one network. */
  passkey: { max: 5, window: 'hour', takenBack: 'all' },
  /** Passwords and passkeys from one network. */
  network: { max: 30, window: 'hour', takenBack: 'one' },
  /**
   * Codes of a user's second factor, from one network, one known browser or one session, by a
   * caller who has the password. A guess is right once in 300,000.
   */
  code: { max: 5, window: 'hour', takenBack: 'all' },
  /**
   * Those from all networks, and as many by all known browsers and sessions that have shown no
   * code.
   */
  codes: { max: 20, window: 'hour', takenBack: 'one', isTold: true },
  /**
   * Passwords of an account that are hashed. A hash costs the same whether the password is right.
   */
  hash: { max: 10, window: 'minute' },
  hashNetwork: { max: 30, window: 'minute' },
  /** Mails that forms send to an address, from one network, and of a user. */
  mail: { max: 3, window: 'hour' },
  mailNetwork: { max: 20, window: 'hour' },
  mailsOf: { max: 20, window: 'hour' },
  /** Those of a new user. */
  firstMailsOf: { max: 20, window: 'day' },
} as const satisfies Record<string, Limit>;

/** The name of a limit. */
export type AttemptLimit = keyof typeof attemptLimits;

/** As many networks share the limit of the wide one around them. */
export const networksInWide = 10;

/**
 * A counter: its limit, and whose attempts it counts, such as those of an account from a network.
 */
export interface AttemptCounter {
  limit: AttemptLimit;
  of: readonly string[];
  /** How many an attempt counts as, such as two hashes; 1 unless given. */
  weight?: number;
  /** It counts a wide network, whose limit is {@link networksInWide} times as high. */
  isWide?: boolean;
}

/** The counters of attempts from a client's networks, the near and the wide one. */
export const networkCounters = (
  limit: AttemptLimit,
  { near, wide }: { near: string; wide?: string },
  weight = 1,
): AttemptCounter[] => [
  { limit, of: [near], weight },
  ...(wide === undefined ? [] : [{ limit, of: [wide], weight, isWide: true }]),
];

/** Whether a client has no address to count, as in a local service. */
export const hasNoAddress = (
  { isLocal }: Pick<Settings, 'isLocal'>,
  address: string | undefined,
): boolean => isLocal && address === undefined;

/** A counter as it is stored. `key` is a digest, so that the table holds no addresses. */
interface KeyedCounter {
  key: string;
  limit: Limit;
  max: number;
  weight: number;
}

/** An attempt after it was counted. */
interface Attempt<Read> {
  /** Whether it is allowed. If not, one of the counters has to wait. */
  isAllowed: boolean;
  /** The seconds until the next attempt is allowed if this one fails; 0 for at once. */
  waitSeconds: number;
  /** To uncount it. */
  counted: CountedAttempt;
  /** The limit that this attempt reached, if its user is told of it. */
  told: number | undefined;
  /** The results of the statements that read with it. */
  read: Read;
}

/** The counters of an attempt, and the ends of all their waits. */
export interface CountedAttempt {
  counters: readonly KeyedCounter[];
  waits: readonly number[];
}

const encoder = new TextEncoder();

/**
 * Computes the keys of counters. They are MACs, so that the table holds neither addresses nor
 * networks. A rotation of the key makes all counters start again.
 */
export async function keyCounters(
  { tokenKeys }: Pick<Settings, 'tokenKeys'>,
  counters: readonly AttemptCounter[],
): Promise<KeyedCounter[]> {
  const macKey = await deriveKey(tokenKeys.current, 'sign-in-failures/v1', 'sign');
  return Promise.all(
    counters.map(async ({ limit: name, of, weight = 1, isWide }) => {
      // As JSON, so that no address can be written to look like the parts of another counter.
      const key = toBase64url(
        await computeMac(macKey, encoder.encode(JSON.stringify([name, ...of]))),
      );
      const limit: Limit = attemptLimits[name];
      return { key, limit, max: limit.max * (isWide ? networksInWide : 1), weight };
    }),
  );
}

/**
 * Counts an attempt before it is checked, so that parallel guesses are counted too, and runs
 * statements that read the data to check it against. Counts nothing while one of its counters has
 * to wait. One round trip.
 */
export async function countAttempt<const Reads extends readonly Statement[]>(
  { directory, settings, now }: Pick<ActionContext, 'directory' | 'settings' | 'now'>,
  named: readonly AttemptCounter[],
  ...reads: Reads
): Promise<Attempt<BatchResponse<Reads>>> {
  const counters = await keyCounters(settings, named);
  const keys = counters.map(({ key }) => key);
  const results = await directory.batch([
    rawDatabaseStatement(directory, countSql(counters, now)),
    directory
      .select({ until: signInFailures.blocked_until })
      .from(signInFailures)
      .where(inArray(signInFailures.key, keys)),
    ...(reads as readonly Statement[]),
  ]);
  const [counted, waiting, ...read] = results as unknown as CountResults<BatchResponse<Reads>>;
  const waits = waiting.map(({ until }) => until).filter((until) => until > 0);
  const reached = counters.find(
    ({ key, limit, max }) =>
      limit.isTold && counted.some((row) => row.key === key && row.failures === max),
  );
  return {
    isAllowed: counted.length > 0,
    waitSeconds: Math.max(0, Math.ceil((Math.max(0, ...waits) - now) / 1000)),
    counted: { counters, waits },
    told: reached?.max,
    read,
  };
}

type CountResults<Read extends readonly unknown[]> = readonly [
  counted: readonly { key: string; failures: number }[],
  waiting: readonly { until: number }[],
  ...Read,
];

/** Counts in one statement, so that no two attempts see the same count. */
function countSql(counters: readonly KeyedCounter[], now: number) {
  const sent = JSON.stringify(
    counters.map(({ key, max, weight, limit: { window } }) => [
      key,
      max,
      weight,
      attemptWindows[window],
      Number(window !== 'hour'),
    ]),
  );
  const own = (column: number) =>
    sql`(select value ->> ${sql.raw(String(column))} from json_each(${sent})
      where value ->> 0 = sign_in_failures.key)`;
  const [limit, weight, windowMs, isFull] = [own(1), own(2), own(3), own(4)];
  const isOld = sql`first_at <= ${now} - ${windowMs}`;
  const failures = sql`(case when ${isOld} then ${weight} else failures + ${weight} end)`;
  const wait = sql`min(${attemptWaits.longestMs},
    ${attemptWaits.firstMs} << min(${failures} - ${limit}, 20))`;
  const windowEnd = sql`(case when ${isOld} then ${now} else first_at end) + ${windowMs}`;
  return sql`
    insert into sign_in_failures (key, failures, first_at, blocked_until)
    select value ->> 0, value ->> 2, ${now}, 0 from json_each(${sent})
    where not exists (
      select 1 from sign_in_failures
      where key in (select value ->> 0 from json_each(${sent})) and blocked_until > ${now})
    on conflict (key) do update set
      failures = ${failures},
      first_at = case when ${isOld} then excluded.first_at else first_at end,
      blocked_until = case when ${failures} < ${limit} then 0
        when ${isFull} then ${windowEnd} else ${now} + ${wait} end
    returning key, failures`;
}

/** Takes back an attempt whose password was correct, except its hashes. Two statements. */
export function uncountAttemptStatements(directory: Database, { counters, waits }: CountedAttempt) {
  const keysOf = (takenBack: Limit['takenBack']) =>
    counters.filter(({ limit }) => limit.takenBack === takenBack).map(({ key }) => key);
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
