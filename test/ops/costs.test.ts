import { expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { mockNetwork } from '../support/fakes/network.ts';
import { createSellingStore } from '../support/fixtures/selling-store.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { subscribeProven } from '../support/webhooks/recorded-events.ts';
import '../support/fixtures/first-shard.ts';

// Rows written are most of what a change costs (test/bench/costs). One more than measured, since
// the bytes of events are counted at random. A stock of few units has a row in the index of low
// stocks, and another one once it changes.
it('a new product, a new stock and their deliveries write few rows', async () => {
  const store = await createTestStore({ shard: 0 });
  const brand = await store.api('POST /catalog/brands', { name: 'Marca', active: true });
  await subscribeProven(store, ['product.created', 'product.inventory.updated']);
  using network = mockNetwork(() => new Response('ok'));
  const product = (sku: string) => ({
    name: `Produto ${sku}`,
    simple: true,
    active: true,
    brand_id: brand.body.data.id,
    skus: [{ sku, price_sale: 10, quantity: 5, quantity_managed: true }],
  });
  // Its delivery ends before the next, so that the receiver has nothing open.
  await measureRequest(store, 'POST /catalog/products', product('A'));
  // The least of three: an event that is counted for others writes a row or two more, as its store
  // gets due for archiving.
  const written: number[] = [];
  let id = 0;
  for (const sku of ['B', 'C', 'D']) {
    const created = await measureRequest(store, 'POST /catalog/products', product(sku));
    id = created.response.body.data.id;
    written.push(created.data.rowsWritten);
  }
  expect(Math.min(...written)).toBeLessThanOrEqual(23);

  const skus = await store.api(`GET /catalog/products/${id}/skus`);
  const path = `PUT /catalog/skus/${skus.body.data[0].id}/stocks/1`;
  const set = await measureRequest(store, path, { quantity: 7 });
  expect(set.data.rowsWritten).toBeLessThanOrEqual(9);
  expect(network.requests).toHaveLength(5);
});

// Each request delivers its event, too. A payment and a conversion must not write the indexes of
// columns that stay.
it('an order by cart writes few rows in each of its three requests', async () => {
  const shop = await createSellingStore({ shard: 0, quantity: 1_000 });
  for (const event of ['order.created', 'order.paid'] as const)
    await subscribeProven(shop, [event]);
  using network = mockNetwork(() => new Response('ok'));
  const items = [{ sku_id: shop.skuIds[0], quantity: 1 }];
  const terms = { payment_id: shop.payments.credit_card, shipping_address_id: shop.addressId };
  const buy = async () => {
    const cart = await measureRequest(shop, 'POST /checkout/carts', {
      customer_id: shop.customerId,
      items,
    });
    const ordering = `POST /checkout/carts/${cart.response.body.data.id}/orders`;
    const order = await measureRequest(shop, ordering, terms);
    const [payment] = order.response.body.data.transactions.data;
    const capture = `POST /checkout/transactions/${payment.id}/capture`;
    const paid = await measureRequest(shop, capture, {});
    expect(paid.response.body.data.status).toBe('paid');
    return [cart, order, paid].map(({ data }) => data.rowsWritten);
  };
  await buy();
  const written = [await buy(), await buy(), await buy()];
  const least = [0, 1, 2].map((request) => Math.min(...written.map((rows) => rows[request] ?? 0)));
  for (const [request, bound] of [12, 31, 14].entries()) {
    expect(least[request]).toBeLessThanOrEqual(bound);
  }
  expect(network.requests).toHaveLength(8);
});
