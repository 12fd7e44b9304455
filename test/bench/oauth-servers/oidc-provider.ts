import { once } from 'node:events';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { pkce } from '../../support/node/oauth/link.ts';
import { freePort } from '../../support/node/runtime/free-port.ts';
import type { AuthorizationServer } from './server.ts';
import { SlowAdapter } from './slow-adapter.ts';

const redirectUri = 'https://partner.test/callback';

/** `oidc-provider` in Node, with a storage latency of 1 to 4 ms. */
export async function oidcProvider(): Promise<AuthorizationServer> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const provider = new Provider(origin, {
    adapter: SlowAdapter,
    clients: [
      {
        client_id: 'app',
        token_endpoint_auth_method: 'none',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 600, Grant: 86_400, IdToken: 600, RefreshToken: 86_400 },
    rotateRefreshToken: true,
    issueRefreshToken: () => Promise.resolve(true),
  });
  const handle = provider.callback();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    name: 'oidc-provider',
    tokenUrl: `${origin}/token`,
    client: { client_id: 'app' },
    approve: async () => {
      const client = (await provider.Client.find('app'))!;
      const grant = new provider.Grant({ accountId: 'user', clientId: 'app' });
      grant.addOIDCScope('openid offline_access');
      const code = new provider.AuthorizationCode({
        accountId: 'user',
        client,
        grantId: await grant.save(),
        gty: 'authorization_code',
        redirectUri,
        scope: 'openid offline_access',
        codeChallenge: pkce.challenge,
        codeChallengeMethod: 'S256',
      });
      return {
        code: await code.save(),
        redirect_uri: redirectUri,
        code_verifier: pkce.verifier,
      };
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
