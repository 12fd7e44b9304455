import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventNames } from '../../../src/data/grants/event-catalogue.ts';
import { recordOnce } from '../../../src/webhooks/events/record-once.ts';
import { withIdempotencyKey, idempotencyKeysOf } from '../../support/api/idempotency.ts';
import { callWithBindings, measureRequest } from '../../support/api/measure.ts';
import { refusal } from '../../support/api/refusal.ts';
import { Browser } from '../../support/browser/browser.ts';
import { sampleAddress, sampleCustomer } from '../../support/fixtures/sample-data.ts';
import { createSellingStore, orderBody } from '../../support/fixtures/selling-store.ts';
import { openStoreDb } from '../../support/fixtures/store-db.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { archiveTurnOf } from '../../support/webhooks/archive.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import '../../support/fixtures/first-shard.ts';

const turnMs = 10_000;
const dayMs = 86_400_000;

/** The clock stands in the middle of a turn. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime((Math.floor(Date.now() / turnMs) + 0.5) * turnMs);
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Creates a store with products of one SKU, and a webhook for their updates. Returns their paths
 * and SKUs.
 */
async function createShop(products = 1) {
  const store = await createTestStore();
  const brand = await store.api('POST /catalog/brands', { name: 'Marca', active: true });
  const product = { name: 'p', simple: true, active: true, brand_id: brand.body.data.id };
  const paths: string[] = [];
  const skus: number[] = [];
  for (let index = 0; index < products; index += 1) {
    const sku = { sku: `S${index}`, price_sale: 1 };
    const { body } = await store.api('POST /catalog/products', {
      ...product,
      skus: [sku],
    });
    paths.push(`/catalog/products/${body.data.id}`);
    const listed = await store.api(`GET /catalog/products/${body.data.id}/skus`);
    skus.push(listed.body.data[0].id);
  }
  const endpoint = await subscribeEndpoint(store, ['product.updated', 'order.paid']);
  return { store, brandId: brand.body.data.id as number, paths, skus, endpoint };
}

const budgetOf = ({ id }: TestStore) =>
  env.STORE_0.prepare(
    'select day, bytes, refused_day, turn, turn_bytes from event_budgets where store_id = ?',
  )
    .bind(id)
    .first<BudgetRow>();

interface BudgetRow {
  day: number;
  bytes: number;
  refused_day: number | null;
  turn: number;
  turn_bytes: number;
}

/** The bytes of all events that a store has recorded. */
const bytesOf = async (store: TestStore) =>
  (await recordedEvents(store)).reduce((sum, event) => sum + JSON.stringify(event).length, 0);

/** Sends a PUT while the store may record `bytes` a day. */
const putWithin = (store: TestStore, bytes: number, path: string, body: object) =>
  callWithBindings(store, `PUT ${path}`, body, { EVENT_BUDGET_BYTES: `${bytes}` } as Partial<Env>);

/** Changes the price of a SKU by the call for many, while the store may record `bytes` a day. */
const priceWithin = (store: TestStore, bytes: number, sku: number, price_sale: number) =>
  putWithin(store, bytes, '/catalog/prices', { items: [{ sku_id: sku, price_sale }] });

/** Notes that a store has recorded so many bytes today, and in this turn. */
const useUp = (store: TestStore, bytes: number, turnBytes: number) =>
  env.STORE_0.prepare(
    `insert into event_budgets (store_id, day, bytes, turn, turn_bytes) values (?1, ?2, ?4, ?3, ?5)
     on conflict do update set day = ?2, bytes = ?4, turn = ?3, turn_bytes = ?5`,
  )
    .bind(
      store.id,
      Math.floor(Date.now() / dayMs),
      Math.floor(Date.now() / turnMs),
      bytes,
      turnBytes,
    )
    .run();

describe('the bytes of events that a store records on a day', () => {
  it('take turns beyond the budget where a call changes many records: in a full one it is 429 and event_budget for seconds, and nothing is changed', async () => {
    const { store, brandId, skus } = await createShop();
    const [sku = 0] = skus;
    using logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect((await priceWithin(store, 3_000, sku, 11)).status).toBe(200);
    const { bytes } = (await budgetOf(store))!;
    expect(bytes).toBe(JSON.stringify((await recordedEvents(store))[0]).length);
    const budget = bytes + 100;

    // A turn has room for one event of any size.
    expect((await priceWithin(store, budget, sku, 12)).status).toBe(200);
    expect(await budgetOf(store)).toMatchObject({ bytes: 2 * bytes });
    expect((await archiveTurnOf(store))!.archive_at).toBeLessThanOrEqual(Date.now());

    const refused = await priceWithin(store, budget, sku, 13);
    expect(refused.body).toEqual(refusal(429, 'event_budget'));
    expect(refused.headers.get('RateLimit-Policy')).toBe(
      `"event-bytes";q=${Math.ceil(budget / 600)};qu="content-bytes";w=10`,
    );
    expect(refused.headers.get('Retry-After')).toBe('5');
    expect((await store.api(`GET /catalog/skus/${sku}`)).body.data.price_sale).toBe(12);
    expect(await recordedEvents(store)).toHaveLength(2);
    expect((await budgetOf(store))!.bytes).toBe(2 * bytes);

    // A change without an event goes on, and so does everything in the next turn and on the next
    // day.
    const brand = await putWithin(store, bytes, `/catalog/brands/${brandId}`, {
      name: 'Outra',
      active: true,
    });
    expect(brand.status).toBe(200);
    expect((await priceWithin(store, budget, sku, 13)).status).toBe(429);
    expect(
      logged.mock.calls.flat().filter((line) => /event_budget_exhausted/.test(`${line}`)),
    ).toHaveLength(1);
    vi.setSystemTime(Date.now() + turnMs);
    expect((await priceWithin(store, budget, sku, 13)).status).toBe(200);
    expect((await priceWithin(store, budget, sku, 14)).status).toBe(429);
    await env.STORE_0.prepare('update event_budgets set day = day - 1 where store_id = ?')
      .bind(store.id)
      .run();
    expect((await priceWithin(store, budget, sku, 14)).status).toBe(200);
    expect((await budgetOf(store))!.bytes).toBe(bytes);
  });

  it('are never more than the budget and one event a turn, however many requests come at once', async () => {
    const { store, skus } = await createShop(10);
    await priceWithin(store, 1_000_000, skus[0]!, 11);
    const { bytes } = (await budgetOf(store))!;
    const changeAll = (price: number) =>
      Promise.all(skus.map((sku) => priceWithin(store, bytes * 4 + 20, sku, price)));
    const statuses = (answers: { status: number }[]) =>
      answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses(await changeAll(15))).toEqual([...Array(4).fill(200), ...Array(6).fill(429)]);
    vi.setSystemTime(Date.now() + turnMs);
    expect(statuses(await changeAll(16))).toEqual([200, ...Array(9).fill(429)]);
    expect(await recordedEvents(store)).toHaveLength(6);
    expect((await budgetOf(store))!.bytes).toBe(await bytesOf(store));
  });

  it('have room in a turn for a 600th of the budget where a call changes many records', async () => {
    const { store, skus } = await createShop(10);
    await priceWithin(store, 1_000_000, skus[0]!, 11);
    const { bytes } = (await budgetOf(store))!;
    const budget = 3.5 * 600 * bytes;
    await env.STORE_0.prepare('update event_budgets set bytes = ? where store_id = ?')
      .bind(budget, store.id)
      .run();
    const answers = await Promise.all(skus.map((sku) => priceWithin(store, budget, sku, 17)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect((await budgetOf(store))!.bytes).toBe(budget + (await bytesOf(store)) - bytes);
  });

  it('go on at once beyond the budget where one record is changed (201, 200), beside a call for many (429)', async () => {
    const { store, brandId, paths, skus } = await createShop(2);
    await subscribeEndpoint(store, ['product.created', 'product.deleted']);
    const limit = { EVENT_BUDGET_BYTES: String(10) } as Partial<Env>;
    using _logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await useUp(store, 1_000_000, 0);
    expect((await priceWithin(store, 10, skus[0]!, 12)).status).toBe(200);
    // The turn of calls for many is full, and single changes do not fill it.
    const before = (await budgetOf(store))!.turn_bytes;
    const refused = await priceWithin(store, 10, skus[0]!, 13);
    expect([refused.status, refused.body.code]).toEqual([429, 'event_budget']);
    expect((await putWithin(store, 10, paths[1]!, { priority: 1 })).status).toBe(200);
    await useUp(store, 1_000_000, 0);
    const product = { name: 'New', simple: true, active: true, brand_id: brandId };
    for (let priority = 1; priority <= 8; priority += 1) {
      expect((await putWithin(store, 10, paths[0]!, { priority })).status).toBe(200);
    }
    const made = await callWithBindings(store, 'POST /catalog/products', product, limit);
    expect(made.status).toBe(201);
    const path = `DELETE /catalog/products/${made.body.data.id}`;
    expect((await callWithBindings(store, path, undefined, limit)).status).toBe(200);
    const day = (await budgetOf(store))!;
    expect(day.bytes).toBeGreaterThan(1_000_000);
    expect(day.turn_bytes).toBe(day.bytes - 1_000_000);
    expect(before).toBe(10_000_000);
    expect(day.refused_day).not.toBeNull();
    expect((await archiveTurnOf(store))!.archive_at).toBeLessThanOrEqual(Date.now());
    expect(await recordedEvents(store)).toHaveLength(12);
    expect((await priceWithin(store, 10, skus[0]!, 13)).status).toBe(200);
  });

  it('wait for the rest of a turn at 20 MB beyond the budget, also where one record is changed (429)', async () => {
    const { store, paths } = await createShop();
    using _logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await useUp(store, 1_000_000, 19_999_999);
    expect((await putWithin(store, 10, paths[0]!, { priority: 1 })).status).toBe(200);
    const refused = await putWithin(store, 10, paths[0]!, { priority: 2 });
    expect([refused.status, refused.body.code]).toEqual([429, 'event_budget']);
    expect(refused.headers.get('Retry-After')).toBe('5');
    expect(refused.headers.get('RateLimit-Policy')).toBe(
      '"event-bytes";q=20000000;qu="content-bytes";w=10',
    );
    expect(await recordedEvents(store)).toHaveLength(1);
    // Within a larger budget the turn has as much as it gives to calls for many.
    expect((await putWithin(store, 100_000_000_000, paths[0]!, { priority: 2 })).status).toBe(200);
    vi.setSystemTime(Date.now() + turnMs);
    expect((await putWithin(store, 10, paths[0]!, { priority: 3 })).status).toBe(200);
  });

  it('cost one row, and no round trip, also beyond the budget', async () => {
    const { store, paths } = await createShop();
    await store.api(`PUT ${paths[0]}`, { priority: 1 });
    const { data } = await measureRequest(store, `PUT ${paths[0]}`, { priority: 2 });
    // The product, event, endpoint, delivery and their indexes were eight before.
    expect(data.rowsWritten).toBeLessThanOrEqual(9);
    expect(data.roundTrips).toBe(2);
    // Its members were told at 80 %, and the operators.
    await env.STORE_0.prepare(
      'update event_budgets set bytes = 200000000, noticed = day * 100 + 99 where store_id = ?',
    )
      .bind(store.id)
      .run();
    const beyond = (await measureRequest(store, `PUT ${paths[0]}`, { priority: 3 })).data;
    // One more the first time: the store becomes due in the index of the archive.
    expect(beyond.rowsWritten).toBeLessThanOrEqual(10);
    expect(beyond.roundTrips).toBe(2);
    expect((await budgetOf(store))!.turn_bytes).toBeGreaterThan(0);
    const unreceivable = await createTestStore();
    await unreceivable.api('POST /catalog/brands', { name: 'Marca', active: true });
    expect(await budgetOf(unreceivable)).toBeNull();
  });

  it('never keep an internal writer from recording: money goes first', async () => {
    const { store } = await createShop();
    const event = { name: 'order.paid', resource: { text: 'x'.repeat(5_000) } } as const;
    await recordOnce(openStoreDb(store), { ...event, idempotencyKey: 'first' });
    expect(
      await recordOnce(openStoreDb(store), { ...event, idempotencyKey: 'second' }),
    ).not.toBeNull();
    const { bytes } = (await budgetOf(store))!;
    expect(bytes).toBeGreaterThan(10_000);
    await recordOnce(openStoreDb(store), { ...event, idempotencyKey: 'second' });
    expect((await budgetOf(store))!.bytes).toBe(bytes);
  });

  it('never refuse a sale or its stock, nor forget its answer under a key', async () => {
    const shop = await createSellingStore();
    const [sku = 0] = shop.skuIds;
    await subscribeEndpoint(shop, [
      'order.created',
      'product.updated',
      'product.inventory.updated',
    ]);
    const bindings = { EVENT_BUDGET_BYTES: String(10) } as Partial<Env>;
    const change = (price: number) => priceWithin(shop, 10, sku, price);
    await change(7);
    using _logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect((await change(8)).status).toBe(200);
    expect((await change(9)).status).toBe(429);

    const keyed = withIdempotencyKey(shop);
    const place = () => callWithBindings(keyed, 'POST /orders', orderBody(shop), bindings);
    const placed = await place();
    expect(placed.status).toBe(201);
    expect((await place()).body).toEqual(placed.body);
    const stock = `/catalog/skus/${sku}/stocks/1`;
    expect((await putWithin(shop, 10, stock, { delta: 1 })).status).toBe(200);

    expect((await recordedEvents(shop)).length).toBeGreaterThan(1);
    expect((await budgetOf(shop))!.bytes).toBeGreaterThan(10);
    expect((await archiveTurnOf(shop))!.archive_at).toBeLessThanOrEqual(Date.now());
    expect((await change(9)).status).toBe(429);
    vi.setSystemTime(Date.now() + turnMs);
    expect((await change(9)).status).toBe(200);
  });

  it('include stored responses, which are omitted in a full turn', async () => {
    const { store, brandId } = await createShop();
    const path = `/catalog/brands/${brandId}`;
    const kept = withIdempotencyKey(store);
    await putWithin(kept, 10_000, path, { name: 'A', active: true });
    const [row] = await idempotencyKeysOf(store);
    expect((await budgetOf(store))!.bytes).toBe(row!.response!.length);
    const put = async (name: string) => {
      const keyed = withIdempotencyKey(store);
      const bytes = row!.response!.length + 10;
      expect((await putWithin(keyed, bytes, path, { name, active: true })).status).toBe(200);
    };
    await put('B');
    expect((await budgetOf(store))!.bytes).toBe(2 * row!.response!.length);
    await useUp(store, 2 * row!.response!.length, 20_000_000);
    await put('C');
    expect((await budgetOf(store))!.bytes).toBe(2 * row!.response!.length);
    expect(
      (await idempotencyKeysOf(store)).filter(({ response }) => response === null),
    ).toHaveLength(1);
  });

  it('notify the owner on the page of webhooks when a write was refused today', async () => {
    const { store, skus } = await createShop();
    using _logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const browser = await new Browser().signIn(store.userId);
    const notice = 'have used up the space for one day';
    expect((await browser.get('/account/webhooks')).text).not.toContain(notice);
    for (const price of [7, 8, 9]) await priceWithin(store, 10, skus[0]!, price);
    expect((await browser.get('/account/webhooks')).text).toContain(notice);
  });
});

describe('a sale in a full turn beyond the budget', () => {
  it('is made with each of its changes, and each of its events is recorded', async () => {
    const shop = await createSellingStore();
    await subscribeEndpoint(shop, [...eventNames]);
    using _logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const bindings = { EVENT_BUDGET_BYTES: String(10) } as Partial<Env>;
    const recorded: string[] = [];
    /** Makes a change while budget and turn are used up. Returns the record of the answer. */
    const change = async (request: string, body: object = {}) => {
      await useUp(shop, 1_000_000, 20_000_000);
      const { status, body: answer } = await callWithBindings(shop, request, body, bindings);
      if (status >= 300) throw new Error(`${request}: ${JSON.stringify(answer)}`);
      const names = (await recordedEvents(shop)).map(({ event }) => event);
      recorded.push(`${request.replace(/\d+/g, 'N')}: ${names.slice(count).join(' ')}`.trimEnd());
      count = names.length;
      return answer.data;
    };
    let count = 0;
    const [sku = 0] = shop.skuIds;
    const { pix, credit_card: card, billet } = shop.payments;
    const { id: customer } = await change('POST /customers', {
      ...sampleCustomer,
      email: 'other@customer.test',
      cpf: '111.444.777-35',
    });
    await change(`PUT /customers/${customer}`, { first_name: 'Ana' });
    await change(`POST /customers/${customer}/addresses`, sampleAddress);
    await change(`PUT /catalog/skus/${sku}/stocks/1`, { delta: 5 });
    await change('PUT /catalog/stocks', { items: [{ sku_id: sku, delta: 5 }] });

    const items = [{ sku_id: sku, quantity: 1 }];
    const cart = await change('POST /checkout/carts', { customer_id: shop.customerId, items });
    await change(`PUT /checkout/carts/${cart.id}`, { items: [{ sku_id: sku, quantity: 2 }] });
    const byCart = await change(`POST /checkout/carts/${cart.id}/orders`, {
      payment_id: pix,
      shipping_address_id: shop.addressId,
    });
    const payment = ({ transactions }: { transactions: { data: { id: number }[] } }) =>
      `POST /checkout/transactions/${transactions.data[0]?.id}`;
    await change(`${payment(byCart)}/simulate`, { outcome: 'pay' });
    await change(`PUT /orders/${byCart.id}`, { status: 'handling_products' });
    const invoice = {
      number: 1,
      series: 1,
      value: 1,
      access_key: '7'.repeat(44),
      issued_at: '2031-03-05 09:04:07',
    };
    const { id: issued } = await change(`POST /orders/${byCart.id}/invoices`, invoice);
    await change(`PUT /orders/${byCart.id}/invoices/${issued}`, { url: 'https://example.com/1' });

    const captured = await change('POST /orders', orderBody(shop, { payment_id: card }));
    await change(`${payment(captured)}/capture`);
    const refused = await change('POST /orders', orderBody(shop, { payment_id: billet }));
    await change(`${payment(refused)}/cancel`);
    const unpaid = await change('POST /orders', orderBody(shop));
    await change(`POST /orders/${unpaid.id}/transactions`, { payment_id: pix });
    await change(`PUT /orders/${unpaid.id}`, { status: 'cancelled' });
    expect(recorded).toEqual([
      'POST /customers: customer.created',
      'PUT /customers/N:',
      'POST /customers/N/addresses: customer.address.created',
      'PUT /catalog/skus/N/stocks/N: product.inventory.updated',
      'PUT /catalog/stocks: product.inventory.updated',
      'POST /checkout/carts:',
      'PUT /checkout/carts/N:',
      'POST /checkout/carts/N/orders: order.created product.inventory.updated',
      'POST /checkout/transactions/N/simulate: order.status.updated order.paid product.inventory.updated',
      'PUT /orders/N: order.status.updated',
      'POST /orders/N/invoices: order.invoice.created order.status.updated',
      'PUT /orders/N/invoices/N: order.invoice.updated',
      'POST /orders: order.created product.inventory.updated',
      'POST /checkout/transactions/N/capture: order.status.updated order.paid product.inventory.updated',
      'POST /orders: order.created product.inventory.updated',
      'POST /checkout/transactions/N/cancel: order.status.updated product.inventory.updated',
      'POST /orders: order.created product.inventory.updated',
      'POST /orders/N/transactions:',
      'PUT /orders/N: order.status.updated product.inventory.updated',
    ]);

    const { data } = (await shop.api(`GET /catalog/skus/${sku}`)).body;
    const priority = await putWithin(shop, 10, `/catalog/products/${data.product_id}`, {
      priority: 9,
    });
    expect(priority.status).toBe(429);
  });
});

describe('the event of a product with 100 full SKUs', () => {
  it('has less than 450 KB, since longer texts of a SKU are refused with 422', async () => {
    const { store, brandId } = await createShop();
    const sku = (title: number, name: number, variations: number) => ({
      sku: '😀'.repeat(60),
      price_sale: 1,
      title: '😀'.repeat(title),
      barcode: '😀'.repeat(30),
      erp_id: '😀'.repeat(60),
      variations: Array.from({ length: variations }, () => ({
        name: '😀'.repeat(name),
        value: '😀'.repeat(50),
      })),
    });
    const product = { name: 'p', simple: true, active: true, brand_id: brandId };
    for (const tooLarge of [sku(121, 30, 5), sku(120, 31, 5), sku(120, 30, 6)]) {
      const { status } = await store.api('POST /catalog/products', {
        ...product,
        skus: [tooLarge],
      });
      expect(status).toBe(422);
    }
    const { body } = await store.api('POST /catalog/products', {
      ...product,
      skus: [sku(120, 30, 5)],
    });
    await copySkus(body.data.id, 99);
    await store.api(`PUT /catalog/products/${body.data.id}`, { priority: 1 });
    const [event] = await recordedEvents(store);
    expect(event!.resource.skus.data).toHaveLength(100);
    expect((await budgetOf(store))!.bytes).toBeLessThan(450_000);
  });
});

/** Copies the only SKU of a product. */
async function copySkus(product: number, count: number): Promise<void> {
  const { results } = await env.STORE_0.prepare(`select name from pragma_table_info('skus')`).all<{
    name: string;
  }>();
  const columns = results.map(({ name }) => name).filter((name) => name !== 'id');
  const values = columns.map((name) => (name === 'sku_key' ? 'sku_key || n.i' : name));
  await env.STORE_0.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
     insert into skus (id, ${columns.join()})
     select 8000000000000 + ?2 * 1000 + n.i, ${values.join()} from skus, n where product_id = ?2`,
  )
    .bind(count, product)
    .run();
}
