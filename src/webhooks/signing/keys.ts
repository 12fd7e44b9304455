import { fromBase64 } from '../../crypto/base64.ts';
import { sha256 } from '../../crypto/digest.ts';
import { importHmacKey } from '../../crypto/hmac.ts';
import type { KeyRing } from '../../crypto/keys.ts';
import { unseal } from '../../crypto/seal.ts';
import { secretsAt, type SecretColumns, type SigningSecrets } from './secrets.ts';

/** The beginning of every signing secret. */
export const secretPrefix = 'whsec_';

/** An imported signing secret. It cannot be read back. */
export interface SigningKey {
  /** For the specification's header: the whole text of the secret. */
  specification: CryptoKey;
  /** For Standard Webhooks: the bytes that the secret encodes. */
  standard: CryptoKey;
  /** Names the secret in the log, without revealing it. */
  id: string;
}

/** Keys in the cache of an isolate; the oldest is removed first. */
const capacity = 1_000;

/** By store and encrypted text, so that a replaced secret is not found again. */
const cache = new Map<string, SigningKey>();

/** Imports a secret. Rejects for any other text. */
export async function importSigningKey(secret: string): Promise<SigningKey> {
  const [specification, standard, digest] = await Promise.all([
    importHmacKey(new TextEncoder().encode(secret)),
    importHmacKey(fromBase64(secret.slice(secretPrefix.length))),
    sha256(secret),
  ]);
  return { specification, standard, id: digest.slice(0, 8) };
}

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
