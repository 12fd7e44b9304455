import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { mintAccessToken, verifyAccessToken } from '../../src/access/access-token.ts';
import { randomBytes } from '../../src/crypto/random.ts';
import { disableApp } from '../../src/oauth/disable-app.ts';
import { disconnectApp } from '../../src/oauth/disconnect-app.ts';
import { settingsOf } from '../../src/settings.ts';
import { call } from '../support/api.ts';
import { callWith } from '../support/counted.ts';
import { bearer, connect, post, refreshment, type Connected } from '../support/partner.ts';
import { store } from '../support/store.ts';

const { tokenKeys } = settingsOf(env);
const brands = 'GET /catalog/brands';

const disconnect = ({ store: { id }, app }: Connected) =>
  disconnectApp(env, { id, shard: 0 }, app.client_id, Date.now());

/** Calls a row of the store with these headers alone. */
const withHeaders = async ({ store: { alias } }: Connected, headers: Record<string, string>) =>
  (await call('GET', `/v2/${alias}/catalog/brands`, { headers })).status;

describe('a bearer token', () => {
  it('does what its scopes allow, and its events tell of it', async () => {
    const { api } = await connect(await store());
    const made = await api('POST /catalog/brands', { name: 'Marca', active: true });
    expect(made.status).toBe(201);
    expect((await api(brands)).body.data).toHaveLength(1);
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'Bearer oat_a.b'])(
    'G1: 401 for the header "%s"',
    async (authorization) => {
      const own = await connect(await store());
      expect(await withHeaders(own, { ...own.headers, Authorization: authorization })).toBe(401);
    },
  );

  it('G2: 200 in its 599th second, 401 in its 600th', async () => {
    const [living, dead] = [
      await connect(await store(), { now: Date.now() - 597_000 }),
      await connect(await store(), { now: Date.now() - 600_000 }),
    ];
    expect([(await living.api(brands)).status, (await dead.api(brands)).status]).toEqual([
      200, 401,
    ]);
    const { tokens } = await connect(await store(), { now: 0 });
    const verify = (now: number) => verifyAccessToken(tokenKeys, tokens.access_token, now);
    expect(await verify(599_999)).toBeDefined();
    expect(await verify(600_000)).toBeUndefined();
  });

  it('G3: 401 for changed claims, a changed tag, another key and a token without a signature', async () => {
    const own = await connect(await store());
    const [payload = '', tag = ''] = own.tokens.access_token.slice(4).split('.');
    const claims = await verifyAccessToken(tokenKeys, own.tokens.access_token, Date.now());
    const other = { current: btoa('x'.repeat(32)), previous: undefined };
    const jwt = ['{"alg":"none"}', '{"sub":"1"}'].map(btoa).join('.');
    for (const token of [
      `oat_${payload.slice(0, -4)}AAAA.${tag}`,
      `oat_A${payload.slice(1)}.${tag}`,
      `oat_${payload}.${tag.slice(1)}A`,
      `oat_${payload}.`,
      `oat_${payload}`,
      `oat_A.${tag}`,
      await mintAccessToken(other, claims!),
      `${jwt}.`,
      'x'.repeat(5_000),
    ]) {
      expect(await withHeaders(own, bearer(own.app, token)), token).toBe(401);
    }
  });

  it('G4: 401 for a refresh token or a code in its place', async () => {
    const own = await connect(await store());
    expect(await withHeaders(own, bearer(own.app, own.tokens.refresh_token))).toBe(401);
    expect(await withHeaders(own, bearer(own.app, own.code))).toBe(401);
  });

  it('G5: 401 when X-Partner-Client-ID is missing, another one, twice or a list', async () => {
    const own = await connect(await store());
    const id = own.app.client_id;
    const { Authorization } = own.headers;
    expect(await withHeaders(own, { Authorization: Authorization! })).toBe(401);
    for (const sent of ['', 'demo-app', `${id}, ${id}`, `${id},`]) {
      const headers = { Authorization: Authorization!, 'X-Partner-Client-ID': sent };
      expect(await withHeaders(own, headers), sent).toBe(401);
    }
    const twice = new Headers(own.headers);
    twice.append('X-Partner-Client-ID', id);
    const url = `https://api.test/v2/${own.store.alias}/catalog/brands`;
    expect((await exports.default.fetch(url, { headers: twice })).status).toBe(401);
  });

  it('G8: 401 for a token in the query or the body', async () => {
    const own = await connect(await store());
    const query = `?access_token=${own.tokens.access_token}&client_id=${own.app.client_id}`;
    const path = `/v2/${own.store.alias}/catalog/brands`;
    expect((await call('GET', path + query)).status).toBe(401);
    const body = { access_token: own.tokens.access_token, name: 'x', active: true };
    expect((await call('POST', path, { body })).status).toBe(401);
  });

  it('G10: 401 after its grant was revoked, and no row changed', async () => {
    const own = await connect(await store());
    await disconnect(own);
    const answer = await own.api('POST /catalog/brands', { name: 'Marca', active: true });
    expect(answer.status).toBe(401);
    expect((await own.store.api(brands)).body.data).toEqual([]);
  });

  it('G11: revoked while a write is on its way, 100 times: changed only where it was answered', async () => {
    const own = await store();
    const outcomes = new Set<number>();
    for (let round = 0; round < 100; round += 1) {
      const one = await connect(own);
      const name = `Marca ${round}`;
      const [answer] = await Promise.all([
        one.api('POST /catalog/brands', { name, active: true }),
        disconnect(one),
      ]);
      outcomes.add(answer.status);
      const found = await own.api(`${brands}?name=${encodeURIComponent(name)}`);
      const isStored = found.body.data.some((brand: { name: string }) => brand.name === name);
      expect(isStored).toBe(answer.status === 201);
    }
    expect([...outcomes].every((status) => status === 201 || status === 401)).toBe(true);
  }, 60_000);

  it('G12: 401 at once on rows that read nothing too', async () => {
    const own = await connect(await store());
    const me = () => call('POST', '/v2/auth/me', { headers: own.headers });
    expect([(await own.api('GET /webhooks/events')).status, (await me()).status]).toEqual([
      200, 200,
    ]);
    await disconnect(own);
    expect([(await own.api('GET /webhooks/events')).status, (await me()).status]).toEqual([
      401, 401,
    ]);
  });

  it.each(['bearer', 'BEARER', 'Bearer '])(
    'G13: the scheme may be written "%s"',
    async (scheme) => {
      const own = await connect(await store());
      const headers = { ...own.headers, Authorization: `${scheme} ${own.tokens.access_token}` };
      expect(await withHeaders(own, headers)).toBe(200);
    },
  );

  it('G14: signed with the previous key it is good until its end, with an older one never', async () => {
    const root = () => btoa(String.fromCharCode(...randomBytes(32)));
    const [old, next, last] = [root(), root(), root()];
    const own = await connect(await store());
    const claims = await verifyAccessToken(tokenKeys, own.tokens.access_token, Date.now());
    const token = await mintAccessToken({ current: old, previous: undefined }, claims!);
    const callAt = (current: string, previous: string) =>
      callWith({ ...own.store, headers: bearer(own.app, token) }, brands, undefined, {
        TOKEN_KEY: current,
        TOKEN_KEY_PREVIOUS: previous,
      } as Partial<Env>);
    expect((await callAt(next, old)).status).toBe(200);
    expect((await callAt(last, next)).status).toBe(401);
  });

  it('J6: an app that is withdrawn loses all its tokens at once', async () => {
    const own = await connect(await store());
    await disableApp(env, own.app.client_id, Date.now(), 'draft');
    expect((await own.api(brands)).status).toBe(401);
  });

  it('works in a store of another shard, whose database holds its grant', async () => {
    const own = await connect(await store({ shard: 1 }), { shard: 1 });
    expect((await own.api('POST /catalog/brands', { name: 'M', active: true })).status).toBe(201);
    const again = await post(refreshment(own.app, own.tokens.refresh_token));
    expect(again.status).toBe(200);
    await disconnectApp(env, { id: own.store.id, shard: 1 }, own.app.client_id, Date.now());
    expect((await own.api(brands)).status).toBe(401);
  });

  it('403 for a store that is inactive, 403 once its user has left the store, 401 once the user is gone', async () => {
    const closed = await connect(await store({ active: false }));
    expect((await closed.api(brands)).status).toBe(403);
    const left = await connect(await store());
    const { userId, id } = left.store;
    const run = (sql: string) => env.DIRECTORY.prepare(sql).bind(userId).run();
    await run(`delete from memberships where user_id = ?1 and store_id = ${id}`);
    expect((await left.api(brands)).status).toBe(403);
    const gone = await connect(await store());
    const sql = 'update users set active = 0 where id = ?';
    await env.DIRECTORY.prepare(sql).bind(gone.store.userId).run();
    expect((await gone.api(brands)).status).toBe(401);
  });

  it('shows its user at /auth/me with the one store of its grant', async () => {
    const own = await connect(await store(), { scopes: ['catalog.read'] });
    const other = await store();
    await env.DIRECTORY.prepare(`insert into memberships values (?, ?, 'manager', 0)`)
      .bind(own.store.userId, other.id)
      .run();
    const { body } = await call('POST', '/v2/auth/me', { headers: own.headers });
    const aliases = body.merchants.data.map(({ alias }: { alias: string }) => alias);
    expect(aliases).toEqual([own.store.alias]);
    const byPair = await call('POST', '/v2/auth/me', { headers: own.store.headers });
    expect(byPair.body.merchants.data).toHaveLength(2);
  });
});

describe('limits', () => {
  it('429 beyond the limit of a grant, whatever other grants do', async () => {
    const own = await store();
    const [busy, quiet] = [await connect(own), await connect(own)];
    const asked: string[] = [];
    const API_LIMIT: RateLimit = {
      limit: ({ key }) => {
        asked.push(key);
        return Promise.resolve({ success: !key.includes(busy.grantId) });
      },
    };
    const bindings = { API_LIMIT, API_PER_MINUTE: '1' } as unknown as Partial<Env>;
    const statusOf = async ({ headers }: Connected) =>
      (await callWith({ ...own, headers }, brands, undefined, bindings)).status;
    expect([await statusOf(busy), await statusOf(quiet)]).toEqual([429, 200]);
    expect(asked.every((key) => !key.includes('oat_'))).toBe(true);
  });

  it('429 for an address that keeps sending tokens that are wrong', async () => {
    const own = await store();
    const REFUSED_LIMIT: RateLimit = { limit: () => Promise.resolve({ success: false }) };
    const bindings = { REFUSED_LIMIT, REFUSED_PER_MINUTE: '1' } as unknown as Partial<Env>;
    const headers = { Authorization: 'Bearer oat_wrong', 'X-Partner-Client-ID': 'demo-app' };
    const answer = await callWith({ ...own, headers }, brands, undefined, bindings);
    expect(answer.status).toBe(429);
  });
});

describe('webhooks of an app', () => {
  const webhook = (events: string[]) => ({ url: 'https://partner.test/hook', name: 'App', events });

  it('are seen and changed by itself alone, and by the header pair', async () => {
    const own = await store();
    const [one, other] = [await connect(own), await connect(own)];
    const { body } = await one.api('POST /webhooks', webhook(['product.created']));
    const path = `/webhooks/${body.data.id}`;
    for (const row of [`GET ${path}`, `PUT ${path}`, `DELETE ${path}`, `PUT /orders${path}`]) {
      expect((await other.api(row, { name: 'x' })).status, row).toBe(404);
    }
    expect((await other.api('GET /webhooks')).body.data).toEqual([]);
    expect((await one.api('GET /webhooks')).body.data).toHaveLength(1);
    expect((await own.api('GET /webhooks')).body.data).toHaveLength(1);
    const pairs = await own.api('POST /webhooks', webhook(['product.created']));
    expect((await one.api(`GET /webhooks/${pairs.body.data.id}`)).status).toBe(404);
  });

  it.each([
    ['order.paid', 'orders.read'],
    ['order.invoice.created', 'invoices.read'],
    ['transaction.payment.refused', 'transactions.read'],
    ['cart.reminder', 'carts.read'],
    ['customer.created', 'customers.read'],
    ['product.inventory.updated', 'inventory.read'],
    ['product.deleted', 'catalog.read'],
  ] as const)('403 for %s without %s, which is named; 201 with it', async (event, scope) => {
    const own = await store();
    const without = await connect(own, { scopes: ['webhooks.write', 'comments.read'] });
    const refused = await without.api('POST /webhooks', webhook([event]));
    expect([refused.status, refused.body.errors]).toEqual([403, { scope: [`Needs ${scope}.`] }]);
    const granted = await connect(own, { scopes: ['webhooks.write', scope] });
    expect((await granted.api('POST /webhooks', webhook([event]))).status).toBe(201);
  });

  it('are paused when the app is disconnected, and no other is', async () => {
    const own = await store();
    const [one, other] = [await connect(own), await connect(own)];
    for (const { api } of [one, other, own])
      await api('POST /webhooks', webhook(['product.created']));
    await disconnect(one);
    const { body } = await own.api('GET /webhooks?sort=id');
    expect(body.data.map(({ active }: { active: unknown }) => active)).toEqual([false, true, true]);
  });
});
