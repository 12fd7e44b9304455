import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { unseal } from '../../src/crypto/seal.ts';
import { keyUnder } from '../../src/oauth/key-under.ts';
import { sealedContext } from '../../src/oauth/successor.ts';
import { mintToken } from '../../src/oauth/token.ts';
import { settingsOf } from '../../src/settings.ts';
import { connect, post, redemption, refreshment } from '../support/partner.ts';
import { store } from '../support/store.ts';

const sources = import.meta.glob<string>(
  ['../../src/{oauth,access,crypto}/**/*.ts', '../../src/db/**/*.ts'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);

async function dump(): Promise<string> {
  const tables = ['oauth_grants', 'oauth_events', 'webhook_events'];
  const rows = await env.STORE_0.batch(
    tables.map((table) => env.STORE_0.prepare(`select * from ${table}`)),
  );
  const { keys } = await env.GRANTS.list();
  const values = await Promise.all(keys.map(({ name }) => env.GRANTS.get(name)));
  return JSON.stringify([rows.map(({ results }) => results), keys, values]);
}

describe('codes, tokens and verifiers', () => {
  it('H1, H2: are in no log, table or KV record after use, replay and refusal', async () => {
    const lines: string[] = [];
    const spies = (['log', 'warn', 'error'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((...parts) => void lines.push(parts.join(' '))),
    );
    const own = await connect(await store());
    const next = await post(refreshment(own.app, own.tokens.refresh_token));
    await own.api('POST /catalog/brands', { name: 'Marca', active: true });
    await own.api('GET /catalog/nothing');
    await post(redemption(own));
    await own.api('GET /catalog/brands');
    for (const spy of spies) spy.mockRestore();
    expect(lines.length).toBeGreaterThan(2);

    const everything = `${await dump()}\n${lines.join('\n')}`;
    const secrets = [
      own.code,
      own.verifier,
      own.tokens.refresh_token,
      own.tokens.access_token,
      next.body.refresh_token,
      next.body.access_token,
    ];
    // The search itself can find: ids are no secrets and are there.
    expect(everything).toContain(own.grantId);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(40);
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(secret.slice(4, 60));
    }
  });

  it('H5: 1,000 fuzzed forms are refused without a 5xx and without an echo', async () => {
    const mark = 'zq7Xk';
    const field = fc.constantFrom(
      'grant_type',
      'client_id',
      'code',
      'code_verifier',
      'refresh_token',
      'redirect_uri',
      'scope',
    );
    const value = fc.oneof(
      fc.constantFrom('authorization_code', 'refresh_token', 'demo-app', 'oac_', 'ort_'),
      fc.string({ unit: 'binary' }),
    );
    const forms = fc.dictionary(
      field,
      value.map((text) => `${text}${mark}`),
    );
    const property = fc.asyncProperty(forms, fc.boolean(), async (form, isNearlyGood) => {
      const base = isNearlyGood ? { ...form, grant_type: 'refresh_token' } : form;
      const { status, body } = await post(base);
      expect([400, 401]).toContain(status);
      expect(Object.keys(body).every((key) => /^(error|error_description|hint)$/.test(key))).toBe(
        true,
      );
      expect(JSON.stringify(body)).not.toContain(mark);
    });
    await fc.assert(property, { numRuns: 1_000 });
  }, 60_000);

  it('G15: no source compares a hash, tag or MAC by itself', () => {
    const compared =
      /\w*(?:[Hh]ash|[Tt]ag|[Mm]ac|[Ss]ecret)(?:\(\))?\s*[!=]==(?!\s*(?:undefined|null))|[!=]==\s*\w*\.?\w*(?:[Hh]ash|[Tt]ag|[Mm]ac|[Ss]ecret)\b/;
    expect(Object.keys(sources).length).toBeGreaterThan(50);
    expect(compared.test('if (row.current_hash === presentedHash)')).toBe(true);
    for (const [path, source] of Object.entries(sources))
      expect(source, path).not.toMatch(compared);
  });
});

describe('a dump of the database and the MAC key', () => {
  it('H3: open no sealed successor and move no chain, without the token itself', async () => {
    const own = await connect(await store());
    const { grantId } = own;
    const presented = own.tokens.refresh_token;
    const next = await post(refreshment(own.app, presented));
    const row = await env.STORE_0.prepare('select * from oauth_grants where id = ?')
      .bind(grantId)
      .first<Record<string, string>>();

    const facts = { grantId, generation: 2, expiresAt: Date.now() + 60_000, shard: 0 };
    const forged = await mintToken(settingsOf(env).tokenKeys, 'refresh', facts);
    const refused = await post(refreshment(own.app, forged));
    expect([refused.status, refused.body.hint]).toEqual([400, 'Token has been revoked']);

    const opened = (text: string) =>
      keyUnder(text).then((key) => unseal(key, row!.sealed!, sealedContext(grantId)));
    for (const known of [...Object.values(row!).map(String), forged]) {
      await expect(opened(known)).rejects.toThrow();
    }
    expect(await opened(presented)).toBe(next.body.refresh_token);
    expect((await post(refreshment(own.app, next.body.refresh_token))).status).toBe(200);
  });
});
