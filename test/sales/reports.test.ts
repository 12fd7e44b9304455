import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { addTestKey } from '../support/fixtures/keys.ts';
import { sampleCustomer } from '../support/fixtures/sample-data.ts';
import {
  createSellingStore,
  orderBody,
  placeTestOrder,
  type SellingStore,
} from '../support/fixtures/selling-store.ts';
import { databaseOf } from '../support/fixtures/shards.ts';

/** Places an order that is paid, and moves it to a time. */
async function sellAt(shop: SellingStore, at: string, more: Record<string, unknown> = {}) {
  const order = await placeTestOrder(shop, { status: 'paid', ...more });
  await databaseOf(shop)
    .prepare('update orders set created_at = ? where id = ?')
    .bind(Date.parse(at), order.id)
    .run();
  return order;
}

/** Names the columns of a table that are stored, but for some. */
async function columnsOf(shop: SellingStore, table: string, without: readonly string[]) {
  const { results } = await databaseOf(shop)
    .prepare(`select name from pragma_table_info('${table}')`)
    .all<{ name: string }>();
  return results
    .map(({ name }) => name)
    .filter((name) => !without.includes(name))
    .join();
}

const numbers = (count: number) =>
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`;

let usedRanges = 0;

/**
 * Returns the begin of a million ids beyond those that stores reserve, in the shard of a record.
 */
const freeIds = (id: number) =>
  Math.floor(id / 2 ** 36) * 2 ** 36 + 2 ** 34 + (usedRanges += 1) * 1_000_000;

/** Copies a SKU and its stock, with three units each. */
async function copyStocks(shop: SellingStore, skuId: number, count: number) {
  const sku = await columnsOf(shop, 'skus', ['id', 'sku', 'sku_key', 'sku_folded']);
  const stock = await columnsOf(shop, 'stocks', ['id', 'sku_id', 'quantity', 'reserved']);
  const start = freeIds(skuId);
  await databaseOf(shop).batch([
    databaseOf(shop).prepare(
      `insert into skus (id, sku, sku_key, sku_folded, ${sku})
       ${numbers(count)} select ${start} + i, 'c' || i, 'c' || i, 'c' || i, ${sku} from n, skus where skus.id = ${skuId}`,
    ),
    databaseOf(shop).prepare(
      `insert into stocks (id, sku_id, quantity, reserved, ${stock})
       ${numbers(count)} select ${start} + i, ${start} + i, 3, 0, ${stock} from n, stocks where stocks.sku_id = ${skuId}`,
    ),
  ]);
}

/**
 * Copies the only order of a store and its items, `count` times, a second apart from `since` (epoch
 * milliseconds) on.
 */
async function copyOrder(shop: SellingStore, count: number, since: number) {
  const database = databaseOf(shop);
  const id = await database
    .prepare('select id from orders where store_id = ?')
    .bind(shop.id)
    .first<number>('id');
  const order = await columnsOf(shop, 'orders', ['id', 'number', 'created_at', 'cart_id']);
  const item = await columnsOf(shop, 'order_items', ['id', 'order_id']);
  const start = freeIds(id ?? 0);
  await database.batch([
    database.prepare(
      `insert into orders (id, number, created_at, ${order})
       ${numbers(count)} select ${start} + i, 1000000 + i, ${since} + i * 1000, ${order} from n, orders where orders.id = ${id}`,
    ),
    database.prepare(
      `insert into order_items (id, order_id, ${item})
       ${numbers(count)} select ${start} + i * 100 + order_items.id % 100, ${start} + i, ${item} from n, order_items where order_id = ${id}`,
    ),
  ]);
}

describe('GET /{alias}/reports/sales', () => {
  it('returns 200 with orders, units and revenue of each day of the store and of each product', async () => {
    const shop = await createSellingStore({ price: 50, quantity: 100 });
    const [sku_id] = shop.skuIds;
    // Half past eleven in the evening in São Paulo, and half an hour after midnight.
    await sellAt(shop, '2026-03-11T02:30:00Z', { items: [{ sku_id, quantity: 2 }] });
    await sellAt(shop, '2026-03-11T03:30:00Z', {
      items: [{ sku_id, quantity: 3 }],
      value_shipment: 20,
    });
    await sellAt(shop, '2026-03-13T03:00:00Z');
    const { status, body } = await shop.api('GET /reports/sales?from=2026-03-10&to=2026-03-12');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      from: '2026-03-10',
      to: '2026-03-12',
      orders: 2,
      units: 5,
      revenue: 270,
      uncounted_orders: 0,
      days: [
        { date: '2026-03-10', orders: 1, units: 2, revenue: 100 },
        { date: '2026-03-11', orders: 1, units: 3, revenue: 170 },
        { date: '2026-03-12', orders: 0, units: 0, revenue: 0 },
      ],
      products: [{ name: 'Camiseta', orders: 2, units: 5, revenue: 250 }],
      customers: [{ orders: 2, units: 5, revenue: 270 }],
    });
  });

  it('puts a sale into its day on both sides of a clock change', async () => {
    const shop = await createSellingStore({ quantity: 100 });
    // In São Paulo the day of 2018-11-04 began at one o'clock: 23:59 before is 02:59Z, 01:00 is
    // 03:00Z.
    await sellAt(shop, '2018-11-04T02:59:59Z');
    await sellAt(shop, '2018-11-04T03:00:00Z');
    await sellAt(shop, '2018-11-05T01:59:59Z');
    const { body } = await shop.api('GET /reports/sales?from=2018-11-03&to=2018-11-04');
    expect(body.data.days).toMatchObject([
      { date: '2018-11-03', orders: 1 },
      { date: '2018-11-04', orders: 2 },
    ]);
  });

  it('counts paid orders only, and says how many others there are', async () => {
    const shop = await createSellingStore();
    await placeTestOrder(shop);
    const cancelled = await placeTestOrder(shop, { status: 'paid' });
    await shop.api(`PUT /orders/${cancelled.id}`, { status: 'cancelled' });
    await placeTestOrder(shop, { status: 'paid' });
    const { body } = await shop.api('GET /reports/sales');
    expect(body.data).toMatchObject({ orders: 1, units: 1, revenue: 100, uncounted_orders: 2 });
    expect(body.data.days).toHaveLength(30);
    expect(body.data.days.at(-1)).toMatchObject({ date: body.data.to, orders: 1 });
  });

  it('names products by revenue, up to limit, by the name of the newest order', async () => {
    const shop = await createSellingStore({ price: 10, quantity: 100 });
    const brand = await shop.api('GET /catalog/brands');
    const { body: other } = await shop.api('POST /catalog/products', {
      name: 'Caneca',
      simple: true,
      active: true,
      brand_id: brand.body.data[0].id,
      skus: [{ sku: 'MUG', price_sale: 30, quantity: 9, quantity_managed: true }],
    });
    const skus = await shop.api(`GET /catalog/products/${other.data.id}/skus`);
    const mug = skus.body.data[0].id;
    await placeTestOrder(shop, { status: 'paid' });
    await shop.api(`PUT /catalog/products/${other.data.id}`, { name: 'Caneca azul' });
    await placeTestOrder(shop, { status: 'paid', items: [{ sku_id: mug, quantity: 1 }] });
    const all = await shop.api('GET /reports/sales');
    expect(all.body.data.products).toMatchObject([
      { product_id: other.data.id, name: 'Caneca azul', revenue: 30 },
      { name: 'Camiseta', revenue: 10 },
    ]);
    const one = await shop.api('GET /reports/sales?limit=1');
    expect(one.body.data.products).toHaveLength(1);
    expect(one.body.data.revenue).toBe(40);
  });

  it.each([
    ['from=2026-03-02&to=2026-03-01', 'from', 'Must not be after to.'],
    ['from=2026-01-01&to=2026-04-03', 'from', 'A period has at most 92 days.'],
    ['from=yesterday', 'from', 'Must be a day, YYYY-MM-DD.'],
    ['to=2026-02-30', 'to', 'Must be a day, YYYY-MM-DD.'],
  ])('returns 400 for %s', async (query, field, message) => {
    const shop = await createSellingStore();
    const { status, body } = await shop.api(`GET /reports/sales?${query}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual({ [field]: [message] });
  });

  it('accepts the longest period', async () => {
    const shop = await createSellingStore();
    const { body } = await shop.api('GET /reports/sales?from=2026-01-01&to=2026-04-02');
    expect(body.data.days).toHaveLength(92);
  });

  it('reads at most 25,000 rows in one round trip, and returns 400 beyond 4,000 orders', async () => {
    const shop = await createSellingStore({ skus: 2 });
    await sellAt(shop, '2026-03-10T12:00:00Z');
    await copyOrder(shop, 3_999, Date.parse('2026-03-10T12:00:00Z'));
    const path = 'GET /reports/sales?from=2026-03-10&to=2026-03-10';
    const { response, data } = await measureRequest(shop, path);
    expect(response.body.data).toMatchObject({ orders: 4_000, units: 8_000 });
    expect(data.roundTrips).toBe(1);
    expect(data.rowsRead).toBeLessThan(25_000);
    await sellAt(shop, '2026-03-10T12:00:00Z');
    const refused = await measureRequest(shop, path);
    expect(refused.response.status).toBe(400);
    expect(refused.response.body.errors.from[0]).toMatch(/more than 4,000 orders/);
    expect(refused.data.rowsRead).toBeLessThan(25_000);
  });
});

describe('GET /{alias}/reports/low-stock', () => {
  it('returns 200 with SKUs below n, the fewest first, and what they sold in 30 days', async () => {
    const shop = await createSellingStore({ skus: 3, quantity: 10 });
    const [first, second, third] = shop.skuIds;
    await placeTestOrder(shop, { status: 'paid', items: [{ sku_id: first, quantity: 7 }] });
    await placeTestOrder(shop, { items: [{ sku_id: second, quantity: 9 }] });
    const old = await placeTestOrder(shop, {
      status: 'paid',
      items: [{ sku_id: third, quantity: 6 }],
    });
    await databaseOf(shop)
      .prepare('update orders set created_at = created_at - 32 * 86400000 where id = ?')
      .bind(old.id)
      .run();
    const { status, body } = await shop.api('GET /reports/low-stock?below=5');
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { sku_id: second, sku: 'SKU-1', quantity: 10, reserved: 9, available: 1, sold: 0 },
      { sku_id: first, name: 'Camiseta', quantity: 3, reserved: 0, available: 3, sold: 7 },
      { sku_id: third, available: 4, sold: 0 },
    ]);
    expect(body.data[0].sold_since.date).toMatch(/ 0:00:00$/);
    const fewer = await shop.api('GET /reports/low-stock?below=4');
    expect(fewer.body.data).toHaveLength(2);
  });

  it('leaves null what other scopes are needed for', async () => {
    const shop = await createSellingStore({ quantity: 4 });
    const headers = await addTestKey(shop.userId, { scopes: ['inventory.read'] });
    const { body } = await shop.api('GET /reports/low-stock', undefined, headers);
    expect(body.data).toMatchObject([
      { available: 4, sku: null, title: null, name: null, sold: null, sold_since: null },
    ]);
  });

  it('leaves out SKUs whose quantity is not managed', async () => {
    const shop = await createSellingStore({ skus: 2, quantity: 1 });
    await shop.api(`PUT /catalog/skus/${shop.skuIds[0]}`, { quantity_managed: false });
    const { body } = await shop.api('GET /reports/low-stock');
    expect(body.data.map(({ sku_id }: { sku_id: number }) => sku_id)).toEqual([shop.skuIds[1]]);
  });

  it('leads by its cursor to each SKU once, also among equals', async () => {
    const shop = await createSellingStore({ skus: 7, quantity: 4 });
    await shop.api(`PUT /catalog/skus/${shop.skuIds[5]}/stocks/1`, { quantity: 1 });
    const seen: number[] = [];
    let cursor = '';
    do {
      const { body } = await shop.api(
        `GET /reports/low-stock?limit=2${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...body.data.map(({ sku_id }: { sku_id: number }) => sku_id));
      cursor = body.meta.cursor.next;
    } while (cursor !== '');
    expect(seen).toEqual([shop.skuIds[5], ...shop.skuIds.filter((id) => id !== shop.skuIds[5])]);
  });

  it.each([
    ['below=0', 'below', 'Must be a whole number from 1 to 100.'],
    ['below=101', 'below', 'Must be a whole number from 1 to 100.'],
    ['cursor=x', 'cursor', 'Must be meta.cursor.next of the previous page.'],
  ])('returns 400 for %s', async (query, field, message) => {
    const shop = await createSellingStore();
    const { status, body } = await shop.api(`GET /reports/low-stock?${query}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual({ [field]: [message] });
  });

  it('reads at most 25,000 rows in one round trip, and says since when it counts', async () => {
    const shop = await createSellingStore({ skus: 3, quantity: 4 });
    await placeTestOrder(shop, { status: 'paid' });
    const since = Date.now() - 20 * 86_400_000;
    await copyOrder(shop, 3_000, since);
    const { response, data } = await measureRequest(shop, 'GET /reports/low-stock');
    const sold = response.body.data.map((one: { sold: number }) => one.sold);
    // 5,000 items of the newest orders, of three items each.
    expect(sold.toSorted()).toEqual([1_666, 1_667, 1_667]);
    // The original is the newest order, and then come 1,666 copies, a second apart.
    const oldest = new Date(since + (3_000 - 1_665) * 1_000);
    expect(response.body.data[0].sold_since.date.replace(' ', ' 0').slice(-5)).toBe(
      oldest.toISOString().slice(14, 19),
    );
    expect(data.roundTrips).toBe(1);
    expect(data.rowsRead).toBeLessThan(25_000);
  });

  it('reads no more rows for many orders that are not paid, and says since when it counts', async () => {
    const shop = await createSellingStore({ skus: 1, quantity: 9 });
    const { id } = await placeTestOrder(shop);
    const since = Date.now() - 20 * 86_400_000;
    await copyOrder(shop, 15_000, since);
    // An order that is paid, older than those that are looked at.
    await databaseOf(shop)
      .prepare(`update orders set status = 'paid', created_at = ? where id = ?`)
      .bind(since - 1_000, id)
      .run();
    const { response, data } = await measureRequest(shop, 'GET /reports/low-stock');
    expect(data.rowsRead).toBeLessThan(25_000);
    // The newest 2,000 of 15,000 copies, a second apart.
    const oldest = new Date(since + (15_000 - 1_999) * 1_000);
    expect(response.body.data).toMatchObject([{ sku_id: shop.skuIds[0], sold: 0 }]);
    expect(response.body.data[0].sold_since.date.slice(-5)).toBe(
      oldest.toISOString().slice(14, 19),
    );
  });

  it('looks at 1,000 stocks a page, and goes on behind them', async () => {
    const shop = await createSellingStore({ skus: 2, quantity: 4 });
    const [first, second] = shop.skuIds;
    // Stocks of SKUs whose quantity is not managed, with fewer units.
    await shop.api(`PUT /catalog/skus/${first}`, { quantity_managed: false });
    await copyStocks(shop, first ?? 0, 1_500);
    const cost = await measureRequest(shop, 'GET /reports/low-stock');
    expect(cost.response.body.data).toEqual([]);
    expect(cost.data.rowsRead).toBeLessThan(25_000);
    const { next } = cost.response.body.meta.cursor;
    const rest = await shop.api(`GET /reports/low-stock?cursor=${next}`);
    expect(rest.body.data).toMatchObject([{ sku_id: second, available: 4 }]);
    expect(rest.body.meta.cursor.next).toBe('');
  });
});

describe('GET /{alias}/reports/orders', () => {
  it('returns 200 with the order of a number, with and without #', async () => {
    const shop = await createSellingStore();
    await placeTestOrder(shop);
    const { id, number } = await placeTestOrder(shop);
    for (const q of [String(number), `%23${number}`, `%20${number}%20`]) {
      const { status, body } = await shop.api(`GET /reports/orders?q=${q}`);
      expect(status).toBe(200);
      expect(body.data).toMatchObject([{ id, customer: { data: { id: shop.customerId } } }]);
    }
    expect((await shop.api('GET /reports/orders?q=999')).body.data).toEqual([]);
  });

  it('returns 200 with the orders of a name or e-mail address, the newest first, of any case', async () => {
    const shop = await createSellingStore();
    const { body: other } = await shop.api('POST /customers', {
      ...sampleCustomer,
      email: 'joao.brandao@example.com',
      first_name: 'João',
      last_name: 'Brandão',
      cpf: '11144477735',
    });
    await placeTestOrder(shop);
    const shipping_address = { ...orderBody(shop), shipping_address_id: undefined };
    const { body: address } = await shop.api(`POST /customers/${other.data.id}/addresses`, {
      receiver: 'João',
      zipcode: '01310100',
      street: 'Avenida Paulista',
      number: '1',
      neighborhood: 'Bela Vista',
      city: 'São Paulo',
      state: 'SP',
    });
    const order = {
      ...shipping_address,
      customer_id: other.data.id,
      shipping_address_id: address.data.id,
    };
    const first = await shop.api('POST /orders', order);
    const second = await shop.api('POST /orders', order);
    for (const q of ['joao brandao', 'BRANDÃO', 'Joao.Brandao@example.com', 'brandao@']) {
      const { body } = await shop.api(`GET /reports/orders?q=${encodeURIComponent(q)}`);
      expect(body.data.map(({ id }: { id: number }) => id)).toEqual([
        second.body.data.id,
        first.body.data.id,
      ]);
    }
    expect((await shop.api('GET /reports/orders')).body.data).toHaveLength(3);
  });

  it('returns 403 for a name without customers.read, and without customers for a number', async () => {
    const shop = await createSellingStore();
    await placeTestOrder(shop);
    const headers = await addTestKey(shop.userId, { scopes: ['orders.read'] });
    const limited = (request: string) => shop.api(request, undefined, headers);
    const refused = await limited('GET /reports/orders?q=maria');
    expect(refused.status).toBe(403);
    expect(refused.body.errors).toEqual({ scope: ['Requires customers.read.'] });
    const { body } = await limited('GET /reports/orders?q=1');
    expect(body.data).toMatchObject([{ number: 1 }]);
    expect(body.data[0]).not.toHaveProperty('customer');
  });

  it('returns 400 for a text that is too short', async () => {
    const shop = await createSellingStore();
    const { status, body } = await shop.api('GET /reports/orders?q=jo');
    expect(status).toBe(400);
    expect(body.errors.q[0]).toMatch(/3 to 255 characters/);
  });

  it('finds nothing of another store', async () => {
    const shop = await createSellingStore();
    await placeTestOrder(shop);
    const other = await createSellingStore({ shard: shop.shard });
    const name = encodeURIComponent(sampleCustomer.email);
    expect((await other.api(`GET /reports/orders?q=${name}`)).body.data).toEqual([]);
    expect((await shop.api(`GET /reports/orders?q=${name}`)).body.data).toHaveLength(1);
    expect((await other.api('GET /reports/orders?q=1')).body.data).toEqual([]);
  });

  it('reads a bounded number of rows in one round trip, however many orders a customer has', async () => {
    const shop = await createSellingStore();
    await placeTestOrder(shop);
    await copyOrder(shop, 3_000, Date.now() - 86_400_000);
    const q = encodeURIComponent(sampleCustomer.email);
    const { response, data } = await measureRequest(shop, `GET /reports/orders?q=${q}`);
    expect(response.body.data).toHaveLength(20);
    expect(data.roundTrips).toBe(1);
    expect(data.rowsRead).toBeLessThan(1_000);
  });
});
