import type { Settings } from '../../base/settings.ts';
import {
  hasNoAddress,
  networkCounters,
  type AttemptCounter,
  type AttemptLimit,
} from '../../data/directory/attempt-counters.ts';
import { networksOf } from '../../http/access/rate-limit.ts';

/** The origin of an attempt at a password. */
interface Attempt {
  email: string;
  /** `CF-Connecting-IP`. */
  address: string | undefined;
  /**
   * The evidence for the browser: the id of its mark as a known browser, or `session` for a
   * signed-in user. Such an attempt has its own counter, so attempts of strangers cannot delay it.
   */
  trustedBy?: string | undefined;
  /** The passwords that are hashed; 1 unless given. */
  hashes?: number;
}

type Locality = Pick<Settings, 'isLocal'>;

const counter = (limit: AttemptLimit, ...of: string[]): AttemptCounter => ({ limit, of });

/** The counters of an attempt at a password: its failures, and its hashes. */
export function passwordCounters(settings: Locality, attempt: Attempt): AttemptCounter[] {
  const { email, address, trustedBy } = attempt;
  const account = email.toLowerCase();
  return [
    ...(trustedBy === undefined
      ? [counter('source', account, networksOf(address).near), counter('account', account)]
      : [counter('source', account, 'trusted by', trustedBy)]),
    ...networkCounters('network', networksOf(address)),
    ...hashCounters(settings, attempt),
  ];
}

/**
 * The counters of hashing alone, for a password that a link sets. Strangers share a counter of the
 * account; a browser that the account trusts has its own.
 */
export const hashCounters = (
  settings: Locality,
  { email, address, trustedBy = '', hashes = 1 }: Attempt,
): AttemptCounter[] => [
  { limit: 'hash', of: [email.toLowerCase(), trustedBy], weight: hashes },
  ...(hasNoAddress(settings, address)
    ? []
    : networkCounters('hashNetwork', networksOf(address), hashes)),
];

/**
 * The counters of a sign-in with a passkey alone. Without an id of a passkey, only those of the
 * networks.
 */
export const passkeyCounters = (
  credentialId: string | undefined,
  address: string | undefined,
): AttemptCounter[] => [
  ...(credentialId === undefined
    ? []
    : [counter('passkey', credentialId, networksOf(address).near)]),
  ...networkCounters('network', networksOf(address)),
];

/** The origin of a code of a second factor. */
interface CodeAttempt {
  userId: number;
  address: string | undefined;
  trustedBy: string | undefined;
  /** The session has shown a code before. */
  hasShownCode?: boolean | undefined;
}

/**
 * The counters of a code of a second factor, which only a caller with the password or the session
 * sends. A known browser and a session (`trustedBy`) have a counter of their own, so who has the
 * password alone does not delay them. Who has the cookie of a remembered device as well makes as
 * many of both as they like. So these share another one, but for sessions that have shown a code.
 */
export function codeCounters({
  userId,
  address,
  trustedBy,
  hasShownCode,
}: CodeAttempt): AttemptCounter[] {
  const user = String(userId);
  if (trustedBy === undefined) {
    return [counter('code', user, networksOf(address).near), counter('codes', user)];
  }
  const shared = hasShownCode ? [] : [counter('codes', user, 'trusted')];
  return [counter('code', user, 'trusted by', trustedBy), ...shared];
}
