import { randomUUID } from 'node:crypto';
import {
  discoverAuthorizationServerMetadata,
  exchangeAuthorization,
  refreshAuthorization,
  startAuthorization,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { AccessDeniedError, OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { ClientTokens, StartAuthorization } from './client.ts';

const tokensOf = ({ access_token, refresh_token = '' }: OAuthTokens): ClientTokens => ({
  accessToken: access_token,
  refreshToken: refresh_token,
});

export const mcpSdk: StartAuthorization = async ({ origin, clientId, redirectUri, scopes }) => {
  const metadata = await discoverAuthorizationServerMetadata(origin);
  if (!metadata) throw new Error('no metadata found');
  const clientInformation = { client_id: clientId };
  const state = randomUUID();
  const { authorizationUrl, codeVerifier } = await startAuthorization(origin, {
    metadata,
    clientInformation,
    redirectUrl: redirectUri,
    scope: scopes.join(' '),
    state,
  });
  return {
    link: authorizationUrl,
    // This library leaves reading the callback to its user.
    redeem: async ({ searchParams }) => {
      if (searchParams.get('state') !== state) throw new Error('wrong state');
      if (searchParams.get('error') === 'access_denied') throw new AccessDeniedError('');
      return tokensOf(
        await exchangeAuthorization(origin, {
          metadata,
          clientInformation,
          authorizationCode: searchParams.get('code') ?? '',
          codeVerifier,
          redirectUri,
        }),
      );
    },
    refresh: async (refreshToken) =>
      tokensOf(await refreshAuthorization(origin, { metadata, clientInformation, refreshToken })),
    errorCode: (thrown) => (thrown instanceof OAuthError ? thrown.errorCode : undefined),
  };
};
