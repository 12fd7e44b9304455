import type { Context, MiddlewareHandler } from 'hono';
import { admit } from '../access/admit.ts';
import { bookmarkHeader, mayReadNear, type WantedReads } from '../access/near-reads.ts';
import { rateLimitPolicy } from '../access/rate-limit.ts';
import { StoreElsewhere } from '../errors.ts';
import type { AppEnv } from './app-env.ts';
import { wantedReads } from './headers/preferences.ts';
import type { Operation } from './operation.ts';
import { requestSource } from './request-source.ts';
import { rowBudgetOf } from './row-budget.ts';

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
  const countedBy = operation.isStoreScoped ? 'store' : 'credential';
  return async (c, next) => {
    c.set('operation', operation.id);
    c.set('rowBudget', rowBudgetOf(operation));
    const { limits, tokenKeys, eventBudget, isOperatorMfaRequired } = c.get('settings');
    c.set('rateLimitPolicy', rateLimitPolicy(limits, countedBy));
    const wanted = wantedReads(c.req.raw.headers);
    const enter = async (isFresh: boolean) => {
      const admitted = await admit({
        isFresh,
        env: c.env,
        headers: c.req.raw.headers,
        alias: operation.isStoreScoped ? c.req.param('alias') : undefined,
        access: operation.access,
        rateLimitGroup: tag,
        isReadOnly: operation.method === 'GET',
        reads: mayReadNear(operation.method, operation.access) ? wanted : undefined,
        weight: isSearch(operation, c.req.query('search')) ? searchWeight : (operation.weight ?? 1),
        now: Date.now(),
        defer: (work) => c.executionCtx.waitUntil(work),
        limits,
        tokenKeys,
        eventBudget,
        isOperatorMfaRequired,
        from: requestSource(c.req.raw),
        wakeEndpoints: (...wakeup) => c.executionCtx.waitUntil(wakeEndpoints(c.env, ...wakeup)),
      });
      c.set('admitted', admitted);
    };
    c.set('admitAgain', () => enter(true));
    // A check of the grant in a batch of its own may be the first to miss the store.
    await enter(false).catch((error: unknown) => {
      if (!(error instanceof StoreElsewhere)) throw error;
      return enter(true);
    });
    await next();
    if (c.res.status < 500) {
      await findingStore(c, async () => c.get('admitted').db?.ensureGuarded());
    }
    addReadHeaders(c, wanted);
  };
}

/**
 * Runs `work`, and once more if the store is not where this isolate, or the caller's token, believes it is. Nothing was
 * read or changed then. A second `StoreElsewhere` is a 503: the store is on its way.
 */
export async function findingStore<T>(c: Context<AppEnv>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreElsewhere)) throw error;
  }
  await c.get('admitAgain')();
  return work();
}

/** Tells the state that the response shows, and whether a copy near the caller was allowed to answer. */
function addReadHeaders(c: Context<AppEnv>, wanted: WantedReads) {
  const { bookmark, isNear = false } = c.get('admitted').db ?? {};
  if (bookmark === undefined) return;
  c.res.headers.set(bookmarkHeader, bookmark);
  if (isNear && wanted.isNearest) c.res.headers.set('Preference-Applied', 'read=nearest');
}

const isSearch = ({ query }: Operation, search: string | undefined) =>
  Boolean(search) && query?.names.includes('search') === true;
