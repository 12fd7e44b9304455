import type { Context } from 'hono';
import type { Settings } from '../../base/settings.ts';
import type { Database } from '../../data/core/open-database.ts';
import type { SessionUser } from '../../data/directory/sessions.ts';
import { countAttempt } from '../../data/directory/sign-in-attempts.ts';
import { enforceRateLimit } from '../../http/access/rate-limit.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { computeMailCounters, signInThrottle } from '../sign-in/counters.ts';

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
