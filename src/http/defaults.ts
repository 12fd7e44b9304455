import type { Hono, MiddlewareHandler } from 'hono';
import { misdirectedRequest, notFound } from '../errors.ts';
import { log } from '../log.ts';
import { isLoopbackHost, settingsOf, type Settings } from '../settings.ts';
import type { AppEnv } from './app-env.ts';
import { errorResponse, toHttpError } from './error-response.ts';

/**
 * Gives an app what every response needs: error responses, a request id and log line, checked settings and
 * `Cache-Control`. Returns the same app. Routes registered before this call do without.
 */
export function addDefaults(app: Hono<AppEnv>): Hono<AppEnv> {
  app.onError((error, c) => errorResponse(toHttpError(error, c)));
  app.notFound(() => errorResponse(notFound()));
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
function assertLocalHost(url: string, { localHosts }: Settings) {
  const { hostname } = new URL(url);
  if (isLoopbackHost(hostname) || localHosts.includes(hostname)) return;
  throw misdirectedRequest({ host: ['Must be a loopback address or one of LOCAL_HOSTS.'] });
}

/**
 * Gives every response and log line a request id: the caller's own if it is 8 to 64 of `A-Za-z0-9_-`, else a new
 * one. Logs the id of the operation instead of the URL, because queries may hold personal data.
 */
const logRequests: MiddlewareHandler<AppEnv> = async (c, next) => {
  const sentId = c.req.header('X-Request-Id');
  const requestId = sentId && /^[A-Za-z0-9_-]{8,64}$/.test(sentId) ? sentId : crypto.randomUUID();
  c.set('requestId', requestId);
  c.set('warnings', []);
  const start = Date.now();
  await next();
  c.res.headers.set('X-Request-Id', requestId);
  for (const warning of c.var.warnings) c.res.headers.append('X-Warning', warning);
  log('info', 'request', {
    request_id: requestId,
    method: c.req.method,
    operation: c.var.operation,
    status: c.res.status,
    ms: Date.now() - start,
  });
};
