import { authLifetimes } from '../auth-lifetimes.ts';
import { equalInConstantTime, sha256 } from '../crypto/digest.ts';
import type { Database } from '../db/core/open.ts';
import { TtlCache } from '../db/core/ttl-cache.ts';
import { findApiKey, recordApiKeyUse, type KnownApiKey } from '../db/directory/api-keys.ts';

/** TTL of the isolate's cache: a revoked key works in another isolate for at most this long. */
const apiKeyCacheTtlMs = 30_000;

const cacheCapacity = 5_000;

const cachedApiKeys = new TtlCache<KnownApiKey>(apiKeyCacheTtlMs, cacheCapacity);

/**
 * Verifies an API key (`User-Token` and `User-Secret-Key`); returns `undefined` for a wrong one. Costs no round trip
 * while the key is cached for this alias, else one to the directory. The cache is keyed by a digest, never by
 * the key itself. A lookup that misses the cache records the use of the key about once an hour, through `defer`
 * (`waitUntil`).
 */
export async function authenticateApiKey(
  directory: Database,
  apiKey: { token: string; secret: string },
  alias: string | undefined,
  now: number,
  defer: (work: Promise<unknown>) => void,
): Promise<KnownApiKey | undefined> {
  const cacheKey = await sha256(JSON.stringify([apiKey.token, apiKey.secret, alias ?? '']));
  const cached = cachedApiKeys.get(cacheKey, now);
  if (cached) return cached.value;
  const [tokenHash, secretHash] = await Promise.all([sha256(apiKey.token), sha256(apiKey.secret)]);
  const found = await findApiKey(directory, tokenHash, alias);
  // Compares even when no key was found, so that both cases take the same time.
  const isRight = await equalInConstantTime(found?.secretHash ?? '', secretHash);
  if (!found || !isRight) return undefined;
  cachedApiKeys.set(cacheKey, found, now);
  if (now - (found.lastUsedAt ?? 0) >= authLifetimes.lastUsedLag) {
    defer(recordApiKeyUse(directory, found.apiKeyId, now));
  }
  return found;
}

/** Removes an API key from this isolate's cache. Whatever revokes a key must call it. */
export const evictApiKey = (apiKeyId: number) =>
  cachedApiKeys.deleteWhere((apiKey) => apiKey.apiKeyId === apiKeyId);
