import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { randomBase64url } from '../../../src/base/crypto/random.ts';
import { settingsOf } from '../../../src/base/settings.ts';
import { allScopeBits, scopesToBits } from '../../../src/data/grants/scopes.ts';
import { mintAccessToken, verifyAccessToken } from '../../../src/http/access/access-token.ts';
import { mintToken } from '../../../src/oauth/token/grant-tokens.ts';
import { callApi } from '../../support/api/client.ts';
import { countingDatabase, callWithBindings, noCost } from '../../support/api/measure.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  bearerHeaders,
  connectApp,
  createTestApp,
  postRevocation,
  postToken,
  redemptionForm,
  refreshForm,
  approveConsent,
} from '../../support/oauth/partner.ts';
import '../../support/fixtures/first-shard.ts';

// The attacker knows TOKEN_KEY, and the ids that any response or log shows. The database still
// decides.

const { tokenKeys } = settingsOf(env);

/** Connects an app that may read the catalogue; `forge` signs its claims with changes. */
async function connectReader() {
  const store = await createTestStore();
  const connected = await connectApp(store, { scopes: ['catalog.read'] });
  const claims = await verifyAccessToken(tokenKeys, connected.tokens.access_token, Date.now());
  if (!claims) throw new Error('the token is not valid');
  return {
    ...connected,
    claims,
    forge: (changes: Partial<typeof claims>) =>
      mintAccessToken(tokenKeys, { ...claims, ...changes }),
  };
}

/**
 * The statuses of a read, of a write, of an operation that runs no batch, and of one without a
 * store.
 */
async function statusesOf(alias: string, headers: Record<string, string>) {
  const calls = [
    callApi('GET', `/v2/${alias}/catalog/brands`, { headers }),
    callApi('POST', `/v2/${alias}/catalog/brands`, { headers, body: { name: 'M', active: true } }),
    callApi('GET', `/v2/${alias}/webhooks/events`, { headers }),
    callApi('POST', '/v2/auth/me', { headers }),
  ];
  return (await Promise.all(calls)).map(({ status }) => status);
}

describe('a caller who knows the key of the tokens', () => {
  it('attack G9: returns 401 for the store, the user, the client and the scopes of another grant', async () => {
    const attacker = await connectReader();
    const victim = await connectReader();
    const otherApp = await createTestApp();
    const forgeries = {
      store: { storeId: victim.store.id, alias: victim.store.alias, userId: victim.store.userId },
      user: { userId: victim.store.userId },
      client: { clientId: otherApp.client_id },
      scopes: { scopes: allScopeBits },
      scope: { scopes: scopesToBits(new Set(['catalog.write'])) },
      grant: { grantId: victim.grantId },
      invented: { grantId: randomBase64url(16) },
    };
    for (const [name, changes] of Object.entries(forgeries)) {
      const { clientId, alias } = { ...attacker.claims, ...changes };
      const headers = bearerHeaders(
        { ...attacker.app, client_id: clientId },
        await attacker.forge(changes),
      );
      expect(await statusesOf(alias, headers), name).toEqual([401, 401, 401, 401]);
    }
    expect((await attacker.store.api('GET /catalog/brands')).body.data).toEqual([]);
    expect((await victim.store.api('GET /catalog/brands')).body.data).toEqual([]);
  });

  it('attack G9: returns 401 for a shard that does not exist, for a code that was not redeemed and for an expired grant', async () => {
    const attacker = await connectReader();
    const otherShard = await attacker.forge({ shard: 7 });
    expect(await statusesOf(attacker.store.alias, bearerHeaders(attacker.app, otherShard))).toEqual(
      [401, 401, 401, 401],
    );

    const unredeemed = await approveConsent(attacker.store, attacker.app);
    const early = await attacker.forge({ grantId: unredeemed.grantId });
    expect(await statusesOf(attacker.store.alias, bearerHeaders(attacker.app, early))).toEqual([
      401, 401, 401, 401,
    ]);

    await env.STORE_0.prepare('update oauth_grants set expires_at = ? where id = ?')
      .bind(Date.now() - 1, attacker.grantId)
      .run();
    const late = await attacker.forge({ expiresAt: Date.now() + 1e9 });
    expect(await statusesOf(attacker.store.alias, bearerHeaders(attacker.app, late))).toEqual([
      401, 401, 401, 401,
    ]);
  });

  it('gets no tokens for a code or refresh token that it signed, whatever grant, generation and shard it names', async () => {
    const { app, grantId, tokens, store } = await connectReader();
    const pending = await approveConsent(store, app);
    for (const shard of [0, 1, 7]) {
      const claims = { expiresAt: Date.now() + 60_000, shard };
      const code = await mintToken(tokenKeys, 'code', {
        ...claims,
        grantId: pending.grantId,
        generation: 0,
      });
      const redeemed = await postToken(redemptionForm({ ...pending, code }));
      expect([redeemed.status, redeemed.body.access_token], `code ${shard}`).toEqual([
        400,
        undefined,
      ]);
      const token = await mintToken(tokenKeys, 'refresh', { ...claims, grantId, generation: 2 });
      const refreshed = await postToken(refreshForm(app, token));
      expect([refreshed.status, refreshed.body.access_token], `refresh ${shard}`).toEqual([
        400,
        undefined,
      ]);
    }
    const elsewhere = await mintToken(tokenKeys, 'refresh', {
      grantId,
      generation: 1,
      expiresAt: Date.now() + 60_000,
      shard: 7,
    });
    const form = { client_id: app.client_id, token: elsewhere };
    expect((await postRevocation(form)).status).toBe(200);
    expect((await postToken(refreshForm(app, tokens.refresh_token))).status).toBe(200);
  });
});

describe('an honest access token', () => {
  it('returns 200 with fewer scopes than its grant, and a read scope of a granted write scope', async () => {
    const connected = await connectApp(await createTestStore(), {
      scopes: ['catalog.write', 'orders.read'],
    });
    const form = {
      ...refreshForm(connected.app, connected.tokens.refresh_token),
      scope: 'catalog.read',
    };
    const { status, body } = await postToken(form);
    expect([status, body.scope]).toEqual([200, 'catalog.read']);
    const headers = bearerHeaders(connected.app, body.access_token);
    const path = `/v2/${connected.store.alias}/catalog/brands`;
    expect((await callApi('GET', path, { headers })).status).toBe(200);
    expect(
      (await callApi('POST', path, { headers, body: { name: 'M', active: true } })).status,
    ).toBe(403);
  });

  it('attack G9: gets no other facts of the store than those of the directory, and status 200', async () => {
    const attacker = await connectReader();
    await attacker.store.api('POST /catalog/brands', { name: 'M', active: true });
    const { body } = await attacker.store.api('GET /catalog/brands');
    const facts = { zone: 'Asia/Tokyo', base_url: 'https://evil.test', test: true };
    const headers = bearerHeaders(attacker.app, await attacker.forge({ facts }));
    vi.useFakeTimers({ toFake: ['Date'] });
    // Until the isolate has forgotten the answer of the directory from the time of the token.
    vi.setSystemTime(Date.now() + 60_000);
    const forged = await callApi('GET', `/v2/${attacker.store.alias}/catalog/brands`, { headers });
    vi.useRealTimers();
    expect([forged.status, forged.body.data]).toEqual([200, body.data]);
  });

  it('costs one row more than an API key, and no statement or round trip', async () => {
    const connected = await connectReader();
    const measure = async (headers: Record<string, string>) => {
      const cost = noCost();
      const bindings = { STORE_0: countingDatabase(env.STORE_0, cost) };
      await callWithBindings(
        { ...connected.store, headers },
        'GET /catalog/brands',
        undefined,
        bindings,
      );
      return cost;
    };
    // The first list after a change makes its version odd.
    await measure(connected.headers);
    const [withKey, withToken] = [
      await measure(connected.store.headers),
      await measure(connected.headers),
    ];
    expect(withToken).toEqual({
      ...withKey,
      rowsRead: withKey.rowsRead + 1,
    });
  });
});
