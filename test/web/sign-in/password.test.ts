import { scryptSync, timingSafeEqual } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  hashedForms,
  hashPassword,
  preparePassword,
  verifyPassword,
  dummyPasswordHash,
} from '../../../src/accounts/sign-in/password.ts';
import { demoPasswords } from '../../../src/demo/seed/seed-directory.ts';

// Of the Workers runtime. This file runs in Node, with the costs of production.
Object.assign(crypto.subtle, { timingSafeEqual });

/** A hash that names costs below those of production, as one of years ago would. */
function cheapHash(password: string): string {
  const salt = Buffer.from('0123456789abcdef');
  const key = scryptSync(password, salt, 32, { N: 1024, r: 4, p: 1 });
  return `$scrypt$ln=10,r=4,p=1$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

describe('hashPassword', () => {
  it('uses scrypt with N = 2^15, r = 8, p = 3 and a random salt', async () => {
    const [one, other] = [await hashPassword('senha'), await hashPassword('senha')];
    expect(one).not.toBe(other);
    expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/);
    const [, , , salt = '', hash] = one.split('$');
    const options = { N: 32_768, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
    const expected = scryptSync('senha', Buffer.from(salt, 'base64url'), 32, options);
    expect(hash).toBe(expected.toString('base64url'));
  });
});

describe('preparePassword', () => {
  it.each([
    ['plain ASCII', 'correct horse ~!', 'correct horse ~!'],
    ['composed letters', 'canção-da-manhã-26', 'canção-da-manhã-26'],
    [
      'decomposed letters',
      'cançao-da-manha-26'.replace('çao', 'c\u0327a\u0303o').replace('nha', 'nha\u0303'),
      'canção-da-manhã-26',
    ],
    ['marks in another order', 'a\u0301\u0323', 'ạ\u0301'],
    ['spaces of any kind', 'a\u00a0b\u3000c\u2009d', 'a b c d'],
    ['spaces at the ends', ' a ', ' a '],
    ['signs that only look alike', 'x² ﬁ Ａ', 'x² ﬁ Ａ'],
    ['what nobody sees', 'a\u200b\u00ad', 'a\u200b\u00ad'],
    ['a lone surrogate', 'a\ud800é', 'a\ud800é'],
    ['too many marks to sort', `é${'\u0301\u0316'.repeat(40)}`, `é${'\u0301\u0316'.repeat(40)}`],
  ])('keeps %s, or makes one form of it', (_, typed, prepared) => {
    expect(preparePassword(typed)).toBe(prepared);
    expect(preparePassword(prepared)).toBe(prepared);
    expect(hashedForms(typed)).toEqual(typed === prepared ? [typed] : [prepared, typed]);
  });

  it('is hashed', async () => {
    const hash = await hashPassword('canção-da-manhã-26'.normalize('NFD'));
    expect(await verifyPassword('canção-da-manhã-26', hash)).toBe(true);
  });
});

describe('verifyPassword', () => {
  it('accepts only the hashed password, byte for byte', async () => {
    const hash = cheapHash('Sénha 1');
    expect(await verifyPassword('Sénha 1', hash)).toBe(true);
    for (const other of ['sénha 1', 'Sénha 1 ', 'Se\u0301nha 1', '']) {
      expect(await verifyPassword(other, hash), other).toBe(false);
    }
  });

  it('uses the costs of the hash, so that new hashes can cost more', async () => {
    expect(await verifyPassword('old', cheapHash('old'))).toBe(true);
    expect(await verifyPassword('new', cheapHash('old'))).toBe(false);
  });

  it('throws on a text that is not a hash, and on costs beyond the memory limit', async () => {
    for (const bad of ['', 'plain', '$scrypt$ln=20,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA']) {
      await expect(verifyPassword('x', bad)).rejects.toThrow();
    }
  });

  it('accepts no password for the dummy hash, which has the usual costs', async () => {
    expect(dummyPasswordHash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    expect(await verifyPassword('', dummyPasswordHash)).toBe(false);
  });

  it('accepts the passwords of the demo', async () => {
    for (const { email, hash } of demoPasswords) {
      const name = email.split('@')[0];
      expect(await verifyPassword(`demo-password-${name}`, hash), name).toBe(true);
    }
  });
});
