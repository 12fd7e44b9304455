import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callWithBindings, measureRequest } from '../../support/api/measure.ts';
import { refusal } from '../../support/api/refusal.ts';
import { fakeDatabase } from '../../support/fakes/fake-database.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { createTestWebhook, fillDeliveryLog } from '../../support/webhooks/delivery-log.ts';
import '../../support/fixtures/first-shard.ts';

const tooLarge = refusal(400, 'answer_too_large', {
  limit: ['The answer would be larger than 6 MiB. Ask for fewer records, or include less.'],
});

/** Creates a store with products that all are in the same heavy categories. */
async function createHeavyStore({ products = 1, categories = 1 }) {
  const store = await createTestStore();
  const brand = await store.api('POST /catalog/brands', { name: 'Marca', active: true });
  const ids: number[] = [];
  for (let index = 0; index < categories; index += 1) {
    const description = '😀'.repeat(10_000);
    const { body } = await store.api('POST /catalog/categories', {
      name: `c${index}`,
      active: true,
      description,
    });
    ids.push(body.data?.id ?? body.id);
  }
  for (let index = 0; index < products; index += 1) {
    await store.api('POST /catalog/products', {
      name: `p${index}`,
      simple: true,
      active: true,
      brand_id: brand.body.data.id,
      categories_ids: ids,
    });
  }
  return store;
}

describe('an answer of more than 6 MiB', () => {
  it('is 400 with the remedy for a page, which follows the remedy with 200', async () => {
    const store = await createHeavyStore({ products: 12, categories: 14 });
    const page = (query: string) => store.api(`GET /catalog/products?${query}`);
    const refused = await page('include=categories&limit=100');
    expect([refused.status, refused.body]).toEqual([400, tooLarge]);
    const smaller = await page('include=categories&limit=5');
    expect([smaller.status, smaller.body.data.length]).toEqual([200, 5]);
    expect((await page('limit=100')).body.data).toHaveLength(12);
    expect((await page('include=categories&limit=5&page=9')).body.data).toEqual([]);
  });

  it('is 400 for a relation that the database cannot build, since its values end at 2 MB', async () => {
    const store = await createHeavyStore({});
    const { body: list } = await store.api('GET /catalog/products');
    const path = `/catalog/products/${list.data[0].id}`;
    // The local database has no such limit.
    const limited = fakeDatabase({
      prepare: (sql: string) => env.STORE_0.prepare(sql),
      batch: () => Promise.reject(new Error('D1_ERROR: string or blob too big: SQLITE_TOOBIG')),
    });
    const bindings = { STORE_0: limited };
    const refused = await callWithBindings(
      store,
      `GET ${path}?include=categories`,
      undefined,
      bindings,
    );
    expect([refused.status, refused.body]).toEqual([400, tooLarge]);
  });

  it('is 400 for a page of events, and 200 for a smaller one', async () => {
    const store = await createTestStore();
    const id = await createTestWebhook(store);
    const merchant = { id: store.id, alias: store.alias };
    const resource = { text: 'x'.repeat(1_500_000) };
    const event = { event: 'product.created', time: '2031-01-01 00:00:00', merchant, resource };
    await fillDeliveryLog(store, id, { count: 6, body: JSON.stringify(event) });
    const refused = await measureRequest(store, 'GET /events?limit=5');
    expect([refused.response.status, refused.response.body]).toEqual([400, tooLarge]);
    const { results } = await env.STORE_0.prepare(
      'select id from webhook_events where store_id = ?',
    )
      .bind(store.id)
      .all();
    expect(results).toHaveLength(6);
    expect(refused.data.rowsRead).toBeLessThan(60);
  });

  it('costs a page of ordinary records few rows more, and no round trip', async () => {
    const store = await createHeavyStore({ products: 10, categories: 1 });
    const { data } = await measureRequest(store, 'GET /catalog/products?include=categories');
    expect(data.roundTrips).toBe(1);
    expect(data.rowsRead).toBeLessThan(150);
  });
});
