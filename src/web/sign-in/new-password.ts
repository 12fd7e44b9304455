import { computeHashCounters, signInThrottle } from '../../accounts/sign-in/attempt-counters.ts';
import { hashingRetrySeconds, runInHashingSlot } from '../../accounts/sign-in/hashing-slots.ts';
import {
  hashPassword,
  maxPasswordLength,
  preparePassword,
} from '../../accounts/sign-in/password.ts';
import { countAttempt } from '../../data/directory/sign-in-attempts.ts';
import type { Wait } from '../forms/form-limits.ts';
import type { PublicPage } from '../page.ts';

const minLength = 12;

/** The fault of a new password: its length, or its repetition. */
export type PasswordFault = 'short' | 'long' | 'differs';

/** Checks a new password of 12 to 256 characters, and its repetition. */
export function findPasswordFault(password: string, repeated: string): PasswordFault | undefined {
  const prepared = preparePassword(password);
  const length = Array.from(prepared).length;
  if (length < minLength) return 'short';
  if (length > maxPasswordLength) return 'long';
  return prepared === preparePassword(repeated) ? undefined : 'differs';
}

/**
 * Hashes the new password of an address, whose link has been found. Counts the hash first, and returns a wait after too
 * many of the address or the network, or while there is no slot.
 */
export async function hashNewPassword(
  { c, settings, directory, now }: PublicPage,
  { email, password }: { email: string; password: string },
): Promise<{ hash: string } | Wait> {
  const address = c.req.header('CF-Connecting-IP');
  const work = async (): Promise<{ hash: string } | Wait> => {
    const attempt = { email, address, trustedBy: undefined };
    const counters = await computeHashCounters(settings, attempt);
    const counting = { counters, throttle: signInThrottle, now };
    const { isAllowed, blockedUntil } = await countAttempt(directory, counting);
    if (isAllowed) return { hash: await hashPassword(password) };
    return { kind: 'wait', seconds: Math.ceil((blockedUntil - now) / 1000) };
  };
  const hashed = await runInHashingSlot({ now, address }, work);
  return hashed ?? { kind: 'busy', seconds: hashingRetrySeconds };
}
