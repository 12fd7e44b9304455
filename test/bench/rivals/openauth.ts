import { linkTo, pkce } from '../../support/node/link.ts';
import type { Rival } from './rival.ts';
import { startWorker } from './start-worker.ts';

const redirectUri = 'http://localhost/callback';

/** `@openauthjs/openauth` on the local KV. */
export async function openauth(): Promise<Rival> {
  const { origin, stop } = await startWorker('openauth-worker.ts');
  return {
    name: '@openauthjs/openauth',
    tokenUrl: `${origin}/token`,
    client: { client_id: 'app' },
    approve: async () => {
      const link = linkTo({ client_id: 'app', redirect_uri: redirectUri });
      const asked = await fetch(`${origin}${link.replace('/oauth', '')}`, { redirect: 'manual' });
      const Cookie = asked.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; ');
      const decided = await fetch(new URL(asked.headers.get('Location')!, origin), {
        redirect: 'manual',
        headers: { Cookie },
      });
      return {
        code: new URL(decided.headers.get('Location')!).searchParams.get('code')!,
        redirect_uri: redirectUri,
        code_verifier: pkce.verifier,
      };
    },
    stop,
  };
}
