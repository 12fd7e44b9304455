import { describe, expect, it } from 'vitest';
import { randomBase64, randomBytes } from '../../../src/base/crypto/random.ts';
import { importAesKey, seal, sealedPrefixOf, unseal } from '../../../src/base/crypto/seal.ts';

const place = 'webhook-secret:1';

const ringOf = (current: string, previous?: string) => ({ current, previous });

describe('seal', () => {
  it.each([
    ['an imported key', async () => importAesKey(randomBytes(32))],
    ['the root keys', async () => ringOf(randomBase64(32))],
  ])('with %s restores the text, and yields a different text each time', async (_name, makeKey) => {
    const key = await makeKey();
    const sealed = await seal(key, 'whsec_ção', place);
    expect(await unseal(key, sealed, place)).toBe('whsec_ção');
    expect(await seal(key, 'whsec_ção', place)).not.toBe(sealed);
    expect(sealed).not.toContain('whsec');
  });

  it('rejects another context, another key, a changed text and a text that is not sealed', async () => {
    const key = await importAesKey(randomBytes(32));
    const sealed = await seal(key, 'x', place);
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    const other = await importAesKey(randomBytes(32));
    await expect(unseal(key, sealed, 'webhook-secret:2')).rejects.toThrow('Decryption failed');
    await expect(unseal(other, sealed, place)).rejects.toThrow('Decryption failed');
    await expect(unseal(key, changed, place)).rejects.toThrow('Decryption failed');
    await expect(unseal(key, 'x', place)).rejects.toThrow('not a sealed text');
  });

  it('names the root key: the previous one opens what it sealed, and is never used again', async () => {
    const [old, current, third] = [randomBase64(32), randomBase64(32), randomBase64(32)];
    const before = await seal(ringOf(old), 'x', place);
    const rotating = ringOf(current, old);
    const after = await seal(rotating, 'x', place);
    expect(before.startsWith(await sealedPrefixOf(ringOf(old)))).toBe(true);
    expect(after.startsWith(await sealedPrefixOf(rotating))).toBe(true);
    expect(await sealedPrefixOf(rotating)).not.toBe(await sealedPrefixOf(ringOf(old)));
    for (const sealed of [before, after]) expect(await unseal(rotating, sealed, place)).toBe('x');
    await expect(unseal(ringOf(current), before, place)).rejects.toThrow('another key');
    await expect(unseal(ringOf(third, current), before, place)).rejects.toThrow('another key');
    // The name of the right key with the text of another does not open either.
    const forged = (await sealedPrefixOf(rotating)) + before.slice(-60);
    await expect(unseal(rotating, forged, place)).rejects.toThrow();
  });
});
