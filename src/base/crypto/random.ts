import { toBase64, toBase64url } from './base64.ts';

/** Returns cryptographically secure random bytes. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** Returns `length` random bytes as padded base64. */
export function randomBase64(length: number): string {
  return toBase64(randomBytes(length));
}

/** Returns `length` random bytes as base64url without padding. */
export function randomBase64url(length: number): string {
  return toBase64url(randomBytes(length));
}
