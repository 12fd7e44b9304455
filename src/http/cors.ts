import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { daySeconds } from '../base/durations.ts';
import { idempotencyKeyHeader } from './access/idempotent-request.ts';
import type { AppEnv } from './app-env.ts';

/** Header of a page whose `total` is a lower bound. */
export const cappedTotalHeader = 'X-Total-Capped';

/** The headers of a response that pages of other sites may read. Browsers hide the others. */
export const exposedHeaders = [
  'Accept-Encoding',
  'Accept-Query',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
  cappedTotalHeader,
  'X-Warning',
] as const;

/** The headers that pages of other sites may send. */
const allowedHeaders = [
  'Authorization',
  'Content-Encoding',
  'Content-Type',
  idempotencyKeyHeader,
  'If-Match',
  'If-None-Match',
  'Prefer',
  'User-Secret-Key',
  'User-Token',
  'X-Partner-Client-ID',
  'X-Request-Id',
];

/** Browsers ask again after a day; some do so earlier. */
const maxAgeSeconds = daySeconds;

const answerPreflight = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'QUERY', 'POST', 'PUT', 'DELETE'],
  allowHeaders: allowedHeaders,
  exposeHeaders: [...exposedHeaders],
  maxAge: maxAgeSeconds,
});

/** The headers of every response that pages of other sites may read, with `others` of its own. */
export const openHeaders = (...others: readonly string[]) => ({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': [...exposedHeaders, ...others].join(', '),
});

/**
 * Middleware: lets pages of any site call what it stands before. It reads no cookie, so a page gets
 * nothing that its own credentials do not open. A preflight is answered before anything is loaded
 * or looked up; errors have the headers, too. They are set on the finished response: Hono would
 * make one that is set before twice.
 */
export function allowOtherOrigins(): MiddlewareHandler<AppEnv> {
  const headers = Object.entries(openHeaders());
  return async (c, next) => {
    if (c.req.method === 'OPTIONS' && c.req.header('Access-Control-Request-Method') !== undefined) {
      return answerPreflight(c, next);
    }
    await next();
    for (const [name, value] of headers) c.res.headers.set(name, value);
  };
}

/** Middleware for documents that every site may read. */
export const allowReaders = cors({ origin: '*', allowMethods: ['GET', 'HEAD'] });
