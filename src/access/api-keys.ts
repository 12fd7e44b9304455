import { authLifetimes } from '../auth-lifetimes.ts';
import { equalInConstantTime, sha256 } from '../crypto/digest.ts';
import type { Database } from '../db/core/open.ts';
import type { Store } from '../db/core/store.ts';
import { TtlCache } from '../db/core/ttl-cache.ts';
import { findApiKey, recordApiKeyUse } from '../db/directory/api-keys.ts';

/** TTL of the isolate's caches: a revoked key works in another isolate for at most this long. */
const apiKeyCacheTtlMs = 30_000;

/** A verified API key. */
interface VerifiedApiKey {
  apiKeyId: number;
  userId: number;
}

/** A verified key with the stores of the aliases that it was used for; `undefined` for an alias that it cannot reach. */
interface CachedApiKey extends VerifiedApiKey {
  stores: TtlCache<Store | undefined>;
}

// One entry per key, with few aliases each: whatever aliases a caller invents, other callers keep their entries.
const cachedApiKeys = new TtlCache<CachedApiKey>(apiKeyCacheTtlMs, 5_000);
const cachedAliasesPerKey = 25;

/** Wrong keys have a cache of their own, since anyone can invent them. */
const rejectedApiKeys = new TtlCache<true>(apiKeyCacheTtlMs, 1_000);

interface LookupOptions {
  now: number;
  /** Continues work after the response (`waitUntil`). */
  defer: (work: Promise<unknown>) => void;
  /** Called before a lookup, with the id of the key if it is known. May throw to refuse the lookup. */
  beforeLookup: (apiKeyId: number | undefined) => void;
}

/**
 * Verifies an API key (`User-Token` and `User-Secret-Key`) and finds the store of an alias; returns `undefined` for a
 * wrong key. Costs no round trip while the key is cached for this alias, else one to the directory. The caches are
 * keyed by a digest, never by the key itself. A lookup records the use of the key about once an hour, through `defer`.
 */
export async function authenticateApiKey(
  directory: Database,
  apiKey: { token: string; secret: string },
  alias: string | undefined,
  { now, defer, beforeLookup }: LookupOptions,
): Promise<(VerifiedApiKey & { store: Store | undefined }) | undefined> {
  const cacheKey = await sha256(JSON.stringify([apiKey.token, apiKey.secret]));
  const known = cachedApiKeys.get(cacheKey, now)?.value;
  const store = alias === undefined ? { value: undefined } : known?.stores.get(alias, now);
  if (known && store) return { ...known, store: store.value };
  if (rejectedApiKeys.get(cacheKey, now)) return undefined;
  beforeLookup(known?.apiKeyId);

  const [tokenHash, secretHash] = await Promise.all([sha256(apiKey.token), sha256(apiKey.secret)]);
  const found = await findApiKey(directory, tokenHash, alias);
  // Compares even when no key was found, so that both cases take the same time.
  const isRight = await equalInConstantTime(found?.secretHash ?? '', secretHash);
  if (!found || !isRight) {
    cachedApiKeys.delete(cacheKey);
    rejectedApiKeys.set(cacheKey, true, now);
    return undefined;
  }
  const { apiKeyId, userId } = found;
  // Another request may have cached the key meanwhile.
  let cached = cachedApiKeys.get(cacheKey, now)?.value;
  if (!cached) {
    cached = { apiKeyId, userId, stores: new TtlCache(apiKeyCacheTtlMs, cachedAliasesPerKey) };
    cachedApiKeys.set(cacheKey, cached, now);
  }
  if (alias !== undefined) cached.stores.set(alias, found.store, now);
  if (now - (found.lastUsedAt ?? 0) >= authLifetimes.lastUsedLag) {
    defer(recordApiKeyUse(directory, apiKeyId, now));
  }
  return { apiKeyId, userId, store: found.store };
}

/** Removes an API key from this isolate's cache. Whatever revokes a key must call it. */
export const evictApiKey = (apiKeyId: number) =>
  cachedApiKeys.deleteWhere((apiKey) => apiKey.apiKeyId === apiKeyId);
