import type { Context } from 'hono';
import { prepareCodeUse } from '../../accounts/sign-in/use-code.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import {
  countCodeAttempt,
  countSignInAttempt,
  type CodeAccount,
  type CountedAttempt,
  type SignInAccount,
} from '../../data/directory/sign-in-attempts.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { computeAttemptCounters, computeCodeCounters, signInThrottle } from './attempt-counters.ts';
import { hashingRetrySeconds, runInHashingSlot } from './hashing-slots.ts';
import { dummyPasswordHash, hashPassword, verifyPassword } from './password.ts';

/** The reason of a rejection. `wait` and `busy` name the time to wait. */
export type Rejection = { kind: 'wrong' } | { kind: 'wait' | 'busy'; seconds: number };

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
  { settings, directory, now }: Pick<ActionContext, 'settings' | 'directory' | 'now'>,
  {
    email,
    password,
    trustedBy,
    newPassword,
  }: { email: string; password: string; trustedBy: string | undefined; newPassword?: string },
): Promise<RightPassword | Rejection> {
  const address = c.req.header('CF-Connecting-IP');
  const work = async (): Promise<RightPassword | Rejection> => {
    const hashes = newPassword === undefined ? 1 : 2;
    const attempt = { email, address, trustedBy, hashes };
    const counters = await computeAttemptCounters(settings, attempt);
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
  };
  const result = await runInHashingSlot({ now, address }, work);
  return result ?? { kind: 'busy', seconds: hashingRetrySeconds };
}

/** A code that may be right: the batch that uses it decides whether it is still valid. */
interface PlausibleCode {
  account: CodeAccount;
  counted: CountedAttempt;
  use: NonNullable<Awaited<ReturnType<typeof prepareCodeUse>>>;
}

/** Counts an attempt and checks a code of a user's second factor, or a recovery code. One round trip. */
export async function checkCode(
  c: Context<AppEnv>,
  action: Pick<ActionContext, 'settings' | 'directory' | 'now'>,
  { userId, trustedBy, typed }: { userId: number; trustedBy: string | undefined; typed: string },
): Promise<PlausibleCode | Rejection> {
  const { settings, directory, now } = action;
  const address = c.req.header('CF-Connecting-IP');
  const { isAllowed, account, blockedUntil, counted } = await countCodeAttempt(directory, {
    counters: await computeCodeCounters(settings, { userId, address, trustedBy }),
    userId,
    throttle: signInThrottle,
    now,
  });
  const use = isAllowed && account && (await prepareCodeUse(action, account, typed));
  return use ? { account, counted, use } : rejectUntil(blockedUntil, now);
}

const rejectUntil = (blockedUntil: number, now: number): Rejection => {
  const seconds = Math.ceil((blockedUntil - now) / 1000);
  return seconds > 0 ? { kind: 'wait', seconds } : { kind: 'wrong' };
};
