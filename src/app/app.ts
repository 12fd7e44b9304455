import { Hono } from 'hono';
import { browserPaths, logosPath, publicFormRoots } from '../base/page-paths.ts';
import type { LocalExample } from '../docs/mount-docs.ts';
import type { EventPorts } from '../http/access/admit.ts';
import type { AppEnv } from '../http/app-env.ts';
import { allowOtherOrigins, allowReaders, openHeaders } from '../http/cors.ts';
import { mountHealth } from '../http/health.ts';
import { addDefaults, type Fetch, mountLazily, mountRouteGroups } from '../http/mount.ts';
import { registerOperations } from '../http/run-operation.ts';
import { mountOAuthRoutes } from '../oauth/oauth-routes.ts';
import { authorizePath } from '../oauth/server-metadata.ts';
import { routeGroups } from '../routes/route-groups.ts';
import { showUnknownPaths } from '../web/unknown-path.ts';
import { wakeEndpoints } from '../webhooks/wake-endpoints.ts';

/** The version of the API is part of its base path. */
export const apiBasePath = '/v2';

/** The paths of the documentation, which needs no database. */
const documentPaths = ['/openapi.json', '/openapi.yaml', '/llms.txt', '/docs', '/assets'];

/**
 * The code that sends is loaded with the operations that publish events, not at the start of an
 * isolate.
 */
const eventPorts: EventPorts = {
  wakeEndpoints,
  sendFirst: async (...claimed) =>
    (await import('../webhooks/delivery/first-send.ts')).sendFirst(...claimed),
};

/**
 * The service: API, OAuth, pages for browsers, documentation and health. `localExample` fills in
 * the examples of /docs.
 */
export function createApp({ localExample }: { localExample?: LocalExample } = {}): {
  fetch: Fetch;
} {
  const app = new Hono<AppEnv>();
  app.use(`${apiBasePath}/*`, allowOtherOrigins());
  for (const path of ['/openapi.json', '/openapi.yaml', '/.well-known/*']) {
    app.use(path, allowReaders);
  }
  // Lazy apps are registered first, because each has its own defaults.
  const fetch = mountRouteGroups(app, apiBasePath, routeGroups, (groups) => {
    const api = addDefaults(new Hono(), openHeaders());
    registerOperations(api, apiBasePath, groups, eventPorts);
    return api;
  });
  mountLazily(
    app,
    [
      browserPaths.home,
      browserPaths.session,
      ...publicFormRoots,
      authorizePath,
      browserPaths.account,
      browserPaths.partners,
      logosPath,
      browserPaths.operator,
    ],
    async () => {
      const { browserRoutes } = await import('../pages/browser-routes.ts');
      const pages = addDefaults(new Hono()).route('/', browserRoutes());
      return showUnknownPaths(pages, apiBasePath);
    },
  );
  mountLazily(app, documentPaths, async () => {
    const { mountDocs } = await import('../docs/mount-docs.ts');
    const docs = addDefaults(new Hono());
    mountDocs(docs, localExample);
    return showUnknownPaths(docs, apiBasePath);
  });
  mountLazily(app, ['/mcp'], async () => {
    const { mcpRoutes } = await import('../mcp/mcp-routes.ts');
    return mcpRoutes({ dispatch: fetch, basePath: apiBasePath });
  });
  const known = routeGroups.flatMap(({ pathPrefixes }) => pathPrefixes);
  showUnknownPaths(
    addDefaults(app),
    apiBasePath,
    known.map((prefix) => apiBasePath + prefix),
  );
  mountHealth(app);
  mountOAuthRoutes(app);
  return { fetch };
}
