import type { SQL } from 'drizzle-orm';
import type { Context } from 'hono';
import {
  computeAttemptCounters,
  computeCodeCounters,
  computePasskeyCounters,
  signInThrottle,
} from '../../accounts/sign-in/attempt-counters.ts';
import { hashingRetrySeconds, runInHashingSlot } from '../../accounts/sign-in/hashing-slots.ts';
import {
  prepareLonePasskeyUse,
  preparePasskeyUse,
  type LonePasskeyUse,
  type SentPasskey,
} from '../../accounts/sign-in/passkeys.ts';
import {
  dummyPasswordHash,
  hashedForms,
  hashPassword,
  verifyPassword,
} from '../../accounts/sign-in/password.ts';
import { prepareCodeUse, type FactorUse } from '../../accounts/sign-in/use-code.ts';
import { replaceHash } from '../../accounts/users/change-password.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import {
  countCodeAttempt,
  countPasskeyAttempt,
  countSignInAttempt,
  type CountedAttempt,
  type FactorAccount,
  type SignInAccount,
} from '../../data/directory/sign-in-attempts.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import type { PublicPage } from '../page.ts';

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
    const forms = hashedForms(password);
    const hashes = forms.length + (newPassword === undefined ? 0 : 1);
    const attempt = { email, address, trustedBy, hashes };
    const counters = await computeAttemptCounters(settings, attempt);
    const { isAllowed, account, blockedUntil, counted } = await countSignInAttempt(directory, {
      counters,
      email,
      throttle: signInThrottle,
      now,
    });
    const hash = account?.hash ?? dummyPasswordHash;
    let match: string | undefined;
    for (const form of isAllowed ? forms : []) {
      match ??= (await verifyPassword(form, hash)) ? form : undefined;
    }
    if (match === undefined || !account) return rejectUntil(blockedUntil, now);
    if (newPassword !== undefined) {
      return { account, counted, newHash: await hashPassword(newPassword) };
    }
    // From now on it is right on every keyboard.
    if (match !== forms[0]) await replaceHash(directory, account, await hashPassword(password));
    return { account, counted, newHash: '' };
  };
  const result = await runInHashingSlot({ now, address }, work);
  return result ?? { kind: 'busy', seconds: hashingRetrySeconds };
}

/** A code or a passkey that may be right: the batch that uses it decides whether it is still valid. */
interface PlausibleFactor {
  account: FactorAccount;
  counted: CountedAttempt;
  use: FactorUse;
}

/**
 * Counts an attempt and checks a code of a user's second factor, a recovery code, or the answer of a passkey in their
 * place. One round trip. Tells the user of the wrong one that reaches the limit of all.
 */
export async function checkFactor(
  page: PublicPage,
  action: ActionContext,
  {
    userId,
    trustedBy,
    hasShownCode,
    typed,
    passkey,
    hasPassword,
  }: {
    userId: number;
    trustedBy: string | undefined;
    /** The session has shown a code before. */
    hasShownCode?: boolean;
    typed: string;
    passkey?: SentPasskey | 'invalid' | undefined;
    /** The condition that the password of the user was right just before. */
    hasPassword?: SQL;
  },
): Promise<PlausibleFactor | Rejection> {
  const { settings, directory, now } = action;
  const address = page.c.req.header('CF-Connecting-IP');
  const sent = passkey === 'invalid' ? undefined : passkey;
  const { isAllowed, account, blockedUntil, counted, told } = await countCodeAttempt(directory, {
    counters: await computeCodeCounters(settings, { userId, address, trustedBy, hasShownCode }),
    userId,
    credentialId: sent?.answer.id,
    throttle: signInThrottle,
    now,
  });
  if (!isAllowed || !account) return rejectUntil(blockedUntil, now);
  const prepare = () => {
    if (passkey === undefined) return prepareCodeUse(action, account, typed);
    return sent && account.passkey && preparePasskeyUse(action, account.passkey, sent, hasPassword);
  };
  const use = await prepare();
  if (use) return { account, counted, use };
  if (told !== undefined) {
    const mail = await prepareMail(settings, {
      kind: 'codes_guessed',
      data: { count: told },
    });
    await directory.batch([insertMailToUser(directory, mail, userId, now)]);
    action.defer(wakeMail(action.env));
  }
  return rejectUntil(blockedUntil, now);
}

/** A passkey that may sign in alone: the batch that uses it decides whether it still does. */
interface PlausiblePasskey {
  use: LonePasskeyUse;
  counted: CountedAttempt;
}

/**
 * Counts an attempt to sign in with a passkey alone, and checks its answer. Passkeys that are unknown, blocked, or of a user
 * who is not active are refused alike. One round trip.
 */
export async function checkLonePasskey(
  page: PublicPage,
  action: ActionContext,
  passkey: SentPasskey | 'invalid',
): Promise<PlausiblePasskey | Rejection | { kind: 'needsPassword' }> {
  const { settings, directory, now } = action;
  const address = page.c.req.header('CF-Connecting-IP');
  const sent = passkey === 'invalid' ? undefined : passkey;
  const credentialId = sent?.answer.id;
  const attempt = await countPasskeyAttempt(directory, {
    counters: await computePasskeyCounters(settings, { credentialId, address }),
    credentialId: credentialId ?? '',
    throttle: signInThrottle,
    now,
  });
  const { isAllowed, blockedUntil, counted } = attempt;
  const use =
    isAllowed && sent ? await prepareLonePasskeyUse(action, attempt.passkey, sent) : undefined;
  if (use === undefined) return rejectUntil(blockedUntil, now);
  return use === 'needsPassword' ? { kind: use } : { use, counted };
}

const rejectUntil = (blockedUntil: number, now: number): Rejection => {
  const seconds = Math.ceil((blockedUntil - now) / 1000);
  return seconds > 0 ? { kind: 'wait', seconds } : { kind: 'wrong' };
};
