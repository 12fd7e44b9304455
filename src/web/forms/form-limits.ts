import type { Context } from 'hono';
import { sessionLifetimes } from '../../accounts/sign-in/session-lifetimes.ts';
import { toBase64url } from '../../base/crypto/base64.ts';
import { computeMac } from '../../base/crypto/hmac.ts';
import { deriveKey } from '../../base/crypto/keys.ts';
import { dayMs, minuteMs } from '../../base/durations.ts';
import type { Settings } from '../../base/settings.ts';
import type { Database } from '../../data/core/open-database.ts';
import type { SessionUser } from '../../data/directory/sessions.ts';
import {
  type AttemptCounter,
  countAttempt,
  type SignInThrottle,
} from '../../data/directory/sign-in-attempts.ts';
import { enforceRateLimit, networksOf } from '../../http/access/rate-limit.ts';
import type { AppEnv } from '../../http/app-env.ts';

/**
 * The limits of forms, and which forms of a user count: every one, or only those without an error. A user may send
 * `ME_PER_MINUTE` forms of each limit a minute. A network may send `PAGES_PER_MINUTE` requests for pages.
 * - `pages`: forms that send no mail and cost little.
 * - `attempts`: passwords and codes, which `checkPassword` and `checkCode` count and throttle, too.
 * - `passwords`: new passwords, whose hashes are counted, too.
 * - `mails` and `invitations`: mails to an address, which `limitMails` counts, too.
 * - the others send a request or create a credential.
 */
export const formLimits = {
  pages: 'every',
  attempts: 'every',
  passwords: 'every',
  mails: 'valid',
  invitations: 'valid',
  keys: 'valid',
  approve: 'valid',
  webhooks: 'every',
} as const;

/** The limit of a form. Every form names one. */
export type FormLimit = keyof typeof formLimits;

/** A limit that the values of a form choose, such as its button, among those that they can. */
export interface ChosenLimit<Values> {
  among: readonly FormLimit[];
  choose: (values: Values) => FormLimit;
}

/** Returns the limits that a form can have. */
export const limitsOf = <Values>(limit: FormLimit | ChosenLimit<Values>): readonly FormLimit[] =>
  typeof limit === 'string' ? [limit] : limit.among;

/** Whether the forms of a limit send a mail to an address that the sender chooses. */
export const sendsMail = (limit: FormLimit) => limit === 'mails' || limit === 'invitations';

/** The time to wait after too many forms. */
export interface Wait {
  kind: 'wait' | 'busy' | 'mails';
  seconds: number;
  /** The field that shows it. */
  field?: string;
}

/** The parts of a page that counting needs. */
interface CountedPage {
  c: Context<AppEnv>;
  env: Env;
  settings: Settings;
  directory: Database;
  now: number;
}

/** Counts a form of a user under its limit, if it counts at this moment. Throws a 429. */
export async function countForm(
  { env, settings: { limits }, now }: CountedPage,
  userId: number | undefined,
  limit: FormLimit,
  moment: 'every' | 'valid',
): Promise<void> {
  if (userId === undefined || formLimits[limit] !== moment) return;
  await enforceRateLimit({ env, limits, now }, 'me', `${limit}:${userId}`);
}

/**
 * Counts a request for a mail to an address. Returns the wait after too many of them: to that address, from that network,
 * or by that user. It is the same whether or not a user has the address.
 */
export async function limitMails(
  { c, settings, directory, now }: CountedPage,
  email: string,
  user: SessionUser | undefined,
): Promise<Wait | undefined> {
  const address = c.req.header('CF-Connecting-IP');
  const counters = await computeMailCounters(settings, { email, address, user }, now);
  const counting = { counters, throttle: signInThrottle, now };
  const { isAllowed, blockedUntil } = await countAttempt(directory, counting);
  if (isAllowed) return undefined;
  return { kind: 'mails', seconds: Math.ceil((blockedUntil - now) / 1000) };
}

/** After too many failures within an hour, waits double from 30 seconds to 15 minutes. */
export const signInThrottle: SignInThrottle = {
  windowMs: sessionLifetimes.failure,
  firstWaitMs: 30_000,
  maxWaitMs: 15 * 60_000,
};

/** Failures within an hour before the first wait. */
export const maxFailures = {
  /** Of an account from one network, from one known browser, or by its signed-in users. */
  source: 5,
  /** Of an account from all networks. It is high, so that a few strangers cannot lock the user out. */
  account: 50,
  network: 30,
  /** Ten networks. */
  wideNetwork: 300,
  /**
   * Codes of a user's second factor, from one network, one known browser or one session, by a caller who has the
   * password. A guess is right once in 300,000.
   */
  code: 5,
  /** Codes of a user from all networks. */
  codes: 20,
};

/** Mails that forms send within an hour before the first wait. `newUser` is for a day, and then there are no more. */
export const maxMails = { address: 3, network: 20, wideNetwork: 200, user: 20, newUser: 20 };

/** How long an account is new. */
export const newForMs = 7 * dayMs;

/** Passwords that are hashed within a minute, right or wrong. */
export const maxHashes = { account: 10, network: 30, wideNetwork: 300 };

/** The origin of an attempt at a password. */
interface Attempt {
  email: string;
  /** `CF-Connecting-IP`. */
  address: string | undefined;
  /**
   * The evidence for the browser: the id of its mark as a known browser, or `session` for a signed-in user. Such an
   * attempt has its own counter, so attempts of strangers cannot delay it.
   */
  trustedBy: string | undefined;
  /** The passwords that are hashed; 1 unless given. */
  hashes?: number;
}

type CounterSettings = Pick<Settings, 'tokenKeys' | 'isLocal'>;

const encoder = new TextEncoder();

/** A counter: the parts of its key, the attempts before the first wait, and what differs from a shared one. */
type Counter = readonly [
  parts: readonly string[],
  maxAttempts: number,
  options?: Partial<Omit<AttemptCounter, 'key' | 'maxAttempts'>>,
];

const isOwn = { takenBack: 'all' } as const;

/** A hash costs the same whether the password is right, so it is never taken back. */
const hashesOf = (hashes: number) =>
  ({ takenBack: 'nothing', fixedWindowMs: minuteMs, weight: hashes }) as const;

/**
 * Computes the counters of an attempt: their keys are MACs, so that the table holds neither addresses nor networks. A
 * rotation of the key makes all counters start again; failures count for an hour only.
 */
export function computeAttemptCounters(
  settings: CounterSettings,
  attempt: Attempt,
): Promise<AttemptCounter[]> {
  const { email, address, trustedBy } = attempt;
  const account = email.toLowerCase();
  const { near, wide } = networksOf(address);
  return toCounters(settings, [
    ...(trustedBy === undefined
      ? ([
          [['account', account, 'from', near], maxFailures.source, isOwn],
          [['account', account], maxFailures.account],
        ] as const)
      : ([[['account', account, 'trusted by', trustedBy], maxFailures.source, isOwn]] as const)),
    [['network', near], maxFailures.network],
    ...(wide === undefined ? [] : [[['network', wide], maxFailures.wideNetwork] as const]),
    ...hashCounters(settings, attempt),
  ]);
}

/**
 * Computes the counters of hashing alone, for a password that a link sets: by the account, and by the network. Strangers
 * share a counter of the account; a browser that the account trusts has its own.
 */
export const computeHashCounters = (
  settings: CounterSettings,
  attempt: Attempt,
): Promise<AttemptCounter[]> => toCounters(settings, hashCounters(settings, attempt));

function hashCounters(
  settings: CounterSettings,
  { email, address, trustedBy = '', hashes = 1 }: Attempt,
): Counter[] {
  const options = hashesOf(hashes);
  return [
    [['hash', email.toLowerCase(), trustedBy], maxHashes.account, options],
    ...networkCounters(settings, { name: 'hash network', address, max: maxHashes, options }),
  ];
}

/** The counters of a client's networks. A local service sees no addresses, so it has none. */
function networkCounters(
  { isLocal }: CounterSettings,
  {
    name,
    address,
    max,
    options = {},
  }: {
    name: string;
    address: string | undefined;
    max: { network: number; wideNetwork: number };
    options?: Counter[2] & object;
  },
): Counter[] {
  if (isLocal && address === undefined) return [];
  const { near, wide } = networksOf(address);
  return [
    [[name, near], max.network, options],
    ...(wide === undefined ? [] : [[[name, wide], max.wideNetwork, options] as const]),
  ];
}

/**
 * Computes the counters of a code of a second factor, which only a caller with the password or the session sends. A
 * known browser and a session (`trustedBy`) have a counter of their own, so who has the password alone does not delay
 * them.
 */
export function computeCodeCounters(
  settings: Pick<Settings, 'tokenKeys'>,
  {
    userId,
    address,
    trustedBy,
  }: { userId: number; address: string | undefined; trustedBy: string | undefined },
): Promise<AttemptCounter[]> {
  const user = String(userId);
  const { near } = networksOf(address);
  return toCounters(
    settings,
    trustedBy === undefined
      ? [
          [['code', user, 'from', near], maxFailures.code, isOwn],
          [['code', user], maxFailures.codes],
        ]
      : [[['code', user, 'trusted by', trustedBy], maxFailures.code, isOwn]],
  );
}

/** The user who causes a mail. */
interface MailCause {
  id: number;
  isOperator: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
}

/**
 * Computes the counters of a request for a mail. It counts by the address that gets it, whether or not it is known, by the
 * network, and by the user who causes it. Mails of users are counted apart, so that invitations delay no reset.
 */
function computeMailCounters(
  settings: CounterSettings,
  { email, address, user }: Pick<Attempt, 'email' | 'address'> & { user?: MailCause | undefined },
  now: number,
): Promise<AttemptCounter[]> {
  const reader = email.toLowerCase();
  const isNew = user && !user.isOperator && now - user.createdAt < newForMs;
  return toCounters(settings, [
    [user ? ['mail of a user', reader] : ['mail', reader], maxMails.address],
    ...networkCounters(settings, { name: 'mail network', address, max: maxMails }),
    ...(user ? [[['mails of', String(user.id)], maxMails.user] as const] : []),
    ...(isNew ? [[['first mails of', String(user.id)], maxMails.newUser, ofDay] as const] : []),
  ]);
}

const ofDay = { fixedWindowMs: dayMs };

async function toCounters(
  { tokenKeys }: Pick<Settings, 'tokenKeys'>,
  counters: readonly Counter[],
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
