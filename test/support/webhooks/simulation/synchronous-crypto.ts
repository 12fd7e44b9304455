import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';

interface Key {
  raw: Buffer;
}

interface Gcm {
  iv: Uint8Array;
  additionalData: Uint8Array;
}

const tagLength = 16;
const bytesOf = (data: BufferSource) =>
  data instanceof ArrayBuffer
    ? Buffer.from(data)
    : Buffer.from(data.buffer, data.byteOffset, data.byteLength);

/** The part of SubtleCrypto that the Worker uses; each promise settles in the same turn. */
const subtle = {
  digest: async (_name: string, data: BufferSource) =>
    Uint8Array.from(createHash('sha256').update(bytesOf(data)).digest()).buffer,
  importKey: async (_format: string, key: BufferSource): Promise<Key> => ({
    raw: Buffer.from(bytesOf(key)),
  }),
  deriveKey: async (
    { salt, info }: { salt: BufferSource; info: BufferSource },
    { raw }: Key,
  ): Promise<Key> => ({
    raw: Buffer.from(hkdfSync('sha256', raw, bytesOf(salt), bytesOf(info), 32)),
  }),
  sign: async (_name: string, { raw }: Key, data: BufferSource) =>
    Uint8Array.from(createHmac('sha256', raw).update(bytesOf(data)).digest()).buffer,
  encrypt: async ({ iv, additionalData }: Gcm, { raw }: Key, data: BufferSource) => {
    const cipher = createCipheriv('aes-256-gcm', raw, iv).setAAD(additionalData);
    const sealed = Buffer.concat([cipher.update(bytesOf(data)), cipher.final()]);
    return Uint8Array.from(Buffer.concat([sealed, cipher.getAuthTag()])).buffer;
  },
  decrypt: async ({ iv, additionalData }: Gcm, { raw }: Key, data: BufferSource) => {
    const sealed = bytesOf(data);
    const decipher = createDecipheriv('aes-256-gcm', raw, iv).setAAD(additionalData);
    decipher.setAuthTag(sealed.subarray(-tagLength));
    const plain = [decipher.update(sealed.subarray(0, -tagLength)), decipher.final()];
    return Uint8Array.from(Buffer.concat(plain)).buffer;
  },
};

/**
 * Replaces `crypto` until the disposal: digests are synchronous, and random values come from
 * `random`. So a simulation depends on its seed only.
 */
export function useSynchronousCrypto(random: () => number): Disposable {
  const original = crypto;
  const replaced = {
    subtle,
    getRandomValues: (bytes: Uint8Array) => {
      for (const index of bytes.keys()) bytes[index] = Math.floor(random() * 256);
      return bytes;
    },
  };
  Object.defineProperty(globalThis, 'crypto', { value: replaced, configurable: true });
  return {
    [Symbol.dispose]: () =>
      Object.defineProperty(globalThis, 'crypto', { value: original, configurable: true }),
  };
}
