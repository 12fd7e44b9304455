/** A native app's own machine (RFC 8252, section 7.3), in one spelling each. */
const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/?]|$)/;

/** First octets of addresses that are not on the public internet. */
const privateV4 =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
/** Unspecified, loopback, mapped IPv4, unique local, link local. */
const privateV6 = /^\[(?:::|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/;

const refusals: readonly [sentence: string, applies: (url: URL, text: string) => boolean][] = [
  ['Must have at most 2,048 characters.', (_url, text) => text.length > 2_048],
  ['Must not contain spaces or control characters.', (_url, text) => /[\s\p{Cc}\\]/u.test(text)],
  [
    'Must start with https://, or with http:// for a loopback address.',
    (url, text) =>
      !/^https?:\/\//i.test(text) || (url.protocol === 'http:' && !loopback.test(text)),
  ],
  ['Must not contain a wildcard.', (_url, text) => text.includes('*')],
  ['Must not contain a fragment.', (_url, text) => text.includes('#')],
  ['Must not contain a user name or password.', (_url, text) => /^https?:\/\/[^/?#]*@/i.test(text)],
  [
    'Must not be a private address.',
    ({ hostname }, text) =>
      !loopback.test(text) && (privateV4.test(hostname) || privateV6.test(hostname)),
  ],
];

/**
 * What a partner may register as a redirect URI: the URI to store, or a sentence that says why not. Other
 * alphabets in the host are stored as punycode, which is also what pages show; the rest stays as it was sent.
 */
export function registeredUri(text: string): { uri: string } | { problem: string } {
  if (!URL.canParse(text)) return { problem: 'Must be a URL.' };
  const url = new URL(text);
  const problem = refusals.find(([, applies]) => applies(url, text))?.[0];
  if (problem !== undefined) return { problem };
  return { uri: /[^\u0020-\u007e]/.test(text) ? url.href : text };
}
