/**
 * A redirect URI with parameters after its own query, which stays as it is (RFC 6749, section 4.1.2). What
 * is `undefined` is left out.
 */
export function redirectBack(
  { redirectUri }: { redirectUri: string },
  params: Record<string, string | undefined>,
): string {
  const sent = Object.entries(params).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const joint = redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${/[?&]$/.test(redirectUri) ? '' : joint}${new URLSearchParams(sent).toString()}`;
}
