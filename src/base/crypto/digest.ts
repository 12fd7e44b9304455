import { toBase64url } from './base64.ts';

const encoder = new TextEncoder();

/**
 * Returns the SHA-256 of bytes, or of a text in UTF-8, as base64url without padding (43
 * characters).
 */
export async function sha256(input: string | Uint8Array): Promise<string> {
  const bytes = typeof input === 'string' ? encoder.encode(input) : input;
  return toBase64url(new Uint8Array(await digest(bytes)));
}

/**
 * Compares two secrets. It compares their digests, so the time taken reveals neither content nor
 * length.
 */
export async function equalInConstantTime(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([digest(encoder.encode(a)), digest(encoder.encode(b))]);
  return crypto.subtle.timingSafeEqual(left, right);
}

const digest = (bytes: Uint8Array): Promise<ArrayBuffer> => crypto.subtle.digest('SHA-256', bytes);
