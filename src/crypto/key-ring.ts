import { deriveKey } from './derive.ts';
import { mac } from './mac.ts';

/** Root keys of 32 bytes in base64. What the previous one signed is still good; nothing new is signed by it. */
export interface KeyRing {
  current: string;
  previous: string | undefined;
}

/** A derived key and the byte that names its root in what was signed. */
export interface NamedKey {
  id: number;
  key: CryptoKey;
}

/** The key that signs. */
export const signingKey = (ring: KeyRing, label: string) => named(ring.current, label);

/** The keys that a signature naming this root may have been made with: none, one, seldom both. */
export async function verifyingKeys(
  ring: KeyRing,
  label: string,
  id: number,
): Promise<CryptoKey[]> {
  const roots = ring.previous === undefined ? [ring.current] : [ring.current, ring.previous];
  const keys = await Promise.all(roots.map((root) => named(root, label)));
  return keys.filter((one) => one.id === id).map(({ key }) => key);
}

async function named(root: string, label: string): Promise<NamedKey> {
  const [key, id] = await Promise.all([deriveKey(root, label, 'sign'), idOf(root)]);
  return { id, key };
}

const ids = new Map<string, Promise<number>>();

function idOf(root: string): Promise<number> {
  let id = ids.get(root);
  if (!id) ids.set(root, (id = makeId(root)));
  return id;
}

async function makeId(root: string): Promise<number> {
  const [first = 0] = await mac(await deriveKey(root, 'key-id/v1', 'sign'), new Uint8Array(), 1);
  return first;
}
