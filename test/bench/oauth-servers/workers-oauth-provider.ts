import { authorizeLink, pkce } from '../../support/node/oauth/link.ts';
import type { AuthorizationServer } from './server.ts';
import { startWorker } from './start-worker.ts';

const redirectUri = 'https://partner.test/callback';

/**
 * `@cloudflare/workers-oauth-provider` on the local KV, which is more consistent than the real one.
 */
export async function workersOauthProvider(): Promise<AuthorizationServer> {
  const { origin, stop } = await startWorker('workers-oauth-provider-worker.ts');
  const registered = await fetch(`${origin}/client`);
  const { clientId } = (await registered.json()) as { clientId: string };
  return {
    name: '@cloudflare/workers-oauth-provider',
    tokenUrl: `${origin}/oauth/token`,
    client: { client_id: clientId },
    approve: async () => {
      const link = authorizeLink({ client_id: clientId, redirect_uri: redirectUri, scope: 'read' });
      const response = await fetch(`${origin}${link.replace('/oauth', '')}`);
      const { redirectTo } = (await response.json()) as { redirectTo: string };
      return {
        code: new URL(redirectTo).searchParams.get('code')!,
        redirect_uri: redirectUri,
        code_verifier: pkce.verifier,
      };
    },
    stop,
  };
}
