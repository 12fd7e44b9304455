import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { unseal } from '../../src/base/crypto/seal.ts';
import { settingsOf } from '../../src/base/settings.ts';
import { successorContext, keyFromToken, mintToken } from '../../src/oauth/token/grant-tokens.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { connectApp, postToken, redemptionForm, refreshForm } from '../support/oauth/partner.ts';
import { runsOf } from '../support/slow.ts';
import '../support/fixtures/first-shard.ts';

const sources = import.meta.glob<string>(
  ['../../src/{oauth,http/access,base/crypto,data}/**/*.{ts,tsx}'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);

async function dumpStorage(): Promise<string> {
  const tables = ['oauth_grants', 'oauth_events', 'webhook_events'];
  const rows = await env.STORE_0.batch(
    tables.map((table) => env.STORE_0.prepare(`select * from ${table}`)),
  );
  const { keys } = await env.GRANTS.list();
  const values = await Promise.all(keys.map(({ name }) => env.GRANTS.get(name)));
  return JSON.stringify([rows.map(({ results }) => results), keys, values]);
}

describe('leaks of codes, tokens and verifiers', () => {
  it('attack H1, H2: no log line, table or KV record holds one after use, replay and rejection', async () => {
    const lines: string[] = [];
    const spies = (['log', 'warn', 'error'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((...parts) => void lines.push(parts.join(' '))),
    );
    const connected = await connectApp(await createTestStore());
    const next = await postToken(refreshForm(connected.app, connected.tokens.refresh_token));
    await connected.api('POST /catalog/brands', { name: 'Marca', active: true });
    await connected.api('GET /catalog/nothing');
    await postToken(redemptionForm(connected));
    await connected.api('GET /catalog/brands');
    for (const spy of spies) spy.mockRestore();
    expect(lines.length).toBeGreaterThan(2);

    const everything = `${await dumpStorage()}\n${lines.join('\n')}`;
    const secrets = [
      connected.code,
      connected.verifier,
      connected.tokens.refresh_token,
      connected.tokens.access_token,
      next.body.refresh_token,
      next.body.access_token,
    ];
    // Proves that the search works: ids are not secret, so they are there.
    expect(everything).toContain(connected.grantId);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(40);
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(secret.slice(4, 60));
    }
  });

  const fuzzed = runsOf(1_000, 100);

  it(`attack H5: ${fuzzed} fuzzed forms are rejected without a 5xx and without repeating input`, async () => {
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
    const property = fc.asyncProperty(forms, fc.boolean(), async (form, hasGrantType) => {
      const base = hasGrantType ? { ...form, grant_type: 'refresh_token' } : form;
      const { status, body } = await postToken(base);
      expect([400, 401]).toContain(status);
      expect(
        Object.keys(body).every((key) => /^(error|error_description|error_uri|hint)$/.test(key)),
      ).toBe(true);
      expect(JSON.stringify(body)).not.toContain(mark);
    });
    await fc.assert(property, { numRuns: fuzzed });
  });

  it('attack G15: no source compares a hash, tag or MAC with === or !==', () => {
    const compared =
      /\w*(?:[Hh]ash|[Tt]ag|[Mm]ac|[Ss]ecret)(?:\(\))?\s*[!=]==(?!\s*(?:undefined|null))|[!=]==\s*\w*\.?\w*(?:[Hh]ash|[Tt]ag|[Mm]ac|[Ss]ecret)\b/;
    expect(Object.keys(sources).length).toBeGreaterThan(50);
    expect(compared.test('if (row.current_hash === presentedHash)')).toBe(true);
    for (const [path, source] of Object.entries(sources))
      expect(source, path).not.toMatch(compared);
  });
});

describe('a stolen database and MAC key', () => {
  it('attack H3: neither decrypt a successor nor rotate a grant without the token itself', async () => {
    const connected = await connectApp(await createTestStore());
    const { grantId } = connected;
    const presented = connected.tokens.refresh_token;
    const next = await postToken(refreshForm(connected.app, presented));
    const row = await env.STORE_0.prepare('select * from oauth_grants where id = ?')
      .bind(grantId)
      .first<Record<string, string>>();

    const claims = { grantId, generation: 2, expiresAt: Date.now() + 60_000, shard: 0 };
    const forged = await mintToken(settingsOf(env).tokenKeys, 'refresh', claims);
    const rejected = await postToken(refreshForm(connected.app, forged));
    expect([rejected.status, rejected.body.hint]).toEqual([400, 'Token has been revoked']);

    const decryptWith = (text: string) =>
      keyFromToken(text).then((key) =>
        unseal(key, row!.encrypted_successor!, successorContext(grantId)),
      );
    for (const known of [...Object.values(row!).map(String), forged]) {
      await expect(decryptWith(known)).rejects.toThrow();
    }
    expect(await decryptWith(presented)).toBe(next.body.refresh_token);
    expect((await postToken(refreshForm(connected.app, next.body.refresh_token))).status).toBe(200);
  });
});
