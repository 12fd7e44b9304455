import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { maxWaiting } from '../../../src/data/queries/test-clock.ts';
import { callWithBindings, countingDatabase, noCost } from '../../support/api/measure.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { passClockPause } from '../../support/fixtures/test-clock.ts';
import '../../support/fixtures/first-shard.ts';

/** Inserts carts that wait for a reminder. */
const addCarts = ({ id }: TestStore, count: number) =>
  env.STORE_0.prepare(
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?2)
      insert into carts (id, store_id, token, value_shipment, edited_at, due_at, created_at, updated_at)
      select -(abs(random()) >> 12), ?1, lower(hex(randomblob(16))), 0, ?3, ?3 + 3600000, ?3, ?3 from numbers`,
  )
    .bind(id, count, Date.now())
    .run();

/** The earliest and the latest timer of the carts of a store. */
const timersOf = ({ id }: TestStore) =>
  env.STORE_0.prepare(
    'select min(due_at) as first, max(due_at) as last from carts where store_id = ?',
  )
    .bind(id)
    .first<{ first: number; last: number }>();

/** Advances the clock by a minute, and counts what that costs. No sweep is woken. */
async function advance(shop: TestStore) {
  const cost = noCost();
  const SWEEP = { sendBatch: async () => undefined } as unknown as Queue;
  const bindings = { SWEEP, STORE_0: countingDatabase(env.STORE_0, cost) };
  const response = await callWithBindings(
    shop,
    'POST /test/clock',
    { advance_seconds: 60 },
    bindings,
  );
  return { ...response, cost };
}

describe('the clock of a test store', () => {
  it('is advanced by one of 20 requests at once: the others are 429 with Retry-After', async () => {
    const shop = await createTestStore({ test: true });
    await addCarts(shop, 3);
    const before = await timersOf(shop);
    const responses = await Promise.all(Array.from({ length: 20 }, () => advance(shop)));
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(19);
    for (const { status, headers, body } of refused) {
      expect([status, body.code, headers.get('Retry-After')]).toEqual([429, 'rate_limited', '10']);
      expect(headers.get('RateLimit-Policy')).toContain('"test-clock";q=1;w=10');
    }
    expect(await timersOf(shop)).toEqual({
      first: before!.first - 60_000,
      last: before!.last - 60_000,
    });
    await passClockPause(shop);
    expect((await advance(shop)).status).toBe(200);
  });

  it('waits by itself: another store advances meanwhile', async () => {
    const [shop, other] = [
      await createTestStore({ test: true }),
      await createTestStore({ test: true }),
    ];
    expect([(await advance(shop)).status, (await advance(other)).status]).toEqual([200, 200]);
  });

  it(`moves ${maxWaiting} records in one round trip, and a bounded number of rows`, async () => {
    const shop = await createTestStore({ test: true });
    await addCarts(shop, maxWaiting);
    const { status, body, cost } = await advance(shop);
    expect([status, body.data.carts, cost.roundTrips]).toEqual([200, maxWaiting, 1]);
    expect(cost.rowsWritten).toBeLessThan(maxWaiting * 5);
    expect(cost.rowsRead).toBeLessThan(maxWaiting * 10);
  });

  it('moves nothing of a store with more: 409 test_store_full, which counts no advance', async () => {
    const shop = await createTestStore({ test: true });
    await addCarts(shop, 4 * maxWaiting);
    const before = await timersOf(shop);
    const { status, body } = await advance(shop);
    expect([status, body.code]).toEqual([409, 'test_store_full']);
    expect(await timersOf(shop)).toEqual(before);
    await env.STORE_0.prepare('delete from carts where store_id = ?').bind(shop.id).run();
    expect((await advance(shop)).status).toBe(200);
  });

  it('counts deliveries that wait for a retry', async () => {
    const shop = await createTestStore({ test: true });
    const { body } = await shop.api('POST /webhooks', {
      name: 'Ours',
      url: 'https://partner.test/h',
      events: ['product.deleted'],
    });
    await env.STORE_0.prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n <= ?2)
        insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at)
        select ?1, n, 'evt-' || n, 0, ?3, ?3 from numbers`,
    )
      .bind(body.data.id, maxWaiting, Date.now() + 3_600_000)
      .run();
    expect((await advance(shop)).body.code).toBe('test_store_full');
  });
});
