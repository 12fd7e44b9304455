import type { Hono } from 'hono';
import { cors } from 'hono/cors';
import { settingsOf } from '../base/settings.ts';
import { mcpPaths, resourceMetadataRoot } from '../http/access/access-token.ts';
import type { AppEnv } from '../http/app-env.ts';
import { handleRegistration } from './agents/register-endpoint.ts';
import { oauthErrorResponse } from './endpoint-form.ts';
import { OAuthError } from './oauth-errors.ts';
import { handleRevocationRequest } from './revoke-endpoint.ts';
import {
  authorizationServerMetadata,
  protectedResourceMetadata,
  registerPath,
  resolveIssuer,
} from './server-metadata.ts';
import { handleTokenRequest } from './token/token-endpoint.ts';

const postPaths = ['/oauth/token', '/oauth/revoke', registerPath];

/**
 * Where a document is: at the root, since older clients look only there, and for the tools (RFC
 * 8414, section 3.1).
 */
const pathsOf = (root: string) => ['', '/', ...mcpPaths].map((path) => root + path);

/**
 * Mounts the endpoints that apps call. The authorization endpoint is a page for browsers:
 * `pages/consent/authorize.ts`.
 */
export function mountOAuthRoutes(app: Hono<AppEnv>) {
  // Apps that run in a browser may redeem codes (RFC 9700, section 2.6) and sign out; no cookie is
  // ever read here.
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
    const defer = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    return handleRevocationRequest(c.env, c.req.raw, Date.now(), defer);
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
  app.on('GET', pathsOf(resourceMetadataRoot), (c) => {
    const path = mcpPaths.find((one) => c.req.path === resourceMetadataRoot + one);
    return c.json(protectedResourceMetadata(resolveIssuer(settingsOf(c.env), c.req.url), path));
  });
  app.on('GET', pathsOf('/.well-known/oauth-authorization-server'), (c) =>
    c.json(authorizationServerMetadata(resolveIssuer(settingsOf(c.env), c.req.url))),
  );
}
