import { describe, expect, it } from 'vitest';
import { email } from '../../src/wire/email.ts';
import { outcome, refused, sent } from './outcome.ts';

describe('email', () => {
  it.each([['ana@example.com'], ["o'Neil+x@sub.Example.co"], ['a@b.xn--p1ai']])('%s', (value) => {
    expect(outcome(email, value)).toEqual({ value });
  });
  it.each([
    ['ana'],
    ['ana@localhost'],
    ['a@b@c.de'],
    ['a b@c.de'],
    ['a@-b.de'],
    ['a@b..de'],
    ['a@b.de, c@d.ef'],
    ['a\n@b.de'],
    [`${'a'.repeat(64)}@${'b.'.repeat(94)}com`],
    [null],
    [''],
  ])('%j is refused', (value) => {
    expect(outcome(email, value)).toEqual(refused('Must be an e-mail address.'));
  });
  it('is documented', () => expect(sent(email)).toMatchObject({ format: 'email' }));
});
