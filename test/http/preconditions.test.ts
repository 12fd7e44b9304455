import { describe, expect, it } from 'vitest';
import { callByCrowd, countStatuses } from '../support/api/at-once.ts';
import { createApiClient } from '../support/api/client.ts';
import { measureRequest } from '../support/api/measure.ts';
import { createSellingStore, orderBody } from '../support/fixtures/selling-store.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { connectApp } from '../support/oauth/partner.ts';
import { recordedEvents, subscribeEndpoint } from '../support/webhooks/recorded-events.ts';
import '../support/fixtures/first-shard.ts';

const setUp = async () => {
  const shop = await createSellingStore({ quantity: 5 });
  const sku = await shop.api(`GET /catalog/skus/${shop.skuIds[0]}`);
  const product = `/catalog/products/${sku.body.data.product_id}`;
  const tagOf = async (path: string) => (await shop.api(`GET ${path}`)).headers.get('ETag')!;
  return { shop, product, tagOf };
};

describe('If-Match', () => {
  it('lets one of fifty writers with the same tag change the record (200), the others get 412 and send no event', async () => {
    const { shop, product, tagOf } = await setUp();
    await subscribeEndpoint(shop, ['product.updated']);
    const headers = { ...shop.headers, 'If-Match': await tagOf(product) };
    const responses = await callByCrowd({ ...shop, headers }, (caller) => [
      `PUT ${product}`,
      { name: `Writer ${caller}` },
    ]);
    expect(countStatuses(responses)).toEqual({ 200: 1, 412: 49 });
    const winner = responses.find(({ status }) => status === 200)!;
    const current = await tagOf(product);
    expect(winner.headers.get('ETag')).toBe(current);
    expect(new Set(responses.map((response) => response.headers.get('ETag')))).toEqual(
      new Set([current]),
    );
    expect(await recordedEvents(shop)).toHaveLength(1);
  });

  it('sees a change of a relation that the tag includes, and of no other', async () => {
    const { shop, product, tagOf } = await setUp();
    const [plain, withSkus] = [await tagOf(product), await tagOf(`${product}?include=skus,brand`)];
    expect(withSkus).toMatch(/\.brand\.skus"$/);
    await shop.api(`PUT /catalog/skus/${shop.skuIds[0]}/stocks/1`, { delta: 1 });
    expect(await tagOf(product)).toBe(plain);
    const stale = await shop.api(`PUT ${product}`, { name: 'A' }, { 'If-Match': withSkus });
    const unknown = { 'If-Match': '"AAAAAAAAAAAAAAAAAAAAAA.nothing"' };
    expect((await shop.api(`PUT ${product}`, { name: 'A' }, unknown)).status).toBe(412);
    const current = await tagOf(`${product}?include=brand,skus`);
    expect([stale.status, stale.headers.get('ETag')]).toEqual([412, current]);
    const fresh = await shop.api(`PUT ${product}`, { name: 'A' }, { 'If-Match': current });
    expect(fresh.status).toBe(200);
  });

  it('costs one round trip more, and nothing without it', async () => {
    const { shop, product, tagOf } = await setUp();
    // The first change after a list writes its version.
    await shop.api(`PUT ${product}`, { name: 'First' });
    const plain = await measureRequest(shop, `PUT ${product}`, { name: 'A' });
    const headers = { ...shop.headers, 'If-Match': await tagOf(product) };
    const matched = await measureRequest({ ...shop, headers }, `PUT ${product}`, { name: 'B' });
    expect([plain.data.roundTrips, matched.data.roundTrips]).toEqual([2, 3]);
    // The guard, the record, and the comparison with the record.
    expect(matched.data.statements).toBe(plain.data.statements + 3);
    expect(matched.data.rowsWritten).toBe(plain.data.rowsWritten);
    const known = await measureRequest(
      { ...shop, headers: { ...shop.headers, 'If-None-Match': '*' } },
      `GET /catalog/skus/${shop.skuIds[0]}/stocks`,
    );
    expect([known.response.status, known.data.roundTrips]).toEqual([200, 1]);
  });

  it('costs two round trips more for a change that writes nothing, and keeps its tag', async () => {
    const { shop, product, tagOf } = await setUp();
    await shop.api(`PUT ${product}`, { name: 'A' });
    const tag = await tagOf(product);
    const plain = await measureRequest(shop, `PUT ${product}`, { name: 'A' });
    const headers = { ...shop.headers, 'If-Match': tag };
    const matched = await measureRequest({ ...shop, headers }, `PUT ${product}`, { name: 'A' });
    expect([matched.response.status, matched.response.headers.get('ETag')]).toEqual([200, tag]);
    expect([plain.data.roundTrips, matched.data.roundTrips]).toEqual([1, 3]);
    expect([plain.data.rowsWritten, matched.data.rowsWritten]).toEqual([0, 0]);
  });

  it('returns the stored response (200) for an executed idempotent request, although the tag is stale now', async () => {
    const { shop, product, tagOf } = await setUp();
    const headers = { 'If-Match': await tagOf(product), 'Idempotency-Key': 'once' };
    const first = await shop.api(`PUT ${product}`, { name: 'Once' }, headers);
    const again = await shop.api(`PUT ${product}`, { name: 'Once' }, headers);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(again.headers.get('ETag')).toBe(first.headers.get('ETag'));
    // A refused request does not use up its key.
    const other = { 'If-Match': headers['If-Match'], 'Idempotency-Key': 'other' };
    expect((await shop.api(`PUT ${product}`, { name: 'X' }, other)).status).toBe(412);
    const mended = { ...other, 'If-Match': await tagOf(product) };
    expect((await shop.api(`PUT ${product}`, { name: 'X' }, mended)).status).toBe(200);
  });

  it.each(['abc', '"a', '"a" "b"', '"a",b', 'W/', '*, "a"', `${'"a",'.repeat(9)}"a"`])(
    'returns 400 for the malformed list %s',
    async (sent) => {
      const { shop, product } = await setUp();
      for (const name of ['If-Match', 'If-None-Match']) {
        const response = await shop.api(`GET ${product}`, undefined, { [name]: sent });
        expect([response.status, response.body.code]).toEqual([400, 'invalid_precondition']);
      }
    },
  );

  it('returns 404 for a record that does not exist, whatever it requires', async () => {
    const { shop } = await setUp();
    for (const condition of [
      { 'If-Match': '*' },
      { 'If-Match': '"a"' },
      { 'If-None-Match': '*' },
    ]) {
      const response = await shop.api('PUT /catalog/products/99', { name: 'A' }, condition);
      expect(response.status).toBe(404);
    }
  });

  it('is named in X-Warning where no GET shows the record', async () => {
    const { shop } = await setUp();
    const path = `/catalog/skus/${shop.skuIds[0]}/stocks/1`;
    const response = await shop.api(`PUT ${path}`, { delta: 1 }, { 'If-Match': '"a"' });
    expect([response.status, response.headers.get('X-Warning')]).toEqual([
      200,
      'If-Match and If-None-Match are ignored: no GET shows this record',
    ]);
  });
});

it('gives an app the tag of what it may see, and compares with that', async () => {
  const { store, headers } = await connectApp(await createTestStore(), {
    scopes: ['catalog.write'],
  });
  const brand = await store.api('POST /catalog/brands', { name: 'A', active: true });
  const { body } = await store.api('POST /catalog/products', {
    name: 'P',
    simple: true,
    active: true,
    brand_id: brand.body.data.id,
    skus: [{ sku: 'S', price_sale: 1, quantity: 3 }],
  });
  const path = `/catalog/products/${body.data.id}`;
  const app = createApiClient(store.alias, headers);
  const tagFor = async (api: typeof app) =>
    (await api(`GET ${path}?include=skus`)).headers.get('ETag')!;
  const [own, full] = [await tagFor(app), await tagFor(store.api)];
  expect(own).not.toBe(full);
  expect((await app(`PUT ${path}`, { name: 'Q' }, { 'If-Match': full })).status).toBe(412);
  expect((await app(`PUT ${path}`, { name: 'Q' }, { 'If-Match': own })).status).toBe(200);
});

describe('a record that is as its tag says', () => {
  it('is 304 for one round trip, and reads the guard, its row and those of what is included', async () => {
    const shop = await createSellingStore({ skus: 20 });
    // The database reads on to the row after a range, so each range needs one: those of a later
    // store.
    await createSellingStore({ skus: 1 });
    const [sku = 0] = shop.skuIds;
    const { product_id: product } = (await shop.api(`GET /catalog/skus/${sku}`)).body.data;
    const { brand_id: brand } = (await shop.api(`GET /catalog/products/${product}`)).body.data;
    const placed = await shop.api('POST /orders', orderBody({ ...shop, skuIds: [sku] }));
    const rowsRead = async (path: string) => {
      const tag = (await shop.api(`GET ${path}`)).headers.get('ETag')!;
      const headers = { ...shop.headers, 'If-None-Match': tag };
      const { response, data } = await measureRequest({ ...shop, headers }, `GET ${path}`);
      expect([response.status, data.roundTrips, data.rowsWritten], path).toEqual([304, 1, 0]);
      return data.rowsRead;
    };
    expect(await rowsRead(`/catalog/brands/${brand}`)).toBe(2);
    expect(await rowsRead(`/customers/${shop.customerId}`)).toBe(2);
    expect(await rowsRead(`/catalog/products/${product}`)).toBe(2);
    expect(await rowsRead(`/orders/${placed.body.data.id}`)).toBe(3);
    expect(await rowsRead(`/catalog/skus/${sku}`)).toBe(4);
    expect(await rowsRead(`/catalog/products/${product}?include=skus`)).toBe(63);
  });
});
