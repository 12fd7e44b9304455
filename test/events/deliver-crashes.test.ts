import { mayRepeat } from '../support/judged.ts';
import { describe, expect, it, vi } from 'vitest';
import { start, db, lane, consumer, ok } from '../support/lanes.ts';

describe('crashes', () => {
  it('fault 8: three hints at once for one lane send each event once', async () => {
    const to = await lane({ events: 20 });
    const [one, other] = [consumer(ok), consumer(ok)];
    await Promise.all([one.drain(to.id), other.drain(to.id), one.drain(to.id)]);
    expect(one.requests.length + other.requests.length).toBe(20);
  });

  it('fault 14: after the send and before the flush: sent again after the lease, with the same id', async () => {
    const to = await lane();
    let calls = 0;
    const run = consumer(ok, (all) => {
      calls += 1;
      return calls === 1 ? db.batch(all) : Promise.reject(new Error('Network connection lost.'));
    });
    expect(await run.drain(to.id)).toMatchObject({ retryBatch: { retry: true }, delaySeconds: 60 });
    expect(await to.deliveries()).toMatchObject([{ state: 0, attempts: 0 }]);
    const next = consumer(ok);
    next.clock.now = start + 59_999;
    await next.drain(to.id);
    expect(next.requests).toEqual([]);
    next.clock.now = start + 60_000;
    await next.drain(to.id);
    mayRepeat(`${to.id}-1`);
    expect(next.ids()).toEqual(run.ids());
    expect(await to.deliveries()).toMatchObject([{ state: 1, attempts: 1 }]);
  });

  it('fault 14: what arrives during a long flush is written by the next one, and does not wait for the clock', async () => {
    using _flushes = vi.spyOn(globalThis, 'setInterval').mockReturnThis();
    using _stalls = vi.spyOn(Date, 'now').mockReturnValue(start);
    const lanes = await Promise.all(Array.from({ length: 10 }, () => lane({ events: 6 })));
    const [enough, next] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let calls = 0;
    const run = consumer(
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
    await run.drain(...lanes.map(({ id }) => id));
    const deliveries = await Promise.all(lanes.map((one) => one.deliveries()));
    expect(deliveries.flat().filter(({ state }) => state === 1)).toHaveLength(60);
  });

  it('fault 15: an unknown outcome of the flush: repeating it changes nothing', async () => {
    const [bad, good] = [await lane(), await lane({ events: 2 })];
    let calls = 0;
    const run = consumer(
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
    expect(await run.drain(bad.id, good.id)).toMatchObject({ ackAll: true });
    expect(calls).toBe(3);
    expect(await bad.deliveries()).toMatchObject([{ state: 0, attempts: 1 }]);
    expect(await bad.attempts()).toHaveLength(1);
    expect(await bad.endpoint()).toMatchObject({ fail_streak: 1, wake_at: start + 5_000 });
    expect(await good.endpoint()).toMatchObject({ fail_streak: 0, wake_at: null });
    expect(run.hints).toEqual([{ endpoint: bad.id, delaySeconds: 5 }]);
  });

  it('fault 17: a consumer past its lease: its success counts, its release and its failure do not', async () => {
    const [first, second] = [await lane(), await lane()];
    const answers: ((response: Response) => void)[] = [];
    const zombie = consumer(() => new Promise((resolve) => answers.push(resolve)));
    const old = zombie.drain(first.id, second.id);
    await expect.poll(() => answers.length).toBe(2);
    const heir = consumer(() => new Response(null, { status: 500 }));
    heir.clock.now = start + 60_000;
    await heir.drain(first.id);
    await heir.drain(second.id);
    heir.clock.now = start + 65_000;
    await heir.drain(second.id);
    const isFirst = zombie.ids()[0] === first.eventId(1);
    answers[isFirst ? 0 : 1]?.(new Response());
    answers[isFirst ? 1 : 0]?.(new Response(null, { status: 502 }));
    await old;
    expect(await first.deliveries()).toMatchObject([{ state: 1, attempts: 1 }]);
    expect(await first.endpoint()).toMatchObject({
      lease_gen: 2,
      fail_streak: 1,
      wake_at: start + 65_000,
    });
    expect(await second.deliveries()).toMatchObject([{ state: 0, attempts: 2, code: 500 }]);
    expect(await second.endpoint()).toMatchObject({ lease_gen: 3, fail_streak: 2 });
    expect(zombie.hints).toEqual([]);
  });

  it('fault 18: a database that does not answer: the batch comes back later, nothing was sent', async () => {
    const to = await lane();
    const run = consumer(ok, () => Promise.reject(new Error('D1 DB is overloaded.')));
    expect(await run.drain(to.id)).toMatchObject({
      ackAll: false,
      retryBatch: { retry: true },
      delaySeconds: 60,
    });
    expect(run.requests).toEqual([]);
  });

  it('faults 10 and 11: malformed and strange hints, of no lane or an old version, are acknowledged and hold up nobody', async () => {
    const to = await lane();
    const run = consumer(ok);
    const good = { v: 1, shard: 0, endpoint: to.id };
    const bad = [null, 'x', { ...good, v: 2 }, { ...good, shard: 99 }, { ...good, endpoint: '1' }];
    expect(await run.handle(...bad, good, { ...good, endpoint: 2 ** 40 })).toMatchObject({
      ackAll: true,
    });
    expect(run.requests).toHaveLength(1);
  });
});
