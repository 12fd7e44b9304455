import type { KeyRing } from '../crypto/keys.ts';
import { DatabaseSession, openDatabase, type Database } from '../db/core/open.ts';
import { StoreDb } from '../db/core/store-db.ts';
import { AccountDb } from '../db/directory/account.ts';
import { followMove } from '../db/shards/follow-move.ts';
import { shardBinding } from '../db/shards/shards.ts';
import { insufficientScope, storeNotAccessible } from '../errors.ts';
import { authenticateApiKey } from './api-keys.ts';
import { authenticateBearer } from './bearer.ts';
import { explainCredentials } from './missing-headers.ts';
import { findNearStart, renewPulse, type WantedReads } from './near-reads.ts';
import type { Caller, Principal } from './principal.ts';
import {
  assertNoFlood,
  assertWithinLimit,
  enforceNetworkLimit,
  enforceRateLimit,
  rateLimitPolicy,
  type RateLimits,
} from './rate-limit.ts';
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
  /** The operation changes nothing. */
  isReadOnly: boolean;
  /** Where an operation that may read at a replica starts; `undefined` for others. */
  reads: WantedReads | undefined;
  /**
   * The request did not find its store (`StoreElsewhere`): the directory says where it is, whatever the isolate knows. It was
   * counted before.
   */
  isFresh: boolean;
  /** How many requests this one counts as. */
  weight: number;
  now: number;
  /** Continues work after the response (`waitUntil`). */
  defer: (work: Promise<unknown>) => void;
  limits: RateLimits;
  tokenKeys: KeyRing;
  /** Bytes of events and of stored responses that a store may record on a day. */
  eventBudget: number;
  wakeEndpoints: (shard: number, endpoints: number[], areSlow: boolean) => void;
}

/**
 * Checks credentials (401), rate limit (429), store (403) and scope (403), in this order. Only this function makes
 * store handles for operations, so a handler can reach no store but the one of its path.
 */
export async function admit(input: AuthInput): Promise<Admitted> {
  const { env, alias, access, now } = input;
  const directory = openDatabase(env.DIRECTORY);
  const caller = await authenticate(input, directory);
  const { principal, store } = caller;
  if (!input.isFresh) await limitCaller(input, caller);
  const account = new AccountDb(principal.userId, directory, principal.storeId);
  const isInScope = access === 'signed-in' || principal.hasScope(access);
  // No batch of the store follows, so nothing else would notice a revoked grant.
  if (alias === undefined || !store?.active || !isInScope) await caller.checkGrant();
  if (alias === undefined) return { principal, account, db: undefined };
  if (!store?.active) throw storeNotAccessible();
  if (!isInScope) throw insufficientScope(access);
  const { shard } = store;
  const start = input.reads && findNearStart(input.reads, shard);
  const session = new DatabaseSession(shardBinding(env, shard), start?.near);
  const db = new StoreDb(store, session.database, {
    now,
    wakeEndpoints: (endpoints, areSlow = false) => input.wakeEndpoints(shard, endpoints, areSlow),
    ...(caller.conditions && { conditions: caller.conditions }),
    facts: caller.facts,
    isReadOnly: input.isReadOnly,
    session,
    epoch: start?.epoch,
    onStaleReplica: () => input.defer(renewPulse(shardBinding(env, shard), shard, now)),
    eventBudget: input.eventBudget,
    archive: env.ARCHIVE,
  });
  return { principal, account, db };
}

/** Counts the request against the limits of the caller and of the store. Throws a 429. */
async function limitCaller(input: AuthInput, { principal, store }: Caller): Promise<void> {
  const { alias, rateLimitGroup: tag, weight } = input;
  if (alias === undefined) return enforceRateLimit(input, 'me', `${principal.key}::${tag}`, weight);
  if (!store) return enforceRateLimit(input, 'api', unreachableKey(principal.key), weight);
  await enforceRateLimit(input, 'api', `${principal.key}:${alias}:${tag}`, weight);
  // Only what the caller may still do counts for the store, and no request of a stranger does.
  await enforceRateLimit(input, 'store', `${store.id}`, weight);
}

/** The key of all requests of a credential for stores that it cannot reach: a new alias each time gains nothing. */
const unreachableKey = (principalKey: string) => `${principalKey}:unreachable`;

const apiKeyPrincipalKey = (apiKeyId: number) => `api_key:${apiKeyId}`;

async function authenticate(input: AuthInput, directory: Database): Promise<Caller> {
  const { env, headers, alias, now, isFresh, defer } = input;
  const token = headers.get('User-Token');
  const secret = headers.get('User-Secret-Key');
  const authorization = headers.get('Authorization');
  if (authorization !== null && /^Bearer\b/i.test(authorization)) {
    // Two identities in one request are rejected: neither can take precedence.
    if (token !== null || secret !== null) return rejectCredentials(input);
    const clientId = headers.get('X-Partner-Client-ID') ?? undefined;
    const bearer = { authorization, clientId, alias, isFresh };
    const caller = await authenticateBearer(env, input.tokenKeys, directory, bearer, now);
    return caller ?? rejectCredentials(input);
  }
  if (!token || !secret) return rejectCredentials(input);
  const beforeLookup = (apiKeyId: number | undefined) => {
    if (apiKeyId === undefined) return assertNoFlood(input, 'failedAuth', addressOf(input));
    assertWithinLimit(input, 'api', unreachableKey(apiKeyPrincipalKey(apiKeyId)));
  };
  const near = () => openDatabase(env.DIRECTORY, 'nearest');
  const options = { now, isFresh, near, defer, beforeLookup };
  const apiKey = await authenticateApiKey(directory, { token, secret }, alias, options);
  if (!apiKey) return rejectCredentials(input);
  const principal: Principal = {
    key: apiKeyPrincipalKey(apiKey.apiKeyId),
    userId: apiKey.userId,
    clientId: null,
    apiKeyId: apiKey.apiKeyId,
    storeId: null,
    hasScope: () => true,
  };
  return {
    principal,
    store: isFresh && apiKey.store ? await followMove(env, apiKey.store) : apiKey.store,
    facts: undefined,
    conditions: undefined,
    checkGrant: () => Promise.resolve(),
  };
}

/** Counts rejected credentials per network of the client, which slows guessing down. Throws a 401 or a 429. */
async function rejectCredentials(input: AuthInput): Promise<never> {
  await enforceNetworkLimit(input, 'failedAuth', addressOf(input));
  const error = explainCredentials(input.headers);
  error.headers['RateLimit-Policy'] = rateLimitPolicy(input.limits, 'network');
  throw error;
}

const addressOf = ({ headers }: AuthInput) => headers.get('CF-Connecting-IP');
