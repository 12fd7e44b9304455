import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../src/base/settings.ts';
import { isPossibleClientId, generateClientId } from '../../src/oauth/client.ts';

const settings = settingsOf(env);

describe('isPossibleClientId', () => {
  it('accepts a generated id of 24 characters and rejects any change to it', async () => {
    const id = await generateClientId(settings);
    expect(id).toMatch(/^[\w-]{24}$/);
    expect(await isPossibleClientId(settings, id)).toBe(true);
    for (let index = 0; index < id.length; index += 1) {
      const changed = id.slice(0, index) + (id[index] === 'A' ? 'B' : 'A') + id.slice(index + 1);
      expect(await isPossibleClientId(settings, changed)).toBe(false);
    }
    for (const other of ['', `${id}A`, id.slice(1), 'x'.repeat(10_000)]) {
      expect(await isPossibleClientId(settings, other)).toBe(false);
    }
  });

  it('accepts ids after a rotation of the token key, and the fixed ids of the settings', async () => {
    const id = await generateClientId(settings);
    const rotated = settingsOf({ ...env, TOKEN_KEY: btoa('y'.repeat(32)) } as Env);
    expect(await isPossibleClientId(rotated, id)).toBe(true);
    expect(await isPossibleClientId(settings, 'demo-app')).toBe(true);
    expect(await isPossibleClientId({ ...settings, fixedClientIds: new Set() }, 'demo-app')).toBe(
      false,
    );
  });

  it('accepts ids of former check keys, and refuses them without', async () => {
    const id = await generateClientId(settings);
    const [older, newer] = [btoa('y'.repeat(32)), btoa('z'.repeat(32))];
    const rotatedTwice = { CHECK_KEY: newer, CHECK_KEY_PREVIOUS: `${older} ${env.CHECK_KEY}` };
    const rotated = settingsOf({ ...env, ...rotatedTwice } as Env);
    expect(await isPossibleClientId(rotated, id)).toBe(true);
    expect(await isPossibleClientId(rotated, await generateClientId(rotated))).toBe(true);
    expect(await isPossibleClientId(settings, await generateClientId(rotated))).toBe(false);
    const forgotten = settingsOf({ ...env, CHECK_KEY: newer } as unknown as Env);
    expect(await isPossibleClientId(forgotten, id)).toBe(false);
  });
});
