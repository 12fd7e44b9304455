import { sessionLifetimes } from '../../accounts/sign-in/session-lifetimes.ts';
import { toBase64url } from '../../base/crypto/base64.ts';
import { computeMac } from '../../base/crypto/hmac.ts';
import { deriveKey } from '../../base/crypto/keys.ts';
import type { Settings } from '../../base/settings.ts';
import type { AttemptCounter, SignInThrottle } from '../../data/directory/sign-in-attempts.ts';
import { networksOf } from '../../http/access/network.ts';

/** After too many failures within an hour, waits double from 30 seconds to 15 minutes. */
export const signInThrottle: SignInThrottle = {
  windowMs: sessionLifetimes.failure,
  firstWaitMs: 30_000,
  maxWaitMs: 15 * 60_000,
};

/** Failures before the first wait. */
const maxFailures = {
  /** Of an account from one network, from one known browser, or by its signed-in users. */
  source: 5,
  /** Of an account from all networks. It is high, so that a few strangers cannot lock the user out. */
  account: 50,
  network: 30,
  /** Ten networks. */
  wideNetwork: 300,
  /** Codes of the second factor, by a caller who has the password. A guess is right once in 300,000. */
  code: 5,
};

/** Mails that a form sends within an hour before the first wait. */
const maxMails = { address: 3, network: 20, wideNetwork: 200 };

/** The origin of an attempt at a password. */
interface Attempt {
  email: string;
  /** `CF-Connecting-IP`. */
  address: string | undefined;
  /**
   * The evidence for the browser: the id of its mark as a known browser, or `session` for a signed-in user. Such an
   * attempt has its own counter, so attempts of strangers cannot delay it.
   */
  trustedBy: string | undefined;
}

const encoder = new TextEncoder();

/** A counter: the parts of its key, the failures before the first wait, and whether a success clears all of them. */
type Counter = readonly [parts: readonly string[], maxFailures: number, isOwn?: boolean];

/**
 * Computes the counters of an attempt: their keys are MACs, so that the table holds neither addresses nor networks. A
 * rotation of the key makes all counters start again; failures count for an hour only.
 */
export function computeAttemptCounters(
  settings: Pick<Settings, 'tokenKeys'>,
  { email, address, trustedBy }: Attempt,
): Promise<AttemptCounter[]> {
  const account = email.toLowerCase();
  const { near, wide } = networksOf(address);
  return toCounters(settings, [
    ...(trustedBy === undefined
      ? ([
          [['account', account, 'from', near], maxFailures.source, true],
          [['account', account], maxFailures.account],
        ] as const)
      : ([[['account', account, 'trusted by', trustedBy], maxFailures.source, true]] as const)),
    [['network', near], maxFailures.network],
    ...(wide === undefined ? [] : [[['network', wide], maxFailures.wideNetwork] as const]),
  ]);
}

/**
 * Computes the counter of a code of a second factor: by its user, from all networks. Only a caller with the password,
 * or with the session, can make that user wait.
 */
export const computeCodeCounters = (
  settings: Pick<Settings, 'tokenKeys'>,
  userId: number,
): Promise<AttemptCounter[]> =>
  toCounters(settings, [[['code', String(userId)], maxFailures.code, true]]);

/**
 * Computes the counters of a request for a mail: by the address that gets it, whether or not it is known, and by the
 * network.
 */
export function computeMailCounters(
  settings: Pick<Settings, 'tokenKeys'>,
  { email, address }: Pick<Attempt, 'email' | 'address'>,
): Promise<AttemptCounter[]> {
  const { near, wide } = networksOf(address);
  return toCounters(settings, [
    [['mail', email.toLowerCase()], maxMails.address],
    [['mail network', near], maxMails.network],
    ...(wide === undefined ? [] : [[['mail network', wide], maxMails.wideNetwork] as const]),
  ]);
}

async function toCounters(
  { tokenKeys }: Pick<Settings, 'tokenKeys'>,
  counters: readonly Counter[],
): Promise<AttemptCounter[]> {
  const key = await deriveKey(tokenKeys.current, 'sign-in-failures/v1', 'sign');
  return Promise.all(
    counters.map(async ([parts, max, isOwn = false]) => ({
      // As JSON, so that no address can be written to look like the parts of another counter.
      key: toBase64url(await computeMac(key, encoder.encode(JSON.stringify(parts)))),
      maxFailures: max,
      isOwn,
    })),
  );
}
