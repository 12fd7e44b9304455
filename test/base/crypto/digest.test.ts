import { expect, it } from 'vitest';
import { sha256, equalInConstantTime } from '../../../src/base/crypto/digest.ts';
import { randomBase64, randomBase64url, randomBytes } from '../../../src/base/crypto/random.ts';

it('sha256 returns the digest of the UTF-8 bytes as base64url', async () => {
  expect(await sha256('')).toBe('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU');
  expect(await sha256('é')).toBe(await sha256(new Uint8Array([0xc3, 0xa9])));
});

it('random texts have the requested number of bytes and never repeat', () => {
  expect(randomBytes(7)).toHaveLength(7);
  expect(randomBase64(32)).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  expect(randomBase64url(32)).toMatch(/^[\w-]{43}$/);
  expect(new Set(Array.from({ length: 1_000 }, () => randomBase64url(16))).size).toBe(1_000);
});

it.each([
  ['secret', 'secret', true],
  ['secret', 'secreT', false],
  ['secret', 'secret ', false],
  ['', '', true],
  ['', 'secret', false],
])('equalInConstantTime(%j, %j) returns %s', async (a, b, expected) => {
  expect(await equalInConstantTime(a, b)).toBe(expected);
});
