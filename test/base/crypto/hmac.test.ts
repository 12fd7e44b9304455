import { describe, expect, it } from 'vitest';
import { fromBase64, toBase64 } from '../../../src/base/crypto/base64.ts';
import { importHmacKey, hmacSha256 } from '../../../src/base/crypto/hmac.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const hex = (base64: string) =>
  Array.from(fromBase64(base64), (byte) => byte.toString(16).padStart(2, '0')).join('');

describe('hmacSha256', () => {
  it.each([
    [
      'RFC 4231, case 1',
      new Uint8Array(20).fill(0x0b),
      utf8('Hi There'),
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    ],
    [
      'RFC 4231, case 2',
      utf8('Jefe'),
      utf8('what do ya want for nothing?'),
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    [
      'RFC 4231, case 6: a key longer than a block',
      new Uint8Array(131).fill(0xaa),
      utf8('Test Using Larger Than Block-Size Key - Hash Key First'),
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    ],
  ])('matches %s', async (_name, key, message, expected) => {
    expect(hex(await hmacSha256(await importHmacKey(key), message))).toBe(expected);
  });
});

describe('base64', () => {
  it('decodes what it encoded, in both alphabets and beyond one chunk', () => {
    const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => (index * 7) & 255);
    expect(fromBase64(toBase64(bytes))).toEqual(bytes);
    expect(fromBase64('-_8')).toEqual(fromBase64('+/8='));
  });
});
