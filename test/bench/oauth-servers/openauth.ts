import { authorizeLink, pkce } from '../../support/node/oauth/link.ts';
import type { AuthorizationServer } from './server.ts';
import { startWorker } from './start-worker.ts';

const redirectUri = 'http://localhost/callback';

/** `@openauthjs/openauth` on the local KV. */
export async function openauth(): Promise<AuthorizationServer> {
  const { origin, stop } = await startWorker('openauth-worker.ts');
  return {
    name: '@openauthjs/openauth',
    tokenUrl: `${origin}/token`,
    client: { client_id: 'app' },
    approve: async () => {
      const link = authorizeLink({ client_id: 'app', redirect_uri: redirectUri });
      const authorizeResponse = await fetch(`${origin}${link.replace('/oauth', '')}`, {
        redirect: 'manual',
      });
      const Cookie = authorizeResponse.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; ');
      const callbackResponse = await fetch(
        new URL(authorizeResponse.headers.get('Location')!, origin),
        {
          redirect: 'manual',
          headers: { Cookie },
        },
      );
      return {
        code: new URL(callbackResponse.headers.get('Location')!).searchParams.get('code')!,
        redirect_uri: redirectUri,
        code_verifier: pkce.verifier,
      };
    },
    stop,
  };
}
