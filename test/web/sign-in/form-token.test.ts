import { describe, expect, it } from 'vitest';
import { FormToken } from '../../../src/web/forms/received-form.ts';

const key = (letter: string) => btoa(letter.repeat(32));
const keys = { tokenKeys: { current: key('a'), previous: undefined } };
const [one, other] = [{ idHash: 'one' }, { idHash: 'other' }];

describe('FormToken', () => {
  const token = new FormToken<{ to: string }>('test');

  it('opens only for the browser that it was sealed for, until it expires', async () => {
    const sealed = await token.seal(keys, one, { to: '/x' }, 1_000);
    expect(await token.open(keys, one, sealed, 999)).toEqual({ data: { to: '/x' } });
    const expired = { error: 'expired', data: { to: '/x' } };
    expect(await token.open(keys, one, sealed, 1_000)).toEqual(expired);
    const foreign = { error: 'foreign', data: { to: '/x' } };
    expect(await token.open(keys, other, sealed, 999)).toEqual(foreign);
  });

  it('does not open for another purpose or key, or when it is not a token', async () => {
    const sealed = await token.seal(keys, one, { to: '/x' }, 1_000);
    const otherPurpose = new FormToken<{ to: string }>('other');
    const forged = { error: 'forged' };
    expect(await otherPurpose.open(keys, one, sealed, 0)).toEqual(forged);
    const otherKeys = { tokenKeys: { current: key('b'), previous: undefined } };
    expect(await token.open(otherKeys, one, sealed, 0)).toEqual(forged);
    for (const junk of ['x', 'v1.', 'v1.%%%', `${sealed}A`]) {
      expect(await token.open(keys, one, junk, 0), junk).toEqual(forged);
    }
    expect(await token.open(keys, one, '', 0)).toEqual({ error: 'missing' });
  });

  it('opens after a key rotation while the previous key is kept', async () => {
    const sealed = await token.seal(keys, one, { to: '/x' }, 1_000);
    const rotatedKeys = { tokenKeys: { current: key('b'), previous: key('a') } };
    expect(await token.open(rotatedKeys, one, sealed, 0)).toEqual({ data: { to: '/x' } });
  });
});
