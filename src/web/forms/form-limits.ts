import type { SessionUser } from '../../data/directory/sessions.ts';
import { countAttempt } from '../../data/directory/sign-in-attempts.ts';
import { enforceRateLimit } from '../../http/access/rate-limit.ts';
import type { PublicPage } from '../page.ts';
import { computeMailCounters, signInThrottle } from '../sign-in/counters.ts';
import { formLimits, type FormLimit } from './limits.ts';

/** The time to wait after too many forms. */
export interface Wait {
  kind: 'wait' | 'busy' | 'mails';
  seconds: number;
  /** The field that shows it. */
  field?: string;
}

/** Counts a form of a user under its limit, if it counts at this moment. Throws a 429. */
export async function countForm(
  { env, settings: { limits }, now }: PublicPage,
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
  { c, settings, directory, now }: PublicPage,
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
