import { describe, expect, it } from 'vitest';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { closeInactiveDeliveries } from '../../../src/webhooks/sweep/inactive.ts';
import {
  createConsumer,
  db,
  insertEndpoint,
  respondOk,
  startTime,
} from '../../support/webhooks/consumer.ts';
import { noticesOf } from '../../support/webhooks/delivery-log.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';

const respond = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers });

const { open, delivered, gaveUp, held } = DeliveryState;

const seqOf = (request: Request) =>
  Number(request.headers.get('x-service-delivery-id')?.split('-')[1]);

describe('a throttled delivery', () => {
  it.each([
    ['Retry-After in seconds', 429, '120', 120_000],
    ['Retry-After as a date, with 503', 503, 'Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['a malformed Retry-After', 429, '1e9', 5_000],
    ['no Retry-After', 429, undefined, 5_000],
  ])('delays the endpoint and counts no failure with %s', async (_name, status, pause, wait) => {
    const target = await insertEndpoint({ events: 3, concurrency: 1 });
    const run = createConsumer(() => respond(status, pause ? { 'retry-after': pause } : {}));
    await run.deliver(target.id);
    expect(run.requests).toHaveLength(1);
    expect(await target.endpoint()).toMatchObject({
      next_attempt_at: startTime + wait,
      consecutive_failures: 1,
      failure_count: 0,
      first_failure_at: null,
    });
  });
});

describe('a rejected payload', () => {
  it('fault 34: delays only its own delivery', async () => {
    const target = await insertEndpoint({ events: 5, concurrency: 1 });
    const run = createConsumer((request) => respond(seqOf(request) === 2 ? 422 : 200));
    await run.deliver(target.id);
    expect(run.requests.map(seqOf)).toEqual([1, 2, 3, 4, 5]);
    expect((await target.deliveries()).map(({ state }) => state)).toEqual([
      delivered,
      open,
      delivered,
      delivered,
      delivered,
    ]);
    expect(await target.endpoint()).toMatchObject({
      consecutive_failures: 0,
      next_attempt_at: startTime + 5_000,
    });
    expect(run.wakeups).toEqual([{ endpoint: target.id, delaySeconds: 5 }]);
  });

  it('fault 41: is retried after the exact delays and given up after 15 attempts', async () => {
    const target = await insertEndpoint();
    const run = createConsumer(() => respond(422));
    const times: number[] = [];
    for (let nextAt: unknown = startTime; typeof nextAt === 'number';) {
      run.clock.now = nextAt;
      times.push((nextAt - startTime) / 1000);
      await run.deliver(target.id);
      nextAt = (await target.endpoint())?.next_attempt_at;
    }
    const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    const hours = [1, 2, 4, 8, 12, 12, 12, 12, 12].map((hour) => hour * 3_600);
    expect(steps).toEqual([5, 30, 120, 600, 1_800, ...hours]);
    expect(await target.deliveries()).toMatchObject([
      { state: DeliveryState.gaveUp, attempts: 15, response_status: 422 },
    ]);
    expect(await target.endpoint()).toMatchObject({ failure_count: 0, first_failure_at: null });
  });

  it('is skipped by an ordered endpoint after three attempts', async () => {
    const target = await insertEndpoint({ events: 3, ordered: true });
    const run = createConsumer((request) => respond(seqOf(request) === 1 ? 400 : 200));
    for (const wait of [5_000, 30_000, 0, 0]) {
      await run.deliver(target.id);
      run.clock.now += wait;
    }
    expect(run.requests.map(seqOf)).toEqual([1, 1, 1, 2, 3]);
    expect((await target.deliveries()).map(({ state }) => state)).toEqual([
      gaveUp,
      delivered,
      delivered,
    ]);
    expect(await target.endpoint()).toMatchObject({
      consecutive_failures: 0,
      next_attempt_at: null,
    });
  });
});

describe('an endpoint that returns 410', () => {
  it('fault 32: is disabled at once with one notice, and its other deliveries are held', async () => {
    const target = await insertEndpoint({ events: 4, concurrency: 1 });
    let calls = 0;
    const run = createConsumer(
      () => respond(410),
      async (all) => {
        const results = await db.batch<never>(all);
        calls += 1;
        if (calls === 2) throw new Error('Network connection lost.');
        return results;
      },
    );
    await run.deliver(target.id);
    expect(run.requests).toHaveLength(1);
    expect(calls).toBe(3);
    expect(await target.endpoint()).toMatchObject({
      status: EndpointStatus.autoDisabled,
      lease_until: 0,
      updated_at: startTime,
    });
    expect(await noticesOf(target.id)).toEqual([{ kind: 'gone', at: startTime }]);
    expect(run.wakeups).toEqual([]);
    await closeInactiveDeliveries(sweepContextAt(startTime));
    expect((await target.deliveries()).map(({ state }) => state)).toEqual([held, held, held, held]);
    expect(await target.endpoint()).toMatchObject({ next_attempt_at: null });
  });
});

describe('a failing endpoint', () => {
  it('fault 35: finds an event that always fails by its second probe, and goes on with the others', async () => {
    const target = await insertEndpoint({ events: 6, concurrency: 1 });
    const run = createConsumer((request) => respond(seqOf(request) === 1 ? 500 : 200));
    for (const wait of [5_000, 30_000, 0, 5_000]) {
      await run.deliver(target.id);
      run.clock.now += wait;
    }
    // First attempt, probes with the oldest and the newest, then the rest; the suspect comes last,
    // on its own schedule.
    expect(run.requests.map(seqOf)).toEqual([1, 1, 6, 2, 3, 4, 5, 1]);
    expect((await target.deliveries()).map(({ state }) => state)).toEqual([
      open,
      ...Array(5).fill(delivered),
    ]);
    expect((await target.deliveries())[0]).toMatchObject({
      attempts: 3,
      counted_failures: 1,
      due_at: startTime + 40_000,
    });
  });

  it('sends everything after an outage, including the oldest delivery', async () => {
    const target = await insertEndpoint({ events: 6, concurrency: 1 });
    let isDown = true;
    const run = createConsumer(() => respond(isDown ? 502 : 200));
    for (const wait of [5_000, 30_000]) {
      await run.deliver(target.id);
      run.clock.now += wait;
    }
    isDown = false;
    await run.deliver(target.id);
    await run.deliver(target.id);
    expect((await target.deliveries()).map(({ state }) => state)).toEqual(Array(6).fill(delivered));
    expect(await target.endpoint()).toMatchObject({
      next_attempt_at: null,
      consecutive_failures: 0,
      failure_count: 0,
      first_failure_at: null,
    });
  });

  it('fault 36: costs one request per retry step and few rows with 10,000 waiting deliveries', async () => {
    const target = await insertEndpoint({ events: 10_000 });
    let read = 0;
    const run = createConsumer(
      () => respond(503),
      async (all) => {
        const results = await db.batch<never>(all);
        for (const { meta } of results) read += meta.rows_read;
        return results;
      },
    );
    await run.deliver(target.id);
    const first = run.requests.length;
    const steps = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000];
    for (const step of steps) {
      run.clock.now += step;
      await run.deliver(target.id);
      await run.deliver(target.id);
    }
    expect(run.requests).toHaveLength(first + steps.length);
    expect(run.requests.slice(first).map(seqOf)).toEqual([1, 10_000, 1, 10_000, 1, 10_000]);
    expect(read / (steps.length + 1)).toBeLessThan(400);
    const states = await db
      .prepare(
        'select state, count(*) as n from webhook_deliveries where endpoint_id = ? group by 1',
      )
      .bind(target.id)
      .all();
    expect(states.results).toEqual([{ state: open, n: 10_000 }]);
  });

  it('is woken through a slow queue, and a healthy endpoint through a fast one', async () => {
    const [bad, good] = [await insertEndpoint({ events: 2 }), await insertEndpoint({ events: 61 })];
    const run = createConsumer((request) =>
      request.headers.get('x-service-delivery-id')?.startsWith(`${bad.id}-`)
        ? respond(500)
        : respond(200),
    );
    await run.deliver(bad.id, good.id);
    expect(run.queues).toEqual(
      new Map([
        [bad.id, 'WAKEUP_SLOW_0'],
        [good.id, `WAKEUP_FAST_${good.id % 2}`],
      ]),
    );
  });

  it('counts no failure when a replay fails', async () => {
    const target = await insertEndpoint();
    await db
      .prepare(`update webhook_deliveries set trigger = 'replay' where endpoint_id = ?`)
      .bind(target.id)
      .run();
    const run = createConsumer(() => respond(500));
    await run.deliver(target.id);
    expect(await target.endpoint()).toMatchObject({
      consecutive_failures: 1,
      failure_count: 0,
      first_failure_at: null,
    });
  });
});

describe('a run with time to spare', () => {
  it('fault 20: delivers for endpoints that are long overdue', async () => {
    const [woken, overdue, waiting] = [
      await insertEndpoint(),
      await insertEndpoint(),
      await insertEndpoint(),
    ];
    const at = startTime + 90_000;
    const setNextAttempt = db.prepare(
      'update webhook_endpoints set next_attempt_at = ? where id = ?',
    );
    await setNextAttempt.bind(at - 89_999, waiting.id).run();
    const run = createConsumer(respondOk, undefined, { seesOverdue: true });
    run.clock.now = at;
    await setNextAttempt.bind(at, woken.id).run();
    await setNextAttempt.bind(1, overdue.id).run();
    await run.deliver(woken.id);
    expect(await overdue.deliveries()).toMatchObject([{ state: DeliveryState.delivered }]);
    expect(await waiting.deliveries()).toMatchObject([{ state: DeliveryState.open }]);
  });
});
