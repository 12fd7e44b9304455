/** The example challenge of RFC 7636, appendix B, with its verifier. */
export const pkce = {
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
};

/** Returns the path of an authorization request of `demo-app`, with overrides of its parameters. */
export function authorizeLink(overrides: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'demo-app',
    redirect_uri: 'http://127.0.0.1:9999/callback',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    state: 'xyz',
    ...overrides,
  });
  return `/oauth/authorize?${query.toString()}`;
}

/** Registers an assistant at a running service as an assistant does; returns its client id. */
export async function registerAssistant(origin: string, redirectUri: string): Promise<string> {
  const response = await fetch(`${origin}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Editor', redirect_uris: [redirectUri] }),
  });
  const { client_id } = (await response.json()) as { client_id: string };
  return client_id;
}
