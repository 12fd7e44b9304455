import { env, exports } from 'cloudflare:workers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { randomBytes } from '../../../src/base/crypto/random.ts';
import { settingsOf } from '../../../src/base/settings.ts';
import { mintAccessToken, verifyAccessToken } from '../../../src/http/access/access-token.ts';
import { disconnectApp } from '../../../src/oauth/revoke-grants.ts';
import { withdrawAppEverywhere } from '../../../src/oauth/withdraw-app.ts';
import { callApi } from '../../support/api/client.ts';
import { callWithBindings } from '../../support/api/measure.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  bearerHeaders,
  connectApp,
  postToken,
  refreshForm,
  type ConnectedTestApp,
} from '../../support/oauth/partner.ts';
import { runsOf } from '../../support/slow.ts';
import { followChanges } from '../../support/sweep.ts';

const { tokenKeys } = settingsOf(env);
const listBrands = 'GET /catalog/brands';

const disconnect = ({ store, app }: ConnectedTestApp) =>
  disconnectApp(env, store, app.client_id, Date.now());

/** Calls an operation with only these headers and returns the status. */
const withHeaders = async (
  { store: { alias } }: ConnectedTestApp,
  headers: Record<string, string>,
) => (await callApi('GET', `/v2/${alias}/catalog/brands`, { headers })).status;

describe('bearer token', () => {
  it('allows the operations that its scopes cover', async () => {
    const { api } = await connectApp(await createTestStore());
    const created = await api('POST /catalog/brands', { name: 'Marca', active: true });
    expect(created.status).toBe(201);
    expect((await api(listBrands)).body.data).toHaveLength(1);
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'Bearer oat_a.b'])(
    'attack G1: returns 401 for the header "%s"',
    async (authorization) => {
      const connected = await connectApp(await createTestStore());
      expect(
        await withHeaders(connected, { ...connected.headers, Authorization: authorization }),
      ).toBe(401);
    },
  );

  it('attack G2: returns 200 in the 599th second and 401 in the 600th', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const [fresh, expired] = [
      await connectApp(await createTestStore(), { now: Date.now() - 599_999 }),
      await connectApp(await createTestStore(), { now: Date.now() - 600_000 }),
    ];
    expect([(await fresh.api(listBrands)).status, (await expired.api(listBrands)).status]).toEqual([
      200, 401,
    ]);
    const { tokens } = await connectApp(await createTestStore(), { now: 0 });
    const verify = (now: number) => verifyAccessToken(tokenKeys, tokens.access_token, now);
    expect(await verify(599_999)).toBeDefined();
    expect(await verify(600_000)).toBeUndefined();
  });

  it('attack G3: returns 401 for changed claims, a changed tag, another key and an unsigned token', async () => {
    const connected = await connectApp(await createTestStore());
    const [payload = '', tag = ''] = connected.tokens.access_token.slice(4).split('.');
    const claims = await verifyAccessToken(tokenKeys, connected.tokens.access_token, Date.now());
    const otherKeys = { current: btoa('x'.repeat(32)), previous: undefined };
    const jwt = ['{"alg":"none"}', '{"sub":"1"}'].map(btoa).join('.');
    for (const token of [
      `oat_${payload.slice(0, -4)}AAAA.${tag}`,
      `oat_A${payload.slice(1)}.${tag}`,
      `oat_${payload}.${tag.slice(1)}A`,
      `oat_${payload}.`,
      `oat_${payload}`,
      `oat_A.${tag}`,
      await mintAccessToken(otherKeys, claims!),
      `${jwt}.`,
      'x'.repeat(5_000),
    ]) {
      expect(await withHeaders(connected, bearerHeaders(connected.app, token)), token).toBe(401);
    }
  });

  it('attack G4: returns 401 for a refresh token or a code', async () => {
    const connected = await connectApp(await createTestStore());
    expect(
      await withHeaders(connected, bearerHeaders(connected.app, connected.tokens.refresh_token)),
    ).toBe(401);
    expect(await withHeaders(connected, bearerHeaders(connected.app, connected.code))).toBe(401);
  });

  it('attack G5: returns 401 when X-Partner-Client-ID is missing, different, repeated or a list', async () => {
    const connected = await connectApp(await createTestStore());
    const id = connected.app.client_id;
    const { Authorization } = connected.headers;
    expect(await withHeaders(connected, { Authorization: Authorization! })).toBe(401);
    for (const sent of ['', 'demo-app', `${id}, ${id}`, `${id},`]) {
      const headers = { Authorization: Authorization!, 'X-Partner-Client-ID': sent };
      expect(await withHeaders(connected, headers), sent).toBe(401);
    }
    const repeated = new Headers(connected.headers);
    repeated.append('X-Partner-Client-ID', id);
    const url = `https://api.test/v2/${connected.store.alias}/catalog/brands`;
    expect((await exports.default.fetch(url, { headers: repeated })).status).toBe(401);
  });

  it('attack G8: returns 401 for a token in the query or the body', async () => {
    const connected = await connectApp(await createTestStore());
    const query = `?access_token=${connected.tokens.access_token}&client_id=${connected.app.client_id}`;
    const path = `/v2/${connected.store.alias}/catalog/brands`;
    expect((await callApi('GET', path + query)).status).toBe(401);
    const body = { access_token: connected.tokens.access_token, name: 'x', active: true };
    expect((await callApi('POST', path, { body })).status).toBe(401);
  });

  it('attack G10: returns 401 after the grant was revoked, and changes no row', async () => {
    const connected = await connectApp(await createTestStore());
    await disconnect(connected);
    const response = await connected.api('POST /catalog/brands', { name: 'Marca', active: true });
    expect(response.status).toBe(401);
    expect((await connected.store.api(listBrands)).body.data).toEqual([]);
  });

  const rounds = runsOf(100, 10);
  it(`attack G11: changes a row only if it returns 201, when the grant is revoked during the write (${rounds} rounds)`, async () => {
    const store = await createTestStore();
    const outcomes = new Set<number>();
    for (let round = 0; round < rounds; round += 1) {
      const connected = await connectApp(store);
      const name = `Marca ${round}`;
      const [response] = await Promise.all([
        connected.api('POST /catalog/brands', { name, active: true }),
        disconnect(connected),
      ]);
      outcomes.add(response.status);
      const found = await store.api(`${listBrands}?name=${encodeURIComponent(name)}`);
      const isStored = found.body.data.some((brand: { name: string }) => brand.name === name);
      expect(isStored).toBe(response.status === 201);
    }
    expect([...outcomes].every((status) => status === 201 || status === 401)).toBe(true);
  });

  it('attack G12: returns 401 at once after a revocation, also from operations without a batch', async () => {
    const connected = await connectApp(await createTestStore());
    const me = () => callApi('POST', '/v2/auth/me', { headers: connected.headers });
    expect([(await connected.api('GET /webhooks/events')).status, (await me()).status]).toEqual([
      200, 200,
    ]);
    await disconnect(connected);
    expect([(await connected.api('GET /webhooks/events')).status, (await me()).status]).toEqual([
      401, 401,
    ]);
  });

  it.each(['bearer', 'BEARER', 'Bearer '])(
    'attack G13: accepts the scheme "%s"',
    async (scheme) => {
      const connected = await connectApp(await createTestStore());
      const headers = {
        ...connected.headers,
        Authorization: `${scheme} ${connected.tokens.access_token}`,
      };
      expect(await withHeaders(connected, headers)).toBe(200);
    },
  );

  it('attack G14: accepts a token of the previous key, and rejects one of an older key', async () => {
    const root = () => btoa(String.fromCharCode(...randomBytes(32)));
    const [oldest, previous, current] = [root(), root(), root()];
    const connected = await connectApp(await createTestStore());
    const claims = await verifyAccessToken(tokenKeys, connected.tokens.access_token, Date.now());
    const token = await mintAccessToken({ current: oldest, previous: undefined }, claims!);
    const callAt = (current: string, previous: string) =>
      callWithBindings(
        { ...connected.store, headers: bearerHeaders(connected.app, token) },
        listBrands,
        undefined,
        {
          TOKEN_KEY: current,
          TOKEN_KEY_PREVIOUS: previous,
        } as Partial<Env>,
      );
    expect((await callAt(previous, oldest)).status).toBe(200);
    expect((await callAt(current, previous)).status).toBe(401);
  });

  it('attack J6: rejects all tokens of a withdrawn app at once', async () => {
    const connected = await connectApp(await createTestStore());
    await withdrawAppEverywhere(env, connected.app.client_id, Date.now(), 'draft');
    expect((await connected.api(listBrands)).status).toBe(401);
  });

  it('works for a store of another shard, which also holds the grant', async () => {
    const connected = await connectApp(await createTestStore({ shard: 1 }), { shard: 1 });
    expect((await connected.api('POST /catalog/brands', { name: 'M', active: true })).status).toBe(
      201,
    );
    const refreshed = await postToken(refreshForm(connected.app, connected.tokens.refresh_token));
    expect(refreshed.status).toBe(200);
    await disconnectApp(
      env,
      { id: connected.store.id, shard: 1 },
      connected.app.client_id,
      Date.now(),
    );
    expect((await connected.api(listBrands)).status).toBe(401);
  });

  it('returns 403 for an inactive store, and 401 once the shard is notified that the user left it or is inactive', async () => {
    const closed = await connectApp(await createTestStore({ active: false }));
    expect((await closed.api(listBrands)).status).toBe(403);
    const withoutMembership = await connectApp(await createTestStore());
    const { userId, id } = withoutMembership.store;
    const update = (sql: string) => env.DIRECTORY.prepare(sql).bind(userId).run();
    await update(`delete from memberships where user_id = ?1 and store_id = ${id}`);
    await followChanges(env, withoutMembership.store);
    expect((await withoutMembership.api(listBrands)).status).toBe(401);
    const withoutUser = await connectApp(await createTestStore());
    const sql = 'update users set active = 0 where id = ?';
    await env.DIRECTORY.prepare(sql).bind(withoutUser.store.userId).run();
    await followChanges(env, withoutUser.store);
    expect((await withoutUser.api(listBrands)).status).toBe(401);
  });

  it('returns only the store of the grant from /auth/me', async () => {
    const connected = await connectApp(await createTestStore(), { scopes: ['catalog.read'] });
    const other = await createTestStore();
    await env.DIRECTORY.prepare(`insert into memberships values (?, ?, 'manager', 0)`)
      .bind(connected.store.userId, other.id)
      .run();
    const { body } = await callApi('POST', '/v2/auth/me', { headers: connected.headers });
    const aliases = body.merchants.data.map(({ alias }: { alias: string }) => alias);
    expect(aliases).toEqual([connected.store.alias]);
    const withApiKey = await callApi('POST', '/v2/auth/me', { headers: connected.store.headers });
    expect(withApiKey.body.merchants.data).toHaveLength(2);
  });
});

describe('rate limits of bearer tokens', () => {
  it('returns 429 beyond the limit of one grant, and does not affect other grants', async () => {
    const store = await createTestStore();
    const [busy, quiet] = [await connectApp(store), await connectApp(store)];
    const limitedKeys: string[] = [];
    const API_LIMIT: RateLimit = {
      limit: ({ key }) => {
        limitedKeys.push(key);
        return Promise.resolve({ success: !key.includes(busy.grantId) });
      },
    };
    const bindings = { API_LIMIT, API_PER_MINUTE: '1' } as unknown as Partial<Env>;
    const statusOf = async ({ headers }: ConnectedTestApp) =>
      (await callWithBindings({ ...store, headers }, listBrands, undefined, bindings)).status;
    expect([await statusOf(busy), await statusOf(quiet)]).toEqual([429, 200]);
    expect(limitedKeys.every((key) => !key.includes('oat_'))).toBe(true);
  });

  it('returns 429 to an address that repeatedly sends invalid tokens', async () => {
    const store = await createTestStore();
    const FAILED_AUTH_LIMIT: RateLimit = { limit: () => Promise.resolve({ success: false }) };
    const bindings = { FAILED_AUTH_LIMIT, FAILED_AUTH_PER_MINUTE: '1' } as unknown as Partial<Env>;
    const headers = { Authorization: 'Bearer oat_wrong', 'X-Partner-Client-ID': 'demo-app' };
    const response = await callWithBindings({ ...store, headers }, listBrands, undefined, bindings);
    expect(response.status).toBe(429);
  });
});

describe('webhooks of an app', () => {
  const webhook = (events: string[]) => ({ url: 'https://partner.test/hook', name: 'App', events });

  it('are visible to that app and to API keys, but not to other apps', async () => {
    const store = await createTestStore();
    const [one, other] = [await connectApp(store), await connectApp(store)];
    const { body } = await one.api('POST /webhooks', webhook(['product.created']));
    const path = `/webhooks/${body.data.id}`;
    for (const operation of [
      `GET ${path}`,
      `PUT ${path}`,
      `DELETE ${path}`,
      `PUT /orders${path}`,
    ]) {
      expect((await other.api(operation, { name: 'x' })).status, operation).toBe(404);
    }
    expect((await other.api('GET /webhooks')).body.data).toEqual([]);
    expect((await one.api('GET /webhooks')).body.data).toHaveLength(1);
    expect((await store.api('GET /webhooks')).body.data).toHaveLength(1);
    const ofApiKey = await store.api('POST /webhooks', webhook(['product.created']));
    expect((await one.api(`GET /webhooks/${ofApiKey.body.data.id}`)).status).toBe(404);
  });

  it.each([
    ['order.paid', ['orders.read', 'customers.read']],
    ['order.invoice.created', ['invoices.read']],
    ['transaction.payment.refused', ['transactions.read', 'customers.read']],
    ['cart.reminder', ['carts.read', 'customers.read']],
    ['customer.created', ['customers.read']],
    ['product.inventory.updated', ['inventory.read']],
    ['product.deleted', ['catalog.read']],
  ] as const)(
    'for %s require %s: returns 403 without the scopes and names all of them, 201 with them',
    async (event, required) => {
      const store = await createTestStore();
      const withoutScope = await connectApp(store, { scopes: ['webhooks.write', 'comments.read'] });
      const rejected = await withoutScope.api('POST /webhooks', webhook([event]));
      expect([rejected.status, rejected.body.errors]).toEqual([
        403,
        { scope: required.map((scope) => `Requires ${scope}.`) },
      ]);
      const granted = await connectApp(store, { scopes: ['webhooks.write', ...required] });
      expect((await granted.api('POST /webhooks', webhook([event]))).status).toBe(201);
    },
  );

  it('are paused when the app is disconnected; others stay active', async () => {
    const store = await createTestStore();
    const [one, other] = [await connectApp(store), await connectApp(store)];
    for (const { api } of [one, other, store])
      await api('POST /webhooks', webhook(['product.created']));
    await disconnect(one);
    const { body } = await store.api('GET /webhooks?sort=id');
    expect(body.data.map(({ active }: { active: unknown }) => active)).toEqual([false, true, true]);
  });
});
