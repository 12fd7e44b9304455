import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { fromBase64, toBase64url } from '../../../src/base/crypto/base64.ts';
import { randomBytes } from '../../../src/base/crypto/random.ts';

it('toBase64url encodes bytes of every length without padding, as Node does, and they decode again', () => {
  for (let length = 0; length < 100; length += 1) {
    const bytes = randomBytes(length);
    const text = toBase64url(bytes);
    expect(text).toBe(Buffer.from(bytes).toString('base64url'));
    expect(fromBase64(text)).toEqual(bytes);
  }
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(toBase64url(all)).toBe(Buffer.from(all).toString('base64url'));
});
