import { authLifetimes } from '../../base/auth-lifetimes.ts';
import { equalInConstantTime, sha256 } from '../../base/crypto/digest.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import { failureOf } from '../../data/core/data-errors.ts';
import type { Database } from '../../data/core/open-database.ts';
import {
  findApiKey,
  recordApiKeyUse,
  type ApiKeyPowers,
  type ReachedStore,
} from '../../data/directory/api-keys.ts';
import { coversScope, scopesFromBits, roleCovers } from '../../data/grants/scopes.ts';
import type { Caller, Principal } from './principal.ts';

/** TTL of the isolate's caches: for so long a revoked key may work in another isolate. */
const apiKeyCacheTtlMs = 30_000;

/**
 * How much longer a verified key works while the directory does not answer. Nothing can be revoked
 * there meanwhile.
 */
const silentDirectoryMs = 30_000;

/**
 * A verified API key, and the store of the alias that it was used for, if its user is a member of
 * it.
 */
export interface FoundApiKey extends ApiKeyPowers {
  reached: ReachedStore | undefined;
}

/**
 * A verified key with the stores of the aliases that it was used for; `undefined` for an alias that
 * it cannot reach.
 */
interface CachedApiKey extends ApiKeyPowers {
  stores: TtlCache<ReachedStore | undefined>;
}

// One entry per key, with few aliases each: a caller that invents aliases evicts no entries of
// others.
const cachedApiKeys = new TtlCache<CachedApiKey>(apiKeyCacheTtlMs, 5_000, silentDirectoryMs);
const cachedAliasesPerKey = 25;

/** Wrong keys have a cache of their own, since anyone can invent them. */
const rejectedApiKeys = new TtlCache<true>(apiKeyCacheTtlMs, 1_000);

interface LookupOptions {
  now: number;
  /** Asks the directory, not the cache, which had the wrong shard of the store. */
  isFresh: boolean;
  /** Continues work after the response (`waitUntil`). */
  defer: (work: Promise<unknown>) => void;
  /**
   * Called before a lookup, with the id of the key if it is known. May throw to refuse the lookup.
   */
  beforeLookup: (apiKeyId: number | undefined) => void;
}

/**
 * Verifies an API key (`User-Token` and `User-Secret-Key`) and finds the store of an alias; returns
 * `undefined` for a wrong key. Costs no round trip while the key is cached for this alias, else one
 * to the directory. The caches are keyed by a digest, never by the key itself. A lookup records the
 * use of the key about once an hour, through `defer`.
 */
export async function authenticateApiKey(
  directory: Database,
  apiKey: { token: string; secret: string },
  alias: string | undefined,
  { now, isFresh, defer, beforeLookup }: LookupOptions,
): Promise<FoundApiKey | undefined> {
  const cacheKey = await sha256(JSON.stringify([apiKey.token, apiKey.secret]));
  const known = cachedApiKeys.get(cacheKey, now)?.value;
  const reached = alias === undefined ? { value: undefined } : known?.stores.get(alias, now);
  if (known && isExpired(known, now)) return undefined;
  if (known && reached && !isFresh) return { ...known, reached: reached.value };
  if (rejectedApiKeys.get(cacheKey, now)) return undefined;
  const stale = isFresh ? undefined : findStale(cacheKey, alias, now);
  if (stale && now < askAgainAt) return stale;
  beforeLookup(known?.apiKeyId);

  const [tokenHash, secretHash] = await Promise.all([sha256(apiKey.token), sha256(apiKey.secret)]);
  const wanted = { tokenHash, secretHash, alias, now };
  let found: Awaited<ReturnType<typeof findVerified>>;
  try {
    found = await findVerified(directory, wanted);
  } catch (error) {
    if (!failureOf(error)) throw error;
    // Later than `now`: the request has waited.
    askAgainAt = Date.now() + askAgainMs;
    if (!stale) throw error;
    return stale;
  }
  if (!found || isExpired(found.powers, now)) {
    cachedApiKeys.delete(cacheKey);
    rejectedApiKeys.set(cacheKey, true, now);
    return undefined;
  }
  const { powers, reached: foundStore } = found;
  // Another request may have cached the key meanwhile.
  let cached = cachedApiKeys.get(cacheKey, now)?.value;
  if (!cached) {
    cached = {
      ...powers,
      stores: new TtlCache(apiKeyCacheTtlMs, cachedAliasesPerKey, silentDirectoryMs),
    };
    cachedApiKeys.set(cacheKey, cached, now);
  }
  if (alias !== undefined) cached.stores.set(alias, foundStore, now);
  if (now - (found.lastUsedAt ?? 0) >= authLifetimes.lastUsedLag) {
    defer(recordApiKeyUse(directory, powers.apiKeyId, now));
  }
  return { ...powers, reached: foundStore };
}

/**
 * After the directory did not answer: how long keys that this isolate knows do not wait for it
 * again.
 */
const askAgainMs = 5_000;
let askAgainAt = 0;

/** The key as this isolate verified it last, for a directory that does not answer. */
function findStale(cacheKey: string, alias: string | undefined, now: number) {
  const key = cachedApiKeys.getStale(cacheKey, now)?.value;
  const reached = alias === undefined ? { value: undefined } : key?.stores.getStale(alias, now);
  return key && reached && !isExpired(key, now) ? { ...key, reached: reached.value } : undefined;
}

const isExpired = ({ expiresAt }: ApiKeyPowers, now: number) =>
  expiresAt !== null && expiresAt <= now;

interface WantedApiKey {
  tokenHash: string;
  secretHash: string;
  alias: string | undefined;
  now: number;
}

/** Finds a key and compares its secret; `undefined` for a wrong one. One round trip. */
async function findVerified(
  directory: Database,
  { tokenHash, secretHash, alias, now }: WantedApiKey,
) {
  const found = await findApiKey(directory, tokenHash, alias, now);
  // Compares even when no key was found, so that both cases take the same time.
  const isRight = await equalInConstantTime(found?.secretHash ?? '', secretHash);
  return isRight ? found : undefined;
}

/** Removes an API key from this isolate's cache. All code that revokes a key must call it. */
export const evictApiKey = (apiKeyId: number) =>
  cachedApiKeys.deleteWhere((apiKey) => apiKey.apiKeyId === apiKeyId);

/**
 * Removes the API keys of a user from this isolate's cache. All code that changes a role or the
 * second factor of the user, ends a membership, or appoints or revokes an operator must call it.
 */
export const evictApiKeysOfUser = (userId: number) =>
  cachedApiKeys.deleteWhere(({ user }) => user.id === userId);

/**
 * Removes what this isolate's cache says of a store, and which aliases it takes for unknown. All
 * code that changes a store must call it.
 */
export function evictApiKeysOfStore(storeId: number): void {
  for (const { stores } of cachedApiKeys.values()) {
    stores.deleteWhere((reached) => !reached || reached.store.id === storeId);
  }
}

/** Names an API key in rate limits and idempotency keys. */
export const apiKeyPrincipalKey = (apiKeyId: number) => `api_key:${apiKeyId}`;

/**
 * The caller that a verified API key stands for. Its powers are those of the key, and those that
 * the role of its user in the store allows.
 */
export function callerOfApiKey(
  { apiKeyId, name, scopes, storeIds, isForOperator, user, reached }: FoundApiKey,
  { isOperatorMfaRequired }: { isOperatorMfaRequired: boolean },
): Caller {
  const granted = scopes === null ? undefined : scopesFromBits(scopes);
  const isListed = !reached || storeIds === null || storeIds.includes(reached.store.id);
  const withheld = !isListed
    ? 'key_not_for_store'
    : reached?.lacksFactor
      ? 'second_factor_required'
      : undefined;
  const principal: Principal = {
    key: apiKeyPrincipalKey(apiKeyId),
    userId: user.id,
    clientId: null,
    agent: null,
    apiKeyId,
    keyName: name,
    storeIds,
    isRestricted: granted !== undefined,
    hasScope: (scope) =>
      (!granted || coversScope(granted, scope)) && (!reached || roleCovers(reached.role, scope)),
  };
  const isOperator =
    isForOperator && user.isOperator && (user.hasSecondFactor || !isOperatorMfaRequired);
  return {
    principal,
    store: withheld === undefined ? reached?.store : undefined,
    withheld: reached?.store.active ? withheld : undefined,
    operator: isOperator ? { userId: user.id, name: user.name } : undefined,
    facts: undefined,
    conditions: undefined,
    checkGrant: () => Promise.resolve(),
  };
}
