import { fromBase64, toBase64url } from './base64.ts';
import { computeMac } from './hmac.ts';

const encoder = new TextEncoder();

/** Derived keys of this isolate. Roots and labels belong to the deployment, so they are few. */
const derivedKeys = new Map<string, Promise<CryptoKey>>();

const keyUses = {
  sign: { algorithm: { name: 'HMAC', hash: 'SHA-256', length: 256 }, usages: ['sign'] },
  seal: { algorithm: { name: 'AES-GCM', length: 256 }, usages: ['encrypt', 'decrypt'] },
} as const;

/**
 * Derives a key for one purpose from a root key (32 bytes in base64) with HKDF-SHA-256 (RFC 5869).
 * `label` names the purpose; two labels never share a key.
 */
export function deriveKey(
  root: string,
  label: string,
  use: keyof typeof keyUses,
): Promise<CryptoKey> {
  const cacheKey = `${use} ${label} ${root}`;
  let key = derivedKeys.get(cacheKey);
  if (!key) derivedKeys.set(cacheKey, (key = deriveWithHkdf(root, label, use)));
  return key;
}

async function deriveWithHkdf(
  root: string,
  label: string,
  use: keyof typeof keyUses,
): Promise<CryptoKey> {
  const { algorithm, usages } = keyUses[use];
  const rootKey = await crypto.subtle.importKey('raw', fromBase64(root), 'HKDF', false, [
    'deriveKey',
  ]);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(label) },
    rootKey,
    algorithm,
    false,
    [...usages],
  );
}

/**
 * Root keys, 32 bytes each in base64. `current` signs and seals; `previous` only verifies and
 * opens.
 */
export interface KeyRing {
  current: string;
  previous: string | undefined;
}

/** A derived MAC key with the byte that names its root key inside a signed token. */
interface MacKey {
  id: number;
  key: CryptoKey;
}

/** Returns the key that signs new tokens. */
export const currentMacKey = (ring: KeyRing, label: string) => deriveMacKey(ring.current, label);

/**
 * Returns the keys that a token naming this root may have been signed with. The id has one byte, so
 * both keys of the ring may match; usually one does, or none.
 */
export async function macKeysWithId(
  ring: KeyRing,
  label: string,
  id: number,
): Promise<CryptoKey[]> {
  const keys = await Promise.all(rootsOf(ring).map((root) => deriveMacKey(root, label)));
  return keys.filter((candidate) => candidate.id === id).map(({ key }) => key);
}

async function deriveMacKey(root: string, label: string): Promise<MacKey> {
  const [key, id] = await Promise.all([deriveKey(root, label, 'sign'), keyIdOf(root)]);
  return { id, key };
}

/** The roots of a ring, the current one first. */
export const rootsOf = ({ current, previous }: KeyRing): [string, ...string[]] =>
  previous === undefined ? [current] : [current, previous];

const digests = new Map<string, Promise<Uint8Array>>();

/** Bytes that distinguish root keys and reveal nothing of them. */
function digestOf(root: string): Promise<Uint8Array> {
  let digest = digests.get(root);
  if (!digest) digests.set(root, (digest = computeDigest(root)));
  return digest;
}

async function computeDigest(root: string): Promise<Uint8Array> {
  return computeMac(await deriveKey(root, 'key-id/v1', 'sign'), new Uint8Array());
}

async function keyIdOf(root: string): Promise<number> {
  const [firstByte = 0] = await digestOf(root);
  return firstByte;
}

/**
 * Eight characters that name a root key inside a sealed text. Unlike the byte of a token, no two
 * keys share them.
 */
export const keyNameOf = async (root: string) => toBase64url((await digestOf(root)).subarray(0, 6));
