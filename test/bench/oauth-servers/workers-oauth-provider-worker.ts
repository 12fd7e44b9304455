import { OAuthProvider, type OAuthHelpers } from '@cloudflare/workers-oauth-provider';

interface Bindings {
  OAUTH_KV: KVNamespace;
  OAUTH_PROVIDER: OAuthHelpers;
}

/** Registers a client at `/client`; approves every request to `/authorize` at once. */
const pages = {
  async fetch(request: Request, { OAUTH_PROVIDER }: Bindings): Promise<Response> {
    if (new URL(request.url).pathname === '/client') {
      const redirectUris = ['https://partner.test/callback'];
      const client = { redirectUris, tokenEndpointAuthMethod: 'none' };
      return Response.json(await OAUTH_PROVIDER.createClient(client));
    }
    const { redirectTo } = await OAUTH_PROVIDER.completeAuthorization({
      request: await OAUTH_PROVIDER.parseAuthRequest(request),
      userId: crypto.randomUUID(),
      metadata: {},
      scope: ['read'],
      props: {},
    });
    return Response.json({ redirectTo });
  },
};

export default new OAuthProvider<Bindings>({
  apiRoute: '/api',
  apiHandler: { fetch: () => new Response('') },
  defaultHandler: pages,
  authorizeEndpoint: '/authorize',
  tokenEndpoint: '/oauth/token',
  scopesSupported: ['read'],
  resourceMetadata: {
    resource: 'http://localhost/api',
    authorization_servers: ['http://localhost'],
  },
});
