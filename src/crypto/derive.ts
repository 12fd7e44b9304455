import { fromBase64 } from './base64.ts';

const encoder = new TextEncoder();
const derived = new Map<string, Promise<CryptoKey>>();

const uses = {
  sign: { algorithm: { name: 'HMAC', hash: 'SHA-256', length: 256 }, usages: ['sign'] },
  seal: { algorithm: { name: 'AES-GCM', length: 256 }, usages: ['encrypt', 'decrypt'] },
} as const;

/**
 * A key of its own for one purpose (`label`) out of a root key of 32 bytes in base64: HKDF-SHA-256
 * (RFC 5869). Kept per isolate; roots and labels are the deployment's, so they are few.
 */
export function deriveKey(root: string, label: string, use: keyof typeof uses): Promise<CryptoKey> {
  const name = `${use} ${label} ${root}`;
  let key = derived.get(name);
  if (!key) derived.set(name, (key = derive(root, label, use)));
  return key;
}

async function derive(root: string, label: string, use: keyof typeof uses): Promise<CryptoKey> {
  const { algorithm, usages } = uses[use];
  const base = await crypto.subtle.importKey('raw', fromBase64(root), 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(label) },
    base,
    algorithm,
    false,
    [...usages],
  );
}
