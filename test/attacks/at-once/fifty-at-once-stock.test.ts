import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callAtOnce, callByCrowd, countStatuses, crowd } from '../../support/api/at-once.ts';
import {
  createSellingStore,
  placeTestOrder,
  stockOf,
} from '../../support/fixtures/selling-store.ts';
import { runsOf } from '../../support/slow.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import '../../support/fixtures/first-shard.ts';

describe('fifty callers at once on one stock', () => {
  it('add their deltas to a stock with one attempt each (200), and every event holds a stock that existed', async () => {
    const shop = await createSellingStore({ quantity: 100 });
    await subscribeEndpoint(shop, ['product.inventory.updated']);
    const [skuId] = shop.skuIds;
    const responses = await callByCrowd(shop, (caller) => [
      `PUT /catalog/skus/${skuId}/stocks/1`,
      { delta: caller % 2 === 0 ? 3 : -1 },
    ]);
    expect(countStatuses(responses)).toEqual({ 200: crowd });
    expect(new Set(responses.map(({ batches }) => batches))).toEqual(new Set([2]));
    expect(await stockOf(shop, skuId!)).toEqual({ quantity: 150, reserved: 0 });
    let known = 100;
    for (const { resource } of await recordedEvents(shop)) {
      const { quantity, sku } = resource as {
        quantity: number;
        sku: { data: { total_in_stock: number } };
      };
      expect([3, -1]).toContain(quantity - known);
      expect(sku.data.total_in_stock).toBe(quantity);
      known = quantity;
    }
    expect(known).toBe(150);
  });

  it('never take a stock below what is reserved: the others get 422', async () => {
    const shop = await createSellingStore({ quantity: 20 });
    await placeTestOrder(shop);
    const [skuId] = shop.skuIds;
    const responses = await callByCrowd(shop, () => [
      `PUT /catalog/skus/${skuId}/stocks/1`,
      { delta: -1 },
    ]);
    expect(countStatuses(responses)).toEqual({ 200: 19, 422: 31 });
    expect(await stockOf(shop, skuId!)).toEqual({ quantity: 1, reserved: 1 });
  });

  /** SKUs that two callers change at once. */
  const pairs = runsOf(crowd, 12);

  it('keep the quantity of one when another sets min_quantity (200)', async () => {
    const shop = await createSellingStore({ skus: pairs, quantity: 5 });
    const responses = await callAtOnce(
      shop,
      shop.skuIds.flatMap((id) =>
        [{ min_quantity: 3 }, { quantity: 7 }].map(
          (body) => [`PUT /catalog/skus/${id}/stocks/1`, body] as const,
        ),
      ),
    );
    expect(countStatuses(responses)).toEqual({ 200: 2 * pairs });
    const { results } = await env.STORE_0.prepare(
      'select distinct quantity, min_quantity from stocks where store_id = ?',
    )
      .bind(shop.id)
      .all();
    expect(results).toEqual([{ quantity: 7, min_quantity: 3 }]);
  });
});
