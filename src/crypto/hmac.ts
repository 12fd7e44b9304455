import { toBase64 } from './base64.ts';

/** A key for {@link hmacSha256}. The bytes must not be empty. */
export function hmacKey(bytes: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** HMAC-SHA256 (RFC 2104) as padded base64. */
export async function hmacSha256(key: CryptoKey, message: Uint8Array): Promise<string> {
  return toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, message)));
}
