import { describe, expect, it, vi } from 'vitest';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import { patience } from '../../support/patience.ts';
import {
  startTime,
  db,
  insertEndpoint,
  createConsumer,
  respondOk,
} from '../../support/webhooks/consumer.ts';
import { allowDuplicates } from '../../support/webhooks/tracked.ts';

describe('after a crash or a lost response', () => {
  it('fault 8: sends each event once when three wake-ups arrive at the same time', async () => {
    const target = await insertEndpoint({ events: 20 });
    const [one, other] = [createConsumer(respondOk), createConsumer(respondOk)];
    await Promise.all([one.deliver(target.id), other.deliver(target.id), one.deliver(target.id)]);
    expect(one.requests.length + other.requests.length).toBe(20);
  });

  it('fault 14: sends again after the lease, with the same id, what was sent and not written', async () => {
    const target = await insertEndpoint();
    let calls = 0;
    const run = createConsumer(respondOk, (all) => {
      calls += 1;
      return calls === 1 ? db.batch(all) : Promise.reject(new Error('Network connection lost.'));
    });
    expect(await run.deliver(target.id)).toMatchObject({
      retryBatch: { retry: true },
      delaySeconds: 60,
    });
    expect(await target.deliveries()).toMatchObject([{ state: DeliveryState.open, attempts: 0 }]);
    const next = createConsumer(respondOk);
    next.clock.now = startTime + 59_999;
    await next.deliver(target.id);
    expect(next.requests).toEqual([]);
    next.clock.now = startTime + 60_000;
    await next.deliver(target.id);
    allowDuplicates(`${target.id}-1`);
    expect(next.ids()).toEqual(run.ids());
    expect(await target.deliveries()).toMatchObject([
      { state: DeliveryState.delivered, attempts: 1 },
    ]);
  });

  it('fault 14: writes results that come during a long flush with the next flush, without waiting for the timer', async () => {
    using _flushes = vi.spyOn(globalThis, 'setInterval').mockReturnThis();
    using _stalls = vi.spyOn(Date, 'now').mockReturnValue(startTime);
    const endpoints = await Promise.all(
      Array.from({ length: 10 }, () => insertEndpoint({ events: 6 })),
    );
    const [enough, next] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let calls = 0;
    const run = createConsumer(
      async (_request, index) => {
        if (index === 44) enough.resolve();
        if (index > 44) await next.promise;
        return new Response();
      },
      async (all) => {
        calls += 1;
        if (calls === 2) await enough.promise;
        if (calls === 3) next.resolve();
        return db.batch<never>(all);
      },
    );
    await run.deliver(...endpoints.map(({ id }) => id));
    const deliveries = await Promise.all(endpoints.map((one) => one.deliveries()));
    expect(deliveries.flat().filter(({ state }) => state === DeliveryState.delivered)).toHaveLength(
      60,
    );
  });

  it('fault 15: changes nothing when a flush with an unknown outcome is repeated', async () => {
    const [bad, good] = [await insertEndpoint(), await insertEndpoint({ events: 2 })];
    let calls = 0;
    const run = createConsumer(
      (request) =>
        new Response(null, {
          status: request.headers.get('webhook-id') === bad.eventId(1) ? 500 : 200,
        }),
      async (all) => {
        const results = await db.batch<never>(all);
        calls += 1;
        if (calls === 2) throw new Error('Network connection lost.');
        return results;
      },
    );
    expect(await run.deliver(bad.id, good.id)).toMatchObject({ ackAll: true });
    expect(calls).toBe(3);
    expect(await bad.deliveries()).toMatchObject([{ state: DeliveryState.open, attempts: 1 }]);
    expect(await bad.attempts()).toHaveLength(1);
    expect(await bad.endpoint()).toMatchObject({
      consecutive_failures: 1,
      next_attempt_at: startTime + 5_000,
    });
    expect(await good.endpoint()).toMatchObject({ consecutive_failures: 0, next_attempt_at: null });
    expect(run.wakeups).toEqual([{ endpoint: bad.id, delaySeconds: 5 }]);
  });

  it('fault 17: records the success of a worker past its lease, and ignores its release and its failure', async () => {
    const [first, second] = [await insertEndpoint(), await insertEndpoint()];
    const respond: ((response: Response) => void)[] = [];
    const expired = createConsumer(() => new Promise((resolve) => respond.push(resolve)));
    const expiredRun = expired.deliver(first.id, second.id);
    await expect.poll(() => respond.length, patience).toBe(2);
    const successor = createConsumer(() => new Response(null, { status: 500 }));
    successor.clock.now = startTime + 60_000;
    await successor.deliver(first.id);
    await successor.deliver(second.id);
    successor.clock.now = startTime + 65_000;
    await successor.deliver(second.id);
    const isFirst = expired.ids()[0] === first.eventId(1);
    respond[isFirst ? 0 : 1]?.(new Response());
    respond[isFirst ? 1 : 0]?.(new Response(null, { status: 502 }));
    await expiredRun;
    expect(await first.deliveries()).toMatchObject([
      { state: DeliveryState.delivered, attempts: 1 },
    ]);
    expect(await first.endpoint()).toMatchObject({
      lease_generation: 2,
      consecutive_failures: 1,
      next_attempt_at: startTime + 65_000,
    });
    expect(await second.deliveries()).toMatchObject([
      { state: DeliveryState.open, attempts: 2, response_status: 500 },
    ]);
    expect(await second.endpoint()).toMatchObject({ lease_generation: 3, consecutive_failures: 2 });
    expect(expired.wakeups).toEqual([]);
  });

  it('fault 18: sends nothing and retries the batch later when the database fails', async () => {
    const target = await insertEndpoint();
    const run = createConsumer(respondOk, () => Promise.reject(new Error('D1 DB is overloaded.')));
    expect(await run.deliver(target.id)).toMatchObject({
      ackAll: false,
      retryBatch: { retry: true },
      delaySeconds: 60,
    });
    expect(run.requests).toEqual([]);
  });

  it('faults 10 and 11: acknowledges malformed wake-ups, and those of unknown endpoints or old versions, and handles the others', async () => {
    const target = await insertEndpoint();
    const run = createConsumer(respondOk);
    const good = { v: 1, shard: 0, endpoint: target.id };
    const bad = [null, 'x', { ...good, v: 2 }, { ...good, shard: 99 }, { ...good, endpoint: '1' }];
    expect(await run.handle(...bad, good, { ...good, endpoint: 2 ** 40 })).toMatchObject({
      ackAll: true,
    });
    expect(run.requests).toHaveLength(1);
  });
});
