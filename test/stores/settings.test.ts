import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { createSellingStore } from '../support/fixtures/selling-store.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import '../support/fixtures/first-shard.ts';

describe('GET /{alias}/config/settings', () => {
  it('returns 200 with the default of 60 minutes, in one round trip', async () => {
    const shop = await createTestStore();
    const { response, data } = await measureRequest(shop, 'GET /config/settings');
    expect([response.status, response.body]).toEqual([200, { data: { cart_idle_minutes: 60 } }]);
    expect(data.roundTrips).toBe(1);
  });
});

describe('PUT /{alias}/config/settings', () => {
  it('returns 200 with the new setting, for this store only, in one round trip', async () => {
    const [shop, other] = [await createTestStore(), await createTestStore()];
    for (const minutes of [1, 43_200, 15]) {
      const body = { cart_idle_minutes: minutes };
      const { response, data } = await measureRequest(shop, 'PUT /config/settings', body);
      expect([response.status, response.body, data.roundTrips]).toEqual([200, { data: body }, 1]);
    }
    const kept = await shop.api('PUT /config/settings', {});
    expect(kept.body.data.cart_idle_minutes).toBe(15);
    expect((await shop.api('GET /config/settings')).body.data.cart_idle_minutes).toBe(15);
    expect((await other.api('GET /config/settings')).body.data.cart_idle_minutes).toBe(60);
  });

  it('decides when a cart that is created afterwards counts as idle', async () => {
    const shop = await createSellingStore();
    await shop.api('PUT /config/settings', { cart_idle_minutes: 7 });
    const { body } = await shop.api('POST /checkout/carts', {
      customer_id: shop.customerId,
      items: [{ sku_id: shop.skuIds[0], quantity: 1 }],
    });
    const wait = await env.STORE_0.prepare(
      'select due_at - edited_at as ms from carts where id = ?',
    )
      .bind(body.data.id)
      .first('ms');
    expect(wait).toBe(7 * 60_000);
  });

  it.each([0, 43_201, 1.5, '60', null])('returns 422 for %j minutes', async (minutes) => {
    const { api } = await createTestStore();
    const { status, body } = await api('PUT /config/settings', { cart_idle_minutes: minutes });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['cart_idle_minutes']]);
    expect((await api('GET /config/settings')).body.data.cart_idle_minutes).toBe(60);
  });
});
