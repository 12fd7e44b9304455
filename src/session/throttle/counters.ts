import { networksOf } from '../../access/network.ts';
import { toBase64url } from '../../crypto/base64.ts';
import { computeMac } from '../../crypto/hmac.ts';
import { deriveKey } from '../../crypto/keys.ts';
import type { AttemptCounter, SignInThrottle } from '../../db/directory/sign-in.ts';
import type { Settings } from '../../settings.ts';
import { sessionLifetimes } from '../lifetimes.ts';

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
};

/** Who tries a password. */
interface Attempt {
  email: string;
  /** `CF-Connecting-IP`. */
  address: string | undefined;
  /**
   * What vouches for the browser: the id of its mark as a known browser, or `session` for a signed-in user. Such an
   * attempt is counted apart from those of strangers, so strangers cannot make it wait.
   */
  trustedBy: string | undefined;
}

const encoder = new TextEncoder();

/**
 * Computes what an attempt is counted under: MACs, so that the table holds neither addresses nor networks. A rotation of
 * the key makes all counters start again; failures count for an hour only.
 */
export async function computeAttemptCounters(
  { tokenKeys }: Pick<Settings, 'tokenKeys'>,
  { email, address, trustedBy }: Attempt,
): Promise<AttemptCounter[]> {
  const key = await deriveKey(tokenKeys.current, 'sign-in-failures/v1', 'sign');
  const account = email.toLowerCase();
  const { near, wide } = networksOf(address);
  const counter = async (
    parts: readonly string[],
    max: number,
    isOwn = false,
  ): Promise<AttemptCounter> => ({
    // As JSON, so that no address can be written to look like the parts of another counter.
    key: toBase64url(await computeMac(key, encoder.encode(JSON.stringify(parts)))),
    maxFailures: max,
    isOwn,
  });
  return Promise.all([
    ...(trustedBy === undefined
      ? [
          counter(['account', account, 'from', near], maxFailures.source, true),
          counter(['account', account], maxFailures.account),
        ]
      : [counter(['account', account, 'trusted by', trustedBy], maxFailures.source, true)]),
    counter(['network', near], maxFailures.network),
    ...(wide === undefined ? [] : [counter(['network', wide], maxFailures.wideNetwork)]),
  ]);
}
