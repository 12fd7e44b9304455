import { sessionLifetimes } from '../../base/auth-lifetimes.ts';
import { minuteMs } from '../../base/durations.ts';
import type { Settings } from '../../base/settings.ts';
import {
  type AttemptCounter,
  type NamedCounter,
  networkCounters,
  type SignInThrottle,
  toCounters,
} from '../../data/directory/sign-in-attempts.ts';
import { networksOf } from '../../http/access/rate-limit.ts';

/** After too many failures within an hour, waits double from 30 seconds to 15 minutes. */
export const signInThrottle: SignInThrottle = {
  windowMs: sessionLifetimes.failure,
  firstWaitMs: 30_000,
  maxWaitMs: 15 * 60_000,
};

/** Failures within an hour before the first wait. */
export const maxFailures = {
  /** Of an account from one network, from one known browser, or by its signed-in users. */
  source: 5,
  /** Of an account from all networks. It is high, so that a few strangers cannot lock the user out. */
  account: 50,
  network: 30,
  /** Ten networks. */
  wideNetwork: 300,
  /**
   * Codes of a user's second factor, from one network, one known browser or one session, by a caller who has the
   * password. A guess is right once in 300,000.
   */
  code: 5,
  /** Codes of a user from all networks, and as many by all known browsers and sessions that have shown no code. */
  codes: 20,
};

/** Passwords that are hashed within a minute, right or wrong. */
export const maxHashes = { account: 10, network: 30, wideNetwork: 300 };

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
  /** The passwords that are hashed; 1 unless given. */
  hashes?: number;
}

type CounterSettings = Pick<Settings, 'tokenKeys' | 'isLocal'>;

const isOwn = { takenBack: 'all' } as const;
const isTold = { isTold: true } as const;

/** A hash costs the same whether the password is right, so it is never taken back. */
const hashesOf = (hashes: number) =>
  ({ takenBack: 'nothing', fixedWindowMs: minuteMs, weight: hashes }) as const;

/** Computes the counters of an attempt at a password: its failures, which count for an hour, and its hashes. */
export function computeAttemptCounters(
  settings: CounterSettings,
  attempt: Attempt,
): Promise<AttemptCounter[]> {
  const { email, address, trustedBy } = attempt;
  const account = email.toLowerCase();
  const { near } = networksOf(address);
  return toCounters(settings, [
    ...(trustedBy === undefined
      ? ([
          [['account', account, 'from', near], maxFailures.source, isOwn],
          [['account', account], maxFailures.account],
        ] as const)
      : ([[['account', account, 'trusted by', trustedBy], maxFailures.source, isOwn]] as const)),
    ...failureNetworks(address),
    ...hashCounters(settings, attempt),
  ]);
}

/**
 * Computes the counters of hashing alone, for a password that a link sets: by the account, and by the network. Strangers
 * share a counter of the account; a browser that the account trusts has its own.
 */
export const computeHashCounters = (
  settings: CounterSettings,
  attempt: Attempt,
): Promise<AttemptCounter[]> => toCounters(settings, hashCounters(settings, attempt));

function hashCounters(
  { isLocal }: CounterSettings,
  { email, address, trustedBy = '', hashes = 1 }: Attempt,
): NamedCounter[] {
  // A local service sees no addresses.
  const isSeen = !isLocal || address !== undefined;
  const options = hashesOf(hashes);
  return [
    [['hash', email.toLowerCase(), trustedBy], maxHashes.account, options],
    ...networkCounters(isSeen ? networksOf(address) : undefined, {
      name: 'hash network',
      max: maxHashes,
      options,
    }),
  ];
}

/**
 * Computes the counters of a sign-in with a passkey alone: by the passkey and network, and by the networks, which count wrong
 * passwords as well. Without an id of a passkey, only by the networks.
 */
export function computePasskeyCounters(
  settings: Pick<Settings, 'tokenKeys'>,
  { credentialId, address }: { credentialId: string | undefined; address: string | undefined },
): Promise<AttemptCounter[]> {
  const { near } = networksOf(address);
  return toCounters(settings, [
    ...(credentialId === undefined
      ? []
      : [[['passkey', credentialId, 'from', near], maxFailures.source, isOwn] as const]),
    ...failureNetworks(address),
  ]);
}

/** The counters of wrong passwords and passkeys of a network. */
function failureNetworks(address: string | undefined): NamedCounter[] {
  const { near, wide } = networksOf(address);
  return [
    [['network', near], maxFailures.network],
    ...(wide === undefined ? [] : [[['network', wide], maxFailures.wideNetwork] as const]),
  ];
}

/**
 * Computes the counters of a code of a second factor, which only a caller with the password or the session sends. A
 * known browser and a session (`trustedBy`) have a counter of their own, so who has the password alone does not delay
 * them. Who has the cookie of a remembered device as well makes as many of both as they like. So these share another one, but
 * for sessions that have shown a code.
 */
export function computeCodeCounters(
  settings: Pick<Settings, 'tokenKeys'>,
  {
    userId,
    address,
    trustedBy,
    hasShownCode = false,
  }: {
    userId: number;
    address: string | undefined;
    trustedBy: string | undefined;
    hasShownCode?: boolean | undefined;
  },
): Promise<AttemptCounter[]> {
  const user = String(userId);
  const { near } = networksOf(address);
  return toCounters(
    settings,
    trustedBy === undefined
      ? [
          [['code', user, 'from', near], maxFailures.code, isOwn],
          [['code', user], maxFailures.codes, isTold],
        ]
      : [
          [['code', user, 'trusted by', trustedBy], maxFailures.code, isOwn],
          ...(hasShownCode
            ? []
            : [[['code', user, 'trusted'], maxFailures.codes, isTold] as const]),
        ],
  );
}
