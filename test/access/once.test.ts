import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { disconnectApp } from '../../src/oauth/disconnect-app.ts';
import { purge } from '../../src/events/purge.ts';
import { measured } from '../support/counted.ts';
import { eventsOf, subscribe } from '../support/events.ts';
import { dateKeys, keyed, keysOf } from '../support/keyed.ts';
import { endpointOf, webhookOf } from '../support/log.ts';
import { network } from '../support/network.ts';
import { connect } from '../support/partner.ts';
import { shiftAt } from '../support/shift.ts';
import { store, type TestStore } from '../support/store.ts';

const day = 86_400_000;
const reused = { code: 'key_reused', errors: { 'Idempotency-Key': [expect.any(String)] } };
const namesOf = async ({ api }: TestStore) =>
  (await api('GET /catalog/brands?limit=100')).body.data.map(({ name }: { name: string }) => name);

describe('a request that comes again under its key', () => {
  it('answers as it did, in one trip, and changes nothing', async () => {
    const shop = await store();
    const caller = keyed(shop);
    const sent = { name: 'Aurora', active: true, colour: 'red' };
    const first = await measured(caller, 'POST /catalog/brands', sent);
    const again = await measured(caller, 'POST /catalog/brands', sent);
    expect(again.answer.status).toBe(201);
    expect(again.answer.body).toEqual(first.answer.body);
    expect(again.answer.headers.get('X-Warning')).toBe(first.answer.headers.get('X-Warning'));
    expect(first.answer.headers.get('X-Warning')).toContain('colour');
    expect(first.answer.headers.has('Idempotent-Replayed')).toBe(false);
    expect(again.answer.headers.get('Idempotent-Replayed')).toBe('true');
    expect([first.data.trips, again.data.trips, again.data.rowsWritten]).toEqual([3, 1, 0]);
    expect(await namesOf(shop)).toEqual(['Aurora']);
  });

  it('costs nothing to those who send no key', async () => {
    const shop = await store();
    const { data } = await measured(shop, 'POST /catalog/brands', { name: 'Aurora', active: true });
    expect([data.trips, data.statements]).toEqual([1, 1]);
    expect(await keysOf(shop)).toEqual([]);
  });

  it('costs a deletion one trip more, since its answer is kept with the change', async () => {
    const shop = await store();
    const { body } = await shop.api('POST /catalog/brands', { name: 'Aurora', active: true });
    const caller = keyed(shop);
    const row = `DELETE /catalog/brands/${body.data.id}`;
    const first = await measured(caller, row);
    const again = await caller.api(row);
    expect([first.answer.status, first.data.trips]).toEqual([200, 2]);
    expect([again.status, again.body]).toEqual([200, {}]);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect((await keyed(shop).api(row)).status).toBe(404);
  });

  it('sends one event, in as many trips as without a key, one before and one after', async () => {
    const shop = await store();
    await subscribe(shop, ['product.created']);
    const brand = await shop.api('POST /catalog/brands', { name: 'Aurora', active: true });
    const product = { name: 'Shirt', simple: true, active: true, brand_id: brand.body.data.id };
    const sent = { ...product, skus: [{ sku: 'S', price_sale: 1, quantity: 1 }] };
    const caller = keyed(shop);
    const first = await measured(caller, 'POST /catalog/products', sent);
    const again = await caller.api('POST /catalog/products', sent);
    expect([first.answer.status, first.data.trips]).toEqual([201, 4]);
    expect([again.status, again.body]).toEqual([201, first.answer.body]);
    expect(await eventsOf(shop)).toHaveLength(1);
  });

  it('does not undo what others did since, though it had nothing to change itself', async () => {
    const shop = await store();
    const { body } = await shop.api('POST /catalog/brands', { name: 'Aurora', active: true });
    const caller = keyed(shop);
    const row = `PUT /catalog/brands/${body.data.id}`;
    await caller.api(row, { name: 'Aurora', active: true });
    await shop.api(row, { name: 'Boreal', active: true });
    const again = await caller.api(row, { name: 'Aurora', active: true });
    expect([again.status, again.body.data.name]).toEqual([200, 'Aurora']);
    expect(await namesOf(shop)).toEqual(['Boreal']);
  });

  it('pings once', async () => {
    const shop = await store();
    const caller = keyed(shop);
    const row = `POST /webhooks/${await webhookOf(shop)}/ping`;
    let pings = 0;
    using _outside = network(() => {
      pings += 1;
      return new Response('ok');
    });
    const [first, again] = [await caller.api(row), await caller.api(row)];
    expect([first.status, again.status, pings]).toEqual([200, 200, 1]);
    expect(again.body).toEqual(first.body);
  });
});

describe('a key', () => {
  it('422 with another method, path, query or body', async () => {
    const shop = await store();
    const caller = keyed(shop);
    const { body } = await caller.api('POST /catalog/brands', { name: 'Aurora', active: true });
    const others: [row: string, body?: object][] = [
      ['POST /catalog/brands', { name: 'Boreal', active: true }],
      ['POST /catalog/brands?x=1', { name: 'Aurora', active: true }],
      ['POST /catalog/categories', { name: 'Aurora', active: true }],
      [`PUT /catalog/brands/${body.data.id}`, { name: 'Aurora', active: true }],
      [`DELETE /catalog/brands/${body.data.id}`],
    ];
    for (const [row, sent] of others) {
      const answer = await caller.api(row, sent);
      expect([answer.status, answer.body], row).toEqual([422, expect.objectContaining(reused)]);
    }
    expect(await namesOf(shop)).toEqual(['Aurora']);
  });

  it('stays free when the request is refused', async () => {
    const shop = await store();
    const caller = keyed(shop);
    const { body } = await shop.api('POST /catalog/brands', { name: 'Aurora', active: true });
    expect((await caller.api('POST /catalog/brands', { name: '', active: true })).status).toBe(422);
    expect(
      (await caller.api('POST /catalog/brands', { name: 'Aurora', active: true })).status,
    ).toBe(422);
    expect(await keysOf(shop)).toEqual([]);
    await shop.api(`DELETE /catalog/brands/${body.data.id}`);
    expect(
      (await caller.api('POST /catalog/brands', { name: 'Aurora', active: true })).status,
    ).toBe(201);
  });

  it('is ignored where nothing is changed', async () => {
    const shop = await store();
    const caller = keyed(shop, 'x'.repeat(300));
    expect((await caller.api('GET /catalog/brands')).status).toBe(200);
  });

  it('is of its caller: another one has the same key for itself', async () => {
    const [shop, other] = [await store(), await store()];
    const app = { ...shop, headers: (await connect(shop)).headers };
    for (const [index, caller] of [shop, other, app].entries()) {
      const sent = { name: `Brand ${index}`, active: true };
      const { status, headers, body } = await keyed(caller, 'same').api(
        'POST /catalog/brands',
        sent,
      );
      expect([status, headers.has('Idempotent-Replayed')]).toEqual([201, false]);
      expect(body.data.name).toBe(sent.name);
    }
    expect([await keysOf(shop), await keysOf(other)].map(({ length }) => length)).toEqual([2, 1]);
  });

  it('401 for a grant that was revoked since', async () => {
    const shop = await store();
    const { app, headers } = await connect(shop);
    const caller = keyed({ ...shop, headers });
    expect(
      (await caller.api('POST /catalog/brands', { name: 'Aurora', active: true })).status,
    ).toBe(201);
    await disconnectApp(env, { id: shop.id, shard: 0 }, app.client_id, Date.now());
    expect(
      (await caller.api('POST /catalog/brands', { name: 'Aurora', active: true })).status,
    ).toBe(401);
  });

  it('is forgotten after a day, in chunks', async () => {
    const shop = await store();
    const caller = keyed(shop);
    const { body } = await caller.api('POST /catalog/brands', { name: 'Aurora', active: true });
    await shop.api(`DELETE /catalog/brands/${body.data.id}`);
    // Long before what other tests leave in the database.
    const at = Date.UTC(2003, 0, 1);
    await dateKeys(shop, at);
    await purge(shiftAt(at + day));
    expect(await keysOf(shop)).toHaveLength(1);
    await purge(shiftAt(at + day + 1));
    expect(await keysOf(shop)).toEqual([]);
    const anew = await caller.api('POST /catalog/brands', { name: 'Aurora', active: true });
    expect([anew.status, anew.headers.has('Idempotent-Replayed')]).toEqual([201, false]);
  });
});

describe('an answer with a secret', () => {
  it('comes again, and is nowhere to be read', async () => {
    const shop = await store();
    const caller = keyed(shop);
    const sent = { name: 'Desk', url: 'http://127.0.0.1:9/nobody', events: ['order.paid'] };
    const first = await caller.api('POST /webhooks', sent);
    const again = await caller.api('POST /webhooks', sent);
    expect(again.body).toEqual(first.body);
    const stored = JSON.stringify(await keysOf(shop));
    expect(stored).not.toContain('whsec_');
    expect(stored).not.toContain('nobody');
    expect(first.body.data.secret_key).toMatch(/^whsec_/);
  });

  it('is the same for both tries of a rotation, which happens once', async () => {
    const shop = await store();
    const caller = keyed(shop);
    const id = await webhookOf(shop);
    const row = `POST /webhooks/${id}/rotate-secret`;
    const first = await caller.api(row, { overlap_hours: 1 });
    const before = await endpointOf(id);
    const again = await caller.api(row, { overlap_hours: 1 });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body.data.secret_key).toBe(first.body.data.secret_key);
    expect((await endpointOf(id))?.secret_current).toBe(before?.secret_current);
  });
});
