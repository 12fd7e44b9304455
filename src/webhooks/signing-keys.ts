import type { KeyRing } from '../base/crypto/keys.ts';
import { unseal } from '../base/crypto/seal.ts';
import { SecretMode } from '../data/schema/store/webhooks-tables.ts';
import { type SigningSecrets, importSigningKey, type SigningKey } from './signature.ts';

/** The columns of an endpoint that select its signing secrets. Times are epoch milliseconds. */
export interface SecretColumns {
  secret_current: string;
  secret_previous: string | null;
  secret_previous_until: number | null;
  secret_mode: number;
  secret_overlap_ms: number;
}

type RotationColumns = Omit<SecretColumns, 'secret_current'>;

/**
 * Applies the clock to a rotation: an overlap that has ended is committed for as long again, and a
 * committed rotation ends. Returns the same object while nothing has ended. `now` is epoch
 * milliseconds.
 */
export function rotationAt(columns: RotationColumns, now: number): RotationColumns {
  const { secret_mode: mode, secret_previous_until: until, secret_overlap_ms: overlap } = columns;
  if (mode === SecretMode.single || until === null || until > now) return columns;
  const end = until + overlap;
  return mode === SecretMode.overlap && end > now
    ? { ...columns, secret_mode: SecretMode.committed, secret_previous_until: end }
    : {
        ...columns,
        secret_mode: SecretMode.single,
        secret_previous: null,
        secret_previous_until: null,
      };
}

/** Selects the secrets that sign at `now`: one, or two during a rotation (see README: Rotation). */
export function secretsAt(columns: SecretColumns, now: number): SigningSecrets {
  const current = columns.secret_current;
  const { secret_previous: previous, secret_mode: mode } = rotationAt(columns, now);
  if (mode === SecretMode.single || previous === null) return { primary: current };
  return mode === SecretMode.overlap
    ? { primary: previous, second: { secret: current, suffix: 'Next' } }
    : { primary: current, second: { secret: previous, suffix: 'Previous' } };
}

/** Keys in the cache of an isolate; the oldest is removed first. */
const capacity = 1_000;

/**
 * By the place of a secret and its encrypted text, so that a replaced secret is not found again.
 */
const cache = new Map<string, SigningKey>();

/**
 * Loads the keys that sign for an endpoint at `now` (epoch milliseconds). Its secrets were sealed
 * for `context`, which is that of its store by default. Rejects when a secret cannot be decrypted.
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
