import type { Context } from 'hono';
import { signInThrottle } from '../../accounts/sign-in/attempt-counters.ts';
import { dayMs } from '../../base/durations.ts';
import type { Settings } from '../../base/settings.ts';
import type { Database } from '../../data/core/open-database.ts';
import type { SessionUser } from '../../data/directory/sessions.ts';
import {
  type AttemptCounter,
  countAttempt,
  networkCounters,
  toCounters,
} from '../../data/directory/sign-in-attempts.ts';
import { enforceRateLimit, networksOf } from '../../http/access/rate-limit.ts';
import type { AppEnv } from '../../http/app-env.ts';

/**
 * The limits of forms, and which forms of a user count: every one, or only those without an error. A user may send
 * `ME_PER_MINUTE` forms of each limit a minute. A network may send `PAGES_PER_MINUTE` requests for pages.
 * - `pages`: forms that send no mail and cost little.
 * - `attempts`: passwords and codes, which `checkPassword` and `checkCode` count and throttle, too.
 * - `passwords`: new passwords, whose hashes are counted, too.
 * - `mails` and `invitations`: mails to an address, which `limitMails` counts, too, by the same counters.
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

/** Counts a form of a user under its limit, `weight` times, if it counts at this moment. Throws a 429. */
export async function countForm(
  { env, settings: { limits }, now }: CountedPage,
  userId: number | undefined,
  limit: FormLimit,
  moment: 'every' | 'valid',
  weight = 1,
): Promise<void> {
  if (userId === undefined || formLimits[limit] !== moment) return;
  await enforceRateLimit({ env, limits, now }, 'me', `${limit}:${userId}`, weight);
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

/** Mails that forms send within an hour before the first wait. `newUser` is for a day, and then there are no more. */
export const maxMails = { address: 3, network: 20, wideNetwork: 200, user: 20, newUser: 20 };

/** How long an account is new. */
export const newForMs = 7 * dayMs;

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
  settings: Pick<Settings, 'tokenKeys' | 'isLocal'>,
  {
    email,
    address,
    user,
  }: { email: string; address: string | undefined; user: MailCause | undefined },
  now: number,
): Promise<AttemptCounter[]> {
  const reader = email.toLowerCase();
  // A local service sees no addresses.
  const isSeen = !settings.isLocal || address !== undefined;
  const isNew = user && !user.isOperator && now - user.createdAt < newForMs;
  return toCounters(settings, [
    [user ? ['mail of a user', reader] : ['mail', reader], maxMails.address],
    ...networkCounters(isSeen ? networksOf(address) : undefined, {
      name: 'mail network',
      max: maxMails,
    }),
    ...(user ? [[['mails of', String(user.id)], maxMails.user] as const] : []),
    ...(isNew ? [[['first mails of', String(user.id)], maxMails.newUser, ofDay] as const] : []),
  ]);
}

const ofDay = { fixedWindowMs: dayMs };
