import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { updatedFields } from '../../../src/webhooks/events/updated-fields.ts';
import { requestWithBody } from '../../support/api/client.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { createSellingStore, placeTestOrder } from '../../support/fixtures/selling-store.ts';
import type { TestStore } from '../../support/fixtures/store.ts';
import { requestTool } from '../../support/mcp/assistant.ts';
import { importLines } from '../../support/transfers/transfers.ts';
import { createConsumer, respondOk } from '../../support/webhooks/consumer.ts';
import { subscribeEndpoint, subscribeProven } from '../../support/webhooks/recorded-events.ts';
import { wakeupBindings } from '../../support/webhooks/wakeup-queues.ts';
import '../../support/fixtures/first-shard.ts';

const updates = ['product.updated', 'product.inventory.updated'];

interface FedEvent {
  event: string;
  changed?: string[];
}

/** What a change adds to the feed: each event with the fields that it names. */
async function eventsOf(shop: TestStore, change: () => Promise<unknown>) {
  const read = async () => (await shop.api('GET /events?limit=100')).body.data as FedEvent[];
  const { length } = await read();
  await change();
  return (await read()).slice(length).map(({ event, changed }) => [event, changed]);
}

/** A store with a product of one SKU, whose updates are recorded. */
async function createShop() {
  const shop = await createSellingStore({ shard: 0 });
  const endpoint = await subscribeEndpoint(shop, updates);
  const { body } = await shop.api('GET /catalog/products?include=skus');
  const [product] = body.data;
  const done = async (request: string, sent?: object) => {
    const { status, body: answer } = await shop.api(request, sent);
    expect(status, JSON.stringify(answer)).toBeLessThan(300);
    return answer.data;
  };
  const [sku] = product.skus.data;
  return { shop, endpoint, product, sku, done };
}

describe('an event of an update names the fields that changed', () => {
  it('of a product, as its body spells them', async () => {
    const { shop, product, done } = await createShop();
    const path = `/catalog/products/${product.id}`;
    const put = (body: object) => eventsOf(shop, () => done(`PUT ${path}`, body));
    expect(await put({ name: 'Camisa' })).toEqual([['product.updated', ['name']]]);
    expect(await put({ name: 'Camisa', slug: 'camisa-nova', simple: false })).toEqual([
      ['product.updated', ['simple', 'has_variations', 'slug', 'url', 'preview_url']],
    ]);
    const brand = await done('POST /catalog/brands', { name: 'Lua', active: true });
    expect(await put({ brand_id: brand.id })).toEqual([['product.updated', ['brand_id', 'brand']]]);
    const images = [{ url: 'https://images.test/1.png' }];
    expect(await put({ images })).toEqual([['product.updated', ['images']]]);
    expect(await put({ images: [{ ...images[0], alt: 'Frente' }] })).toEqual([
      ['product.updated', ['images.alt']],
    ]);
    expect(await put({ name: 'Camisa' })).toEqual([]);
  });

  it('of the SKUs of a product, whichever operation changes them', async () => {
    const { shop, product, sku, done } = await createShop();
    const change = (request: string, body?: object) => eventsOf(shop, () => done(request, body));
    expect(await change(`PUT /catalog/skus/${sku.id}`, { price_sale: 90, title: 'Azul' })).toEqual([
      ['product.updated', ['skus.title', 'skus.price_sale']],
    ]);
    expect(
      await change('PUT /catalog/prices', { items: [{ sku_id: sku.id, price_discount: 80 }] }),
    ).toEqual([['product.updated', ['skus.price_discount']]]);
    const added = { sku: 'NOVO', price_sale: 5 };
    expect(await change(`POST /catalog/products/${product.id}/skus`, added)).toEqual([
      ['product.updated', ['skus']],
    ]);
    expect(await change(`DELETE /catalog/skus/${sku.id}`)).toEqual([['product.updated', ['skus']]]);
  });

  it('of a stock, which the transaction reads', async () => {
    const { shop, sku, done } = await createShop();
    const stock = `PUT /catalog/skus/${sku.id}/stocks/1`;
    const change = (request: string, body: object) => eventsOf(shop, () => done(request, body));
    const moved = ['quantity', 'sku.total_in_stock'];
    expect(await change(stock, { quantity: 7 })).toEqual([['product.inventory.updated', moved]]);
    expect(await change(stock, { delta: 2, min_quantity: 3 })).toEqual([
      ['product.inventory.updated', [...moved, 'min_quantity']],
    ]);
    expect(
      await change('PUT /catalog/stocks', { items: [{ sku_id: sku.id, stock_id: 1, delta: 1 }] }),
    ).toEqual([['product.inventory.updated', moved]]);
  });

  it('of an order and of the stock that it takes', async () => {
    const { shop, done } = await createShop();
    await subscribeEndpoint(shop, ['order.status.updated', 'order.paid']);
    expect(
      await eventsOf(shop, () => placeTestOrder(shop, { payment_id: shop.payments.pix })),
    ).toEqual([['product.inventory.updated', ['reserved', 'sku.total_in_stock']]]);
    const order = (await shop.api('GET /orders?include=transactions')).body.data[0];
    const [{ id }] = order.transactions.data;
    const paid = await eventsOf(shop, () =>
      done(`POST /checkout/transactions/${id}/simulate`, { outcome: 'pay' }),
    );
    expect(paid).toEqual([
      [
        'order.status.updated',
        expect.arrayContaining(['status', 'statuses', 'transactions.status']),
      ],
      ['order.paid', undefined],
      ['product.inventory.updated', ['quantity', 'reserved']],
    ]);
    expect(paid[0]?.[1]).not.toContain('updated_at');
    expect(paid[0]?.[1]).not.toContain('number');
  });

  it('by an import, and by an assistant', async () => {
    const { shop, product, sku } = await createShop();
    const line = { id: product.id, priority: 9, skus: [{ id: sku.id, price_sale: 41 }] };
    const events = await eventsOf(shop, () => importLines(shop, [line]));
    expect(events).toEqual([['product.updated', ['priority', 'skus.price_sale']]]);
    const { headers } = shop;
    const sent = { id: sku.id, price_sale: 42 };
    expect(
      await eventsOf(shop, () =>
        requestTool('update_sku', sent, { headers, query: `?store=${shop.alias}` }),
      ),
    ).toEqual([['product.updated', ['skus.price_sale']]]);
  });
});

describe('the header X-Service-Changed', () => {
  it('is that of the event in whichever way it is sent, and in the log', async () => {
    const { shop, endpoint, product, done } = await createShop();
    const sentNow = await subscribeProven(shop, updates);
    const path = `/catalog/products/${product.id}`;
    const context = createExecutionContext();
    using network = mockNetwork(() => new Response('ok'));
    const queue = () => ({ sendBatch: async () => undefined });
    const headers = { ...shop.headers, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: 'Camisa', warranty: 30 });
    await createApp().fetch(
      requestWithBody(`https://api.test/v2/${shop.alias}${path}`, 'PUT', headers, body),
      { ...env, ...wakeupBindings(queue) },
      context,
    );
    await waitOnExecutionContext(context);
    const run = createConsumer(respondOk);
    run.clock.now = Date.now() + 60_000;
    await run.deliver(endpoint);
    await done(`DELETE /webhooks/${endpoint}`);
    await done(`POST /webhooks/${sentNow}/replays`, { seq: 1 });
    await run.deliver(sentNow);
    await done(`PUT /webhooks/${sentNow}`, { active: false });
    await done(`PUT ${path}`, { priority: 3 });
    await done(`POST /webhooks/${sentNow}/deliveries/3/send`);
    const named = [...network.requests, ...run.requests].map((request) =>
      request.headers.get('X-Service-Changed'),
    );
    expect(named).toEqual(['name,warranty', 'priority', 'name,warranty', 'name,warranty']);
    const log = await done(`GET /webhooks/${sentNow}/deliveries`);
    expect(log.map(({ changed }: { changed: string[] }) => changed)).toEqual([
      ['priority'],
      ['name', 'warranty'],
      ['name', 'warranty'],
    ]);
    expect(await done(`GET /webhooks/${sentNow}/deliveries/3`)).toMatchObject({
      changed: ['priority'],
    });
  });

  it('is absent from any other event, whose changed is null in the log', async () => {
    const { shop, product, done } = await createShop();
    const endpoint = await subscribeEndpoint(shop, ['product.deleted']);
    await done(`DELETE /catalog/products/${product.id}`);
    const run = createConsumer(respondOk);
    run.clock.now = Date.now() + 60_000;
    await run.deliver(endpoint);
    expect(run.requests.map(({ headers }) => headers.has('X-Service-Changed'))).toEqual([false]);
    expect(await done(`GET /webhooks/${endpoint}/deliveries`)).toMatchObject([{ changed: null }]);
    expect((await shop.api('GET /events')).body.data[0]).not.toHaveProperty('changed');
  });
});

describe('updatedFields', () => {
  const values = fc.record({ a: fc.nat(1), b: fc.nat(1), updated_at: fc.nat(1) });
  const records = fc.uniqueArray(
    fc.record({ id: fc.nat(2), c: fc.nat(1), updated_at: fc.nat(1) }),
    {
      selector: ({ id }) => id,
    },
  );

  it('names a field exactly if it differs', () => {
    fc.assert(
      fc.property(values, records, values, records, (one, some, two, others) => {
        const [before, after] = [
          { ...one, many: { data: some }, hidden: 1 },
          { ...two, many: { data: others }, hidden: 2 },
        ];
        const shown = { a: 0, b: 0, updated_at: 0, many: { data: others } };
        const common = others.filter(({ id, c }) => some.some((it) => it.id === id && it.c !== c));
        const ids = (all: typeof some) => all.map(({ id }) => id).join();
        expect(updatedFields(shown, before, after)).toEqual([
          ...(one.a === two.a ? [] : ['a']),
          ...(one.b === two.b ? [] : ['b']),
          ...(ids(some) === ids(others) ? [] : ['many']),
          ...(common.length > 0 ? ['many.c'] : []),
        ]);
      }),
    );
  });
});
