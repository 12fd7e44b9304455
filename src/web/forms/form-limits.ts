import { countAttempt } from '../../data/directory/sign-in-attempts.ts';
import { enforceRateLimit } from '../../http/access/rate-limit.ts';
import type { PublicPage } from '../page.ts';
import { computeMailCounters, signInThrottle } from '../sign-in/counters.ts';

/**
 * The limits of a user, and which submitted forms count: every one, or only those without an error. Each allows
 * `ME_PER_MINUTE` forms a minute.
 */
const limitsOfUser = {
  keys: 'valid',
  invitations: 'valid',
  approve: 'valid',
  webhooks: 'every',
} as const;

/**
 * The limit of a form. Every form names one.
 * - `pages`: only the limit of all pages, by network. For forms that send no mail and cost little.
 * - `attempts`: passwords and codes, which `checkPassword` and `checkCode` count and throttle.
 * - `mails`: the field `email`, whose address and network get three and twenty mails an hour.
 * - the others: forms of one user, per minute, since each sends a mail or a request, or creates a credential.
 */
export type FormLimit = 'pages' | 'attempts' | 'mails' | keyof typeof limitsOfUser;

/** The time to wait after too many forms. */
export interface Wait {
  kind: 'wait' | 'busy';
  seconds: number;
}

/** Counts a form of a user under its limit, if it counts at this moment. Throws a 429. */
export async function countForm(
  { env, settings: { limits }, now }: PublicPage,
  userId: number | undefined,
  limit: FormLimit,
  moment: 'every' | 'valid',
): Promise<void> {
  if (userId === undefined || limit === 'pages' || limit === 'attempts' || limit === 'mails')
    return;
  if (limitsOfUser[limit] !== moment) return;
  await enforceRateLimit({ env, limits, now }, 'me', `${limit}:${userId}`);
}

/**
 * Counts a request for a mail to an address. Returns the wait after too many of them, to that address or from that network,
 * whether or not a user has the address.
 */
export async function limitMails(
  { c, settings, directory, now }: PublicPage,
  email: string,
): Promise<Wait | undefined> {
  const address = c.req.header('CF-Connecting-IP');
  const counters = await computeMailCounters(settings, { email, address });
  const counting = { counters, throttle: signInThrottle, now };
  const { isAllowed, blockedUntil } = await countAttempt(directory, counting);
  if (isAllowed) return undefined;
  return { kind: 'wait', seconds: Math.ceil((blockedUntil - now) / 1000) };
}
