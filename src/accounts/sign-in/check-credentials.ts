import type { SQL } from 'drizzle-orm';
import type { ActionContext } from '../../data/audit/action.ts';
import { countAttempt, type CountedAttempt } from '../../data/directory/attempt-counters.ts';
import {
  selectFactorAccount,
  selectPasskey,
  selectSignInAccount,
  type FactorAccount,
  type SignInAccount,
} from '../../data/directory/sign-in-accounts.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { replaceHash } from '../users/change-password.ts';
import {
  codeCounters,
  hashCounters,
  passkeyCounters,
  passwordCounters,
} from './credential-counters.ts';
import { hashingRetrySeconds, runInHashingSlot } from './hashing-slots.ts';
import {
  prepareLonePasskeyUse,
  preparePasskeyUse,
  type LonePasskeyUse,
  type SentPasskey,
} from './passkeys.ts';
import { dummyPasswordHash, hashedForms, hashPassword, verifyPassword } from './password.ts';
import { prepareCodeUse, type FactorUse } from './use-code.ts';

/** The request that sends a password. */
type Visit = Pick<ActionContext, 'settings' | 'directory' | 'now'> & {
  /** `CF-Connecting-IP`; absent in a local service. */
  clientAddress: string | undefined;
};

/** The reason of a rejection. `wait` and `busy` name the time to wait. */
export type Rejection = { kind: 'wrong' } | HashingWait;

interface HashingWait {
  kind: 'wait' | 'busy';
  seconds: number;
}

/** A password that is right, and the attempt to uncount. */
interface RightPassword {
  account: SignInAccount;
  counted: CountedAttempt;
  /** The hash of the new password, if one was given. */
  newHash: string;
}

/**
 * Counts an attempt and checks a password. An unknown address takes as long as a wrong password.
 * While two others are being checked, nothing is counted, and the answer is to wait. Hashes
 * `newPassword` as well, in the same slot.
 */
export async function checkPassword(
  visit: Visit,
  {
    email,
    password,
    trustedBy,
    newPassword,
  }: { email: string; password: string; trustedBy: string | undefined; newPassword?: string },
): Promise<RightPassword | Rejection> {
  const { settings, directory, clientAddress: address } = visit;
  const work = async (): Promise<RightPassword | Rejection> => {
    const forms = hashedForms(password);
    const hashes = forms.length + (newPassword === undefined ? 0 : 1);
    const counters = passwordCounters(settings, { email, address, trustedBy, hashes });
    const reading = selectSignInAccount(directory, email);
    const { isAllowed, waitSeconds, counted, read } = await countAttempt(visit, counters, reading);
    const [[account]] = read;
    const hash = account?.hash ?? dummyPasswordHash;
    let match: string | undefined;
    for (const form of isAllowed ? forms : []) {
      match ??= (await verifyPassword(form, hash)) ? form : undefined;
    }
    if (match === undefined || !account) return rejectFor(waitSeconds);
    if (newPassword !== undefined) {
      return { account, counted, newHash: await hashPassword(newPassword) };
    }
    // From now on it is right on every keyboard.
    if (match !== forms[0]) await replaceHash(directory, account, await hashPassword(password));
    return { account, counted, newHash: '' };
  };
  return inHashingSlot(visit, work);
}

/** Runs work that hashes, or returns the time to wait for a slot. */
const inHashingSlot = async <T extends object>(
  { now, clientAddress: address }: Visit,
  work: () => Promise<T>,
): Promise<T | HashingWait> =>
  (await runInHashingSlot({ now, address }, work)) ?? {
    kind: 'busy',
    seconds: hashingRetrySeconds,
  };

/**
 * Hashes the new password of an address, whose link has been found. Counts the hash first, and
 * returns a wait after too many of the address or the network, or while there is no slot.
 */
export const hashNewPassword = (
  visit: Visit,
  { email, password }: { email: string; password: string },
): Promise<{ hash: string } | HashingWait> =>
  inHashingSlot(visit, async () => {
    const { settings, clientAddress: address } = visit;
    const counters = hashCounters(settings, { email, address });
    const { isAllowed, waitSeconds: seconds } = await countAttempt(visit, counters);
    return isAllowed ? { hash: await hashPassword(password) } : { kind: 'wait' as const, seconds };
  });

/**
 * A code or a passkey that may be right: the batch that uses it decides whether it is still valid.
 */
interface PlausibleFactor {
  account: FactorAccount;
  counted: CountedAttempt;
  use: FactorUse;
}

/**
 * Counts an attempt and checks a code of a user's second factor, a recovery code, or the answer of
 * a passkey in their place. One round trip. Tells the user of the wrong one that reaches the limit
 * of all.
 */
export async function checkFactor(
  action: ActionContext,
  {
    typed,
    passkey,
    hasPassword,
    ...attempt
  }: Parameters<typeof codeCounters>[0] & {
    typed: string;
    passkey?: SentPasskey | 'invalid' | undefined;
    /** The condition that the password of the user was right just before. */
    hasPassword?: SQL;
  },
): Promise<PlausibleFactor | Rejection> {
  const { settings, directory, now } = action;
  const { userId } = attempt;
  const sent = passkey === 'invalid' ? undefined : passkey;
  const { isAllowed, waitSeconds, counted, told, read } = await countAttempt(
    action,
    codeCounters(attempt),
    selectFactorAccount(directory, userId),
    selectPasskey(directory, sent?.answer.id ?? ''),
  );
  const [[account], [shown]] = read;
  if (!isAllowed || !account) return rejectFor(waitSeconds);
  const prepare = () => {
    if (passkey === undefined) return prepareCodeUse(action, account, typed);
    const isOwn = shown?.userId === userId;
    return sent && isOwn ? preparePasskeyUse(action, shown, sent, hasPassword) : undefined;
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
  return rejectFor(waitSeconds);
}

/** A passkey that may sign in alone: the batch that uses it decides whether it still does. */
interface PlausiblePasskey {
  use: LonePasskeyUse;
  counted: CountedAttempt;
}

/**
 * Counts an attempt to sign in with a passkey alone, and checks its answer. Passkeys that are
 * unknown, blocked, or of a user who is not active are refused alike. One round trip.
 */
export async function checkLonePasskey(
  action: ActionContext,
  passkey: SentPasskey | 'invalid',
  address: string | undefined,
): Promise<PlausiblePasskey | Rejection | { kind: 'needsPassword' }> {
  const sent = passkey === 'invalid' ? undefined : passkey;
  const id = sent?.answer.id;
  const { isAllowed, waitSeconds, counted, read } = await countAttempt(
    action,
    passkeyCounters(id, address),
    selectPasskey(action.directory, id ?? ''),
  );
  const [[stored]] = read;
  const use = isAllowed && sent ? await prepareLonePasskeyUse(action, stored, sent) : undefined;
  if (use === undefined) return rejectFor(waitSeconds);
  return use === 'needsPassword' ? { kind: use } : { use, counted };
}

const rejectFor = (seconds: number): Rejection =>
  seconds > 0 ? { kind: 'wait', seconds } : { kind: 'wrong' };
