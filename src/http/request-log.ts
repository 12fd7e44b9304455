import type { MiddlewareHandler } from 'hono';
import { log } from '../log.ts';
import type { Faces } from './faces.ts';

/**
 * Gives every answer and log line a request id: the caller's own when it is 8 to 64 of `A-Za-z0-9_-`, else a
 * new one. The log names the row, not the address: queries may hold what nobody should read.
 */
export const requestLog: MiddlewareHandler<Faces> = async (c, next) => {
  const sent = c.req.header('X-Request-Id');
  const requestId = sent && /^[A-Za-z0-9_-]{8,64}$/.test(sent) ? sent : crypto.randomUUID();
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
