import ClientOAuth2 from 'client-oauth2';
import { createHash, randomBytes } from 'node:crypto';
import type { Begin, Tokens } from './client.ts';

const tokensOf = ({ accessToken, refreshToken }: ClientOAuth2.Token): Tokens => ({
  accessToken,
  refreshToken,
});

export const clientOauth2: Begin = ({ origin, clientId, redirectUri, scopes }) => {
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
        // It would send Basic credentials, which an app without a secret does not have.
        await client
          .createToken('', token, 'bearer', {})
          .refresh({ headers: { Authorization: '' } }),
      ),
    errorCode: (thrown) => (thrown as { body?: { error?: string } }).body?.error,
  });
};
