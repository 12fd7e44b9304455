import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sendWakeups } from '../../../src/webhooks/wake-endpoints.ts';
import { countingDatabase, measureRequest, noCost } from '../../support/api/measure.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { runsOf } from '../../support/slow.ts';
import { createConsumer, db, insertEndpoint, respondOk } from '../../support/webhooks/consumer.ts';
import { subscribeProven } from '../../support/webhooks/recorded-events.ts';
import { wakeupBindings } from '../../support/webhooks/wakeup-queues.ts';
import '../../support/fixtures/first-shard.ts';

const finished = runsOf(100_000, 5_000);

/** Delivers for the endpoints and measures the cost. */
async function measureRun(now: number, ...endpoints: number[]) {
  const cost = noCost();
  const counted = countingDatabase(env.STORE_0, cost);
  const run = createConsumer(respondOk, (all) => counted.batch(all));
  run.clock.now = now;
  await run.deliver(...endpoints);
  return { run, cost };
}

describe('the cost of a delivery', () => {
  // The least of three: the bytes of events are counted at random, with a row or two.
  it.each([
    { by: 'the request itself', latency: 0, rows: 5, sentByRun: 0 },
    { by: 'a run, to a receiver that is not quick', latency: 1_500, rows: 7, sentByRun: 1 },
  ])(
    'is $rows rows written for one subscriber, from the change to the response, sent by $by',
    async ({ latency, rows, sentByRun }) => {
      const made = await createTestStore();
      const brand = await made.api('POST /catalog/brands', { name: 'Marca', active: true });
      const product = { name: 'p', simple: true, active: true, brand_id: brand.body.data.id };
      const { body } = await made.api('POST /catalog/products', product);
      const path = `PUT /catalog/products/${body.data.id}`;
      const without = await measureRequest(made, path, { priority: 1 });
      const endpoint = await subscribeProven(made, ['product.updated']);
      using network = mockNetwork(() => new Response('ok'));
      const written: number[] = [];
      for (const priority of [2, 3, 4]) {
        await db
          .prepare('update webhook_endpoints set latency_ms = ? where id = ?')
          .bind(latency, endpoint)
          .run();
        const published = await measureRequest(made, path, { priority });
        const { run, cost } = await measureRun(Date.now() + priority, endpoint);
        expect(run.requests).toHaveLength(sentByRun);
        expect(cost.roundTrips).toBe(1 + sentByRun);
        // Two for the change, and one after the response.
        expect(published.data.roundTrips).toBe(3 - sentByRun);
        written.push(published.data.rowsWritten - without.data.rowsWritten + cost.rowsWritten);
      }
      expect(network.requests).toHaveLength(3 * (1 - sentByRun));
      expect(Math.min(...written)).toBe(rows);
    },
  );

  it('is two round trips for six endpoints of a shard, whose wake-ups share a queue', async () => {
    const targets = await Promise.all(Array.from({ length: 6 }, () => insertEndpoint()));
    const { run, cost } = await measureRun(Date.UTC(2026, 0, 1), ...targets.map(({ id }) => id));
    expect(run.requests).toHaveLength(6);
    expect(cost.roundTrips).toBe(2);
    const queuesOf = async (shards: number) => {
      const used = new Set<string>();
      const queue = (name: string) => ({
        sendBatch: () => Promise.resolve(void used.add(name)),
      });
      const bindings = Object.fromEntries(
        Array.from({ length: shards }, (_, shard) => [`STORE_${shard}`, env.STORE_0]),
      );
      const wakeups = targets.map(({ id }) => ({ endpoint: id, nextAttemptAt: 0, isSlow: false }));
      const { STORE_0: _0, STORE_1: _1, ...rest } = env;
      const world = { ...rest, ...bindings, ...wakeupBindings(queue) } as unknown as Env;
      await sendWakeups(world, shards - 1, wakeups, 0);
      return used.size;
    };
    // One shard uses all queues, so that an endpoint that hangs delays fewer others.
    expect([await queuesOf(1), await queuesOf(4), await queuesOf(60)]).toEqual([4, 1, 1]);
  });

  it('is at most 1.2 rows written each for sixty deliveries of one endpoint', async () => {
    const target = await insertEndpoint({ events: 60 });
    const { run, cost } = await measureRun(Date.UTC(2026, 0, 1), target.id);
    expect(run.requests).toHaveLength(60);
    expect(cost.rowsWritten / 60).toBeLessThanOrEqual(1.2);
  });

  it.each([1, 60])(
    `fault 72: is at most ten rows read each for %i deliveries of an endpoint with ${finished} finished ones`,
    async (open) => {
      const target = await insertEndpoint({ events: finished });
      await db
        .prepare('update webhook_deliveries set state = 1 where endpoint_id = ? and seq <= ?')
        .bind(target.id, finished - open)
        .run();
      const { run, cost } = await measureRun(Date.UTC(2026, 0, 1), target.id);
      expect(run.requests).toHaveLength(open);
      // A run reads some thirty rows, however few deliveries it has.
      expect(cost.rowsRead).toBeLessThanOrEqual(Math.max(30, open * 10));
    },
    // Two hundred thousand rows are written first, which can take a slow disk minutes.
    240_000,
  );
});
