const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/.*)?$/;

/**
 * Whether a redirect URI is the registered one: byte for byte, except that the port of `http://127.0.0.1`
 * and `http://[::1]` is free, since a native app takes the one it gets (RFC 8252, section 7.3).
 */
export function isRegisteredUri(registered: string, sent: string): boolean {
  if (sent === registered) return true;
  const [one, other] = [loopback.exec(registered), loopback.exec(sent)];
  if (!one || !other || !URL.canParse(sent)) return false;
  return one[1] === other[1] && one[2] === other[2];
}
