/** A native app's own machine (RFC 8252, section 7.3), in one spelling each. */
const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/?]|$)/;

/** First octets of addresses that are not on the public internet. */
const privateV4 =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
/** Unspecified, loopback, mapped IPv4, unique local, link local. */
const privateV6 = /^\[(?:::|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/;

/** What is wrong with a redirect URI; the pages have the words. */
export type UriProblem =
  | 'notUrl'
  | 'tooLong'
  | 'characters'
  | 'scheme'
  | 'wildcard'
  | 'fragment'
  | 'userInfo'
  | 'privateAddress';

const refusals: readonly [problem: UriProblem, applies: (url: URL, text: string) => boolean][] = [
  ['tooLong', (_url, text) => text.length > 2_048],
  ['characters', (_url, text) => /[\s\p{Cc}\\]/u.test(text)],
  [
    'scheme',
    (url, text) =>
      !/^https?:\/\//i.test(text) || (url.protocol === 'http:' && !loopback.test(text)),
  ],
  ['wildcard', (_url, text) => text.includes('*')],
  ['fragment', (_url, text) => text.includes('#')],
  ['userInfo', (_url, text) => /^https?:\/\/[^/?#]*@/i.test(text)],
  [
    'privateAddress',
    ({ hostname }, text) =>
      !loopback.test(text) && (privateV4.test(hostname) || privateV6.test(hostname)),
  ],
];

/**
 * What a partner may register as a redirect URI: the URI to store, or what is wrong with it. Other
 * alphabets in the host are stored as punycode, which is also what pages show; the rest stays as it was sent.
 */
export function registeredUri(text: string): { uri: string } | { problem: UriProblem } {
  if (!URL.canParse(text)) return { problem: 'notUrl' };
  const url = new URL(text);
  const problem = refusals.find(([, applies]) => applies(url, text))?.[0];
  if (problem !== undefined) return { problem };
  return { uri: /[^\u0020-\u007e]/.test(text) ? url.href : text };
}
