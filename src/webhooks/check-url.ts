import { sql } from 'drizzle-orm';
import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import { hourMs } from '../base/durations.ts';
import { log } from '../base/log.ts';
import type { Settings } from '../base/settings.ts';
import { TtlCache } from '../base/ttl-cache.ts';
import { shardBinding } from '../data/core/open-database.ts';
import { prepareSql } from '../data/core/raw.ts';
import { parseReceiverUrl, validateUrl } from './url-rules.ts';

/**
 * Whether no public receiver has this address. It is then in a special-use network (IANA registries
 * of RFC 6890), or in IPv6 space that is not assigned to the internet. Returns `true` for a text
 * that is not an address.
 */
export function isSpecialUse(text: string): boolean {
  if (!ipaddr.isValid(text)) return true;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return true;
  return address.kind() === 'ipv6' && !address.match(ipaddr.parse('2000::'), 3);
}

type UrlPolicySettings = Pick<Settings, 'allowLocalReceivers' | 'ownHosts' | 'resolverUrl'>;

export interface ResolverDeps {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

export const defaultResolverDeps: ResolverDeps = {
  // Called through the global: workerd rejects a detached `fetch`.
  fetch: (url, init) => fetch(url, init),
};

/**
 * Checks whether a URL may receive events: first its text, then the addresses of its host. Returns
 * a message, or `undefined`. Used for registration, a new URL, resuming and pings, so it fails
 * closed when the resolver fails. Without a resolver in the settings, only the text counts.
 */
export async function checkUrl(
  url: string,
  settings: UrlPolicySettings,
  deps: ResolverDeps,
): Promise<string | undefined> {
  const message = validateUrl(url, settings);
  const host = message === undefined ? hostToResolve(url, settings) : undefined;
  if (host === undefined) return message;
  try {
    return await checkHost(host, settings.resolverUrl, deps);
  } catch {
    return 'Must have a host that can be looked up; try again later.';
  }
}

/** The host to resolve; `undefined` without a resolver and for a local receiver. */
function hostToResolve(url: string, settings: UrlPolicySettings): string | undefined {
  const { host, isLocal } = parseReceiverUrl(url, settings);
  return settings.resolverUrl === '' || isLocal ? undefined : host;
}

/**
 * Checks the addresses of a host. Returns a message, or `undefined`. Rejects when the resolver
 * fails.
 */
async function checkHost(
  host: string,
  resolverUrl: string,
  deps: ResolverDeps,
): Promise<string | undefined> {
  const addresses = await resolveAddresses(host, resolverUrl, deps);
  if (addresses.length === 0) return 'Must have a host that resolves to an address.';
  return addresses.some(isSpecialUse) ? 'Must have a host with public addresses only.' : undefined;
}

/** A response of DNS over HTTPS in its JSON form. */
const DnsResponse = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
});

const recordTypes = { A: 1, AAAA: 28, TXT: 16 } as const;
const noError = 0;
const noSuchName = 3;
const timeoutMs = 2_000;

/** Resolves all IPv4 and IPv6 addresses of a name, as {@link resolveRecords}. */
async function resolveAddresses(
  host: string,
  resolverUrl: string,
  deps: ResolverDeps,
): Promise<string[]> {
  const types = ['A', 'AAAA'] as const;
  const addresses = await Promise.all(
    types.map((type) => resolveRecords({ name: host, type }, resolverUrl, deps)),
  );
  return addresses.flat();
}

/**
 * Resolves the records of a name by DNS over HTTPS; returns an empty list when it has none. Rejects
 * when the resolver reports a failure or does not respond within 2 s.
 */
export async function resolveRecords(
  { name, type }: { name: string; type: keyof typeof recordTypes },
  resolverUrl: string,
  deps: ResolverDeps,
): Promise<string[]> {
  const url = new URL(resolverUrl);
  url.searchParams.set('name', name);
  url.searchParams.set('type', type);
  const response = await deps.fetch(url.href, {
    headers: { Accept: 'application/dns-json' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { Status: status, Answer: records } = DnsResponse.parse(await response.json());
  if (status !== noError && status !== noSuchName) {
    throw new Error(`the resolver responded with status ${status}`);
  }
  return records.filter((record) => record.type === recordTypes[type]).map(({ data }) => data);
}

/** TTL of a check. */
const freshMs = hourMs;

/** How long a passed check is used while the resolver fails. */
const staleMs = 24 * hourMs;

/** The last check of a host, a row of `webhook_hosts`. Times are epoch milliseconds. */
interface HostCheck {
  checked_at: number;
  /** Time of the last check that passed. */
  passed_at: number | null;
  rejection: string | null;
}

/** Checks in the memory of the isolate, at most 5,000 hosts. */
const isolateCache = new TtlCache<HostCheck>(freshMs, 5_000);

/**
 * Creates the check that runs before every send. A check of the last hour is reused, from the
 * isolate or from the shard. While the resolver fails, a check that passed in the last 24 hours is
 * reused. The returned function returns the error to record instead of sending, or `undefined`; it
 * never rejects. Tests inject `cache`.
 */
export function createCachedHostCheck(
  env: Env,
  settings: Settings,
  deps: ResolverDeps & { now: () => number },
  cache: TtlCache<HostCheck> = isolateCache,
): (shard: number, url: string) => Promise<'blocked_url' | 'dns' | undefined> {
  return async (shard, url) => {
    const host = hostToResolve(url, settings);
    if (host === undefined) return undefined;
    const now = deps.now();
    const errorOf = ({ rejection }: HostCheck) => (rejection ? 'blocked_url' : undefined);
    const cached = cache.get(host, now);
    if (cached) return errorOf(cached.value);
    const db = shardBinding(env, shard);
    let check = await loadHostCheck(db, host);
    if (!check || check.checked_at <= now - freshMs) {
      try {
        const rejection = (await checkHost(host, settings.resolverUrl, deps)) ?? null;
        const passedAt = rejection === null ? now : (check?.passed_at ?? null);
        check = { checked_at: now, passed_at: passedAt, rejection };
        await storeHostCheck(db, host, check);
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        log('warn', 'webhook_host_not_resolved', { message });
        const isUsable = check?.rejection === null && (check.passed_at ?? 0) > now - staleMs;
        return isUsable ? undefined : check?.rejection ? 'blocked_url' : 'dns';
      }
    }
    // From the time of the check, so that every isolate repeats it after the same hour.
    cache.set(host, check, check.checked_at);
    return errorOf(check);
  };
}

/** Returns `undefined` when the database fails. */
async function loadHostCheck(db: D1Database, host: string): Promise<HostCheck | undefined> {
  const select = sql`select checked_at, passed_at, rejection from webhook_hosts where host = ${host}`;
  const row = await prepareSql(db, select)
    .first<HostCheck>()
    .catch(() => null);
  return row ?? undefined;
}

/** Never rejects: a check that is not stored is repeated. */
async function storeHostCheck(db: D1Database, host: string, check: HostCheck): Promise<void> {
  const { checked_at, passed_at, rejection } = check;
  const upsert = sql`insert into webhook_hosts (host, checked_at, passed_at, rejection)
    values (${host}, ${checked_at}, ${passed_at}, ${rejection})
    on conflict do update set checked_at = excluded.checked_at, passed_at = excluded.passed_at,
      rejection = excluded.rejection where checked_at < excluded.checked_at`;
  await prepareSql(db, upsert)
    .run()
    .catch(() => log('warn', 'webhook_host_not_stored', {}));
}
