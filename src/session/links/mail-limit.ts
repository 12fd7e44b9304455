import type { Context } from 'hono';
import { countAttempt } from '../../db/directory/sign-in.ts';
import type { AppEnv } from '../../http/app-env.ts';
import type { DeedContext } from '../../people/deed.ts';
import { computeMailCounters, signInThrottle } from '../throttle/counters.ts';
import type { Refusal } from './refusal.ts';

/**
 * Counts a request for a mail to an address. Returns the wait after too many of them, to that address or from that network,
 * whether or not anybody has the address.
 */
export async function limitMails(
  c: Context<AppEnv>,
  { settings, directory, now }: DeedContext,
  email: string,
): Promise<Refusal | undefined> {
  const address = c.req.header('CF-Connecting-IP');
  const counters = await computeMailCounters(settings, { email, address });
  const counting = { counters, throttle: signInThrottle, now };
  const { isAllowed, blockedUntil } = await countAttempt(directory, counting);
  if (isAllowed) return undefined;
  return { kind: 'wait', seconds: Math.ceil((blockedUntil - now) / 1000) };
}
