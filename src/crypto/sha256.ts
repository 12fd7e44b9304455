import { toBase64url } from './base64.ts';

const encoder = new TextEncoder();

/** SHA-256 of a text's UTF-8 bytes, or of bytes, as base64url without padding (43 characters). */
export async function sha256(input: string | Uint8Array): Promise<string> {
  const bytes = typeof input === 'string' ? encoder.encode(input) : input;
  return toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}
