import type { Context, Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import type { AppEnv } from './app-env.ts';
import { pairWithShows, type Operation, type OperationGroup } from './operation.ts';

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
  operations: pairWithShows(await load()),
});

/**
 * Dispatches requests below these paths to an app that the first such request in an isolate loads. `/` stands for itself
 * alone.
 */
export function mountLazily(
  app: Hono<AppEnv>,
  paths: readonly string[],
  load: () => Promise<Hono<AppEnv>>,
) {
  const { forward } = lazyApp(load);
  for (const path of paths) app.all(path === '/' ? path : `${path}/*`, forward);
}

function lazyApp(load: () => Promise<Hono<AppEnv>>) {
  let loaded: Hono<AppEnv> | undefined;
  return {
    loaded: () => loaded,
    forward: async (c: Context<AppEnv>) => {
      // Caches the app, not its promise: in Workers a request must not await I/O that another request started.
      loaded ??= await load();
      return loaded.fetch(c.req.raw, c.env, c.executionCtx);
    },
  };
}

/** Serves requests. */
export type Fetch = Hono<AppEnv>['fetch'];

/**
 * Dispatches each request to the groups with its path prefix, which the first such request loads. All groups
 * together declare thousands of schemas, and most isolates need a few groups only. One route for all of them: a
 * router that has a pattern for each prefix takes longer than these comparisons.
 *
 * Returns a `fetch` that asks the app of a loaded group directly, and `app` about everything else, preflights too.
 */
export function mountRouteGroups(
  app: Hono<AppEnv>,
  basePath: string,
  routeGroups: readonly RouteGroup[],
  createGroupApp: (groups: readonly OperationGroup[]) => Hono<AppEnv>,
): Fetch {
  const named = [...new Set(routeGroups.flatMap((group) => group.pathPrefixes))];
  // Literal ones first: `/operator/audit` is no `/{alias}/audit`.
  const ordered = named.toSorted((a, b) => Number(a.startsWith('/{')) - Number(b.startsWith('/{')));
  const prefixes = ordered.map((prefix) => ({
    isPrefixOf: prefixMatcher(prefix),
    ...lazyApp(async () => {
      const matching = routeGroups.filter((group) => group.pathPrefixes.includes(prefix));
      return createGroupApp(await Promise.all(matching.map(loadRouteGroup)));
    }),
  }));
  const findGroup = (path: string) => {
    if (!path.startsWith(`${basePath}/`)) return undefined;
    const segments = path.slice(basePath.length + 1).split('/');
    return prefixes.find(({ isPrefixOf }) => isPrefixOf(segments));
  };
  app.all(`${basePath}/*`, (c, next) => findGroup(c.req.path)?.forward(c) ?? next());
  return (request, env, executionContext) => {
    const group = request.method === 'OPTIONS' ? undefined : findGroup(getPath(request));
    return (group?.loaded() ?? app).fetch(request, env, executionContext);
  };
}

/** Returns whether a path starts with the segments of a prefix such as `/{alias}/orders`. */
function prefixMatcher(prefix: string): (segments: readonly string[]) => boolean {
  const [, ...wanted] = prefix.split('/');
  return (segments) =>
    wanted.every((segment, index) =>
      segment.startsWith('{') ? segments[index] : segment === segments[index],
    );
}
