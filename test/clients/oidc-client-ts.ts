import {
  ErrorResponse,
  InMemoryWebStorage,
  OidcClient,
  WebStorageStateStore,
} from 'oidc-client-ts';
import type { StartAuthorization } from './client.ts';

export const oidcClientTs: StartAuthorization = async ({
  origin,
  clientId,
  redirectUri,
  scopes,
}) => {
  const client = new OidcClient({
    authority: origin,
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    loadUserInfo: false,
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // The server is no OpenID provider, so nothing can be discovered.
    metadata: {
      issuer: origin,
      authorization_endpoint: `${origin}/oauth/authorize`,
      token_endpoint: `${origin}/oauth/token`,
    },
  });
  const request = await client.createSigninRequest({});
  // The library deletes the state of a request after its response, so a replay needs this copy.
  const savedState = request.state.toStorageString();
  return {
    link: request.url,
    redeem: async (callback) => {
      await client.settings.stateStore.set(request.state.id, savedState);
      const { access_token, refresh_token = '' } = await client.processSigninResponse(
        String(callback),
      );
      return { accessToken: access_token, refreshToken: refresh_token };
    },
    refresh: async (token) => {
      const { access_token, refresh_token = '' } = await client.useRefreshToken({
        state: {
          data: undefined,
          session_state: null,
          refresh_token: token,
          profile: { sub: '', iss: '', aud: '', exp: 0, iat: 0 },
        },
      });
      return { accessToken: access_token, refreshToken: refresh_token };
    },
    errorCode: (thrown) =>
      thrown instanceof ErrorResponse ? (thrown.error ?? undefined) : undefined,
  };
};
