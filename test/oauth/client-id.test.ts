import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { isPossibleClientId, newClientId } from '../../src/oauth/client-id.ts';
import { settingsOf } from '../../src/settings.ts';

const settings = settingsOf(env);

describe('client ids', () => {
  it('are 24 characters of which none can be changed', async () => {
    const id = await newClientId(settings);
    expect(id).toMatch(/^[\w-]{24}$/);
    expect(await isPossibleClientId(settings, id)).toBe(true);
    for (let at = 0; at < id.length; at += 1) {
      const changed = id.slice(0, at) + (id[at] === 'A' ? 'B' : 'A') + id.slice(at + 1);
      expect(await isPossibleClientId(settings, changed)).toBe(false);
    }
    for (const other of ['', `${id}A`, id.slice(1), 'x'.repeat(10_000)]) {
      expect(await isPossibleClientId(settings, other)).toBe(false);
    }
  });

  it('survive a rotation of the token key; those of the demo are named in the settings', async () => {
    const id = await newClientId(settings);
    const rotated = settingsOf({ ...env, TOKEN_KEY: btoa('y'.repeat(32)) } as Env);
    expect(await isPossibleClientId(rotated, id)).toBe(true);
    expect(await isPossibleClientId(settings, 'demo-app')).toBe(true);
    expect(await isPossibleClientId({ ...settings, namedClients: new Set() }, 'demo-app')).toBe(
      false,
    );
  });
});
