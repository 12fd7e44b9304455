import type { Settings } from '../settings.ts';
import type { Ports } from './clock.ts';
import { destinationOf, refusal } from './destination.ts';
import { addressesOf } from './resolve.ts';
import { isSpecialUse } from './special-use.ts';

/** What a deployment says about receivers. */
export type ReceiverSettings = Pick<Settings, 'allowLocalReceivers' | 'ownHosts' | 'resolverUrl'>;

/**
 * Why a URL may not receive events, or `undefined`: first by its text, then by the addresses of its host.
 * For registration, a change of URL, a re-enabling and a ping, so a resolver that does not answer
 * refuses. Without a resolver in the settings the text alone decides.
 */
export async function checkDestination(
  url: string,
  settings: ReceiverSettings,
  ports: Pick<Ports, 'fetch'>,
): Promise<string | undefined> {
  const reason = refusal(url, settings);
  const host = reason === undefined ? hostToResolve(url, settings) : undefined;
  if (host === undefined) return reason;
  try {
    return await refusalOfHost(host, settings.resolverUrl, ports);
  } catch {
    return 'Must have a host that can be looked up; try again later.';
  }
}

/** The host to ask the resolver for; none without a resolver, and none for a local receiver. */
export function hostToResolve(url: string, settings: ReceiverSettings): string | undefined {
  const { host, isLocal } = destinationOf(url, settings);
  return settings.resolverUrl === '' || isLocal ? undefined : host;
}

/** Why the addresses of a host speak against it. Rejects when the resolver does not answer. */
export async function refusalOfHost(
  host: string,
  resolverUrl: string,
  ports: Pick<Ports, 'fetch'>,
): Promise<string | undefined> {
  const addresses = await addressesOf(host, resolverUrl, ports);
  if (addresses.length === 0) return 'Must have a host that resolves to an address.';
  return addresses.some(isSpecialUse) ? 'Must have a host with public addresses only.' : undefined;
}
