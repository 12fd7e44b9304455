import type { Context } from 'hono';
import {
  countCodeAttempt,
  countSignInAttempt,
  type CodeAccount,
  type CountedAttempt,
  type SignInAccount,
} from '../db/directory/sign-in.ts';
import type { AppEnv } from '../http/app-env.ts';
import type { DeedContext } from '../people/deed.ts';
import { prepareCodeUse } from '../people/second-factor/use-code.ts';
import { dummyPasswordHash, hashPassword, verifyPassword } from './password.ts';
import {
  computeAttemptCounters,
  computeCodeCounters,
  signInThrottle,
} from './throttle/counters.ts';
import { hashingRetrySeconds, runInHashingSlot } from './throttle/hashing-slots.ts';

/** Why something was not accepted. `wait` and `busy` name the time to wait. */
export type Rejection = { kind: 'wrong' } | { kind: 'wait' | 'busy'; seconds: number };

/** The status of a page that shows a rejection, and its headers. */
export const rejectionStatus = (rejection: Rejection) =>
  rejection.kind === 'wrong'
    ? ({ status: 422 } as const)
    : ({
        status: rejection.kind === 'busy' ? 503 : 429,
        headers: { 'Retry-After': String(rejection.seconds) },
      } as const);

/** A password that is right, and the attempt to uncount. */
interface RightPassword {
  account: SignInAccount;
  counted: CountedAttempt;
  /** The hash of the new password, if one was given. */
  newHash: string;
}

/**
 * Counts an attempt and checks a password. An unknown address takes as long as a wrong password. While two others are being
 * checked, nothing is counted, and the answer is to wait. Hashes `newPassword` as well, in the same slot.
 */
export async function checkPassword(
  c: Context<AppEnv>,
  { settings, directory, now }: Pick<DeedContext, 'settings' | 'directory' | 'now'>,
  {
    email,
    password,
    trustedBy,
    newPassword,
  }: { email: string; password: string; trustedBy: string | undefined; newPassword?: string },
): Promise<RightPassword | Rejection> {
  const result = await runInHashingSlot(now, async (): Promise<RightPassword | Rejection> => {
    const address = c.req.header('CF-Connecting-IP');
    const counters = await computeAttemptCounters(settings, { email, address, trustedBy });
    const { isAllowed, account, blockedUntil, counted } = await countSignInAttempt(directory, {
      counters,
      email,
      throttle: signInThrottle,
      now,
    });
    const isRight =
      isAllowed && (await verifyPassword(password, account?.hash ?? dummyPasswordHash));
    if (!isRight || !account) return rejectUntil(blockedUntil, now);
    const newHash = newPassword === undefined ? '' : await hashPassword(newPassword);
    return { account, counted, newHash };
  });
  return result ?? { kind: 'busy', seconds: hashingRetrySeconds };
}

/** A code that may be right: whether it is still good, its batch decides. */
interface PlausibleCode {
  account: CodeAccount;
  counted: CountedAttempt;
  use: NonNullable<Awaited<ReturnType<typeof prepareCodeUse>>>;
}

/** Counts an attempt and checks a code of a user's second factor, or a recovery code. One round trip. */
export async function checkCode(
  deed: Pick<DeedContext, 'settings' | 'directory' | 'now'>,
  userId: number,
  typed: string,
): Promise<PlausibleCode | Rejection> {
  const { settings, directory, now } = deed;
  const { isAllowed, account, blockedUntil, counted } = await countCodeAttempt(directory, {
    counters: await computeCodeCounters(settings, userId),
    userId,
    throttle: signInThrottle,
    now,
  });
  const use = isAllowed && account && (await prepareCodeUse(deed, account, typed));
  return use ? { account, counted, use } : rejectUntil(blockedUntil, now);
}

const rejectUntil = (blockedUntil: number, now: number): Rejection => {
  const seconds = Math.ceil((blockedUntil - now) / 1000);
  return seconds > 0 ? { kind: 'wait', seconds } : { kind: 'wrong' };
};
