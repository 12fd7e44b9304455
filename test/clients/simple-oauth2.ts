import { createHash, randomBytes } from 'node:crypto';
import { AuthorizationCode } from 'simple-oauth2';
import type { ClientTokens, StartAuthorization } from './client.ts';

/** The error of the underlying HTTP library, which carries the response. */
interface HttpLibraryError {
  data?: { payload?: { error?: string } };
}

const tokensOf = ({ token }: { token: Record<string, unknown> }): ClientTokens => ({
  accessToken: String(token.access_token),
  refreshToken: String(token.refresh_token),
});

export const simpleOauth2: StartAuthorization = ({ origin, clientId, redirectUri, scopes }) => {
  const client = new AuthorizationCode({
    client: { id: clientId, secret: '' },
    auth: { tokenHost: origin, tokenPath: '/oauth/token', authorizePath: '/oauth/authorize' },
    options: { authorizationMethod: 'body' },
  });
  const verifier = randomBytes(32).toString('base64url');
  const pkce = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  return Promise.resolve({
    link: client.authorizeURL({
      redirect_uri: redirectUri,
      scope: scopes,
      state: 'state',
      ...pkce,
    }),
    redeem: async ({ searchParams }) => {
      const error = searchParams.get('error');
      if (error !== null) throw Object.assign(new Error(error), { data: { payload: { error } } });
      const redemption = {
        code: searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: verifier,
      };
      return tokensOf(await client.getToken(redemption));
    },
    refresh: async (token) =>
      tokensOf(await client.createToken({ refresh_token: token, expires_in: 0 }).refresh()),
    errorCode: (thrown) => (thrown as HttpLibraryError).data?.payload?.error,
  });
};
