import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { measureRequest } from '../../support/api/measure.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import '../../support/fixtures/first-shard.ts';

const webhook = (more: object = {}) => ({
  url: 'https://receiver.example.com/hook',
  name: 'ERP',
  events: ['product.updated', 'product.created', 'product.updated'],
  ...more,
});

describe('GET /{alias}/webhooks/events', () => {
  it('returns 200 with the 13 events in the order of the specification', async () => {
    const { api } = await createTestStore();
    const { body } = await api('GET /webhooks/events');
    expect(body.data).toHaveLength(13);
    expect(body.data[0]).toEqual({ name: 'order.created', description: 'Order created' });
    expect(body.data[12]).toEqual({
      name: 'product.inventory.updated',
      description: 'Product stock updated',
    });
    expect(JSON.stringify(body)).not.toContain('catalog.import_completed');
  });
});

describe('POST /{alias}/webhooks', () => {
  it('returns 201 with the signing secret, which is stored sealed and never returned again', async () => {
    const { api, id } = await createTestStore();
    const { status, body } = await api('POST /webhooks', webhook());
    expect(status).toBe(201);
    expect(body.data.secret_key).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(body.data.events).toEqual(['product.created', 'product.updated']);
    const { body: read } = await api(`GET /webhooks/${body.data.id}`);
    const { secret_key, ...shown } = body.data;
    expect(read.data).toEqual(shown);
    const row = await env.STORE_0.prepare('select * from webhook_endpoints where store_id = ?')
      .bind(id)
      .first();
    expect(JSON.stringify(row)).not.toContain(secret_key);
  });

  it('returns 201 with a webhook that starts paused, for which events are recorded and held', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api('POST /webhooks', webhook({ active: false }));
    expect([status, body.data.active]).toEqual([201, false]);
    const brand = await api('POST /catalog/brands', { name: 'b', active: true });
    const product = { name: 'p', simple: true, active: true, brand_id: brand.body.data.id };
    await api('POST /catalog/products', product);
    const { body: log } = await api(`GET /webhooks/${body.data.id}/deliveries`);
    expect(log.data).toMatchObject([{ seq: 1, event: 'product.created', state: 'held' }]);
  });

  it.each([
    [undefined, false],
    [true, true],
    ['1', true],
    [0, false],
  ])('returns 201 with ordered %j as %s, which a PUT changes', async (ordered, expected) => {
    const { api } = await createTestStore();
    const { status, body } = await api('POST /webhooks', webhook({ ordered }));
    expect([status, body.data.ordered]).toEqual([201, expected]);
    const path = `/webhooks/${body.data.id}`;
    await api(`PUT ${path}`, { name: 'CRM' });
    expect((await api(`GET ${path}`)).body.data.ordered).toBe(expected);
    await api(`PUT /orders${path}`, { ordered: !expected });
    expect((await api('GET /webhooks')).body.data[0].ordered).toBe(!expected);
    expect((await api(`PUT ${path}`, { ordered: 'yes' })).status).toBe(422);
  });

  it.each<[string, object, string[]]>([
    ['nothing is sent', {}, ['url', 'events', 'name']],
    ['an event is unknown', webhook({ events: ['product.sold'] }), ['events.0']],
    ['the list of events is empty', webhook({ events: [] }), ['events']],
    ['the URL is invalid', webhook({ url: 'receiver.example.com' }), ['url']],
    ['the URL is an IP address', webhook({ url: 'https://10.0.0.1/x' }), ['url']],
    ['the URL is an internal name', webhook({ url: 'https://db.internal/x' }), ['url']],
  ])('returns 422 when %s', async (_why, body, fields) => {
    const { api } = await createTestStore();
    const response = await api('POST /webhooks', body);
    expect([response.status, Object.keys(response.body.errors)]).toEqual([422, fields]);
  });

  it('fault 67: returns 422 for the 21st webhook, also for concurrent requests', async () => {
    const { api } = await createTestStore();
    const responses = await Promise.all(
      Array.from({ length: 23 }, () => api('POST /webhooks', webhook())),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20);
    const rejected = responses.find(({ status }) => status === 422)!;
    expect(rejected.body.errors).toEqual({ url: ['A store has at most 20 webhooks.'] });
    const { body } = await api('GET /webhooks?limit=100');
    expect(body.meta.pagination.total).toBe(20);
  });

  it('fault 67: returns 422 for 300 events in one request', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api(
      'POST /webhooks',
      webhook({ events: Array(300).fill('order.paid') }),
    );
    expect([status, Object.keys(body.errors)]).toEqual([422, ['events']]);
  });

  it('costs one round trip', async () => {
    const shop = await createTestStore();
    const { data } = await measureRequest(shop, 'POST /webhooks', webhook());
    expect(data.roundTrips).toBe(1);
  });
});

describe('PUT /{alias}/orders/webhooks/{id}', () => {
  it('returns 200 and keeps fields that are not sent', async () => {
    const { api } = await createTestStore();
    const { body: made } = await api('POST /webhooks', webhook());
    const path = `/orders/webhooks/${made.data.id}`;
    const renamed = await api(`PUT ${path}`, { name: 'CRM' });
    expect(renamed.body.data).toMatchObject({ name: 'CRM', url: made.data.url });
    const other = await api(`PUT ${path}`, { events: ['order.paid'], active: false });
    expect(other.body.data).toMatchObject({ name: 'CRM', events: ['order.paid'], active: false });
    const { body } = await api('GET /webhooks?search=active:0');
    expect(body.data).toEqual([other.body.data]);
  });

  it('returns 200 and keeps updated_at for an empty body and for unchanged fields', async () => {
    const { api } = await createTestStore();
    const { body: made } = await api('POST /webhooks', webhook());
    const path = `PUT /webhooks/${made.data.id}`;
    const { secret_key: _secret, ...shown } = made.data;
    expect((await api(path, {})).body.data).toEqual(shown);
    expect((await api(path, webhook())).body.data).toEqual(shown);
  });

  it('holds deliveries while inactive, and releases them when active again', async () => {
    const { api } = await createTestStore();
    const { body: made } = await api('POST /webhooks', webhook({ events: ['product.created'] }));
    const { body: brand } = await api('POST /catalog/brands', { name: 'a', active: true });
    const product = { name: 'p', simple: true, active: true, brand_id: brand.data.id };
    const states = async () =>
      (
        await env.STORE_0.prepare(
          'select state from webhook_deliveries where endpoint_id = ? order by seq',
        )
          .bind(made.data.id)
          .all<{ state: number }>()
      ).results.map(({ state }) => state);
    await api(`PUT /webhooks/${made.data.id}`, { active: false });
    await api('POST /catalog/products', product);
    expect(await states()).toEqual([3]);
    await api(`PUT /webhooks/${made.data.id}`, { active: true });
    expect(await states()).toEqual([0]);
  });

  it('returns 422 for null, and 404 for a webhook of another store', async () => {
    const [one, other] = [await createTestStore(), await createTestStore()];
    const { body: made } = await one.api('POST /webhooks', webhook());
    const path = `PUT /orders/webhooks/${made.data.id}`;
    expect((await one.api(path, { name: null })).status).toBe(422);
    const foreign = await other.api(path, { events: ['order.paid'], active: false });
    expect(foreign.status).toBe(404);
    const { body } = await one.api(`GET /webhooks/${made.data.id}`);
    expect(body.data).toMatchObject({ events: made.data.events, active: true });
  });
});

describe('DELETE /{alias}/orders/webhooks/{id}', () => {
  it('returns 200, then 404; another store cannot delete it', async () => {
    const [one, other] = [await createTestStore(), await createTestStore()];
    const { body: made } = await one.api('POST /webhooks', webhook());
    const path = `/orders/webhooks/${made.data.id}`;
    expect((await other.api(`DELETE ${path}`)).status).toBe(404);
    expect((await one.api(`DELETE ${path}`)).body).toEqual({});
    expect((await one.api(`DELETE ${path}`)).status).toBe(404);
    expect((await one.api(`PUT ${path}`, { active: true })).status).toBe(404);
    expect((await one.api('GET /webhooks')).body.data).toEqual([]);
  });
});

describe('GET and DELETE /{alias}/webhooks/{id}', () => {
  it('GET returns 200 with the webhook and without its secret; DELETE returns 200, then both return 404', async () => {
    const { api } = await createTestStore();
    const { body: made } = await api('POST /webhooks', webhook());
    const { secret_key: _, ...shown } = made.data;
    const path = `/webhooks/${made.data.id}`;
    const read = await api(`GET ${path}`);
    expect([read.status, read.body.data]).toEqual([200, shown]);
    const gone = await api(`DELETE ${path}`);
    expect([gone.status, gone.body]).toEqual([200, {}]);
    expect((await api(`DELETE ${path}`)).status).toBe(404);
    expect((await api(`GET ${path}`)).status).toBe(404);
  });
});
