import type { KeyRing } from '../../base/crypto/keys.ts';
import { unseal } from '../../base/crypto/seal.ts';
import { importSigningKey, type SigningKey } from './import-key.ts';
import { secretsAt, type SecretColumns, type SigningSecrets } from './signing-secrets.ts';

/** Keys in the cache of an isolate; the oldest is removed first. */
const capacity = 1_000;

/** By the place of a secret and its encrypted text, so that a replaced secret is not found again. */
const cache = new Map<string, SigningKey>();

/**
 * Loads the keys that sign for an endpoint at `now` (epoch milliseconds). Its secrets were sealed for `context`, which is that
 * of its store by default. Rejects when a secret cannot be decrypted.
 */
export async function loadSigningKeys(
  endpoint: SecretColumns & { store_id: number },
  now: number,
  sealingKeys: KeyRing,
  context = `webhook-secret:${endpoint.store_id}`,
): Promise<SigningSecrets<SigningKey>> {
  const load = (sealed: string) => loadCachedKey(sealingKeys, sealed, context);
  const { primary, second } = secretsAt(endpoint, now);
  return {
    primary: await load(primary),
    ...(second && { second: { ...second, secret: await load(second.secret) } }),
  };
}

async function loadCachedKey(
  sealingKeys: KeyRing,
  sealed: string,
  context: string,
): Promise<SigningKey> {
  const cacheKey = `${context} ${sealed}`;
  const cached = cache.get(cacheKey);
  if (cached) return cached;
  const key = await importSigningKey(await unseal(sealingKeys, sealed, context));
  for (const oldest of cache.keys()) {
    if (cache.size < capacity) break;
    cache.delete(oldest);
  }
  cache.set(cacheKey, key);
  return key;
}
