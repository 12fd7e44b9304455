import type { Hono } from 'hono';
import { cors } from 'hono/cors';
import type { Faces } from '../http/faces.ts';
import { settingsOf } from '../settings.ts';
import { refuseToken } from './answer.ts';
import { issuerOf } from './issuer.ts';
import { metadata } from './metadata.ts';
import { revokeEndpoint } from './revoke-endpoint.ts';
import { tokenEndpoint } from './token-endpoint.ts';
import { TokenRefusal } from './token-refusal.ts';

/** The endpoints of the authorization server that apps call; those for browsers are pages. */
export function mountOauth(app: Hono<Faces>) {
  // Apps that run in a browser may redeem (RFC 9700, section 2.6); no cookie is ever read here.
  app.use('/oauth/token', cors({ origin: '*', allowMethods: ['POST'] }));
  app.post('/oauth/token', (c) => {
    c.set('operation', 'oauth.token');
    const defer = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    return tokenEndpoint(c.env, c.req.raw, Date.now(), defer);
  });
  app.post('/oauth/revoke', (c) => {
    c.set('operation', 'oauth.revoke');
    return revokeEndpoint(c.env, c.req.raw, Date.now());
  });
  app.on('ALL', ['/oauth/token', '/oauth/revoke'], () =>
    refuseToken(new TokenRefusal('method is not POST', { headers: { Allow: 'POST' } })),
  );
  app.get('/.well-known/oauth-authorization-server', (c) =>
    c.json(metadata(issuerOf(settingsOf(c.env), c.req.url))),
  );
}
