import {
  ErrorResponse,
  InMemoryWebStorage,
  OidcClient,
  WebStorageStateStore,
} from 'oidc-client-ts';
import type { Begin } from './client.ts';

export const oidcClientTs: Begin = async ({ origin, clientId, redirectUri, scopes }) => {
  const client = new OidcClient({
    authority: origin,
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    loadUserInfo: false,
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // Of OpenID Connect there is nothing to discover.
    metadata: {
      issuer: origin,
      authorization_endpoint: `${origin}/oauth/authorize`,
      token_endpoint: `${origin}/oauth/token`,
    },
  });
  const request = await client.createSigninRequest({});
  // It forgets a request with its answer, so a replay needs the state that was kept.
  const kept = request.state.toStorageString();
  return {
    link: request.url,
    redeem: async (callback) => {
      await client.settings.stateStore.set(request.state.id, kept);
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
