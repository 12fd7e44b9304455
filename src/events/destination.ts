import type { Settings } from '../settings.ts';

/**
 * Whether local receivers are admitted (plain http, and loopback on any port), and the hosts of this
 * platform: an event must not call back into it.
 */
export type DestinationRules = Pick<Settings, 'allowLocalReceivers' | 'ownHosts'>;

export interface Destination {
  raw: string;
  url: URL;
  /** Lower case, without the dot that a fully qualified name may end in. */
  host: string;
  /** Loopback, where it is allowed. */
  isLocal: boolean;
  rules: DestinationRules;
}

const longest = 2_048;
const ports = new Set(['', '443', '8443']);
const loopback = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Names, and everything below them, that never belong to a receiver on the public internet. */
const reservedNames = [
  'localhost',
  'localdomain',
  'local',
  'lan',
  'internal',
  'arpa',
  'onion',
  'workers.dev',
  'instance-data',
  'metadata.azure.com',
  'metadata.packet.net',
  'metadata.tencentyun.com',
];

const refusals: readonly [reason: string, applies: (to: Destination) => boolean][] = [
  [`Must have at most ${longest} characters.`, ({ raw }) => raw.length > longest],
  ['Must not contain spaces or control characters.', ({ raw }) => /[\s\p{Cc}]/u.test(raw)],
  [
    'Must start with https://.',
    ({ url, rules }) => !isWeb(url.protocol, rules.allowLocalReceivers),
  ],
  [
    'Must not contain a user name or password.',
    ({ url }) => `${url.username}${url.password}` !== '',
  ],
  ['Must not contain a fragment.', ({ raw }) => raw.includes('#')],
  ['Must use port 443 or 8443.', ({ url, isLocal }) => !isLocal && !ports.has(url.port)],
  ['Must not be an IP address.', ({ host, isLocal }) => !isLocal && isAddress(host)],
  ['Must have a full domain name.', ({ host, isLocal }) => !isLocal && !host.includes('.')],
  ['Must be a public host.', ({ host, isLocal }) => !isLocal && isWithin(host, reservedNames)],
  ['Must not be a host of this platform.', ({ host, rules }) => isWithin(host, rules.ownHosts)],
];

/**
 * Why a URL may not receive events, or `undefined` when nothing in its text speaks against it. It judges
 * what the WHATWG parser made of the URL, which is also what `fetch` will connect to. Names are not resolved.
 */
export function refusal(raw: string, rules: DestinationRules): string | undefined {
  if (!URL.canParse(raw)) return 'Must be a URL.';
  const destination = destinationOf(raw, rules);
  return refusals.find(([, applies]) => applies(destination))?.[0];
}

/** What a URL comes down to. Throws for a text that is none. */
export function destinationOf(raw: string, rules: DestinationRules): Destination {
  const url = new URL(raw);
  const host = url.hostname.toLowerCase().replace(/\.+$/, '');
  return { raw, url, host, isLocal: rules.allowLocalReceivers && loopback.test(host), rules };
}

function isWeb(protocol: string, allowLocal: boolean): boolean {
  return protocol === 'https:' || (allowLocal && protocol === 'http:');
}

// The parser has already folded every spelling of an IPv4 address into the dotted one.
function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host);
}

function isWithin(host: string, names: readonly string[]): boolean {
  return names.some((name) => host === name || host.endsWith(`.${name}`));
}
