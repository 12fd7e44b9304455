import { toBase64 } from './base64.ts';
import { sha256 } from './sha256.ts';

/** Keys kept per isolate; the one that was made first goes. */
const capacity = 500;

/** Keyed by a digest, so that no key material is a map key. */
const imported = new Map<string, CryptoKey>();

/** HMAC-SHA256 (RFC 2104) as padded base64. The key must not be empty. */
export async function hmacSha256(key: Uint8Array, message: Uint8Array): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await importKey(key), message);
  return toBase64(new Uint8Array(signature));
}

async function importKey(key: Uint8Array): Promise<CryptoKey> {
  const digest = await sha256(key);
  const known = imported.get(digest);
  if (known) return known;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const made = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  for (const oldest of imported.keys()) {
    if (imported.size < capacity) break;
    imported.delete(oldest);
  }
  imported.set(digest, made);
  return made;
}
