import type { Hono } from 'hono';
import type { AppEnv } from './app-env.ts';
import { type Operation, type OperationGroup, toHonoPath } from './operation.ts';

/** A group of operations before it is loaded. */
export interface RouteGroup {
  /** The group's name: its tag in the OpenAPI document, and the unit of rate limits. */
  tag: string;
  /** A request whose path starts with one of these loads the group. */
  pathPrefixes: readonly string[];
  load: () => Promise<readonly Operation[]>;
}

/** Loads the operations of a group. */
export const loadRouteGroup = async ({ tag, load }: RouteGroup): Promise<OperationGroup> => ({
  tag,
  operations: await load(),
});

/** Dispatches requests below these paths to an app that the first such request in an isolate loads. */
export function mountLazily(
  app: Hono<AppEnv>,
  paths: readonly string[],
  load: () => Promise<Hono<AppEnv>>,
) {
  let loaded: Hono<AppEnv> | undefined;
  for (const path of paths) {
    app.all(`${path}/*`, async (c) => {
      // Caches the app, not its promise: in Workers a request must not await I/O that another request started.
      loaded ??= await load();
      return loaded.fetch(c.req.raw, c.env, c.executionCtx);
    });
  }
}

/**
 * Dispatches each request to the groups with its path prefix, which the first such request loads. All groups
 * together declare thousands of schemas, and most isolates need a few groups only.
 */
export function mountRouteGroups(
  app: Hono<AppEnv>,
  basePath: string,
  routeGroups: readonly RouteGroup[],
  createGroupApp: (groups: readonly OperationGroup[]) => Hono<AppEnv>,
) {
  for (const prefix of new Set(routeGroups.flatMap((group) => group.pathPrefixes))) {
    const matching = routeGroups.filter((group) => group.pathPrefixes.includes(prefix));
    mountLazily(app, [toHonoPath(basePath, prefix)], async () =>
      createGroupApp(await Promise.all(matching.map(loadRouteGroup))),
    );
  }
}
