import { fromBase64 } from '../crypto/base64.ts';
import { hmacKey } from '../crypto/hmac.ts';
import { unseal } from '../crypto/seal.ts';
import { sha256 } from '../crypto/sha256.ts';
import { signingSecrets, type SecretColumns, type SigningSecrets } from './signing-secrets.ts';

/** What every signing secret begins with. */
export const secretPrefix = 'whsec_';

/** What a signing secret comes to once it is imported; it cannot be read back. */
export interface SigningKey {
  /** Of the specification's header: the whole text of the secret. */
  specification: CryptoKey;
  /** Of Standard Webhooks: the bytes that the secret encodes. */
  standard: CryptoKey;
  /** Tells in the log which secret signed, and nothing about it. */
  id: string;
}

/** Keys kept per isolate; the one that was made first goes. */
const capacity = 1_000;

/** By store and sealed text, so that what is replaced is not found again. */
const kept = new Map<string, SigningKey>();

/** Imports a secret as its owner sees it. Rejects for anything that is none. */
export async function signingKey(secret: string): Promise<SigningKey> {
  const [specification, standard, digest] = await Promise.all([
    hmacKey(new TextEncoder().encode(secret)),
    hmacKey(fromBase64(secret.slice(secretPrefix.length))),
    sha256(secret),
  ]);
  return { specification, standard, id: digest.slice(0, 8) };
}

/** The keys that sign at `now` (epoch milliseconds). Rejects when a secret cannot be unsealed. */
export async function signingKeysOf(
  endpoint: SecretColumns & { store_id: number },
  now: number,
  sealingKey: string,
): Promise<SigningSecrets<SigningKey>> {
  const open = (sealed: string) => keptKey(sealingKey, sealed, endpoint.store_id);
  const { primary, second } = signingSecrets(endpoint, now);
  return {
    primary: await open(primary),
    ...(second && { second: { ...second, secret: await open(second.secret) } }),
  };
}

async function keptKey(sealingKey: string, sealed: string, store: number): Promise<SigningKey> {
  const name = `${store} ${sealed}`;
  const known = kept.get(name);
  if (known) return known;
  const made = await signingKey(await unseal(sealingKey, sealed, `webhook-secret:${store}`));
  for (const oldest of kept.keys()) {
    if (kept.size < capacity) break;
    kept.delete(oldest);
  }
  kept.set(name, made);
  return made;
}
