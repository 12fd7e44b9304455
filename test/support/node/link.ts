/** The challenge of RFC 7636, appendix B, and its verifier. */
export const pkce = {
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
};

/** The path of an authorization request of `demo-app`, with changes. */
export function linkTo(changed: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'demo-app',
    redirect_uri: 'http://127.0.0.1:9999/callback',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    state: 'xyz',
    ...changed,
  });
  return `/oauth/authorize?${query.toString()}`;
}
