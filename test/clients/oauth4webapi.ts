import * as oauth from 'oauth4webapi';
import type { ClientTokens, StartAuthorization } from './client.ts';

const options = { [oauth.allowInsecureRequests]: true };

const tokensOf = ({
  access_token,
  refresh_token = '',
}: oauth.TokenEndpointResponse): ClientTokens => ({
  accessToken: access_token,
  refreshToken: refresh_token,
});

export const oauth4webapi: StartAuthorization = async ({
  origin,
  clientId,
  redirectUri,
  scopes,
}) => {
  const issuer = new URL(origin);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options }),
  );
  const client = { client_id: clientId };
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const link = new URL(server.authorization_endpoint!);
  link.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: scopes.join(' '),
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  }).toString();
  return {
    link,
    async redeem(callback) {
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        oauth.validateAuthResponse(server, client, callback, state),
        redirectUri,
        verifier,
        options,
      );
      return tokensOf(await oauth.processAuthorizationCodeResponse(server, client, response));
    },
    async refresh(token) {
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        token,
        options,
      );
      return tokensOf(await oauth.processRefreshTokenResponse(server, client, response));
    },
    errorCode: (thrown) =>
      thrown instanceof oauth.ResponseBodyError ||
      thrown instanceof oauth.AuthorizationResponseError
        ? thrown.error
        : undefined,
  };
};
