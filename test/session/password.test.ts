import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { demoPasswords } from '../../src/demo/passwords.ts';
import { hashPassword, isPassword, nobodysHash } from '../../src/session/password.ts';

describe('hashPassword', () => {
  it('is scrypt with N = 2^15, r = 8, p = 3 and a salt of its own', async () => {
    const [one, other] = [await hashPassword('senha'), await hashPassword('senha')];
    expect(one).not.toBe(other);
    const [, , costs, salt = '', hash] = one.split('$');
    expect(costs).toBe('ln=15,r=8,p=3');
    const options = { N: 32_768, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
    const made = scryptSync('senha', Buffer.from(salt, 'base64url'), 32, options);
    expect(hash).toBe(made.toString('base64url'));
  });
});

describe('isPassword', () => {
  it('takes the password that was hashed, byte for byte', async () => {
    const hash = await hashPassword('Sénha 1');
    expect(await isPassword('Sénha 1', hash)).toBe(true);
    for (const other of ['sénha 1', 'Sénha 1 ', 'Se\u0301nha 1', '']) {
      expect(await isPassword(other, hash), other).toBe(false);
    }
  });

  it('reads the costs of the hash, so that they can be raised later', async () => {
    const salt = Buffer.from('0123456789abcdef');
    const key = scryptSync('old', salt, 32, { N: 1024, r: 4, p: 1 });
    const hash = `$scrypt$ln=10,r=4,p=1$${salt.toString('base64url')}$${key.toString('base64url')}`;
    expect(await isPassword('old', hash)).toBe(true);
    expect(await isPassword('new', hash)).toBe(false);
  });

  it('throws on what is no hash, and on costs that would not fit', async () => {
    for (const bad of ['', 'plain', '$scrypt$ln=20,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA']) {
      await expect(isPassword('x', bad)).rejects.toThrow();
    }
  });

  it('takes nothing for nobody, at the costs of everybody', async () => {
    expect(nobodysHash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    for (const guess of ['', 'A', 'password'])
      expect(await isPassword(guess, nobodysHash)).toBe(false);
  });

  it('takes the passwords of the demo', async () => {
    for (const { email, hash } of demoPasswords) {
      const name = email.split('@')[0];
      expect(await isPassword(`demo-password-${name}`, hash), name).toBe(true);
    }
  });
});
