import { fromBase64, toBase64url } from './base64.ts';
import { keyNameOf, rootsOf, type KeyRing } from './keys.ts';
import { randomBytes } from './random.ts';

/**
 * The prefix of a text that an imported key sealed. It names the layout that follows, so that
 * another algorithm can be added later. A text that a ring sealed has the layout
 * `v2.<name of the root key>.<content>`.
 */
const versionPrefix = 'v1.';
const nonceLength = 12;

const encoder = new TextEncoder();

/** Imported keys of this isolate. Only keys of the deployment come as text, so they are few. */
const importedKeys = new Map<string, Promise<CryptoKey>>();

/** The root keys of the deployment, or an imported key. */
type SealingKey = KeyRing | CryptoKey;

/** The beginning of every text that {@link seal} creates under the current key of a ring. */
export const sealedPrefixOf = async ({ current }: KeyRing) => `v2.${await keyNameOf(current)}.`;

/**
 * Encrypts a text with AES-256-GCM. `context` names the place that the text belongs to, such as
 * `webhook-secret:12`. It is authenticated but not stored, so the text opens only at that place.
 * Under a ring, the text names the root key that it was sealed with.
 */
export async function seal(key: SealingKey, plain: string, context: string): Promise<string> {
  return isRing(key)
    ? (await sealedPrefixOf(key)) + (await encrypt(await importRoot(key.current), plain, context))
    : versionPrefix + (await encrypt(key, plain, context));
}

/** Decrypts what {@link seal} returned. Throws when the key, the context or the text differs. */
export async function unseal(key: SealingKey, sealed: string, context: string): Promise<string> {
  if (!isRing(key)) {
    if (!sealed.startsWith(versionPrefix)) throw new Error('not a sealed text');
    return decrypt(key, sealed.slice(versionPrefix.length), context);
  }
  const [, name, content] = ringPattern.exec(sealed) ?? [];
  if (content === undefined) throw new Error('not a sealed text');
  for (const root of rootsOf(key)) {
    if ((await keyNameOf(root)) === name) return decrypt(await importRoot(root), content, context);
  }
  throw new Error('sealed with another key');
}

/** Seals a text with the current key; `undefined` if no key opens it. */
export async function sealAgain(
  keys: KeyRing,
  sealed: string,
  context: string,
): Promise<string | undefined> {
  try {
    return await seal(keys, await unseal(keys, sealed, context), context);
  } catch {
    return undefined;
  }
}

const ringPattern = /^v2\.([\w-]{8})\.([\w-]+)$/;

const isRing = (key: SealingKey): key is KeyRing => 'current' in key;

async function encrypt(key: CryptoKey, plain: string, context: string): Promise<string> {
  const iv = randomBytes(nonceLength);
  const encrypted = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: encoder.encode(context) },
    key,
    encoder.encode(plain),
  );
  const bytes = new Uint8Array(nonceLength + encrypted.byteLength);
  bytes.set(iv);
  bytes.set(new Uint8Array(encrypted), nonceLength);
  return toBase64url(bytes);
}

async function decrypt(key: CryptoKey, content: string, context: string): Promise<string> {
  const bytes = fromBase64(content);
  const plain = await crypto.subtle.decrypt(
    {
      name: 'AES-GCM',
      iv: bytes.subarray(0, nonceLength),
      additionalData: encoder.encode(context),
    },
    key,
    bytes.subarray(nonceLength),
  );
  return new TextDecoder().decode(plain);
}

async function importRoot(root: string): Promise<CryptoKey> {
  let imported = importedKeys.get(root);
  if (!imported) importedKeys.set(root, (imported = importAesKey(fromBase64(root))));
  return imported;
}

/** Imports 32 bytes as a key for {@link seal}, without caching it. */
export function importAesKey(bytes: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
