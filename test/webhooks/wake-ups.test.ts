import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { DeliveryState } from '../../src/data/schema/store/webhooks-tables.ts';
import { patience } from '../support/patience.ts';
import { sweepAll } from '../support/sweep.ts';
import {
  createConsumer,
  db,
  neverRespond,
  insertEndpoint,
  respondOk,
  startTime,
} from '../support/webhooks/consumer.ts';
import { pauseTimers } from '../support/webhooks/paused-timers.ts';
import { wakeupBindings } from '../support/webhooks/wakeup-queues.ts';

describe('wake-ups', () => {
  it('fault 9: serve every endpoint in reverse order, and keep the order of ordered ones', async () => {
    const endpoints = [];
    for (let n = 0; n < 4; n += 1)
      endpoints.push(await insertEndpoint({ events: 8, ordered: n % 2 === 0 }));
    const run = createConsumer(respondOk);
    await run.deliver(...endpoints.map(({ id }) => id).toReversed());
    for (const target of endpoints) {
      expect(
        (await target.deliveries()).every(({ state }) => state === DeliveryState.delivered),
      ).toBe(true);
    }
    const first = endpoints[0]!;
    const inOrder = run.ids().filter((id) => id?.startsWith(first.eventId(0).slice(0, -1)));
    expect(inOrder).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map(first.eventId));
  });

  it('fault 12: send nothing when they come back after their deliveries are done', async () => {
    const target = await insertEndpoint({ events: 3 });
    const run = createConsumer(respondOk);
    await run.deliver(target.id);
    await run.deliver(target.id, target.id);
    expect(run.requests).toHaveLength(3);
  });

  it('fault 21: send each event once when two sweeps run at the same time', async () => {
    const target = await insertEndpoint({ events: 9 });
    const called: number[] = [];
    const queue = () => ({
      sendBatch: (messages: { body: { endpoint: number } }[]) => {
        called.push(...messages.map(({ body }) => body.endpoint));
        return Promise.resolve();
      },
    });
    const world = { ...env, ...wakeupBindings(queue) } as unknown as Env;
    await Promise.all([sweepAll(world, () => startTime), sweepAll(world, () => startTime)]);
    const mine = called.filter((endpoint) => endpoint === target.id);
    expect(mine).toHaveLength(2);
    const [one, other] = [createConsumer(respondOk), createConsumer(respondOk)];
    await Promise.all([one.deliver(target.id), other.deliver(target.id)]);
    expect(one.requests.length + other.requests.length).toBe(9);
  });
});

describe('writeResults', () => {
  it('fault 16: leaves the log complete when it fails before its commit and then succeeds', async () => {
    const target = await insertEndpoint();
    let calls = 0;
    const run = createConsumer(
      () => new Response('no', { status: 500 }),
      (all) => {
        calls += 1;
        return calls === 2 ? Promise.reject(new Error('D1 DB is overloaded.')) : db.batch(all);
      },
    );
    expect(await run.deliver(target.id)).toMatchObject({ ackAll: true });
    expect(calls).toBe(3);
    expect(run.requests).toHaveLength(1);
    expect(await target.attempts()).toMatchObject([{ number: 1, response_status: 500 }]);
    expect(await target.deliveries()).toMatchObject([{ state: DeliveryState.open, attempts: 1 }]);
  });
});

describe('receivers that hang', () => {
  it('fault 25: get their whole timeout each, counted from their own request', async () => {
    const timeoutMs = 60;
    const endpoints = await Promise.all(
      Array.from({ length: 20 }, () => insertEndpoint({ timeoutMs })),
    );
    const started: number[] = [];
    using timers = pauseTimers();
    const run = createConsumer((request, index) => {
      started.push(Date.now());
      return neverRespond(request, index);
    });
    const startedAt = Date.now();
    const ended = run.deliver(...endpoints.map(({ id }) => id));
    for (let round = 1; round <= 4; round += 1) {
      await vi.waitUntil(() => started.length === 5 * round, patience);
      await timers.advance(timeoutMs);
    }
    await ended;
    // Five at a time: each five start when those before have had their whole timeout.
    const rounds = started.map((at) => (at - startedAt) / timeoutMs);
    expect(rounds).toEqual([0, 1, 2, 3].flatMap((round) => Array(5).fill(round)));
    for (const target of endpoints) {
      expect(await target.attempts()).toMatchObject([{ error: 'timeout' }]);
    }
  });

  it('fault 38: do not stop the other half of the endpoints, and move to the slow queues', async () => {
    const timeoutMs = 60;
    const [hung, well] = [[] as number[], [] as number[]];
    for (let n = 0; n < 6; n += 1) {
      hung.push((await insertEndpoint({ events: 3, timeoutMs })).id);
      well.push((await insertEndpoint({ events: 70 })).id);
    }
    using timers = pauseTimers();
    const run = createConsumer((request, index) => {
      const id = Number(request.headers.get('x-service-delivery-id')?.split('-')[0]);
      if (!hung.includes(id)) return new Response();
      void timers.advance(timeoutMs);
      return neverRespond(request, index);
    });
    await run.deliver(...hung, ...well);
    const slow = [...run.queues].filter(([, queue]) => queue.includes('SLOW')).map(([id]) => id);
    expect(new Set(slow)).toEqual(new Set(hung));
    await run.deliver(...well);
    const open = await db
      .prepare(
        `select count(*) as n from webhook_deliveries where state = 0
         and endpoint_id in (select value from json_each(?))`,
      )
      .bind(JSON.stringify(well))
      .first('n');
    expect(open).toBe(0);
  });
});
