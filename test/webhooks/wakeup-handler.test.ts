import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { patience } from '../support/patience.ts';
import {
  createConsumer,
  db,
  neverRespond,
  insertEndpoint,
  respondOk,
  startTime,
} from '../support/webhooks/consumer.ts';
import { pauseTimers } from '../support/webhooks/paused-timers.ts';

describe('handleWakeups', () => {
  it('detaches a run whose receivers hang: acknowledges the batch and still records the results', async () => {
    const [slow, quick] = [
      await insertEndpoint({ timeoutMs: 1_000 }),
      await insertEndpoint({ events: 20 }),
    ];
    const rest: Promise<unknown>[] = [];
    const run = createConsumer(
      (request, index) =>
        request.headers.get('x-service-delivery-id')?.startsWith(`${slow.id}-`)
          ? neverRespond(request, index)
          : respondOk(request, index),
      undefined,
      { waitUntil: (work) => void rest.push(work) },
    );
    using timers = pauseTimers();
    const result = await run.deliver(slow.id, quick.id);
    expect(result).toMatchObject({ ackAll: true });
    expect(rest).toHaveLength(1);
    // No time has passed, so the request that hangs is still on its way.
    expect(await slow.attempts()).toEqual([]);
    await timers.advance(1_000);
    await Promise.all(rest);
    expect(await quick.endpoint()).toMatchObject({ next_attempt_at: null, lease_until: 0 });
    expect(await slow.attempts()).toMatchObject([{ error: 'timeout' }]);
    expect(await slow.endpoint()).toMatchObject({ consecutive_failures: 1, lease_until: 0 });
  });

  it('does not detach a run that can start another send', async () => {
    const endpoints = [];
    for (let n = 0; n < 7; n += 1) endpoints.push(await insertEndpoint());
    const rest: unknown[] = [];
    let ended = 0;
    const run = createConsumer(
      async (_request, index) => {
        await new Promise((resolve) => setTimeout(resolve, 20 + 20 * index));
        ended += 1;
        return new Response();
      },
      undefined,
      { waitUntil: (work) => void rest.push(work) },
    );
    await run.deliver(...endpoints.map(({ id }) => id));
    // The last of seven starts when the second of five has ended.
    expect(ended).toBe(2);
    await Promise.all(rest);
    expect(ended).toBe(7);
  });

  it('does not detach a run after a database failure, so that the queue retries the batch', async () => {
    const target = await insertEndpoint();
    const rest: unknown[] = [];
    const run = createConsumer(respondOk, () => Promise.reject(new Error('D1 DB is overloaded')), {
      waitUntil: (work) => void rest.push(work),
    });
    expect(await run.deliver(target.id)).toMatchObject({
      ackAll: false,
      retryBatch: { retry: true },
    });
    expect(rest).toEqual([]);
  });

  it('does not detach a run that stalls after a failure of another database', async () => {
    const [slow, quick] = [await insertEndpoint({ timeoutMs: 500 }), await insertEndpoint()];
    const rest: unknown[] = [];
    const run = createConsumer(
      (request, index) =>
        request.headers.get('x-service-delivery-id')?.startsWith(`${slow.id}-`)
          ? neverRespond(request, index)
          : respondOk(request, index),
      undefined,
      {
        waitUntil: (work) => void rest.push(work),
        secondShard: {
          prepare: (text: string) => env.STORE_1.prepare(text),
          batch: () => Promise.reject(new Error('D1 DB is overloaded')),
        } as unknown as D1Database,
      },
    );
    const result = await run.handle(
      { v: 1, shard: 0, endpoint: slow.id },
      { v: 1, shard: 0, endpoint: quick.id },
      { v: 1, shard: 1, endpoint: 1 },
    );
    expect(result).toMatchObject({ ackAll: false, retryBatch: { retry: true } });
    expect(rest).toEqual([]);
    // The deliveries of the other database are sent and recorded all the same.
    expect(await slow.attempts()).toMatchObject([{ error: 'timeout' }]);
    expect(await quick.endpoint()).toMatchObject({ next_attempt_at: null, lease_until: 0 });
  });

  it('releases the endpoints that a stalled run could not start', async () => {
    const endpoints = [];
    for (let n = 0; n < 7; n += 1) endpoints.push(await insertEndpoint({ timeoutMs: 1_000 }));
    const rest: Promise<unknown>[] = [];
    const run = createConsumer(neverRespond, undefined, {
      waitUntil: (work) => void rest.push(work),
    });
    await run.deliver(...endpoints.map(({ id }) => id));
    await expect.poll(() => run.wakeups.map(({ endpoint }) => endpoint), patience).toHaveLength(2);
    expect(run.requests).toHaveLength(5);
    for (const { endpoint } of run.wakeups) {
      const released = await db
        .prepare(
          'select lease_until, next_attempt_at, consecutive_failures from webhook_endpoints where id = ?',
        )
        .bind(endpoint)
        .first();
      expect(released).toEqual({
        lease_until: 0,
        next_attempt_at: startTime,
        consecutive_failures: 0,
      });
    }
    await Promise.all(rest);
  });
});
