import { fromBase64, toBase64url } from './base64.ts';
import { randomBytes } from './random.ts';

/** Names the layout of what follows, so that another algorithm can join later. */
const version = 'v1.';
const nonceLength = 12;

const encoder = new TextEncoder();
const imported = new Map<string, Promise<CryptoKey>>();

/**
 * Encrypts a text with AES-256-GCM under a key of 32 bytes in base64. `context` names the place the text
 * belongs to, such as `webhook-secret:12`; it is not stored, and without it nothing can be unsealed.
 */
export async function seal(keyBase64: string, plain: string, context: string): Promise<string> {
  const iv = randomBytes(nonceLength);
  const key = await importKey(keyBase64);
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: encoder.encode(context) },
    key,
    encoder.encode(plain),
  );
  const bytes = new Uint8Array(nonceLength + sealed.byteLength);
  bytes.set(iv);
  bytes.set(new Uint8Array(sealed), nonceLength);
  return version + toBase64url(bytes);
}

/** Reverses `seal`. Throws when key, context or text is not the one that was sealed. */
export async function unseal(keyBase64: string, sealed: string, context: string): Promise<string> {
  if (!sealed.startsWith(version)) throw new Error('not a sealed text');
  const bytes = fromBase64(sealed.slice(version.length));
  const plain = await crypto.subtle.decrypt(
    {
      name: 'AES-GCM',
      iv: bytes.subarray(0, nonceLength),
      additionalData: encoder.encode(context),
    },
    await importKey(keyBase64),
    bytes.subarray(nonceLength),
  );
  return new TextDecoder().decode(plain);
}

function importKey(keyBase64: string): Promise<CryptoKey> {
  let key = imported.get(keyBase64);
  if (!key) {
    key = crypto.subtle.importKey('raw', fromBase64(keyBase64), 'AES-GCM', false, [
      'encrypt',
      'decrypt',
    ]);
    imported.set(keyBase64, key);
  }
  return key;
}
