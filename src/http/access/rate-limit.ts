import type { MiddlewareHandler } from 'hono';
import ipaddr from 'ipaddr.js';
import { formatPolicy, tooManyRequests, type RatePolicy } from '../../base/errors.ts';
import { settingsOf } from '../../base/settings.ts';

/** A limiter of the location (`[[ratelimits]]` in wrangler.toml). */
interface Limiter {
  binding: keyof Env & `${string}_LIMIT`;
  /**
   * The name of the limit for clients. Which of a credential's two limits holds depends on the
   * operation only.
   */
  policy: string;
  /** The limiter of the wide network. */
  wide?: string;
}

const limiters = {
  /** The requests of a credential, by store and tag. */
  api: { binding: 'API_LIMIT', policy: 'credential' },
  /** The requests of a credential without a store, and forms of a user. */
  me: { binding: 'ME_LIMIT', policy: 'credential' },
  /** The requests of all credentials for one store. */
  store: { binding: 'STORE_LIMIT', policy: 'store' },
  failedAuth: { binding: 'FAILED_AUTH_LIMIT', policy: 'failed-auth', wide: 'failedAuthWide' },
  failedAuthWide: { binding: 'FAILED_AUTH_WIDE_LIMIT', policy: 'failed-auth-wide' },
  pages: { binding: 'PAGES_LIMIT', policy: 'pages', wide: 'pagesWide' },
  pagesWide: { binding: 'PAGES_WIDE_LIMIT', policy: 'pages-wide' },
  /** Revocation requests for one grant. */
  revocations: { binding: 'REVOCATIONS_LIMIT', policy: 'revocations' },
  /** Agents that register themselves. */
  registrations: {
    binding: 'REGISTRATIONS_LIMIT',
    policy: 'registrations',
    wide: 'registrationsWide',
  },
  registrationsWide: { binding: 'REGISTRATIONS_WIDE_LIMIT', policy: 'registrations-wide' },
} as const satisfies Record<string, Limiter>;

type LimitKind = keyof typeof limiters;

/** Limits per minute. */
export type RateLimits = Readonly<Record<LimitKind, number>>;

/** The context in which a limit is enforced. `now` is epoch milliseconds. */
interface RateLimitContext {
  env: Env;
  limits: RateLimits;
  now: number;
}

/** The window of every limiter, in seconds. */
const windowSeconds = 60;

const policyOf = (limits: RateLimits, kind: LimitKind, quota = limits[kind]): RatePolicy => ({
  name: limiters[kind].policy,
  quota,
  seconds: windowSeconds,
});

/**
 * The limits that count a request: of its credential and store, of its credential only, or of its
 * network, as long as it is refused.
 */
const countedBy = {
  store: ['api', 'store'],
  credential: ['me'],
  network: ['failedAuth'],
} as const satisfies Record<string, readonly LimitKind[]>;

const policyHeaders = new WeakMap<RateLimits, Record<keyof typeof countedBy, string>>();

/**
 * The header `RateLimit-Policy`, built once for all requests that are counted alike. A store may
 * have its own limit.
 */
export function rateLimitPolicy(
  limits: RateLimits,
  counted: keyof typeof countedBy,
  ofStore = limits.store,
): string {
  if (counted === 'store' && ofStore !== limits.store) {
    return [policyOf(limits, 'api'), policyOf(limits, 'store', ofStore)]
      .map(formatPolicy)
      .join(', ');
  }
  let headers = policyHeaders.get(limits);
  if (!headers) {
    const format = (kinds: readonly LimitKind[]) =>
      kinds.map((kind) => formatPolicy(policyOf(limits, kind))).join(', ');
    headers = {
      store: format(countedBy.store),
      credential: format(countedBy.credential),
      network: format(countedBy.network),
    };
    policyHeaders.set(limits, headers);
  }
  return headers[counted];
}

/** The share of a limit that an isolate allows on its own count, without asking the limiter. */
const localShare = 0.1;

/**
 * Keys of one kind that an isolate counts in one window. Further keys have no local share, so they
 * reset no count.
 */
const maxCountedKeys = 10_000;

let windowStart = 0;
const countsByKind = new Map<LimitKind, Map<string, number>>();

/** The counts of the current window. */
function countsOf(kind: LimitKind, now: number): Map<string, number> {
  // A clock that was set back starts a new window, too.
  if (Math.abs(now - windowStart) >= windowSeconds * 1000) {
    windowStart = now;
    countsByKind.clear();
  }
  let counts = countsByKind.get(kind);
  if (!counts) countsByKind.set(kind, (counts = new Map()));
  return counts;
}

/**
 * Counts a request against a limit per minute, `weight` times; throws a 429 beyond it. Only keys
 * that are busy in this isolate ask the limiter of the location, so other requests do not wait for
 * it. Each isolate can therefore allow its local share on top of the limit.
 *
 * The limiter has one limit for all keys. A larger `quota` is spread over several keys by chance,
 * and a request counts there as a part of their sum.
 */
export async function enforceRateLimit(
  { env, limits, now }: RateLimitContext,
  kind: LimitKind,
  key: string,
  weight = 1,
  quota = limits[kind],
): Promise<void> {
  const counts = countsOf(kind, now);
  const counted = counts.get(key);
  if (counted !== undefined || counts.size < maxCountedKeys) {
    const count = (counted ?? 0) + weight;
    counts.set(key, count);
    if (count <= quota * localShare) return;
  }
  const limiter = env[limiters[kind].binding];
  const keys = Math.ceil(quota / limits[kind]);
  const keyPart = keys === 1 ? key : `${key}/${Math.floor(Math.random() * keys)}`;
  const exact = (weight * keys * limits[kind]) / quota;
  const length = Math.floor(exact) + Number(Math.random() < exact % 1);
  const outcomes = await Promise.all(Array.from({ length }, () => limiter.limit({ key: keyPart })));
  if (outcomes.some(({ success }) => !success))
    throw tooManyRequests(policyOf(limits, kind, quota));
}

/**
 * Throws a 429 if this isolate alone has counted more than a limit. Counts nothing and asks no
 * limiter.
 */
export function assertWithinLimit(
  { limits, now }: RateLimitContext,
  kind: LimitKind,
  key: string,
  max = limits[kind],
): void {
  if ((countsOf(kind, now).get(key) ?? 0) > max) {
    throw tooManyRequests(policyOf(limits, kind, max));
  }
}

/** The limits of a network that have another of the wide network. */
type NetworkKind = 'failedAuth' | 'pages' | 'registrations';

/**
 * Counts a request of a client address against the limits of its networks; throws a 429 beyond one
 * of them.
 */
export async function enforceNetworkLimit(
  context: RateLimitContext,
  kind: NetworkKind,
  address: string | null | undefined,
): Promise<void> {
  const { near, wide } = networksOf(address);
  await enforceRateLimit(context, kind, near);
  // Counts only requests within the limit of the near network, so that one network does not use up
  // the limit of the others.
  if (wide !== undefined) await enforceRateLimit(context, limiters[kind].wide, wide);
}

/**
 * Throws a 429 if this isolate has counted more for a client's network than the limit of a wide
 * one. That is ten times what is allowed, so that an honest neighbour hardly ever meets it. Counts
 * nothing.
 */
export function assertNoFlood(
  context: RateLimitContext,
  kind: NetworkKind,
  address: string | null | undefined,
): void {
  const { near, wide } = networksOf(address);
  const max = context.limits[limiters[kind].wide];
  assertWithinLimit(context, kind, near, max);
  if (wide !== undefined) assertWithinLimit(context, limiters[kind].wide, wide, max);
}

/** The networks that a client is counted under. */
interface ClientNetworks {
  /** An IPv4 address or the /64 of an IPv6 address. A client usually controls all of it. */
  near: string;
  /** The /48 of an IPv6 address, since many connections come with one; absent for IPv4. */
  wide?: string;
}

/**
 * Returns the networks of a client address (`CF-Connecting-IP`). An IPv4 address inside IPv6 counts
 * as IPv4. All missing and malformed addresses share one network.
 */
export function networksOf(address: string | null | undefined): ClientNetworks {
  if (!address || !ipaddr.isValid(address)) return { near: 'unknown' };
  const parsed = ipaddr.process(address);
  if (!('parts' in parsed)) return { near: parsed.toString() };
  const prefix = (groups: number) =>
    `${parsed.parts
      .slice(0, groups)
      .map((part) => part.toString(16))
      .join(':')}::/${groups * 16}`;
  return { near: prefix(4), wide: prefix(3) };
}

/**
 * Middleware: limits the page requests of a network, before any lookup. An invented cookie costs
 * its sender nothing, but each one costs a lookup. Throws a 429.
 */
export const limitPages: MiddlewareHandler<{ Bindings: Env }> = async (c, next) => {
  const { limits } = settingsOf(c.env);
  const address = c.req.header('CF-Connecting-IP');
  await enforceNetworkLimit({ env: c.env, limits, now: Date.now() }, 'pages', address);
  await next();
};
