import { fromBase64, toBase64url } from './base64.ts';
import { randomBytes } from './random.ts';

/** Names the layout that follows, so that another algorithm can be added later. */
const versionPrefix = 'v1.';
const nonceLength = 12;

const encoder = new TextEncoder();

/** Imported keys of this isolate. Only keys of the deployment come as text, so they are few. */
const importedKeys = new Map<string, Promise<CryptoKey>>();

/** 32 bytes in base64 (a key of the deployment), or an imported key. */
type SealingKey = string | CryptoKey;

/**
 * Encrypts a text with AES-256-GCM. `context` names the place that the text belongs to, such as
 * `webhook-secret:12`. It is authenticated but not stored, so the text opens only at that place.
 */
export async function seal(key: SealingKey, plain: string, context: string): Promise<string> {
  const iv = randomBytes(nonceLength);
  const encrypted = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: encoder.encode(context) },
    await toCryptoKey(key),
    encoder.encode(plain),
  );
  const bytes = new Uint8Array(nonceLength + encrypted.byteLength);
  bytes.set(iv);
  bytes.set(new Uint8Array(encrypted), nonceLength);
  return versionPrefix + toBase64url(bytes);
}

/** Decrypts what {@link seal} returned. Throws when the key, the context or the text differs. */
export async function unseal(key: SealingKey, sealed: string, context: string): Promise<string> {
  if (!sealed.startsWith(versionPrefix)) throw new Error('not a sealed text');
  const bytes = fromBase64(sealed.slice(versionPrefix.length));
  const plain = await crypto.subtle.decrypt(
    {
      name: 'AES-GCM',
      iv: bytes.subarray(0, nonceLength),
      additionalData: encoder.encode(context),
    },
    await toCryptoKey(key),
    bytes.subarray(nonceLength),
  );
  return new TextDecoder().decode(plain);
}

async function toCryptoKey(key: SealingKey): Promise<CryptoKey> {
  if (typeof key !== 'string') return key;
  let imported = importedKeys.get(key);
  if (!imported) importedKeys.set(key, (imported = importAesKey(fromBase64(key))));
  return imported;
}

/** Imports 32 bytes as a key for {@link seal}, without caching it. */
export function importAesKey(bytes: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
