import { hostOf, hostWithPort } from '../base/hosts.ts';
import { isLoopbackHost } from '../base/settings.ts';
import { isAgent, type App } from '../data/directory/apps.ts';

/**
 * The loopback interface of the user's device (RFC 8252, section 7.3), each host in one spelling.
 */
const registrableLoopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/?]|$)/;

/** First octets of addresses that are not on the public internet. */
const privateV4 =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

/** The reason why a redirect URI cannot be registered. The pages have a message for each. */
type RedirectUriIssue =
  | 'notUrl'
  | 'tooLong'
  | 'characters'
  | 'scheme'
  | 'wildcard'
  | 'fragment'
  | 'userInfo'
  | 'host'
  | 'privateAddress';

const registrationRules: readonly [
  issue: RedirectUriIssue,
  isViolated: (url: URL, text: string) => boolean,
][] = [
  ['characters', (_url, text) => /[\s\p{Cc}\\]/u.test(text)],
  [
    'scheme',
    (url, text) =>
      !/^https?:\/\/(?!\/)/i.test(text) ||
      (url.protocol === 'http:' && !registrableLoopback.test(text)),
  ],
  ['wildcard', (_url, text) => text.includes('*')],
  ['fragment', (_url, text) => text.includes('#')],
  ['userInfo', (_url, text) => /^https?:\/\/[^/?#]*@/i.test(text)],
  // The host stands in a Content-Security-Policy, where ";" and "'" mean something.
  [
    'host',
    ({ hostname }, text) => !/^[a-z0-9.-]+$/.test(hostname) && !registrableLoopback.test(text),
  ],
  [
    'privateAddress',
    ({ hostname }, text) => !registrableLoopback.test(text) && privateV4.test(hostname),
  ],
];

/**
 * Checks a redirect URI that a partner registers; returns the URI to store, or what is wrong with
 * it. A host in other alphabets is stored as punycode, which pages also show. Everything else is
 * stored as it was sent.
 */
export function validateRedirectUri(text: string): { uri: string } | { problem: RedirectUriIssue } {
  // First, because the parser normalizes the host.
  if (text.length > 2_048) return { problem: 'tooLong' };
  if (!URL.canParse(text)) return { problem: 'notUrl' };
  const url = new URL(text);
  const problem = registrationRules.find(([, isViolated]) => isViolated(url, text))?.[0];
  if (problem !== undefined) return { problem };
  return { uri: /[^\u0020-\u007e]/.test(text) ? url.href : text };
}

/** Programs that assistants run in, and whose schemes no other program takes. */
const knownSchemes = new Set(['cursor', 'vscode', 'vscode-insiders', 'windsurf']);

/**
 * Whether an address opens a program of the device by its own scheme (RFC 8252, section 7.1). It is
 * one that is named after a domain, or a known one. No such scheme runs scripts.
 */
export const isProgramUri = (text: string): boolean => {
  if (text.length > 2_048 || /[\s\p{Cc}\\#*]/u.test(text)) return false;
  const [, scheme = '', authority = ''] = /^([a-z][a-z0-9.-]*):\/(?:\/([^/?]*))?/.exec(text) ?? [];
  const isKnown = knownSchemes.has(scheme) || /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/.test(scheme);
  return isKnown && /^[a-z0-9.-]*$/.test(authority) && URL.canParse(text);
};

/** How a program of a person's device is stored where others have a host. */
export const deviceHost = '127.0.0.1';

/** Whether an address leads to a program of the person's device. */
export const isThisDevice = (redirectUri: string) =>
  isProgramUri(redirectUri) || isLoopbackHost(hostOf(new URL(redirectUri)));

/** The hosts of addresses, without the device. */
export const hostsOf = (redirectUris: readonly string[]) =>
  redirectUris.map((uri) => (isThisDevice(uri) ? deviceHost : hostOf(new URL(uri))));

/**
 * Whether a redirect URI is registered for the app (RFC 9700, section 4.1.3) and keeps the rules of
 * today. Agents have the port of `localhost` free as well, and the schemes of programs.
 */
export const hasRedirectUri = (app: App, redirectUri: string) =>
  ('uri' in validateRedirectUri(redirectUri) || (isAgent(app) && isProgramUri(redirectUri))) &&
  app.redirect_uris.some((registered) =>
    matchesRegisteredUri(registered, redirectUri, isAgent(app) ? agentLoopbackUri : loopbackUri),
  );

const loopbackUri = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/.*)?$/;
const agentLoopbackUri = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/.*)?$/;

/**
 * Compares byte for byte, except that the port of `http://127.0.0.1` and `http://[::1]` is free. A
 * native app listens on a port that the system assigns (RFC 8252, section 7.3).
 */
function matchesRegisteredUri(registered: string, sent: string, loopback: RegExp): boolean {
  if (sent === registered) return true;
  const [one, other] = [loopback.exec(registered), loopback.exec(sent)];
  if (!one || !other || !URL.canParse(sent)) return false;
  return one[1] === other[1] && one[2] === other[2];
}

/** How pages and the Content-Security-Policy name the target of a redirect. */
interface RedirectTarget {
  host: string;
  /** Whether a program on the merchant's own device listens there. */
  isThisDevice: boolean;
  /** Source expression of the Content-Security-Policy. */
  source: string;
}

/** Describes a registered redirect URI. */
export function describeRedirectTarget(redirectUri: string): RedirectTarget {
  const url = new URL(redirectUri);
  const { hostname, origin, protocol } = url;
  if (isProgramUri(redirectUri)) return { host: protocol, isThisDevice: true, source: protocol };
  return {
    host: hostWithPort(url),
    isThisDevice: isThisDevice(redirectUri),
    // The grammar of the policy has no IPv6 address (CSP Level 3, section 2.3.1).
    source: hostname.startsWith('[') ? protocol : origin,
  };
}
