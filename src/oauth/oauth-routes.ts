import type { Hono } from 'hono';
import { cors } from 'hono/cors';
import { settingsOf } from '../base/settings.ts';
import { resourceMetadataPath } from '../http/access/challenge.ts';
import type { AppEnv } from '../http/app-env.ts';
import { handleRegistration } from './agents/register-endpoint.ts';
import { OAuthError } from './oauth-errors.ts';
import { oauthErrorResponse } from './responses.ts';
import { handleRevocationRequest } from './revoke-endpoint.ts';
import {
  authorizationServerMetadata,
  protectedResourceMetadata,
  registerPath,
  resolveIssuer,
} from './server-metadata.ts';
import { handleTokenRequest } from './token/token-endpoint.ts';

const postPaths = ['/oauth/token', '/oauth/revoke', registerPath];

/** Documents that assistants in a browser read as well. */
const metadataPaths = [
  resourceMetadataPath,
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
];

/**
 * Mounts the endpoints that apps call. The authorization endpoint is a page for browsers: `pages/consent/authorize.ts`.
 */
export function mountOAuthRoutes(app: Hono<AppEnv>) {
  // Apps that run in a browser may redeem codes (RFC 9700, section 2.6) and sign out; no cookie is ever read here.
  for (const path of postPaths) {
    app.use(path, cors({ origin: '*', allowMethods: ['POST'] }));
  }
  app.post('/oauth/token', (c) => {
    c.set('operation', 'oauth.token');
    const defer = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    return handleTokenRequest(c.env, c.req.raw, Date.now(), defer);
  });
  app.post('/oauth/revoke', (c) => {
    c.set('operation', 'oauth.revoke');
    return handleRevocationRequest(c.env, c.req.raw, Date.now());
  });
  app.post(registerPath, (c) => {
    c.set('operation', 'oauth.register');
    return handleRegistration(c.env, c.req.raw, Date.now());
  });
  app.on('ALL', postPaths, (c) =>
    oauthErrorResponse(
      new OAuthError('method_not_allowed', { headers: { Allow: 'POST' } }),
      resolveIssuer(settingsOf(c.env), c.req.url),
    ),
  );
  for (const path of metadataPaths) app.use(path, cors({ origin: '*', allowMethods: ['GET'] }));
  // The root, too: older clients look only there.
  app.on('GET', [resourceMetadataPath, '/.well-known/oauth-protected-resource'], (c) =>
    c.json(protectedResourceMetadata(resolveIssuer(settingsOf(c.env), c.req.url))),
  );
  app.get('/.well-known/oauth-authorization-server', (c) =>
    c.json(authorizationServerMetadata(resolveIssuer(settingsOf(c.env), c.req.url))),
  );
}
