import type { KeyRing } from '../crypto/keys.ts';
import { openDatabase, type Database } from '../db/core/open.ts';
import { shardBinding } from '../db/core/shards.ts';
import { StoreDb } from '../db/core/store-db.ts';
import { AccountDb } from '../db/directory/account.ts';
import { forbidden, insufficientScope, unauthenticated } from '../errors.ts';
import { authenticateApiKey } from './api-keys.ts';
import { authenticateBearer } from './bearer.ts';
import type { Caller, Principal } from './principal.ts';
import { enforceRateLimit } from './rate-limit.ts';
import type { RequiredAccess } from './scopes.ts';

/** What the handler of an operation works with. */
export interface Admitted {
  principal: Principal;
  account: AccountDb;
  /** Only for operations of a store. */
  db: StoreDb | undefined;
}

interface AuthInput {
  env: Env;
  headers: Headers;
  /** `undefined` for operations that belong to no store. */
  alias: string | undefined;
  access: RequiredAccess;
  /** The tag of the operation: rate limits count per caller, store and tag. */
  rateLimitGroup: string;
  now: number;
  /** Continues work after the response (`waitUntil`). */
  defer: (work: Promise<unknown>) => void;
  /** Requests per minute. */
  limits: { api: number; me: number; failedAuth: number };
  tokenKeys: KeyRing;
  wakeEndpoints: (shard: number, endpoints: number[], areSlow: boolean) => void;
}

/**
 * Checks credentials (401), rate limit (429), store (403) and scope (403), in this order. Only this function makes
 * store handles for operations, so a handler can reach no store but the one of its path.
 */
export async function admit(input: AuthInput): Promise<Admitted> {
  const { env, alias, access, now, limits } = input;
  const directory = openDatabase(env.DIRECTORY);
  const caller = await authenticate(input, directory);
  const { principal, store } = caller;
  const [limiter, perMinute] =
    alias === undefined
      ? ([env.ME_LIMIT, limits.me] as const)
      : ([env.API_LIMIT, limits.api] as const);
  const limitKey = `${principal.key}:${alias ?? ''}:${input.rateLimitGroup}`;
  await enforceRateLimit(limiter, perMinute, limitKey, now);
  const account = new AccountDb(principal.userId, directory, principal.storeId);
  const isInScope = access === 'signed-in' || principal.hasScope(access);
  // No batch of the store follows, so nothing else would notice a revoked grant.
  if (alias === undefined || !store?.active || !isInScope) await caller.checkGrant();
  if (alias === undefined) return { principal, account, db: undefined };
  if (!store?.active) throw forbidden();
  if (!isInScope) throw insufficientScope(access);
  const { shard } = store;
  const db = new StoreDb(store, openDatabase(shardBinding(env, shard)), {
    now,
    wakeEndpoints: (endpoints, areSlow = false) => input.wakeEndpoints(shard, endpoints, areSlow),
    guards: caller.guards,
  });
  return { principal, account, db };
}

async function authenticate(input: AuthInput, directory: Database): Promise<Caller> {
  const { env, headers, alias, now } = input;
  const token = headers.get('User-Token');
  const secret = headers.get('User-Secret-Key');
  const authorization = headers.get('Authorization');
  if (authorization !== null && /^Bearer\b/i.test(authorization)) {
    // Two identities in one request are rejected: neither can take precedence.
    if (token !== null || secret !== null) return rejectCredentials(input);
    const clientId = headers.get('X-Partner-Client-ID') ?? undefined;
    const bearer = { authorization, clientId, alias };
    const caller = await authenticateBearer(env, input.tokenKeys, directory, bearer, now);
    return caller ?? rejectCredentials(input);
  }
  if (!token || !secret) return rejectCredentials(input);
  const apiKey = await authenticateApiKey(directory, { token, secret }, alias, now, input.defer);
  if (!apiKey) return rejectCredentials(input);
  const principal: Principal = {
    key: `api_key:${apiKey.apiKeyId}`,
    userId: apiKey.userId,
    clientId: null,
    storeId: null,
    hasScope: () => true,
  };
  return { principal, store: apiKey.store, guards: [], checkGrant: () => Promise.resolve() };
}

/** Counts rejected credentials per client address, which slows guessing down. Throws a 401 or a 429. */
async function rejectCredentials({ env, headers, limits, now }: AuthInput): Promise<never> {
  const address = headers.get('CF-Connecting-IP') ?? 'unknown';
  await enforceRateLimit(env.FAILED_AUTH_LIMIT, limits.failedAuth, address, now);
  throw unauthenticated();
}
