import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { countingDatabase, measureRequest, noCost } from '../support/api/measure.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { createConsumer, respondOk } from '../support/webhooks/consumer.ts';
import { subscribeEndpoint } from '../support/webhooks/recorded-events.ts';
import '../support/fixtures/first-shard.ts';

/** The rows that a delivery run writes, after a change has written its event. */
async function deliver(endpoint: number): Promise<number> {
  const cost = noCost();
  const counted = countingDatabase(env.STORE_0, cost);
  const run = createConsumer(respondOk, (all) => counted.batch(all));
  run.clock.now = Date.now() + 1;
  await run.deliver(endpoint);
  expect(run.requests).toHaveLength(1);
  return cost.rowsWritten;
}

// Rows written are most of what a change costs (test/bench/costs). One more than measured, since the bytes of events
// are counted at random. A stock of few units has a row in the index of low stocks, and another one once it changes.
it('a new product, a new stock and their deliveries write few rows', async () => {
  const store = await createTestStore({ shard: 0 });
  const brand = await store.api('POST /catalog/brands', { name: 'Marca', active: true });
  const endpoint = await subscribeEndpoint(store, ['product.created', 'product.inventory.updated']);
  const product = (sku: string) => ({
    name: `Produto ${sku}`,
    simple: true,
    active: true,
    brand_id: brand.body.data.id,
    skus: [{ sku, price_sale: 10, quantity: 5, quantity_managed: true }],
  });
  await store.api('POST /catalog/products', product('A'));
  // The first delivery of all also looks at the clock of its host.
  await deliver(endpoint);

  const created = await measureRequest(store, 'POST /catalog/products', product('B'));
  expect(created.data.rowsWritten).toBeLessThanOrEqual(23);
  expect(await deliver(endpoint)).toBeLessThanOrEqual(3);

  const { id } = created.response.body.data;
  const skus = await store.api(`GET /catalog/products/${id}/skus`);
  const path = `PUT /catalog/skus/${skus.body.data[0].id}/stocks/1`;
  const set = await measureRequest(store, path, { quantity: 7 });
  expect(set.data.rowsWritten).toBeLessThanOrEqual(8);
  expect(await deliver(endpoint)).toBeLessThanOrEqual(3);
});
