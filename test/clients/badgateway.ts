import { randomUUID } from 'node:crypto';
import {
  generateCodeVerifier,
  OAuth2Client,
  OAuth2Error,
  OAuth2HttpError,
  type OAuth2Token,
} from '@badgateway/oauth2-client';
import type { ClientTokens, StartAuthorization } from './client.ts';

const tokensOf = ({ accessToken, refreshToken }: OAuth2Token): ClientTokens => ({
  accessToken,
  refreshToken: refreshToken ?? '',
});

export const badgateway: StartAuthorization = async ({ origin, clientId, redirectUri, scopes }) => {
  const client = new OAuth2Client({
    server: origin,
    clientId,
    discoveryEndpoint: '/.well-known/oauth-authorization-server',
  });
  const codeVerifier = await generateCodeVerifier();
  const state = randomUUID();
  return {
    link: await client.authorizationCode.getAuthorizeUri({
      redirectUri,
      state,
      codeVerifier,
      scope: scopes,
    }),
    redeem: async (callback) =>
      tokensOf(
        await client.authorizationCode.getTokenFromCodeRedirect(callback, {
          redirectUri,
          state,
          codeVerifier,
        }),
      ),
    refresh: async (token) =>
      tokensOf(
        await client.refreshToken({ accessToken: '', expiresAt: null, refreshToken: token }),
      ),
    errorCode: (thrown) =>
      thrown instanceof OAuth2HttpError || thrown instanceof OAuth2Error
        ? thrown.oauth2Code
        : undefined,
  };
};
