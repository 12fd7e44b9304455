import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sweep } from '../../src/events/sweep.ts';
import { consumer, db, hangs, lane, ok, start } from '../support/lanes.ts';
import { hintsTo } from '../support/queues.ts';

describe('hints', () => {
  it('fault 9: in reverse order reach every lane, and ordered ones keep their order', async () => {
    const lanes = [];
    for (let n = 0; n < 4; n += 1) lanes.push(await lane({ events: 8, ordered: n % 2 === 0 }));
    const run = consumer(ok);
    await run.drain(...lanes.map(({ id }) => id).toReversed());
    for (const to of lanes) {
      expect((await to.deliveries()).every(({ state }) => state === 1)).toBe(true);
    }
    const first = lanes[0]!;
    const inOrder = run.ids().filter((id) => id?.startsWith(first.eventId(0).slice(0, -1)));
    expect(inOrder).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map(first.eventId));
  });

  it('fault 12: that come again after their lanes are done send nothing', async () => {
    const to = await lane({ events: 3 });
    const run = consumer(ok);
    await run.drain(to.id);
    await run.drain(to.id, to.id);
    expect(run.requests).toHaveLength(3);
  });

  it('fault 21: of two runs of cron at once send each event once', async () => {
    const to = await lane({ events: 9 });
    const called: number[] = [];
    const queue = () => ({
      sendBatch: (messages: { body: { endpoint: number } }[]) => {
        called.push(...messages.map(({ body }) => body.endpoint));
        return Promise.resolve();
      },
    });
    const world = { ...env, ...hintsTo(queue) } as unknown as Env;
    await Promise.all([sweep(world, () => start), sweep(world, () => start)]);
    const mine = called.filter((endpoint) => endpoint === to.id);
    expect(mine).toHaveLength(2);
    const [one, other] = [consumer(ok), consumer(ok)];
    await Promise.all([one.drain(to.id), other.drain(to.id)]);
    expect(one.requests.length + other.requests.length).toBe(9);
  });
});

describe('a flush', () => {
  it('fault 16: that fails before its commit and then succeeds leaves the log complete', async () => {
    const to = await lane();
    let calls = 0;
    const run = consumer(
      () => new Response('no', { status: 500 }),
      (all) => {
        calls += 1;
        return calls === 2 ? Promise.reject(new Error('D1 DB is overloaded.')) : db.batch(all);
      },
    );
    expect(await run.drain(to.id)).toMatchObject({ ackAll: true });
    expect(calls).toBe(3);
    expect(run.requests).toHaveLength(1);
    expect(await to.attempts()).toMatchObject([{ number: 1, code: 500 }]);
    expect(await to.deliveries()).toMatchObject([{ state: 0, attempts: 1 }]);
  });
});

describe('receivers that hang', () => {
  it('fault 25: have their whole timeout each, counted from their own request', async () => {
    const timeoutMs = 60;
    const lanes = await Promise.all(Array.from({ length: 20 }, () => lane({ timeoutMs })));
    const begun: number[] = [];
    const run = consumer((request, index) => {
      begun.push(Date.now());
      return hangs(request, index);
    });
    const startedAt = Date.now();
    await run.drain(...lanes.map(({ id }) => id));
    expect(run.requests).toHaveLength(20);
    // Five at a time: the last ones begin only when three rounds of time-outs are over.
    expect((begun.at(-1) ?? 0) - startedAt).toBeGreaterThanOrEqual(3 * timeoutMs - 5);
    for (const to of lanes) {
      expect(await to.attempts()).toMatchObject([{ error: 'timeout' }]);
    }
  });

  it('fault 38: half of all: the others are done, and these alone go to the slow queues', async () => {
    const [hung, well] = [[] as number[], [] as number[]];
    for (let n = 0; n < 6; n += 1) {
      hung.push((await lane({ events: 3, timeoutMs: 50 })).id);
      well.push((await lane({ events: 70 })).id);
    }
    const run = consumer((request, index) =>
      hung.includes(Number(request.headers.get('x-service-delivery-id')?.split('-')[0]))
        ? hangs(request, index)
        : new Response(),
    );
    await run.drain(...hung, ...well);
    const slow = [...run.queues].filter(([, queue]) => queue.includes('SLOW')).map(([id]) => id);
    expect(new Set(slow)).toEqual(new Set(hung));
    await run.drain(...well);
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
