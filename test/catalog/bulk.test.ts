import { describe, expect, it } from 'vitest';
import { changePrices } from '../../src/catalog/bulk/change-prices.ts';
import { IdempotencyRecorder } from '../../src/data/core/idempotency.ts';
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

/**
 * Callers at once; a few already lose what is added to what was read before. A slow run has fifty
 * (`attacks/at-once`).
 */
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
  // Beyond what other tests take of the sequence of the shard.
  const base = 2 ** 35 + first! * 1000;
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
        meta: { changed: 2, unchanged: 2, failed: 0, dry_run: false },
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
    expect((await shop.api(stocks, { items: [] })).body).toMatchObject({ data: [] });
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
    // Per stock its row, its place among the low ones, the event, its place in the index and the
    // delivery.
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
    const recorder = db.recordChanges(
      new IdempotencyRecorder(db, { key: 'portions', fingerprint: 'f' }, null),
    );
    const batch = db.batch.bind(db);
    let batches = 0;
    db.batch = (statements) => {
      batches += 1;
      // Reading all, then reading and writing each chunk.
      if (batches === 5) throw new Error('killed');
      return batch(statements);
    };
    await expect(changePrices(db, items, { maxSkus: 1 })).rejects.toThrow('killed');
    expect([recorder.isRecorded, await idempotencyKeysOf(shop)]).toEqual([false, []]);
    const results = await changePrices(openStoreDb(shop, Date.now()), items, {
      maxSkus: 1,
    });
    expect(results.map(({ status }) => status)).toEqual(['unchanged', 'changed', 'changed']);
    expect(await recordedEvents(shop)).toHaveLength(3);
  });
});

/** Creates two shirts with variants in two colours, and a cap. */
async function createShirts(shop: SellingStore) {
  const brand = await shop.api('POST /catalog/brands', { name: 'Azul', active: true });
  const create = async (name: string, active: boolean, skus: readonly object[]) => {
    const body = { name, simple: false, active, brand_id: brand.body.data.id, skus };
    const made = await shop.api('POST /catalog/products', body);
    expect(made.status).toBe(201);
    return made.body.data.id as number;
  };
  const sku = (code: string, title: string | null, price_sale: number, more: object = {}) => ({
    sku: code,
    title,
    price_sale,
    ...more,
  });
  const long = await create('Camisão longo', true, [
    sku('L-1', 'AZUL, M', 100, { price_discount: 90 }),
    sku('L-2', 'Vermelho, M', 100),
    sku('L-3', null, 0.1, { variations: [{ name: 'Cor', value: 'Ázul claro' }] }),
  ]);
  const short = await create('Camisao curto', false, [sku('C-AZUL', null, 33.33)]);
  const cap = await create('Boné', true, [sku('B-1', 'Azul', 50)]);
  return { brand_id: brand.body.data.id as number, long, short, cap };
}

const pricesByCode = async (shop: SellingStore) => {
  const { results } = await databaseOf(shop)
    .prepare(
      `select sku, price_sale, price_discount from skus where store_id = ? and sku not like 'SKU-%' order by id`,
    )
    .bind(shop.id)
    .all<{ sku: string; price_sale: number; price_discount: number | null }>();
  return Object.fromEntries(
    results.map(({ sku, price_sale, price_discount }) => [sku, [price_sale, price_discount]]),
  );
};

describe('prices of the SKUs that a filter finds', () => {
  it('change by a percentage (200), exact and rounded to cents, with an event for each product', async () => {
    const shop = await createSellingStore();
    await createShirts(shop);
    await subscribeEndpoint(shop, ['product.updated']);
    const raise = { filter: { q: 'camisao' }, variant: 'azul', percent: 5 };
    const tried = await shop.api(prices, { ...raise, dry_run: true });
    expect(tried.body.meta).toEqual({ changed: 3, unchanged: 0, failed: 0, dry_run: true });
    expect(tried.body.data[0]).toMatchObject({
      status: 'changed',
      sku: 'L-1',
      name: 'Camisão longo',
      before: { price_sale: 100, price_discount: 90 },
      after: { price_sale: 105, price_discount: 90 },
    });
    expect([(await pricesByCode(shop))['L-1'], await recordedEvents(shop)]).toEqual([
      [10_000, 9_000],
      [],
    ]);
    const { status, body } = await shop.api(prices, raise);
    expect([status, body.data]).toEqual([200, tried.body.data]);
    expect(await pricesByCode(shop)).toEqual({
      'L-1': [10_500, 9_000],
      'L-2': [10_000, null],
      // 10.5 cents, and 34.9965.
      'L-3': [11, null],
      'C-AZUL': [3_500, null],
      'B-1': [5_000, null],
    });
    expect(await recordedEvents(shop)).toHaveLength(2);
  });

  it.each([
    [
      'of the regular price, as an offer',
      { percent: -12.5, price: 'price_discount', of: 'price_sale' },
      [10_000, 8_750],
      [10_000, 8_750],
    ],
    [
      'of an offer, where there is one',
      { percent: 10, price: 'price_discount' },
      [10_000, 9_900],
      [10_000, null],
    ],
    ['by a part of a per cent', { percent: 0.0049 }, [10_000, 9_000], [10_000, null]],
    ['by less than half a cent, or more', { percent: 0.0051 }, [10_001, 9_000], [10_001, null]],
    [
      'to these prices',
      { set: { price_sale: 39.9, price_discount: null } },
      [3_990, null],
      [3_990, null],
    ],
  ])('change %s (200)', async (_words, change, first, second) => {
    const shop = await createSellingStore();
    const { long } = await createShirts(shop);
    const { status } = await shop.api(prices, { filter: { id: long, active: true }, ...change });
    const after = await pricesByCode(shop);
    expect([status, after['L-1'], after['L-2'], after['B-1']]).toEqual([
      200,
      first,
      second,
      [5_000, null],
    ]);
  });

  it('are those of the list with this filter, and of no other store', async () => {
    const [shop, other] = [await createSellingStore(), await createSellingStore()];
    const { brand_id, long, cap } = await createShirts(shop);
    await createShirts(other);
    for (const [filter, query] of [
      [{ brand_id }, `brand_id=${brand_id}`],
      [{ id: [long, cap] }, `id=${long},${cap}`],
      [{ active: false }, 'active=false'],
      [{ name: 'camisão', active: 1 }, 'name=camisão&active=1'],
      [{ category_id: 999_999 }, 'category_id=999999'],
    ] as const) {
      const { body } = await shop.api(`GET /catalog/products?include=skus&limit=100&${query}`);
      const listed = body.data.flatMap(({ skus }: { skus: { data: { id: number }[] } }) =>
        skus.data.map(({ id }) => id),
      );
      const found = await shop.api(prices, { filter, percent: 1, dry_run: true });
      expect([query, found.body.data.map(({ sku_id }: { sku_id: number }) => sku_id)]).toEqual([
        query,
        listed,
      ]);
    }
    expect((await pricesByCode(other))['L-1']).toEqual([10_000, 9_000]);
  });

  it('fail alone beyond the largest amount (200)', async () => {
    const shop = await createSellingStore();
    const { cap } = await createShirts(shop);
    await shop.api(prices, { items: [{ sku: 'B-1', price_sale: 99_999_999.99 }] });
    const { status, body } = await shop.api(prices, { filter: { id: cap }, percent: 1 });
    expect([status, body.data[0].status, Object.keys(body.data[0].errors)]).toEqual([
      200,
      'failed',
      ['price_sale'],
    ]);
    expect(body.meta).toMatchObject({ changed: 0, failed: 1 });
  });

  const filter = { active: true };
  it.each([
    [{}, 'items'],
    [{ filter }, 'percent'],
    [{ filter, items: [] }, 'filter'],
    [{ filter, percent: 5, set: { price_sale: 1 } }, 'set'],
    [{ filter, set: {} }, 'set.price_sale'],
    [{ filter, percent: 5, of: 'price' }, 'of'],
    [{ filter, percent: 1.00001 }, 'percent'],
    [{ filter, percent: -100.1 }, 'percent'],
    [{ items: [], percent: 5 }, 'percent'],
    [{ items: [], variant: 'azul' }, 'variant'],
    [{ filter, set: { price_sale: 1 }, price: 'price_sale' }, 'price'],
    [{ filter: {}, percent: 5 }, 'filter'],
    [{ filter: { q: ' ' }, percent: 5 }, 'filter.q'],
    [{ filter: { brand_id: [] }, percent: 5 }, 'filter.brand_id'],
    [{ filter: { brand_id: null }, percent: 5 }, 'filter.brand_id'],
    [{ filter: { brand_id: 'x' }, percent: 5 }, 'filter.brand_id'],
    [{ filter: { colour: 'blue' }, percent: 5 }, 'filter'],
    [{ filter: { search: 'name:x' }, percent: 5 }, 'filter'],
  ])('are refused for %j, and nothing changes (422)', async (body, field) => {
    const shop = await createSellingStore();
    const { status, body: said } = await shop.api(prices, body);
    expect([status, Object.keys(said.errors)]).toEqual([422, [field]]);
  });

  it('are 500 in one transaction and three round trips, and no more (422)', async () => {
    const shop = await createSellingStore();
    await subscribeEndpoint(shop, ['product.updated']);
    await addProducts(shop, 25, 20);
    const raise = { filter: { active: true }, variant: 'bulk', percent: 1 };
    const { response, data } = await measureRequest(shop, prices, raise);
    expect(response.body.meta.changed).toBe(500);
    expect(data).toMatchObject({ roundTrips: 3, statements: 13 });
    expect(data.rowsRead).toBeLessThan(20_500);
    expect(await recordedEvents(shop)).toHaveLength(25);
    const all = await shop.api(prices, { filter: { active: true }, percent: 1 });
    expect([all.status, Object.keys(all.body.errors)]).toEqual([422, ['filter']]);
  });

  it('change once for one idempotency key, and twice for two callers', async () => {
    const shop = await createSellingStore({ price: 100 });
    const raise = { filter: { active: true }, percent: 10 };
    const headers = { ...shop.headers, 'Idempotency-Key': 'raise-once' };
    const responses = await callByCrowd({ ...shop, headers }, () => [prices, raise], dozen);
    for (const { status } of responses) expect([200, 409]).toContain(status);
    const priceOf = async () =>
      (await shop.api(`GET /catalog/skus/${shop.skuIds[0]}`)).body.data.price_sale;
    expect(await priceOf()).toBe(110);
    await callByCrowd(shop, () => [prices, raise], { callers: 2 });
    expect(await priceOf()).toBe(133.1);
  });
});
