import * as client from 'openid-client';
import type { ClientTokens, StartAuthorization } from './client.ts';

const tokensOf = ({
  access_token,
  refresh_token = '',
}: client.TokenEndpointResponse): ClientTokens => ({
  accessToken: access_token,
  refreshToken: refresh_token,
});

export const openidClient: StartAuthorization = async ({
  origin,
  clientId,
  redirectUri,
  scopes,
}) => {
  const config = await client.discovery(new URL(origin), clientId, undefined, client.None(), {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  });
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  return {
    link: client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    }),
    redeem: async (callback) =>
      tokensOf(
        await client.authorizationCodeGrant(config, callback, {
          pkceCodeVerifier: verifier,
          expectedState: state,
        }),
      ),
    refresh: async (token) => tokensOf(await client.refreshTokenGrant(config, token)),
    errorCode: (thrown) =>
      thrown instanceof client.ResponseBodyError ||
      thrown instanceof client.AuthorizationResponseError
        ? thrown.error
        : undefined,
  };
};
