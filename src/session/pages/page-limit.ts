import type { MiddlewareHandler } from 'hono';
import { enforceNetworkLimit } from '../../access/rate-limit.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { settingsOf } from '../../settings.ts';

/**
 * Middleware: limits the page requests of a network, before anything is looked up. A cookie costs nothing to invent,
 * but each one costs a lookup. Throws a 429.
 */
export const limitPages: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { limits } = settingsOf(c.env);
  const address = c.req.header('CF-Connecting-IP');
  await enforceNetworkLimit({ env: c.env, limits, now: Date.now() }, 'pages', address);
  await next();
};
