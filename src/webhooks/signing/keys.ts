import type { KeyRing } from '../../crypto/keys.ts';
import { unseal } from '../../crypto/seal.ts';
import { importSigningKey, type SigningKey } from './import-key.ts';
import { secretsAt, type SecretColumns, type SigningSecrets } from './secrets.ts';

/** Keys in the cache of an isolate; the oldest is removed first. */
const capacity = 1_000;

/** By store and encrypted text, so that a replaced secret is not found again. */
const cache = new Map<string, SigningKey>();

/** Loads the keys that sign at `now` (epoch milliseconds). Rejects when a secret cannot be decrypted. */
export async function loadSigningKeys(
  endpoint: SecretColumns & { store_id: number },
  now: number,
  sealingKeys: KeyRing,
): Promise<SigningSecrets<SigningKey>> {
  const load = (sealed: string) => loadCachedKey(sealingKeys, sealed, endpoint.store_id);
  const { primary, second } = secretsAt(endpoint, now);
  return {
    primary: await load(primary),
    ...(second && { second: { ...second, secret: await load(second.secret) } }),
  };
}

async function loadCachedKey(
  sealingKeys: KeyRing,
  sealed: string,
  store: number,
): Promise<SigningKey> {
  const cacheKey = `${store} ${sealed}`;
  const cached = cache.get(cacheKey);
  if (cached) return cached;
  const key = await importSigningKey(await unseal(sealingKeys, sealed, `webhook-secret:${store}`));
  for (const oldest of cache.keys()) {
    if (cache.size < capacity) break;
    cache.delete(oldest);
  }
  cache.set(cacheKey, key);
  return key;
}
