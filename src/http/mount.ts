import type { Context, Hono, MiddlewareHandler } from 'hono';
import { maxLinkLength } from '../base/codecs/listing/pagination.ts';
import { DatabaseUnavailable, HttpError, misdirectedRequest, unknownPath } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { recordPoint } from '../base/metrics.ts';
import { isLoopbackHost, settingsOf, type Settings } from '../base/settings.ts';
import { logRequest } from './access/log-request.ts';
import type { AppEnv } from './app-env.ts';
import { errorResponse, refuseRequest } from './error-response.ts';
import { explainPath } from './explain-path.ts';
import { getPath } from './hono-adapter.ts';
import { pairWithShows, pathUnder, type Operation, type OperationGroup } from './operation.ts';

/**
 * Adds the parts of every response to an app: error responses, a request id and log line, checked
 * settings, `Cache-Control` and `headers`. Returns the same app. Routes registered before this call
 * do not get them.
 */
export function addDefaults(
  app: Hono<AppEnv>,
  headers: Readonly<Record<string, string>> = {},
): Hono<AppEnv> {
  app.onError(refuseRequest);
  let known: string[] | undefined;
  app.notFound((c) => {
    // All routes are there by the first request.
    known ??= app.routes
      .map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))
      .filter((path) => path.includes('{alias}/'));
    const [basePath = ''] = known[0]?.split('/{') ?? [];
    return errorResponse(unknownPath(explainPath(c.req.path, basePath, known)), c);
  });
  app.use(logRequests(headers));
  app.use((c, next) => {
    const settings = settingsOf(c.env);
    if (settings.isLocal) assertLocalHost(c.req.url, settings);
    c.set('settings', settings);
    return next();
  });
  return app;
}

/** Adds the default headers to a response that was made without them. */
function addDefaultHeaders(c: Context<AppEnv>) {
  const { headers } = c.res;
  for (const [name, value] of Object.entries(c.get('defaultHeaders'))) {
    if (!headers.has(name)) headers.set(name, value);
  }
}

/**
 * Rejects hosts that are not this machine. A local deployment has public keys, and a page of
 * another site could reach it through a name that points at this machine.
 */
function assertLocalHost(url: string, settings: Settings) {
  const accepted = acceptedOrigins.get(settings);
  if (accepted !== undefined && url.startsWith(accepted)) return;
  const { hostname, origin } = new URL(url);
  if (!isLoopbackHost(hostname) && !settings.localHosts.includes(hostname)) {
    throw misdirectedRequest({ host: ['Must be a loopback address or one of LOCAL_HOSTS.'] });
  }
  acceptedOrigins.set(settings, `${origin}/`);
}

/**
 * The origin that was accepted last, with a slash, so that not every URL is parsed for its host.
 */
const acceptedOrigins = new WeakMap<Settings, string>();

/**
 * A variable of the request, or `undefined` where no operation was reached. `c.var` would copy all
 * of them.
 */
const variableOf = <Name extends keyof AppEnv['Variables']>(
  c: Context<AppEnv>,
  name: Name,
): AppEnv['Variables'][Name] | undefined => c.get(name);

/**
 * Says the present alias with the response of a request under a former one. It does so in words,
 * and as the address to use instead (`rel="canonical"`, RFC 6596), unless that is too long for a
 * header.
 */
function announceAlias(c: Context<AppEnv>, { from, to }: AppEnv['Variables']['renamed']): void {
  const url = new URL(c.req.url);
  if (url.searchParams.get('store') === from) url.searchParams.set('store', to);
  else url.pathname = pathUnder(url.pathname, to);
  const { headers } = c.res;
  headers.append(
    'X-Warning',
    `The store is called ${to} now: ${from} leads to it for a year after the change.`,
  );
  const link = `<${url.pathname}${url.search}>; rel="canonical"`;
  if (link.length <= maxLinkLength) headers.append('Link', link);
}

/** A read that takes longer always has a line in the log. */
const slowReadMs = 1_000;

/**
 * Gives every response and log line a request id: the caller's own if it is 8 to 64 of
 * `A-Za-z0-9_-`, else a new one. Logs every request, but only one in `READS_PER_LOG_LINE` usual
 * reads. Logs the id of the operation instead of the URL, because queries may hold personal data,
 * and ids of the caller.
 */
const logRequests =
  (appHeaders: Readonly<Record<string, string>>): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const sentId = c.req.header('X-Request-Id');
    const requestId = sentId && /^[A-Za-z0-9_-]{8,64}$/.test(sentId) ? sentId : crypto.randomUUID();
    c.set('requestId', requestId);
    c.set('defaultHeaders', {
      'X-Request-Id': requestId,
      'Cache-Control': 'private, no-store',
      ...appHeaders,
    });
    c.set('warnings', []);
    // A list reads QUERY as GET, which it is in the metrics; the log says what was sent.
    const { method } = c.req;
    const start = Date.now();
    await next();
    if (!variableOf(c, 'isComplete')) addDefaultHeaders(c);
    for (const warning of c.get('warnings')) c.res.headers.append('X-Warning', warning);
    const renamed = variableOf(c, 'renamed');
    if (renamed) announceAlias(c, renamed);
    if (variableOf(c, 'isLogged')) return;
    const operation = variableOf(c, 'operation');
    deferRow(c, method, Date.now() - start);
    const admitted = variableOf(c, 'admitted');
    const rowBudget = variableOf(c, 'rowBudget');
    const ms = Date.now() - start;
    const { status } = c.res;
    const rows = admitted?.db?.rowsRead;
    const isUsual =
      status < 400 &&
      c.req.method === 'GET' &&
      ms < slowReadMs &&
      (rows ?? 0) <= (rowBudget ?? Infinity);
    const sampled = isUsual ? (variableOf(c, 'settings')?.readsPerLogLine ?? 1) : 1;
    if (sampled > 1 && Math.random() * sampled >= 1) return;
    const { sqlMs, waitMs } = admitted?.db?.times ?? {};
    // The data centre that the request reached first, such as GRU; the local runtime names one as
    // well.
    const place = (c.req.raw.cf as { colo?: string } | undefined)?.colo;
    const shard = admitted?.db?.store.shard;
    const line = {
      request_id: requestId,
      method,
      operation,
      status,
      ms,
      store: admitted?.db?.store.id,
      client: admitted?.principal.clientId ?? undefined,
      api_key: admitted?.principal.apiKeyId ?? undefined,
      rows,
      shard,
      place,
      sql_ms: sqlMs === undefined ? undefined : Math.round(sqlMs),
      wait_ms: waitMs,
      sampled: sampled > 1 ? sampled : undefined,
    };
    log('info', 'request', line);
    const failure = c.error instanceof DatabaseUnavailable ? c.error.failure : '';
    recordPoint(c.env, 'request', {
      names: [operation ?? '', failure, String(shard ?? ''), place ?? '', c.req.method],
      values: [status, rows, rowBudget, ms, sampled, sqlMs, waitMs],
    });
  };

/**
 * Stores a request for the log of its key or app, after the response. Values that were sent never
 * reach it.
 */
function deferRow(c: Context<AppEnv>, method: string, ms: number) {
  const settings = variableOf(c, 'settings');
  const caller = variableOf(c, 'caller');
  const { status } = c.res;
  // Nothing is prepared for a success that can have no row.
  if (!settings || (status < 400 && settings.successesPerRow === 0)) return;
  if (!caller && (status < 400 || c.req.header('Authorization') === undefined)) return;
  const { tokenKeys, successesPerRow: perSuccess } = settings;
  const request = {
    at: Date.now(),
    method,
    operation: variableOf(c, 'operation') ?? '',
    status,
    code: c.error instanceof HttpError ? c.error.code : '',
    ms,
    request_id: c.get('requestId'),
    sent: (variableOf(c, 'sent') ?? []).join(' '),
  };
  const credentials = { tokenKeys, headers: c.req.raw.headers, perSuccess };
  const db = variableOf(c, 'admitted')?.db;
  const work = db && {
    storeId: db.store.id,
    shard: db.store.shard,
    ms: db.times?.sqlMs ?? 0,
  };
  const storing = logRequest(c.env, caller, credentials, request, work);
  if (storing) c.executionCtx.waitUntil(storing);
}

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
 * Dispatches requests below these paths to an app that the first such request in an isolate loads.
 * `/` stands for itself alone.
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
      // Caches the app, not its promise: in Workers a request must not await I/O that another
      // request started.
      loaded ??= await load();
      return loaded.fetch(c.req.raw, c.env, c.executionCtx);
    },
  };
}

/** Serves requests. */
export type Fetch = Hono<AppEnv>['fetch'];

/**
 * Dispatches each request to the groups with its path prefix, which the first such request loads.
 * All groups together declare thousands of schemas, and most isolates need a few groups only. One
 * route for all of them: a router that has a pattern for each prefix takes longer than these
 * comparisons.
 *
 * Returns a `fetch` that asks the app of a loaded group directly, and `app` about everything else,
 * preflights too.
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
