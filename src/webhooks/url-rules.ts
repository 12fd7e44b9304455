import { hostOf, isWithin } from '../base/hosts.ts';
import { isLoopbackHost, type Settings } from '../base/settings.ts';

/**
 * Whether plain http and loopback on any port are allowed, and the hosts of this platform, which
 * are rejected.
 */
type UrlRules = Pick<Settings, 'allowLocalReceivers' | 'ownHosts'>;

/** A parsed URL of a receiver. */
interface ReceiverUrl {
  raw: string;
  url: URL;
  /** As `hostOf` gives it. */
  host: string;
  /** Loopback, where it is allowed. */
  isLocal: boolean;
  rules: UrlRules;
}

const maxUrlLength = 2_048;
const allowedPorts = new Set(['', '443', '8443']);

/** Names that are never on the public internet, with all names below them. */
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

const tooLong = `Must have at most ${maxUrlLength} characters.`;

const checks: readonly [message: string, isViolated: (receiver: ReceiverUrl) => boolean][] = [
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
  ['Must use port 443 or 8443.', ({ url, isLocal }) => !isLocal && !allowedPorts.has(url.port)],
  ['Must not be an IP address.', ({ host, isLocal }) => !isLocal && isAddress(host)],
  [
    'Must have a full domain name that the internet knows: for your own computer, use store-api listen.',
    ({ host, isLocal }) => !isLocal && !host.includes('.'),
  ],
  ['Must be a public host.', ({ host, isLocal }) => !isLocal && isWithin(host, reservedNames)],
  ['Must not be a host of this platform.', ({ host, rules }) => isWithin(host, rules.ownHosts)],
];

/**
 * Validates the text of a URL. Returns a message, or `undefined` for a URL that may receive events.
 * It looks at the result of the WHATWG parser, which `fetch` uses as well. Does not resolve names.
 */
export function validateUrl(raw: string, rules: UrlRules): string | undefined {
  // First, because the parser normalizes the host.
  if (raw.length > maxUrlLength) return tooLong;
  if (!URL.canParse(raw)) return 'Must be a URL.';
  const receiver = parseReceiverUrl(raw, rules);
  return checks.find(([, isViolated]) => isViolated(receiver))?.[0];
}

/** Throws a `TypeError` for a text that is not a URL. */
export function parseReceiverUrl(raw: string, rules: UrlRules): ReceiverUrl {
  const url = new URL(raw);
  const host = hostOf(url);
  return { raw, url, host, isLocal: rules.allowLocalReceivers && isLoopbackHost(host), rules };
}

/**
 * The address that a URL names, in one spelling (RFC 3986, section 6.2.2). The parser writes
 * scheme, port and path in one way. The dot at the end of a host, an empty query, and escapes of
 * letters and digits make no difference.
 */
export function addressOf(raw: string): string {
  if (!URL.canParse(raw)) return raw;
  const url = new URL(raw);
  url.hostname = hostOf(url);
  if (url.search === '') url.search = '';
  return url.href.replaceAll(/%[\da-f]{2}/gi, (escape) => {
    const char = String.fromCodePoint(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(char) ? char : escape.toUpperCase();
  });
}

function isWeb(protocol: string, allowLocal: boolean): boolean {
  return protocol === 'https:' || (allowLocal && protocol === 'http:');
}

// The parser has already converted every spelling of an IPv4 address to dotted decimals.
function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host);
}
