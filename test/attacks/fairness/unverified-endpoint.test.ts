import { describe, expect, it } from 'vitest';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { retryDelaysMs } from '../../../src/webhooks/delivery/apply-result.ts';
import { purgeExpired } from '../../../src/webhooks/sweep/purge.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  createConsumer,
  db,
  insertEndpoint,
  respondOk,
  startTime,
  type EndpointOptions,
} from '../../support/webhooks/consumer.ts';
import { fillDeliveryLog } from '../../support/webhooks/delivery-log.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';
import { allowDuplicates } from '../../support/webhooks/tracked.ts';

const minute = 60_000;
const insertUnverified = (options: EndpointOptions = {}) =>
  insertEndpoint({ events: 100, concurrency: 5, isUnproven: true, ...options });

const setColumns = (id: number, columns: string) =>
  db.prepare(`update webhook_endpoints set ${columns} where id = ?`).bind(id).run();

/** Delivers for the endpoints each five seconds, as if every publish woke them. */
async function deliverFor(
  run: ReturnType<typeof createConsumer>,
  ms: number,
  endpoints: readonly { id: number }[],
): Promise<void> {
  const end = run.clock.now + ms;
  for (; run.clock.now < end; run.clock.now += 5_000) {
    await run.deliver(...endpoints.map(({ id }) => id));
  }
}

describe('a webhook whose receiver has accepted nothing yet', () => {
  it.each([405, 404, 422, 429, 500])(
    'sends one event per step of the schedule to a receiver that returns %i',
    async (status) => {
      const endpoint = await insertUnverified();
      const run = createConsumer(() => new Response(null, { status }));
      await deliverFor(run, 3 * minute, [endpoint]);
      // At once, then after 5 s, 30 s and 2 min.
      expect(run.requests).toHaveLength(4);
    },
  );

  it('has one request on its way at a time, and goes on at full speed after its first 2xx', async () => {
    const endpoint = await insertUnverified({ events: 60 });
    let [inFlight, most] = [0, 0];
    const speeds: number[] = [];
    const run = createConsumer(async () => {
      most = Math.max(most, (inFlight += 1));
      await new Promise((resolve) => setTimeout(resolve, 2));
      speeds.push(inFlight);
      inFlight -= 1;
      return new Response();
    });
    await run.deliver(endpoint.id);
    expect(run.requests).toHaveLength(60);
    expect(speeds[0]).toBe(1);
    expect(most).toBe(5);
    expect(await endpoint.endpoint()).toMatchObject({ proven_at: startTime });
  });

  it('costs one more round trip in its first run, and none afterwards', async () => {
    const endpoint = await insertUnverified({ events: 2 });
    const measure = async (events: number) => {
      const cost = noCost();
      const counted = countingDatabase(db, cost);
      const run = createConsumer(respondOk, (all) => counted.batch(all));
      await run.deliver(endpoint.id);
      expect(run.requests).toHaveLength(events);
      return cost;
    };
    const first = await measure(2);
    allowDuplicates(`${endpoint.id}-1`, `${endpoint.id}-2`);
    await db.batch([
      db
        .prepare('update webhook_deliveries set state = 0, attempts = 0 where endpoint_id = ?')
        .bind(endpoint.id),
      db
        .prepare('update webhook_endpoints set next_attempt_at = ? where id = ?')
        .bind(startTime, endpoint.id),
    ]);
    const later = await measure(2);
    expect([first.roundTrips, later.roundTrips]).toEqual([3, 2]);
    expect(first.rowsWritten - later.rowsWritten).toBeLessThanOrEqual(1);
  });

  it('shares the clock of its host with nineteen others of the store', async () => {
    const store = Math.floor(Math.random() * 2 ** 40);
    const endpoints = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        insertUnverified({ store, events: 5, url: `https://Victim.example.:8443/${index}` }),
      ),
    );
    const run = createConsumer(() => new Response(null, { status: 405 }));
    await run.deliver(...endpoints.map(({ id }) => id));
    const burst = run.requests.length;
    expect(burst).toBeLessThanOrEqual(20);
    run.clock.now += 5_000;
    await deliverFor(run, 3 * minute, endpoints);
    // One of all of them after 5 s, 30 s and 2 min.
    expect(run.requests.length - burst).toBe(3);
  });

  it('lets the others of its host go on once one of them has accepted an event', async () => {
    const store = Math.floor(Math.random() * 2 ** 40);
    const endpoints = await Promise.all(
      [1, 2, 3].map((index) =>
        insertUnverified({ store, events: 5, url: `https://mine.example/${index}` }),
      ),
    );
    let isUp = false;
    const run = createConsumer(() => new Response(null, { status: isUp ? 200 : 503 }));
    await run.deliver(...endpoints.map(({ id }) => id));
    isUp = true;
    await deliverFor(run, minute, endpoints);
    for (const endpoint of endpoints) {
      const states = (await endpoint.deliveries()).map(({ state }) => state);
      expect(states).toEqual(Array(5).fill(DeliveryState.delivered));
    }
  });

  it('tries at most twenty failing hosts of a store at a time', async () => {
    const store = Math.floor(Math.random() * 2 ** 40);
    const run = createConsumer(() => new Response(null, { status: 500 }));
    for (let index = 0; index < 25; index += 1) {
      const { id } = await insertUnverified({
        store,
        events: 1,
        url: `https://h${index}.example/`,
      });
      await run.deliver(id);
    }
    expect(run.requests).toHaveLength(20);
    await purgeExpired(sweepContextAt(startTime + 2 * 86_400_000));
    const left = db
      .prepare('select count(*) as n from webhook_trials where store_id = ?')
      .bind(store);
    expect(await left.first('n')).toBe(0);
  });

  it('gains nothing by being resumed, changed to another path, or created anew', async () => {
    const store = Math.floor(Math.random() * 2 ** 40);
    const run = createConsumer(() => new Response(null, { status: 405 }));
    const first = await insertUnverified({ store });
    await run.deliver(first.id);
    for (let turn = 0; turn < 5; turn += 1) {
      run.clock.now += 100;
      const again = `consecutive_failures = 0, next_attempt_at = ${run.clock.now}`;
      await setColumns(first.id, `${again}, url = 'https://receiver.example/${turn}'`);
      const other = await insertUnverified({ store });
      await run.deliver(first.id, other.id);
      await setColumns(other.id, `status = ${EndpointStatus.deleted}, next_attempt_at = null`);
    }
    expect(run.requests).toHaveLength(1);
  });

  it('must prove a new URL, since the old one may be of another owner', async () => {
    const shop = await createTestStore();
    const { body } = await shop.api('POST /webhooks', {
      url: 'http://127.0.0.1:9/mine',
      name: 'n',
      events: ['product.created'],
    });
    const { id } = body.data;
    const run = createConsumer(
      (request) => new Response(null, { status: request.url.endsWith('/mine') ? 200 : 405 }),
    );
    run.clock.now = Date.now();
    const publish = async () => {
      await fillDeliveryLog(shop, id, { count: 60, state: DeliveryState.open });
      await setColumns(id, `next_attempt_at = ${run.clock.now}`);
    };
    await publish();
    await run.deliver(id);
    expect(run.requests).toHaveLength(60);
    await shop.api(`PUT /webhooks/${id}`, { url: 'http://127.0.0.1:9/mine', name: 'm' });
    await publish();
    await run.deliver(id);
    expect(run.requests).toHaveLength(120);
    await shop.api(`PUT /webhooks/${id}`, { url: 'http://localhost:9/victim' });
    await publish();
    await run.deliver(id);
    expect(run.requests).toHaveLength(121);
  });

  it('is switched off when it rejects everything for five days', async () => {
    const endpoint = await insertUnverified({ events: 3 });
    const run = createConsumer(() => new Response(null, { status: 422 }));
    for (const delay of [0, ...retryDelaysMs]) {
      run.clock.now += delay;
      await run.deliver(endpoint.id);
    }
    expect(await endpoint.endpoint()).toMatchObject({ failure_count: 15 });
  });
});
