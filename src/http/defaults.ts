import type { Context, Hono, MiddlewareHandler } from 'hono';
import { recordRefusal } from '../access/refusals.ts';
import { DatabaseUnavailable, HttpError, misdirectedRequest, unknownPath } from '../errors.ts';
import { log } from '../log.ts';
import { recordPoint } from '../metrics.ts';
import { isLoopbackHost, settingsOf, type Settings } from '../settings.ts';
import type { AppEnv } from './app-env.ts';
import { errorResponse, toHttpError } from './error-response.ts';

/**
 * Gives an app what every response needs: error responses, a request id and log line, checked settings and
 * `Cache-Control`. Returns the same app. Routes registered before this call do without.
 */
export function addDefaults(app: Hono<AppEnv>): Hono<AppEnv> {
  app.onError((error, c) => errorResponse(toHttpError(error, c), c));
  app.notFound((c) => errorResponse(unknownPath(), c));
  app.use(logRequests);
  app.use(async (c, next) => {
    const settings = settingsOf(c.env);
    if (settings.isLocal) assertLocalHost(c.req.url, settings);
    c.set('settings', settings);
    await next();
    if (!c.res.headers.has('Cache-Control')) {
      c.res.headers.set('Cache-Control', 'private, no-store');
    }
  });
  return app;
}

/**
 * Rejects hosts that are not this machine. A local deployment has public keys, and a page of another site could reach
 * it through a name that points at this machine.
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

/** The origin that was accepted last, with a slash, so that not every URL is parsed for its host. */
const acceptedOrigins = new WeakMap<Settings, string>();

/** A variable of the request, or `undefined` where no operation was reached. `c.var` would copy all of them. */
const variableOf = <Name extends keyof AppEnv['Variables']>(
  c: Context<AppEnv>,
  name: Name,
): AppEnv['Variables'][Name] | undefined => c.get(name);

/**
 * Gives every response and log line a request id: the caller's own if it is 8 to 64 of `A-Za-z0-9_-`, else a new
 * one. Logs the id of the operation instead of the URL, because queries may hold personal data, and ids of the caller.
 */
const logRequests: MiddlewareHandler<AppEnv> = async (c, next) => {
  const sentId = c.req.header('X-Request-Id');
  const requestId = sentId && /^[A-Za-z0-9_-]{8,64}$/.test(sentId) ? sentId : crypto.randomUUID();
  c.set('requestId', requestId);
  c.set('warnings', []);
  const start = Date.now();
  await next();
  c.res.headers.set('X-Request-Id', requestId);
  const policy = variableOf(c, 'rateLimitPolicy');
  // A 429 and a 401 name the policy of their own.
  if (policy !== undefined && !c.res.headers.has('RateLimit-Policy')) {
    c.res.headers.set('RateLimit-Policy', policy);
  }
  for (const warning of c.get('warnings')) c.res.headers.append('X-Warning', warning);
  const operation = variableOf(c, 'operation');
  const admitted = variableOf(c, 'admitted');
  const rowBudget = variableOf(c, 'rowBudget');
  const line = {
    request_id: requestId,
    method: c.req.method,
    operation,
    status: c.res.status,
    ms: Date.now() - start,
    store: admitted?.db?.store.id,
    client: admitted?.principal.clientId ?? undefined,
    api_key: admitted?.principal.apiKeyId ?? undefined,
    rows: admitted?.db?.rowsRead,
  };
  log('info', 'request', line);
  if (line.status >= 400 && line.status < 500) deferRefusal(c, line.status);
  // Few requests, so their points cost nothing.
  if (line.status >= 500 || (line.rows ?? 0) > (rowBudget ?? Infinity)) {
    const failure = c.error instanceof DatabaseUnavailable ? c.error.failure : '';
    recordPoint(c.env, 'request', {
      names: [operation ?? '', failure],
      values: [line.status, line.rows, rowBudget, line.ms],
    });
  }
};

/** Stores a refused request of an app for its partner, after the response. Queries and values never reach it. */
function deferRefusal(c: Context<AppEnv>, status: number) {
  const settings = variableOf(c, 'settings');
  if (!settings || c.req.header('Authorization') === undefined) return;
  const refusal = {
    at: Date.now(),
    operation: variableOf(c, 'operation') ?? '',
    status,
    code: c.error instanceof HttpError ? c.error.code : '',
    request_id: c.get('requestId'),
  };
  c.executionCtx.waitUntil(recordRefusal(c.env, settings.tokenKeys, c.req.raw.headers, refusal));
}
