import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { randomBase64 } from '../../../src/base/crypto/random.ts';
import { disconnectApp } from '../../../src/oauth/revoke-grants.ts';
import { purgeExpired } from '../../../src/webhooks/sweep/purge.ts';
import { callApi } from '../../support/api/client.ts';
import {
  backdateIdempotencyKeys,
  withIdempotencyKey,
  idempotencyKeysOf,
} from '../../support/api/idempotency.ts';
import { callWithBindings, measureRequest } from '../../support/api/measure.ts';
import { roundTrips } from '../../support/api/round-trips.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { connectApp } from '../../support/oauth/partner.ts';
import { endpointOf, createTestWebhook } from '../../support/webhooks/delivery-log.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';

const day = 86_400_000;
const keyReused = { code: 'key_reused', errors: { 'Idempotency-Key': [expect.any(String)] } };
const namesOf = async ({ api }: TestStore) =>
  (await api('GET /catalog/brands?limit=100')).body.data.map(({ name }: { name: string }) => name);

describe('a repeated request with an idempotency key', () => {
  it('gets the same response and changes nothing; a first request costs one round trip more, after its response', async () => {
    const store = await createTestStore();
    const caller = withIdempotencyKey(store);
    const sent = { name: 'Aurora', active: true, colour: 'red' };
    const first = await measureRequest(caller, 'POST /catalog/brands', sent);
    const again = await measureRequest(caller, 'POST /catalog/brands', sent);
    expect(again.response.status).toBe(201);
    expect(again.response.body).toEqual(first.response.body);
    expect(again.response.headers.get('X-Warning')).toBe(first.response.headers.get('X-Warning'));
    expect(first.response.headers.get('X-Warning')).toContain('colour');
    expect(first.response.headers.has('Idempotent-Replayed')).toBe(false);
    expect(again.response.headers.get('Idempotent-Replayed')).toBe('true');
    expect([first.data.roundTrips, again.data.roundTrips, again.data.rowsWritten]).toEqual([
      2, 2, 0,
    ]);
    expect(await namesOf(store)).toEqual(['Aurora']);
  });

  it('gets the same response while the check key changes, and is not executed again', async () => {
    const store = await createTestStore();
    const caller = withIdempotencyKey(store);
    const sent = { name: 'Aurora', active: true };
    const newer = { CHECK_KEY: randomBase64(32) } as unknown as Partial<Env>;
    const rotating = { ...newer, CHECK_KEY_PREVIOUS: env.CHECK_KEY } as Partial<Env>;
    const request = (body: object, keys: Partial<Env>) =>
      callWithBindings(caller, 'POST /catalog/brands', body, keys);
    const first = await request(sent, {});
    const again = await request(sent, rotating);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await request({ ...sent, name: 'Sol' }, rotating)).toMatchObject({
      status: 422,
      body: keyReused,
    });
    expect(await namesOf(store)).toEqual(['Aurora']);
    // A day later the former key is gone, and with it all requests of its time.
    expect((await request({ ...sent, name: 'Sol' }, newer)).status).toBe(201);
    expect(await namesOf(store)).toHaveLength(2);
  });

  it('gets the same response while the sealing key changes, and is not executed again', async () => {
    const store = await createTestStore();
    const caller = withIdempotencyKey(store);
    const sent = { name: 'Aurora', active: true };
    const first = await caller.api('POST /catalog/brands', sent);
    const keys = { SEALING_KEY: randomBase64(32), SEALING_KEY_PREVIOUS: env.SEALING_KEY };
    const rotating = keys as unknown as Partial<Env>;
    const again = await callWithBindings(caller, 'POST /catalog/brands', sent, rotating);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await namesOf(store)).toEqual(['Aurora']);
  });

  it.each([
    ['its members in another order', '{"active":true,"name":"Sol","featured":false}'],
    ['other white space', ' {\n\t"name" : "Sol",\r\n"active":true ,"featured":false}'],
    ['other escapes', '{"n\\u0061me":"\\u0053ol","active":true,"featured":false}'],
    ['a byte order mark', '\ufeff{"name":"Sol","active":true,"featured":false}'],
    ['a member twice', '{"name":"Luz","active":true,"featured":false,"name":"Sol"}'],
  ])('is the same with %s', async (_why, raw) => {
    const store = await createTestStore();
    const caller = withIdempotencyKey(store);
    const sent = { name: 'Sol', active: true, featured: false };
    const first = await caller.api('POST /catalog/brands', sent);
    const path = `/v2/${store.alias}/catalog/brands`;
    const again = await callApi('POST', path, { headers: caller.headers, raw });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  });

  it('is the same with its numbers and its query spelled in another way', async () => {
    const store = await createTestStore();
    const { headers } = withIdempotencyKey(store);
    const path = `/v2/${store.alias}/config/settings`;
    const put = (query: string, raw: string) => callApi('PUT', path + query, { headers, raw });
    const first = await put('?a=1%2C2&b=%20', '{"cart_idle_minutes":90}');
    expect(first.status).toBe(200);
    for (const number of ['90.0', '9e1', '9E+1', '900e-1', ' 90 ']) {
      const again = await put('?b=+&a=1,2', `{"cart_idle_minutes":${number}}`);
      expect([again.status, again.body], number).toEqual([200, first.body]);
      expect(again.headers.get('Idempotent-Replayed'), number).toBe('true');
    }
    for (const [query, number] of [
      ['?b=+&a=1,2', '91'],
      ['?b=+&a=1,2', '90.00000000000000000001'],
      ['?b=+&a=2,1', '90'],
    ] as const) {
      const other = await put(query, `{"cart_idle_minutes":${number}}`);
      expect([other.status, other.body], number).toEqual([422, expect.objectContaining(keyReused)]);
    }
  });

  it('costs nothing when no key is sent', async () => {
    const store = await createTestStore();
    const { data } = await measureRequest(store, 'POST /catalog/brands', {
      name: 'Aurora',
      active: true,
    });
    expect([data.roundTrips, data.statements]).toEqual([1, 2]);
    expect(await idempotencyKeysOf(store)).toEqual([]);
  });

  it('costs a deletion no further round trip, because its response is stored with the change', async () => {
    const store = await createTestStore();
    const { body } = await store.api('POST /catalog/brands', { name: 'Aurora', active: true });
    const caller = withIdempotencyKey(store);
    const operation = `DELETE /catalog/brands/${body.data.id}`;
    const first = await measureRequest(caller, operation);
    const again = await caller.api(operation);
    expect([first.response.status, first.data.roundTrips]).toEqual([200, 1]);
    expect([again.status, again.body]).toEqual([200, {}]);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect((await withIdempotencyKey(store).api(operation)).status).toBe(404);
  });

  it('sends one event, and costs one round trip, after the response', async () => {
    const store = await createTestStore();
    await subscribeEndpoint(store, ['product.created']);
    const brand = await store.api('POST /catalog/brands', { name: 'Aurora', active: true });
    const product = { name: 'Shirt', simple: true, active: true, brand_id: brand.body.data.id };
    const sent = { ...product, skus: [{ sku: 'S', price_sale: 1, quantity: 1 }] };
    const caller = withIdempotencyKey(store);
    const first = await measureRequest(caller, 'POST /catalog/products', sent);
    const again = await caller.api('POST /catalog/products', sent);
    expect([first.response.status, first.data.roundTrips]).toEqual([201, roundTrips.product + 1]);
    expect([again.status, again.body]).toEqual([201, first.response.body]);
    expect(await recordedEvents(store)).toHaveLength(1);
  });

  it('does not undo later changes, even if the first request changed nothing', async () => {
    const store = await createTestStore();
    const { body } = await store.api('POST /catalog/brands', { name: 'Aurora', active: true });
    const caller = withIdempotencyKey(store);
    const operation = `PUT /catalog/brands/${body.data.id}`;
    await caller.api(operation, { name: 'Aurora', active: true });
    await store.api(operation, { name: 'Boreal', active: true });
    const again = await caller.api(operation, { name: 'Aurora', active: true });
    expect([again.status, again.body.data.name]).toEqual([200, 'Aurora']);
    expect(await namesOf(store)).toEqual(['Boreal']);
  });

  it('pings a webhook once', async () => {
    const store = await createTestStore();
    const caller = withIdempotencyKey(store);
    const operation = `POST /webhooks/${await createTestWebhook(store)}/ping`;
    let pings = 0;
    using _outside = mockNetwork(() => {
      pings += 1;
      return new Response('ok');
    });
    const [first, again] = [await caller.api(operation), await caller.api(operation)];
    expect([first.status, again.status, pings]).toEqual([200, 200, 1]);
    expect(again.body).toEqual(first.body);
  });
});

describe('an idempotency key', () => {
  it('returns 422 with another method, path, query or body', async () => {
    const store = await createTestStore();
    const caller = withIdempotencyKey(store);
    const { body } = await caller.api('POST /catalog/brands', { name: 'Aurora', active: true });
    const others: [operation: string, body?: object][] = [
      ['POST /catalog/brands', { name: 'Boreal', active: true }],
      ['POST /catalog/brands?x=1', { name: 'Aurora', active: true }],
      ['POST /catalog/categories', { name: 'Aurora', active: true }],
      [`PUT /catalog/brands/${body.data.id}`, { name: 'Aurora', active: true }],
      [`DELETE /catalog/brands/${body.data.id}`],
    ];
    for (const [operation, sent] of others) {
      const response = await caller.api(operation, sent);
      expect([response.status, response.body], operation).toEqual([
        422,
        expect.objectContaining(keyReused),
      ]);
    }
    expect(await namesOf(store)).toEqual(['Aurora']);
  });

  it('stays unused when the request is rejected', async () => {
    const store = await createTestStore();
    const caller = withIdempotencyKey(store);
    const { body } = await store.api('POST /catalog/brands', { name: 'Aurora', active: true });
    expect((await caller.api('POST /catalog/brands', { name: '', active: true })).status).toBe(422);
    expect(
      (await caller.api('POST /catalog/brands', { name: 'Aurora', active: true })).status,
    ).toBe(422);
    expect(await idempotencyKeysOf(store)).toEqual([]);
    await store.api(`DELETE /catalog/brands/${body.data.id}`);
    expect(
      (await caller.api('POST /catalog/brands', { name: 'Aurora', active: true })).status,
    ).toBe(201);
  });

  it('is ignored by operations that change nothing', async () => {
    const store = await createTestStore();
    const caller = withIdempotencyKey(store, 'x'.repeat(300));
    expect((await caller.api('GET /catalog/brands')).status).toBe(200);
  });

  it('belongs to its caller: another caller can use the same key', async () => {
    const [store, other] = [await createTestStore(), await createTestStore()];
    const app = { ...store, headers: (await connectApp(store)).headers };
    for (const [index, caller] of [store, other, app].entries()) {
      const sent = { name: `Brand ${index}`, active: true };
      const { status, headers, body } = await withIdempotencyKey(caller, 'same').api(
        'POST /catalog/brands',
        sent,
      );
      expect([status, headers.has('Idempotent-Replayed')]).toEqual([201, false]);
      expect(body.data.name).toBe(sent.name);
    }
    expect(
      [await idempotencyKeysOf(store), await idempotencyKeysOf(other)].map(({ length }) => length),
    ).toEqual([2, 1]);
  });

  it('returns 401 after the grant was revoked', async () => {
    const store = await createTestStore();
    const { app, headers } = await connectApp(store);
    const caller = withIdempotencyKey({ ...store, headers });
    expect(
      (await caller.api('POST /catalog/brands', { name: 'Aurora', active: true })).status,
    ).toBe(201);
    await disconnectApp(env, { id: store.id, shard: 0 }, app.client_id, Date.now());
    expect(
      (await caller.api('POST /catalog/brands', { name: 'Aurora', active: true })).status,
    ).toBe(401);
  });

  it('is deleted after a day', async () => {
    const store = await createTestStore();
    const caller = withIdempotencyKey(store);
    const { body } = await caller.api('POST /catalog/brands', { name: 'Aurora', active: true });
    await store.api(`DELETE /catalog/brands/${body.data.id}`);
    // Long before any row that other tests leave in the database.
    const at = Date.UTC(2003, 0, 1);
    await backdateIdempotencyKeys(store, at);
    await purgeExpired(sweepContextAt(at + day));
    expect(await idempotencyKeysOf(store)).toHaveLength(1);
    await purgeExpired(sweepContextAt(at + day + 1));
    expect(await idempotencyKeysOf(store)).toEqual([]);
    const executed = await caller.api('POST /catalog/brands', { name: 'Aurora', active: true });
    expect([executed.status, executed.headers.has('Idempotent-Replayed')]).toEqual([201, false]);
  });
});

describe('a response with a secret', () => {
  it('is replayed, and is stored only encrypted', async () => {
    const store = await createTestStore();
    const caller = withIdempotencyKey(store);
    const sent = { name: 'Desk', url: 'http://127.0.0.1:9/unreachable', events: ['order.paid'] };
    const first = await caller.api('POST /webhooks', sent);
    const again = await caller.api('POST /webhooks', sent);
    expect(again.body).toEqual(first.body);
    const stored = JSON.stringify(await idempotencyKeysOf(store));
    expect(stored).not.toContain('whsec_');
    expect(stored).not.toContain('nobody');
    expect(first.body.data.secret_key).toMatch(/^whsec_/);
  });

  it('is the same for both requests of a rotation, which happens once', async () => {
    const store = await createTestStore();
    const caller = withIdempotencyKey(store);
    const id = await createTestWebhook(store);
    const operation = `POST /webhooks/${id}/rotate-secret`;
    const first = await caller.api(operation, { overlap_hours: 1 });
    const before = await endpointOf(id);
    const again = await caller.api(operation, { overlap_hours: 1 });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body.data.secret_key).toBe(first.body.data.secret_key);
    expect((await endpointOf(id))?.secret_current).toBe(before?.secret_current);
  });
});
