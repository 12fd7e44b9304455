import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callAtOnce, callByCrowd, countStatuses, crowd } from '../../support/api/at-once.ts';
import { createSellingStore, orderBody, stockOf } from '../../support/fixtures/selling-store.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { runsOf } from '../../support/slow.ts';
import { createTestWebhook } from '../../support/webhooks/delivery-log.ts';
import '../../support/fixtures/first-shard.ts';

/**
 * The callers of a usual run; a dozen already lose a change that is made from what was read before.
 */
const count = runsOf(crowd, 12);
const callers = Array.from({ length: count }, (_, caller) => caller);

const callByMany = (
  store: TestStore,
  of: Parameters<typeof callByCrowd>[1],
  options: Parameters<typeof callByCrowd>[2] = {},
) => callByCrowd(store, of, { callers: count, ...options });

async function createRecord({ api }: TestStore, path: string, body: object): Promise<number> {
  const { body: created } = await api(`POST ${path}`, body);
  return (created.data ?? created).id;
}

describe(`${count} callers at once`, () => {
  it('set one list of the restrictions each, and every list is kept (200)', async () => {
    const shop = await createSellingStore();
    const { body } = await shop.api('GET /catalog/brands');
    const id = await createRecord(shop, '/catalog/collections', { name: 'Inverno', active: true });
    const brands_ids = [body.data[0].id];
    const responses = await callByMany(shop, (caller) => [
      `PUT /catalog/collections/${id}`,
      {
        name: 'Inverno',
        active: true,
        restrictions: { [caller % 2 ? 'include' : 'exclude']: { brands_ids } },
      },
    ]);
    expect(countStatuses(responses)).toEqual({ 200: count });
    const { body: read } = await shop.api(`GET /catalog/collections/${id}`);
    expect((read.data ?? read).restrictions).toMatchObject({
      include: { brands_ids },
      exclude: { brands_ids },
    });
  });

  it('make at most 100 SKUs of a product and 20 webhooks of a store (422)', async () => {
    const shop = await createSellingStore({ skus: 50 });
    const { body } = await shop.api('GET /catalog/products');
    const path = `POST /catalog/products/${body.data[0].id}/skus`;
    const more = Array.from(
      { length: 30 },
      (_, n) => [path, { sku: `ANTES-${n}`, price_sale: 1 }] as const,
    );
    expect(countStatuses(await callAtOnce(shop, more))).toEqual({ 201: 30 });
    // More than there is room for.
    const crowded = { callers: runsOf(crowd, 25) };
    const [skus, webhooks] = [
      await callByCrowd(
        shop,
        (caller) => [path, { sku: `MAIS-${caller}`, price_sale: 1 }],
        crowded,
      ),
      await callByCrowd(
        shop,
        (caller) => [
          'POST /webhooks',
          { url: 'http://127.0.0.1:9/x', name: `${caller}`, events: ['order.paid'] },
        ],
        crowded,
      ),
    ];
    expect(countStatuses(skus)).toEqual({ 201: 20, 422: crowded.callers - 20 });
    expect(countStatuses(webhooks)).toEqual({ 201: 20, 422: crowded.callers - 20 });
    const { body: product } = await shop.api('GET /catalog/products?include=skus');
    expect(product.data[0].skus.data).toHaveLength(100);
  });

  it('move categories below each other without a circle (200 or 422)', async () => {
    const shop = await createTestStore();
    const ids = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        createRecord(shop, '/catalog/categories', { name: `C${n}`, active: true }),
      ),
    );
    const responses = await callByMany(shop, (caller) => [
      `PUT /catalog/categories/${ids[caller % 4]}`,
      { name: `C${caller % 4}`, active: true, parent_id: ids[(caller * 7 + 1) % 4] },
    ]);
    for (const { status } of responses) expect([200, 422]).toContain(status);
    const parents = await env.STORE_0.prepare(
      'select id, parent_id from categories where store_id = ?',
    )
      .bind(shop.id)
      .all<{ id: number; parent_id: number | null }>();
    const parentOf = new Map(parents.results.map((row) => [row.id, row.parent_id]));
    for (const id of ids) {
      let above: number | null | undefined = id;
      for (let level = 0; above && level < 5; level += 1) above = parentOf.get(above);
      expect(above).toBeNull();
    }
  });

  it('make one order of a cart (201, else 409), and pay a transaction once', async () => {
    const shop = await createSellingStore({ quantity: 100 });
    const cart = await createRecord(shop, '/checkout/carts', {
      customer_id: shop.customerId,
      items: [{ sku_id: shop.skuIds[0], quantity: 1 }],
    });
    const checkout = { payment_id: shop.payments.credit_card, shipping_address_id: shop.addressId };
    const ordered = await callByMany(shop, () => [`POST /checkout/carts/${cart}/orders`, checkout]);
    expect(countStatuses(ordered)).toEqual({ 201: 1, 409: count - 1 });
    const order = ordered.find(({ status }) => status === 201)!.body.data;
    const [{ id }] = order.transactions.data;
    const captured = await callByMany(shop, () => [
      `POST /checkout/transactions/${id}/capture`,
      {},
    ]);
    expect(countStatuses(captured)).toEqual({ 200: 1, 409: count - 1 });
    const { body } = await shop.api(`GET /orders/${order.id}?include=statuses,transactions`);
    expect([body.data.statuses.data.length, body.data.transactions.data.length]).toEqual([2, 1]);
    expect(await stockOf(shop, shop.skuIds[0]!)).toEqual({ quantity: 99, reserved: 0 });
  });

  it('number their orders without gaps, and change one of them without losing a field (200)', async () => {
    const shop = await createSellingStore({ quantity: 100 });
    const placed = await callByMany(shop, () => ['POST /orders', orderBody(shop)]);
    const numbers = placed.map(({ body }) => body.data.number as number);
    expect(numbers.toSorted((one, other) => one - other)).toEqual(callers.map((n) => n + 1));
    const fields = ['track_code', 'track_url'];
    const values = ['BR1', 'https://track.example.com/1'];
    const { id } = placed[0]!.body.data;
    const changed = await callByMany(shop, (caller) => [
      `PUT /orders/${id}`,
      { [fields[caller % 2]!]: values[caller % 2] },
    ]);
    expect(countStatuses(changed)).toEqual({ 200: count });
    expect(changed.at(-1)!.body.data).toMatchObject({ id });
    const stored = await env.STORE_0.prepare(`select ${fields.join()} from orders where id = ?`)
      .bind(id)
      .first();
    expect(Object.values(stored!)).toEqual(values);
  });

  it('change different fields and the images of a product far from its database: all are kept (200)', async () => {
    const shop = await createSellingStore();
    const { body } = await shop.api('GET /catalog/products');
    const path = `/catalog/products/${body.data[0].id}`;
    const url = (caller: number) => `https://cdn.example.com/${caller}.png`;
    const fields = ['priority', 'gift_value', 'shipping_price', 'warranty'];
    const responses = await callByMany(
      shop,
      (caller) => [
        `PUT ${path}`,
        caller % 5 === 4
          ? { images: [caller, caller + 1].map((n) => ({ url: url(n) })) }
          : { [fields[caller % 5]!]: caller },
      ],
      { latencyMs: 4 },
    );
    expect(countStatuses(responses)).toEqual({ 200: count });
    expect(Math.max(...responses.map(({ batches }) => batches))).toBe(2);
    const { body: read } = await shop.api(`GET ${path}?include=images`);
    const product = read.data ?? read;
    for (const [index, field] of fields.entries()) {
      expect(product[field] % 5, field).toBe(index);
      expect(product[field], field).toBeGreaterThan(0);
    }
    const images = product.images.data as { position: number; url: string }[];
    expect(images.map(({ position }) => position)).toEqual([1, 2]);
    const last = callers.find((caller) => url(caller) === images[0]!.url)!;
    expect([last % 5, images[1]!.url]).toEqual([4, url(last + 1)]);
  });

  it('pause and resume a webhook (200) while events are published', async () => {
    const shop = await createSellingStore({ quantity: 1000 });
    const id = await createTestWebhook(shop, ['product.inventory.updated']);
    const responses = await callByMany(shop, (caller) =>
      caller % 5 === 0
        ? [`PUT /catalog/skus/${shop.skuIds[0]}/stocks/1`, { delta: 1 }]
        : [`PUT /webhooks/${id}`, { active: caller % 2 === 0 }],
    );
    expect(countStatuses(responses)).toEqual({ 200: count });
    const log = await env.STORE_0.prepare(
      'select count(*) as sent, count(distinct seq) as seqs from webhook_deliveries where endpoint_id = ?',
    )
      .bind(id)
      .first();
    const sent = callers.filter((caller) => caller % 5 === 0).length;
    expect(log).toEqual({ sent, seqs: sent });
  });

  it('repeat a request with one idempotency key: one is executed (201), the others get its response or 409', async () => {
    const shop = await createTestStore();
    const key = { 'Idempotency-Key': 'fifty' };
    const responses = await Promise.all(
      callers.map(() => shop.api('POST /catalog/brands', { name: 'Uma', active: true }, key)),
    );
    for (const { status } of responses) expect([201, 409]).toContain(status);
    const ids = responses.filter(({ status }) => status === 201).map(({ body }) => body.data.id);
    expect(new Set(ids).size).toBe(1);
    expect((await shop.api('GET /catalog/brands')).body.data).toHaveLength(1);
  });

  it('make feeds of a collection that is being deleted (200 or 400), and no feed keeps its id', async () => {
    const shop = await createTestStore();
    const id = await createRecord(shop, '/catalog/collections', { name: 'Inverno', active: true });
    const feed = { service: 'feed', name: 'Feed', url: 'https://shop.example.com/page' };
    const responses = await callByMany(shop, (caller) =>
      caller === Math.floor(count / 2)
        ? [`DELETE /catalog/collections/${id}`]
        : ['POST /catalog/feeds', { ...feed, collection_id: id }],
    );
    for (const { status } of responses) expect([200, 400]).toContain(status);
    const kept = await env.STORE_0.prepare('select count(*) from feeds where collection_id = ?')
      .bind(id)
      .first('count(*)');
    expect(kept).toBe(0);
  });
});
