import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import type { Settings } from '../../base/settings.ts';
import { parseReceiverUrl, validateUrl } from './url-rules.ts';

/**
 * Whether no public receiver has this address: it is in a special-use network (IANA registries of RFC 6890), or in
 * IPv6 space that is not assigned to the internet. Returns `true` for a text that is not an address.
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

/**
 * Checks whether a URL may receive events: first its text, then the addresses of its host. Returns a message, or
 * `undefined`. Used for registration, a new URL, resuming and pings, so it fails closed when the resolver fails. Without
 * a resolver in the settings, only the text counts.
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
export function hostToResolve(url: string, settings: UrlPolicySettings): string | undefined {
  const { host, isLocal } = parseReceiverUrl(url, settings);
  return settings.resolverUrl === '' || isLocal ? undefined : host;
}

/** Checks the addresses of a host. Returns a message, or `undefined`. Rejects when the resolver fails. */
export async function checkHost(
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

const recordTypes = { A: 1, AAAA: 28 } as const;
const noError = 0;
const noSuchName = 3;
const timeoutMs = 2_000;

/**
 * Resolves all IPv4 and IPv6 addresses of a name by DNS over HTTPS; returns an empty list when it has none. Rejects when
 * the resolver reports a failure or does not respond within 2 s.
 */
async function resolveAddresses(
  host: string,
  resolverUrl: string,
  deps: ResolverDeps,
): Promise<string[]> {
  const addresses = await Promise.all(
    Object.entries(recordTypes).map(async ([name, type]) => {
      const url = new URL(resolverUrl);
      url.searchParams.set('name', host);
      url.searchParams.set('type', name);
      const response = await deps.fetch(url.href, {
        headers: { Accept: 'application/dns-json' },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { Status: status, Answer: records } = DnsResponse.parse(await response.json());
      if (status !== noError && status !== noSuchName) {
        throw new Error(`the resolver responded with status ${status}`);
      }
      return records.filter((record) => record.type === type).map(({ data }) => data);
    }),
  );
  return addresses.flat();
}
