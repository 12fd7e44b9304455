import type { Context } from 'hono';
import { StoreElsewhere } from '../base/errors.ts';
import { serviceOrigin } from '../base/settings.ts';
import { requestSource } from '../data/audit/audit-lines.ts';
import type { ClaimedDelivery } from '../data/core/store-db.ts';
import { admit } from './access/admit.ts';
import { rateLimitPolicy } from './access/rate-limit.ts';
import { resourceOf } from './access/resource.ts';
import type { AppEnv } from './app-env.ts';
import { eventPaceOf, limitOf, rowBudgetOf } from './operation-limits.ts';
import type { Operation } from './operation.ts';
import { sentQuery } from './read-request.ts';

/** Enqueues wake-ups for endpoints with new deliveries. */
type WakeEndpoints = (
  env: Env,
  shard: number,
  endpoints: number[],
  areSlow: boolean,
) => Promise<void>;

/** How a handle delivers the events of its changes, after their commit. Neither rejects. */
export interface EventPorts {
  wakeEndpoints: WakeEndpoints;
  /** Sends deliveries that the request claimed. Without it, all are left to the queues. */
  sendFirst?: (env: Env, shard: number, deliveries: readonly ClaimedDelivery[]) => Promise<void>;
}

/** Whether a parameter is `search`, also as `search[0]` or `search[name]`, and not empty. */
const isSearch = ([name, value]: readonly [string, string]) =>
  value !== '' && /^search(?:\[|$)/.test(name);

/**
 * Checks credentials, rate limit, store and scope, then sets `admitted`. Rate limits count by
 * `tag`. The store is that of the path, unless `aliasOf` says another.
 */
export function authenticateRequest(
  operation: Operation,
  tag: string,
  { wakeEndpoints, sendFirst }: EventPorts,
  aliasOf = (c: Context<AppEnv>) => c.req.param('alias'),
): (c: Context<AppEnv>) => Promise<void> {
  const { countedBy, weight, searchWeight } = limitOf(operation);
  const rowBudget = rowBudgetOf(operation);
  const isReadOnly = operation.method === 'GET';
  const eventPace = eventPaceOf(operation);
  return async (c) => {
    c.set('operation', operation.id);
    c.set('rowBudget', rowBudget);
    const { limits, tokenKeys, eventBudget, isOperatorMfaRequired } = c.get('settings');
    c.set('rateLimitPolicy', rateLimitPolicy(limits, countedBy));
    const enter = async (isFresh: boolean) => {
      const admitted = await admit({
        isFresh,
        env: c.env,
        headers: c.req.raw.headers,
        resource: resourceOf(c),
        origin: () => serviceOrigin(c.get('settings'), c.req.url),
        alias: operation.isStoreScoped ? aliasOf(c) : undefined,
        access: operation.access,
        rateLimitGroup: tag,
        isReadOnly,
        weight: sentQuery(c).pairs.some(isSearch) ? searchWeight : weight,
        now: Date.now(),
        onCaller: (caller) => c.set('caller', caller),
        onOwnLimit: (perMinute) =>
          c.set('rateLimitPolicy', rateLimitPolicy(limits, countedBy, perMinute)),
        onRenamed: (alias) => c.set('renamed', { from: aliasOf(c) ?? '', to: alias }),
        defer: (work) => c.executionCtx.waitUntil(work),
        limits,
        tokenKeys,
        eventBudget,
        eventPace,
        isOperatorMfaRequired,
        from: () => requestSource(c.req.raw),
        wakeEndpoints: (...wakeup) => c.executionCtx.waitUntil(wakeEndpoints(c.env, ...wakeup)),
        sendFirst:
          sendFirst && ((...claimed) => c.executionCtx.waitUntil(sendFirst(c.env, ...claimed))),
      });
      c.set('admitted', admitted);
    };
    c.set('admitAgain', () => enter(true));
    // A check of the grant in a batch of its own may be the first to miss the store.
    await enter(false).catch((error: unknown) => {
      if (!(error instanceof StoreElsewhere)) throw error;
      return enter(true);
    });
  };
}

/** Checks the grant of a request that ran no batch, so that a revoked token gets 401. */
export async function ensureGuarded(c: Context<AppEnv>): Promise<void> {
  if (c.get('admitted').db?.isGuarded === false) {
    await findingStore(c, async () => c.get('admitted').db?.ensureGuarded());
  }
}

/**
 * Runs `work`, and once more if the store is not in the shard that this isolate, or the caller's
 * token, names. Nothing was read or changed then. A second `StoreElsewhere` is a 503: the store is
 * moving.
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
