import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callWithBindings } from '../support/api/measure.ts';
import {
  createSellingStore,
  orderBody,
  type SellingStore,
} from '../support/fixtures/selling-store.ts';
import { passClockPause } from '../support/fixtures/test-clock.ts';
import { runAllTimers } from '../support/sweep.ts';
import { recordedEventNames, subscribeEndpoint } from '../support/webhooks/recorded-events.ts';
import '../support/fixtures/first-shard.ts';

const hour = 3_600;

const guest = { name: 'Bia Prado', email: 'bia@buyers.test', phone: null };

const databaseRow = <T>(query: string, ...values: unknown[]) =>
  env.STORE_0.prepare(query)
    .bind(...values)
    .first<T>();

/**
 * Advances the clock of a store ten seconds after the last time; the messages to the sweep are kept
 * instead of sent.
 */
async function advance(shop: SellingStore, seconds: unknown) {
  const sent: unknown[] = [];
  const SWEEP = {
    sendBatch: async (messages: MessageSendRequest[]) =>
      void sent.push(...messages.map(({ body }) => body)),
  } as unknown as Queue;
  const body = { advance_seconds: seconds };
  await passClockPause(shop);
  const response = await callWithBindings(shop, 'POST /test/clock', body, { SWEEP });
  return { ...response, sent };
}

async function guestCart(shop: SellingStore) {
  const items = shop.skuIds.map((sku_id) => ({ sku_id, quantity: 1 }));
  const { body } = await shop.api('POST /checkout/carts', { items, tracking_data: guest });
  return body.data.id as number;
}

describe('POST /{alias}/test/clock', () => {
  it('returns 200 and moves an idle cart to its reminder, as an hour would', async () => {
    const shop = await createSellingStore();
    await subscribeEndpoint(shop, ['cart.reminder']);
    const id = await guestCart(shop);
    const { status, body, sent } = await advance(shop, hour - 60);
    expect([status, body.data.carts]).toEqual([200, 1]);
    expect(sent).toEqual([{ v: 1, shard: 0, round: 0 }]);
    await runAllTimers(env, Date.now);
    expect(await recordedEventNames(shop)).toEqual([]);
    await advance(shop, 60);
    await runAllTimers(env, Date.now);
    expect(await recordedEventNames(shop)).toEqual(['cart.reminder']);
    expect((await shop.api(`GET /checkout/carts/${id}`)).body.data.status).toBe('abandoned');
    // The second reminder follows a day after the first, and the end of the cart 30 days after the
    // last edit.
    await advance(shop, 24 * hour);
    await runAllTimers(env, Date.now);
    await advance(shop, 30 * 24 * hour);
    await runAllTimers(env, Date.now);
    expect(await recordedEventNames(shop)).toEqual(['cart.reminder', 'cart.reminder']);
    expect((await shop.api(`GET /checkout/carts/${id}`)).body.data.status).toBe('expired');
  });

  it('brings deadlines of payments and retries forward, and touches no other store', async () => {
    const [shop, other] = [await createSellingStore(), await createSellingStore()];
    await subscribeEndpoint(shop, ['order.paid']);
    const orders = await Promise.all(
      [shop, other].map((each) =>
        each.api('POST /orders', orderBody(each, { payment_id: each.payments['pix'] })),
      ),
    );
    await Promise.all([guestCart(other), subscribeEndpoint(other, ['order.paid'])]);
    const now = Date.now();
    await env.STORE_0.prepare(
      `update webhook_endpoints set next_attempt_at = ?1, consecutive_failures = 3, first_failure_at = ?2
        where store_id in (?3, ?4)`,
    )
      .bind(now + 10 * 3_600_000, now, shop.id, other.id)
      .run();
    const timesOf = ({ id }: SellingStore) =>
      databaseRow(
        `select (select due_at from transactions where store_id = ?1) as capture,
          (select due_at from carts where store_id = ?1) as cart,
          next_attempt_at, first_failure_at from webhook_endpoints where store_id = ?1`,
        id,
      );
    const before = await timesOf(other);
    const { body } = await advance(shop, 12 * hour);
    expect(body.data).toEqual({
      advanced_seconds: 12 * hour,
      carts: 0,
      transactions: 1,
      webhooks: 1,
    });
    expect(await timesOf(shop)).toMatchObject({
      next_attempt_at: now - 2 * 3_600_000,
      first_failure_at: now - 12 * 3_600_000,
    });
    expect(await timesOf(other)).toEqual(before);
    await advance(shop, 30 * 24 * hour);
    await runAllTimers(env, Date.now);
    const [ended, waiting] = await Promise.all(
      [shop, other].map((each, index) => each.api(`GET /orders/${orders[index]!.body.data.id}`)),
    );
    expect([ended, waiting].map((order) => order!.body.data.status.data.alias)).toEqual([
      'cancelled',
      'waiting_payment',
    ]);
  });

  it('leaves an endpoint alone that a worker sends for', async () => {
    const shop = await createSellingStore();
    const endpoint = await subscribeEndpoint(shop, ['order.paid']);
    const now = Date.now();
    await env.STORE_0.prepare(
      'update webhook_endpoints set next_attempt_at = ?1, lease_until = ?1 where id = ?2',
    )
      .bind(now + 60_000, endpoint)
      .run();
    expect((await advance(shop, hour)).body.data.webhooks).toBe(0);
    const row = await databaseRow(
      'select next_attempt_at as at from webhook_endpoints where id = ?',
      endpoint,
    );
    expect(row).toEqual({ at: now + 60_000 });
  });

  it('returns 403 test_store_only in any other store, and changes nothing', async () => {
    const shop = await createSellingStore({ test: false });
    const id = await guestCart(shop);
    const due = () => databaseRow('select due_at from carts where id = ?', id);
    const before = await due();
    const { status, body, sent } = await advance(shop, hour);
    expect([status, body.code, sent]).toEqual([403, 'test_store_only', []]);
    expect(await due()).toEqual(before);
  });

  it.each([0, -1, 1.5, 2_678_401, '3600', null])(
    'returns 422 for advance_seconds %j',
    async (seconds) => {
      const { status, body } = await advance(await createSellingStore(), seconds);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['advance_seconds']]);
    },
  );
});
