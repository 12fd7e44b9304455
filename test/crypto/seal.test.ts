import { describe, expect, it } from 'vitest';
import { randomBase64 } from '../../src/crypto/random.ts';
import { seal, unseal } from '../../src/crypto/seal.ts';

describe('seal', () => {
  const key = randomBase64(32);

  it('restores the text, and yields a different sealed text each time', async () => {
    const sealed = await seal(key, 'whsec_ção', 'webhook-secret:1');
    expect(await unseal(key, sealed, 'webhook-secret:1')).toBe('whsec_ção');
    expect(await seal(key, 'whsec_ção', 'webhook-secret:1')).not.toBe(sealed);
    expect(sealed).not.toContain('whsec');
  });

  it('rejects another context, another key, a changed text and a text that is not sealed', async () => {
    const sealed = await seal(key, 'x', 'webhook-secret:1');
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    await expect(unseal(key, sealed, 'webhook-secret:2')).rejects.toThrow('Decryption failed');
    await expect(unseal(randomBase64(32), sealed, 'webhook-secret:1')).rejects.toThrow(
      'Decryption failed',
    );
    await expect(unseal(key, changed, 'webhook-secret:1')).rejects.toThrow('Decryption failed');
    await expect(unseal(key, 'x', 'webhook-secret:1')).rejects.toThrow('not a sealed text');
  });
});
