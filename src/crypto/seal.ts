import { fromBase64, toBase64url } from './base64.ts';
import { randomBytes } from './random.ts';

/** Names the layout of what follows, so that another algorithm can join later. */
const version = 'v1.';
const nonceLength = 12;

const encoder = new TextEncoder();
const imported = new Map<string, Promise<CryptoKey>>();

/** 32 bytes in base64, kept imported as the few keys of a deployment are, or a key that is imported already. */
type Key = string | CryptoKey;

/**
 * Encrypts a text with AES-256-GCM. `context` names the place the text
 * belongs to, such as `webhook-secret:12`; it is not stored, and without it nothing can be unsealed.
 */
export async function seal(key: Key, plain: string, context: string): Promise<string> {
  const iv = randomBytes(nonceLength);
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: encoder.encode(context) },
    await importKey(key),
    encoder.encode(plain),
  );
  const bytes = new Uint8Array(nonceLength + sealed.byteLength);
  bytes.set(iv);
  bytes.set(new Uint8Array(sealed), nonceLength);
  return version + toBase64url(bytes);
}

/** Reverses `seal`. Throws when key, context or text is not the one that was sealed. */
export async function unseal(key: Key, sealed: string, context: string): Promise<string> {
  if (!sealed.startsWith(version)) throw new Error('not a sealed text');
  const bytes = fromBase64(sealed.slice(version.length));
  const plain = await crypto.subtle.decrypt(
    {
      name: 'AES-GCM',
      iv: bytes.subarray(0, nonceLength),
      additionalData: encoder.encode(context),
    },
    await importKey(key),
    bytes.subarray(nonceLength),
  );
  return new TextDecoder().decode(plain);
}

async function importKey(key: Key): Promise<CryptoKey> {
  if (typeof key !== 'string') return key;
  let known = imported.get(key);
  if (!known) imported.set(key, (known = aesKey(fromBase64(key))));
  return known;
}

/** A key of 32 bytes for {@link seal}, which nothing remembers. */
export function aesKey(bytes: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
