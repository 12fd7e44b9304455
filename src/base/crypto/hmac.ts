import { toBase64 } from './base64.ts';

/** Computes HMAC-SHA-256 (RFC 2104) and returns its first `length` bytes. */
export async function computeMac(
  key: CryptoKey,
  message: Uint8Array,
  length = 32,
): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, message), 0, length);
}

/** Recomputes the MAC at the length of `tag` and compares it in constant time. */
export async function verifyMac(
  key: CryptoKey,
  message: Uint8Array,
  tag: Uint8Array,
): Promise<boolean> {
  return crypto.subtle.timingSafeEqual(await computeMac(key, message, tag.length), tag);
}

/** Imports a key for {@link hmacSha256}. The bytes must not be empty. */
export function importHmacKey(bytes: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** Computes HMAC-SHA-256 (RFC 2104) and returns it as padded base64. */
export async function hmacSha256(key: CryptoKey, message: Uint8Array): Promise<string> {
  return toBase64(await computeMac(key, message));
}
