import { createHash, randomBytes } from 'node:crypto';
import ClientOAuth2 from 'client-oauth2';
import type { ClientTokens, StartAuthorization } from './client.ts';

const tokensOf = ({ accessToken, refreshToken }: ClientOAuth2.Token): ClientTokens => ({
  accessToken,
  refreshToken,
});

export const clientOauth2: StartAuthorization = ({ origin, clientId, redirectUri, scopes }) => {
  const verifier = randomBytes(32).toString('base64url');
  const client = new ClientOAuth2({
    clientId,
    accessTokenUri: `${origin}/oauth/token`,
    authorizationUri: `${origin}/oauth/authorize`,
    redirectUri,
    scopes,
    state: randomBytes(16).toString('base64url'),
    body: { client_id: clientId, code_verifier: verifier },
    query: {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    },
  });
  return Promise.resolve({
    link: client.code.getUri(),
    redeem: async (callback) => tokensOf(await client.code.getToken(String(callback))),
    refresh: async (token) =>
      tokensOf(
        // Without this header it would send Basic credentials.
        await client
          .createToken('', token, 'bearer', {})
          .refresh({ headers: { Authorization: '' } }),
      ),
    errorCode: (thrown) => (thrown as { body?: { error?: string } }).body?.error,
  });
};
