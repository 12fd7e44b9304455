import { describe, expect, it } from 'vitest';
import { changePrices } from '../../src/api/bulk/change-prices.ts';
import { callByCrowd, countStatuses } from '../support/api/at-once.ts';
import { idempotencyKeysOf } from '../support/api/idempotency.ts';
import { callWithBindings, measureRequest } from '../support/api/measure.ts';
import {
  createSellingStore,
  placeTestOrder,
  stockOf,
  type SellingStore,
} from '../support/fixtures/selling-store.ts';
import { databaseOf } from '../support/fixtures/shards.ts';
import { openStoreDb } from '../support/fixtures/store-db.ts';
import {
  lastSequence,
  recordedEvents,
  subscribeEndpoint,
} from '../support/webhooks/recorded-events.ts';
import '../support/fixtures/first-shard.ts';

const stocks = 'PUT /catalog/stocks';
const prices = 'PUT /catalog/prices';

/** Callers at once; a few already lose what is added to what was read before. A slow run has fifty (`attacks/at-once`). */
const dozen = { callers: 12 };

const stockEvents = async (shop: SellingStore) =>
  (await recordedEvents(shop)).map(({ resource }) => [
    resource.quantity,
    resource.sku.data.total_in_stock,
  ]);

/** Adds products with this many SKUs each, without requests. Returns the ids of all SKUs. */
async function addProducts(shop: SellingStore, products: number, skus: number): Promise<number[]> {
  const database = databaseOf(shop);
  const copy = async (table: string, count: number, from: string, columns: string) => {
    const { results } = await database
      .prepare(`select name from pragma_table_info('${table}')`)
      .all<{ name: string }>();
    const values = new Map(
      columns.split('; ').map((pair) => pair.split(' = ') as [string, string]),
    );
    const list = results.map(({ name }) => name);
    await database
      .prepare(
        `with recursive n(n) as (select 0 union all select n + 1 from n where n + 1 < ${count})
         insert into ${table} (${list.join()}) select ${list.map((name) => values.get(name) ?? `t.${name}`).join()}
         from n, ${table} t where t.id = (${from})`,
      )
      .run();
  };
  const [first] = shop.skuIds;
  const base = first! * 1000;
  const total = products * skus;
  await copy(
    'products',
    products,
    `select product_id from skus where id = ${first}`,
    `id = ${base} + n; slug = 'bulk-' || n`,
  );
  await copy(
    'skus',
    total,
    `${first}`,
    `id = ${base} + n; product_id = ${base} + n / ${skus}; sku = 'BULK-' || n; sku_key = 'bulk-' || n`,
  );
  await copy(
    'stocks',
    total,
    `${first}`,
    `id = ${base} + n; sku_id = ${base} + n; product_id = ${base} + n / ${skus}`,
  );
  return Array.from({ length: total }, (_, index) => base + index);
}

describe('bulk changes of stocks', () => {
  it('changes each stock by id or code and returns 200 with a result per item, each change with its event', async () => {
    const shop = await createSellingStore({ skus: 4, quantity: 10 });
    const webhook = await subscribeEndpoint(shop, ['product.inventory.updated']);
    const [a, b, c, d] = shop.skuIds as [number, number, number, number];
    await placeTestOrder(shop);
    const seq = await lastSequence(webhook);
    const { status, body } = await shop.api(stocks, {
      items: [
        { sku_id: a, quantity: 7 },
        { sku: 'sku-1', delta: -3 },
        { sku_id: c, quantity: 10 },
        { sku_id: d, stock_id: 1, delta: 0 },
      ],
    });
    expect([status, body]).toEqual([
      200,
      {
        data: [
          { index: 0, sku_id: a, status: 'changed' },
          { index: 1, sku_id: b, status: 'changed' },
          { index: 2, sku_id: c, status: 'unchanged' },
          { index: 3, sku_id: d, status: 'unchanged' },
        ],
      },
    ]);
    expect((await stockEvents(shop)).slice(-2)).toEqual([
      [7, 6],
      [7, 6],
    ]);
    expect(await lastSequence(webhook)).toBe(seq + 2);
    expect(await stockOf(shop, b)).toEqual({ quantity: 7, reserved: 1 });
  });

  it('fails only the items that are wrong (200), with the messages of their fields', async () => {
    const shop = await createSellingStore({ skus: 2, quantity: 10 });
    const foreign = await createSellingStore();
    await placeTestOrder(shop);
    const [a, b] = shop.skuIds as [number, number];
    const reserved = 'Must leave at least the reserved quantity, and at most 1,000,000,000.';
    const { status, body } = await shop.api(stocks, {
      items: [
        { sku_id: b, delta: 5 },
        { sku_id: foreign.skuIds[0], quantity: 1 },
        { sku: 'NO-SUCH', quantity: 1 },
        { sku_id: a, quantity: 0 },
        { sku_id: b, quantity: 1 },
        { sku_id: a, quantity: 1, delta: 1 },
        { sku_id: a, sku: 'SKU-0', quantity: -1 },
        { quantity: 1 },
        { sku_id: a },
        { sku_id: a, stock_id: 2, quantity: 1 },
        'text',
      ],
    });
    expect(status).toBe(200);
    const errors = body.data.map((one: { errors?: object }) => one.errors);
    expect(errors).toEqual([
      undefined,
      { sku_id: ['No such SKU in this store.'] },
      { sku: ['No such SKU in this store.'] },
      { quantity: [reserved] },
      { sku_id: ['Must not contain duplicates.'] },
      { delta: ['Must not be sent together with quantity.'] },
      {
        sku: ['Must not be sent together with sku_id.'],
        quantity: ['Must be a whole number from 0 to 1,000,000,000.'],
      },
      { sku_id: ['Required.'] },
      { quantity: ['Required.'] },
      { stock_id: ['The SKU has no stock at this location.'] },
      { item: ['Must be an object.'] },
    ]);
    expect(await stockOf(shop, b)).toEqual({ quantity: 15, reserved: 1 });
    expect(await stockOf(foreign, foreign.skuIds[0]!)).toEqual({ quantity: 10, reserved: 0 });
  });

  it('returns 422 without a list or for more than 500 items, and warns of unknown fields', async () => {
    const shop = await createSellingStore();
    const item = { sku_id: shop.skuIds[0], quantity: 1 };
    for (const items of [undefined, 'all', { 0: item }, Array.from({ length: 501 }, () => item)]) {
      for (const request of [stocks, prices]) {
        expect((await shop.api(request, { items })).status).toBe(422);
      }
    }
    expect((await shop.api(stocks, { items: [] })).body).toEqual({ data: [] });
    const warned = await shop.api(stocks, { items: [{ ...item, qty: 1 }] });
    expect(warned.headers.get('X-Warning')).toBe('Unknown field ignored: items.0.qty');
  });

  it('changes 500 stocks in two round trips and a fixed number of statements', async () => {
    const shop = await createSellingStore();
    await subscribeEndpoint(shop, ['product.inventory.updated']);
    const ids = await addProducts(shop, 5, 100);
    const { response, data } = await measureRequest(shop, stocks, {
      items: ids.map((sku_id) => ({ sku_id, delta: 1 })),
    });
    expect(new Set(response.body.data.map(({ status }: { status: string }) => status))).toEqual(
      new Set(['changed']),
    );
    // Per stock its row, its place among the low ones, the event, its place in the index and the delivery.
    expect(data).toMatchObject({ roundTrips: 2, statements: 10, rowsWritten: 2_503 });
    expect(data.rowsRead).toBeLessThan(15_000);
    const sent = await recordedEvents(shop);
    expect(sent).toHaveLength(500);
    expect(sent.map(({ resource }) => resource.quantity)).toEqual(Array(500).fill(11));
  });

  it('writes no row of the index of low stocks for a stock of many units', async () => {
    const shop = await createSellingStore({ quantity: 10 });
    const [sku_id] = shop.skuIds;
    const change = (quantity: number) =>
      measureRequest(shop, stocks, { items: [{ sku_id, quantity }] });
    // The first change after a list writes its version.
    await change(12);
    const low = await change(11);
    await change(500);
    const high = await change(501);
    expect(low.data.rowsWritten - high.data.rowsWritten).toBe(1);
  });

  it('counts as twenty requests', async () => {
    const shop = await createSellingStore();
    let asked = 0;
    const limiter: RateLimit = {
      limit: () => Promise.resolve({ success: (asked += 1) > 0 }),
    };
    const bindings = { API_LIMIT: limiter, API_PER_MINUTE: '1' } as unknown as Partial<Env>;
    const { status } = await callWithBindings(shop, stocks, { items: [] }, bindings);
    expect([status, asked]).toEqual([200, 20]);
  });

  it('adds deltas of a dozen callers up (200), beside orders that reserve', async () => {
    const shop = await createSellingStore({ skus: 20, quantity: 100 });
    const items = shop.skuIds.map((sku_id) => ({ sku_id, delta: 1 }));
    const [responses] = await Promise.all([
      callByCrowd(shop, () => [stocks, { items }], dozen),
      placeTestOrder(shop),
    ]);
    expect(countStatuses(responses)).toEqual({ 200: dozen.callers });
    for (const id of shop.skuIds) {
      expect(await stockOf(shop, id)).toEqual({ quantity: 112, reserved: 1 });
    }
  });

  it('adds a delta once for one idempotency key', async () => {
    const shop = await createSellingStore({ quantity: 10 });
    const headers = { ...shop.headers, 'Idempotency-Key': 'bulk-once' };
    const body = { items: [{ sku_id: shop.skuIds[0], delta: 5 }] };
    const responses = await callByCrowd({ ...shop, headers }, () => [stocks, body], dozen);
    for (const { status } of responses) expect([200, 409]).toContain(status);
    expect(await stockOf(shop, shop.skuIds[0]!)).toEqual({ quantity: 15, reserved: 0 });
  });
});

describe('bulk changes of prices', () => {
  it('sends product.updated once per product (200), with all its SKUs as they are now', async () => {
    const shop = await createSellingStore({ skus: 3, price: 100 });
    const [a, b, c] = shop.skuIds as [number, number, number];
    const [other] = await addProducts(shop, 1, 1);
    await subscribeEndpoint(shop, ['product.updated']);
    const { status, body } = await shop.api(prices, {
      items: [
        { sku_id: a, price_sale: 120, price_discount: 99.9 },
        { sku: 'SKU-1', price_cost: 12.34 },
        { sku_id: c, price_sale: 100, price_discount: null },
        { sku_id: other, price_sale: 1 },
        { sku_id: c, price_sale: 1.234 },
      ],
    });
    expect(status).toBe(200);
    const results = body.data.map((one: { sku_id: number; status: string }) => [
      one.sku_id,
      one.status,
    ]);
    expect(results).toEqual([
      [a, 'changed'],
      [b, 'changed'],
      [c, 'unchanged'],
      [other, 'changed'],
      [null, 'failed'],
    ]);
    const events = await recordedEvents(shop);
    expect(events).toHaveLength(2);
    const { data: skus } = events[0]!.resource.skus as unknown as {
      data: Record<string, unknown>[];
    };
    expect(skus.map((sku) => [sku.price_sale, sku.price_discount, sku.price_cost])).toEqual([
      [120, 99.9, 0],
      [100, null, 12.34],
      [100, null, 0],
    ]);
    for (const sku of skus) {
      expect((await shop.api(`GET /catalog/skus/${sku.id as number}`)).body.data).toEqual(sku);
    }
  });

  it('changes 500 prices of 500 products in three round trips', async () => {
    const shop = await createSellingStore();
    await subscribeEndpoint(shop, ['product.updated']);
    const ids = await addProducts(shop, 500, 1);
    const { response, data } = await measureRequest(shop, prices, {
      items: ids.map((sku_id, index) => ({ sku_id, price_sale: index + 1000 })),
    });
    expect(response.status).toBe(200);
    expect(data).toMatchObject({ roundTrips: 3, statements: 13, rowsWritten: 3_003 });
    // One of them for each row that changes: the version of the catalogue.
    expect(data.rowsRead).toBeLessThan(20_500);
    expect(await recordedEvents(shop)).toHaveLength(500);
    const again = await measureRequest(shop, prices, {
      items: ids.map((sku_id, index) => ({ sku_id, price_sale: index + 1000 })),
    });
    expect([again.data.roundTrips, again.data.rowsWritten]).toEqual([1, 0]);
  });

  it('survives a dozen callers with different prices (200)', async () => {
    const shop = await createSellingStore({ skus: 2 });
    const responses = await callByCrowd(
      shop,
      (caller) => [
        prices,
        { items: shop.skuIds.map((sku_id) => ({ sku_id, price_sale: 1 + caller })) },
      ],
      dozen,
    );
    expect(countStatuses(responses)).toEqual({ 200: dozen.callers });
  });

  it('takes the idempotency key with the last of several transactions only', async () => {
    const shop = await createSellingStore();
    await subscribeEndpoint(shop, ['product.updated']);
    const ids = await addProducts(shop, 3, 1);
    const items = ids.map((sku_id) => ({ value: { sku_id, stock_id: 1, price_sale: 500 } }));
    const db = openStoreDb(shop, Date.now());
    const claim = db.claimIdempotencyKey({ key: 'portions', fingerprint: 'f' }, null);
    const batch = db.batch.bind(db);
    let batches = 0;
    db.batch = (statements) => {
      batches += 1;
      // Reading all, then reading and writing each chunk.
      if (batches === 5) throw new Error('killed');
      return batch(statements);
    };
    await expect(changePrices(db, items, 1)).rejects.toThrow('killed');
    expect([claim.isClaimed, await idempotencyKeysOf(shop)]).toEqual([false, []]);
    const results = await changePrices(openStoreDb(shop, Date.now()), items, 1);
    expect(results.map(({ status }) => status)).toEqual(['unchanged', 'changed', 'changed']);
    expect(await recordedEvents(shop)).toHaveLength(3);
  });
});
