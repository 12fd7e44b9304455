import type { MiddlewareHandler } from 'hono';
import { admit } from '../access/admit.ts';
import type { AppEnv } from './app-env.ts';
import type { Operation } from './operation.ts';

/** How many requests a search counts as, since it reads up to all rows of a list. */
const searchWeight = 5;

/** Enqueues wake-ups for endpoints with new deliveries, after a commit. Never rejects. */
export type WakeEndpoints = (
  env: Env,
  shard: number,
  endpoints: number[],
  areSlow: boolean,
) => Promise<void>;

/**
 * Middleware: checks credentials, rate limit, store and scope, then sets `admitted`. Rate limits count by `tag`.
 * A response of an operation that ran no batch still has its grant checked, so that a revoked token gets 401.
 */
export function authenticateRequest(
  operation: Operation,
  tag: string,
  wakeEndpoints: WakeEndpoints,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set('operation', operation.id);
    const { limits, tokenKeys, eventBudget } = c.var.settings;
    const admitted = await admit({
      env: c.env,
      headers: c.req.raw.headers,
      alias: operation.isStoreScoped ? c.req.param('alias') : undefined,
      access: operation.access,
      rateLimitGroup: tag,
      weight: isSearch(operation, c.req.query('search')) ? searchWeight : 1,
      now: Date.now(),
      defer: (work) => c.executionCtx.waitUntil(work),
      limits,
      tokenKeys,
      eventBudget,
      wakeEndpoints: (...wakeup) => c.executionCtx.waitUntil(wakeEndpoints(c.env, ...wakeup)),
    });
    c.set('admitted', admitted);
    await next();
    if (c.res.status < 500) await admitted.db?.ensureGuarded();
  };
}

const isSearch = ({ query }: Operation, search: string | undefined) =>
  Boolean(search) && query?.names.includes('search') === true;
