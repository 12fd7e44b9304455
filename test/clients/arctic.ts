import {
  CodeChallengeMethod,
  generateCodeVerifier,
  generateState,
  OAuth2Client,
  OAuth2RequestError,
  type OAuth2Tokens,
} from 'arctic';
import type { ClientTokens, StartAuthorization } from './client.ts';

const tokensOf = (tokens: OAuth2Tokens): ClientTokens => {
  // Throws unless expires_in is a number.
  tokens.accessTokenExpiresInSeconds();
  return { accessToken: tokens.accessToken(), refreshToken: tokens.refreshToken() };
};

export const arctic: StartAuthorization = ({ origin, clientId, redirectUri, scopes }) => {
  const client = new OAuth2Client(clientId, null, redirectUri);
  const endpoint = `${origin}/oauth/token`;
  const verifier = generateCodeVerifier();
  const state = generateState();
  const link = client.createAuthorizationURLWithPKCE(
    `${origin}/oauth/authorize`,
    state,
    CodeChallengeMethod.S256,
    verifier,
    scopes,
  );
  return Promise.resolve({
    link,
    // This library leaves reading the callback to its user.
    redeem: async ({ searchParams }) => {
      if (searchParams.get('state') !== state) throw new Error('wrong state');
      const error = searchParams.get('error');
      if (error !== null) throw new OAuth2RequestError(error, null, null, state);
      const code = searchParams.get('code') ?? '';
      return tokensOf(await client.validateAuthorizationCode(endpoint, code, verifier));
    },
    refresh: async (token) => tokensOf(await client.refreshAccessToken(endpoint, token, [])),
    errorCode: (thrown) => (thrown instanceof OAuth2RequestError ? thrown.code : undefined),
  });
};
