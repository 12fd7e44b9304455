import { dayMs } from '../../base/durations.ts';
import type { Settings } from '../../base/settings.ts';
import type { AttemptCounter, AttemptLimit } from '../../data/directory/attempt-counters.ts';
import type { SessionUser } from '../../data/directory/sessions.ts';
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

type Place = Pick<Settings, 'isLocal'>;

const counter = (limit: AttemptLimit, ...of: string[]): AttemptCounter => ({ limit, of });

/** The counters of a client's networks, the near and the wide one. */
function networkCounters(
  limit: AttemptLimit,
  address: string | undefined,
  weight = 1,
): AttemptCounter[] {
  const { near, wide } = networksOf(address);
  return [
    { limit, of: [near], weight },
    ...(wide === undefined ? [] : [{ limit, of: [wide], weight, isWide: true }]),
  ];
}

/** The same, but none in a local service, which sees no addresses. */
const seenNetworks = (
  { isLocal }: Place,
  ...[limit, address, weight]: Parameters<typeof networkCounters>
) => (isLocal && address === undefined ? [] : networkCounters(limit, address, weight));

/** The counters of an attempt at a password: its failures, and its hashes. */
export function passwordCounters(settings: Place, attempt: Attempt): AttemptCounter[] {
  const { email, address, trustedBy } = attempt;
  const account = email.toLowerCase();
  return [
    ...(trustedBy === undefined
      ? [counter('source', account, networksOf(address).near), counter('account', account)]
      : [counter('source', account, 'trusted by', trustedBy)]),
    ...networkCounters('network', address),
    ...hashCounters(settings, attempt),
  ];
}

/**
 * The counters of hashing alone, for a password that a link sets. Strangers share a counter of the
 * account; a browser that the account trusts has its own.
 */
export const hashCounters = (
  settings: Place,
  { email, address, trustedBy = '', hashes = 1 }: Attempt,
): AttemptCounter[] => [
  { limit: 'hash', of: [email.toLowerCase(), trustedBy], weight: hashes },
  ...seenNetworks(settings, 'hashNetwork', address, hashes),
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
  ...networkCounters('network', address),
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

/** How long an account is new. */
export const newForMs = 7 * dayMs;

/**
 * The counters of a request for a mail: of the address that gets it, of the network, and of the
 * user who causes it. An address counts whether or not it is known. Mails of users are counted
 * apart, so that invitations delay no reset.
 */
export function mailCounters(
  settings: Place,
  { email, address, user }: Omit<Attempt, 'trustedBy'> & { user: SessionUser | undefined },
  now: number,
): AttemptCounter[] {
  const cause = user ? [String(user.id)] : [];
  const isNew = user && !user.isOperator && now - user.createdAt < newForMs;
  return [
    counter('mail', email.toLowerCase(), user ? 'of a user' : ''),
    ...seenNetworks(settings, 'mailNetwork', address),
    ...cause.map((id) => counter('mailsOf', id)),
    ...(isNew ? cause.map((id) => counter('firstMailsOf', id)) : []),
  ];
}
