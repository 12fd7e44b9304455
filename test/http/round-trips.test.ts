import { expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { storeOperations } from '../support/api/operations.ts';
import { createCompleteStore, pathWithIds } from '../support/fixtures/complete-store.ts';
import { parallelBodies } from '../support/fixtures/parallel-bodies.ts';
import '../support/fixtures/first-shard.ts';

/**
 * Records of a complete store refuse these changes, or an earlier one took their record. Their own
 * tests count them.
 */
const refused = [
  'captureTransaction',
  'createOrderTransaction',
  'deleteCustomerAddress',
  'deleteSku',
  'deleteWebhook',
  'orderCart',
  'removeCategoryProducts',
  'removeCollectionProducts',
  'sendWebhookDelivery',
  'simulateTransaction',
  'updatePaymentConfiguration',
  'updateSkuStock',
];

const changes = storeOperations
  .filter(({ method, upload }) => method !== 'GET' && !upload)
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

it('each change of a store takes at most two round trips, and three for many prices', async () => {
  const shop = await createCompleteStore('trips', 0);
  const [dear, without]: [string[], string[]] = [[], []];
  for (const operation of changes) {
    const { id, method } = operation;
    const path = pathWithIds(operation, (kind) => shop.ids[kind] ?? 1);
    const body = parallelBodies[id]?.(shop, 2);
    const { response, data } = await measureRequest(shop, `${method} ${path}`, body);
    if (response.status >= 400) without.push(id);
    if (data.roundTrips > 2) dear.push(`${id}: ${data.roundTrips}`);
  }
  expect(dear).toEqual(['changePrices: 3']);
  expect(without.toSorted()).toEqual(refused);
});
