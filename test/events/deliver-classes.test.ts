import { describe, expect, it } from 'vitest';
import { settleInactive } from '../../src/events/sweep-inactive.ts';
import { consumer, db, lane, ok, start } from '../support/lanes.ts';
import { noticesOf } from '../support/log.ts';
import { shiftAt } from '../support/shift.ts';

const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers });

const seqOf = (request: Request) =>
  Number(request.headers.get('x-service-delivery-id')?.split('-')[1]);

describe('slow down', () => {
  it.each([
    ['429 with seconds', 429, '120', 120_000],
    ['503 with a date', 503, 'Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['429 with nonsense takes the step', 429, '1e9', 5_000],
    ['429 without any takes the step', 429, undefined, 5_000],
  ])('%s: the lane waits, nobody is blamed', async (_name, status, pause, wait) => {
    const to = await lane({ events: 3, concurrency: 1 });
    const run = consumer(() => answer(status, pause ? { 'retry-after': pause } : {}));
    await run.drain(to.id);
    expect(run.requests).toHaveLength(1);
    expect(await to.endpoint()).toMatchObject({
      wake_at: start + wait,
      fail_streak: 1,
      fail_count: 0,
      first_fail_at: null,
    });
  });
});

describe('a payload that is refused', () => {
  it('fault 34: waits by itself, the lane goes on', async () => {
    const to = await lane({ events: 5, concurrency: 1 });
    const run = consumer((request) => answer(seqOf(request) === 2 ? 422 : 200));
    await run.drain(to.id);
    expect(run.requests.map(seqOf)).toEqual([1, 2, 3, 4, 5]);
    expect((await to.deliveries()).map(({ state }) => state)).toEqual([1, 0, 1, 1, 1]);
    expect(await to.endpoint()).toMatchObject({ fail_streak: 0, wake_at: start + 5_000 });
    expect(run.hints).toEqual([{ endpoint: to.id, delaySeconds: 5 }]);
  });

  it('fault 41: is tried at the exact steps, and given up after the 15th', async () => {
    const to = await lane();
    const run = consumer(() => answer(422));
    const times: number[] = [];
    for (let wake: unknown = start; typeof wake === 'number';) {
      run.clock.now = wake;
      times.push((wake - start) / 1000);
      await run.drain(to.id);
      wake = (await to.endpoint())?.wake_at;
    }
    const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    const hours = [1, 2, 4, 8, 12, 12, 12, 12, 12].map((hour) => hour * 3_600);
    expect(steps).toEqual([5, 30, 120, 600, 1_800, ...hours]);
    expect(await to.deliveries()).toMatchObject([{ state: 2, attempts: 15, code: 422 }]);
    expect(await to.endpoint()).toMatchObject({ fail_count: 0, first_fail_at: null });
  });

  it('in an ordered lane is tried three times before the lane goes on without it', async () => {
    const to = await lane({ events: 3, ordered: true });
    const run = consumer((request) => answer(seqOf(request) === 1 ? 400 : 200));
    for (const wait of [5_000, 30_000, 0, 0]) {
      await run.drain(to.id);
      run.clock.now += wait;
    }
    expect(run.requests.map(seqOf)).toEqual([1, 1, 1, 2, 3]);
    expect((await to.deliveries()).map(({ state }) => state)).toEqual([2, 1, 1]);
    expect(await to.endpoint()).toMatchObject({ fail_streak: 0, wake_at: null });
  });
});

describe('fault 32: an endpoint that is gone', () => {
  it('is switched off at once, told once, and the rest is held', async () => {
    const to = await lane({ events: 4, concurrency: 1 });
    let calls = 0;
    const run = consumer(
      () => answer(410),
      async (all) => {
        const results = await db.batch<never>(all);
        calls += 1;
        if (calls === 2) throw new Error('Network connection lost.');
        return results;
      },
    );
    await run.drain(to.id);
    expect(run.requests).toHaveLength(1);
    expect(calls).toBe(3);
    expect(await to.endpoint()).toMatchObject({ status: 2, lease_until: 0, updated_at: start });
    expect(await noticesOf(to.id)).toEqual([{ kind: 'gone', at: start }]);
    expect(run.hints).toEqual([]);
    await settleInactive(shiftAt(start));
    expect((await to.deliveries()).map(({ state }) => state)).toEqual([3, 3, 3, 3]);
    expect(await to.endpoint()).toMatchObject({ wake_at: null });
  });
});

describe('a lane that fails', () => {
  it('fault 35: finds the event that always fails by its second probe, and goes on', async () => {
    const to = await lane({ events: 6, concurrency: 1 });
    const run = consumer((request) => answer(seqOf(request) === 1 ? 500 : 200));
    for (const wait of [5_000, 30_000, 0, 5_000]) {
      await run.drain(to.id);
      run.clock.now += wait;
    }
    // First try, oldest, newest, then the rest; the suspect comes last, by itself.
    expect(run.requests.map(seqOf)).toEqual([1, 1, 6, 2, 3, 4, 5, 1]);
    expect((await to.deliveries()).map(({ state }) => state)).toEqual([0, 1, 1, 1, 1, 1]);
    expect((await to.deliveries())[0]).toMatchObject({
      attempts: 3,
      refusals: 1,
      due_at: start + 40_000,
    });
  });

  it('after an outage sends everything at once, the oldest too', async () => {
    const to = await lane({ events: 6, concurrency: 1 });
    let isDown = true;
    const run = consumer(() => answer(isDown ? 502 : 200));
    for (const wait of [5_000, 30_000]) {
      await run.drain(to.id);
      run.clock.now += wait;
    }
    isDown = false;
    await run.drain(to.id);
    await run.drain(to.id);
    expect((await to.deliveries()).map(({ state }) => state)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await to.endpoint()).toMatchObject({
      wake_at: null,
      fail_streak: 0,
      fail_count: 0,
      first_fail_at: null,
    });
  });

  it('fault 36: with 10,000 waiting costs one request per step, and few rows', async () => {
    const to = await lane({ events: 10_000 });
    let read = 0;
    const run = consumer(
      () => answer(503),
      async (all) => {
        const results = await db.batch<never>(all);
        for (const { meta } of results) read += meta.rows_read;
        return results;
      },
    );
    await run.drain(to.id);
    const first = run.requests.length;
    const steps = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000];
    for (const step of steps) {
      run.clock.now += step;
      await run.drain(to.id);
      await run.drain(to.id);
    }
    expect(run.requests).toHaveLength(first + steps.length);
    expect(run.requests.slice(first).map(seqOf)).toEqual([1, 10_000, 1, 10_000, 1, 10_000]);
    expect(read / (steps.length + 1)).toBeLessThan(400);
    const states = await db
      .prepare(
        'select state, count(*) as n from webhook_deliveries where endpoint_id = ? group by 1',
      )
      .bind(to.id)
      .all();
    expect(states.results).toEqual([{ state: 0, n: 10_000 }]);
  });

  it('is hinted to a slow queue, and a lane that is well to a fast one', async () => {
    const [bad, good] = [await lane({ events: 2 }), await lane({ events: 61 })];
    const run = consumer((request) =>
      request.headers.get('x-service-delivery-id')?.startsWith(`${bad.id}-`)
        ? answer(500)
        : answer(200),
    );
    await run.drain(bad.id, good.id);
    expect(run.queues).toEqual(
      new Map([
        [bad.id, `HINTS_SLOW_${bad.id % 2}`],
        [good.id, `HINTS_FAST_${good.id % 4}`],
      ]),
    );
  });

  it('does not hold up a replay for good: a replay that fails is nobody to blame for', async () => {
    const to = await lane();
    await db
      .prepare(`update webhook_deliveries set trigger = 'replay' where endpoint_id = ?`)
      .bind(to.id)
      .run();
    const run = consumer(() => answer(500));
    await run.drain(to.id);
    expect(await to.endpoint()).toMatchObject({
      fail_streak: 1,
      fail_count: 0,
      first_fail_at: null,
    });
  });
});

describe('when cron has stopped', () => {
  it('fault 20: a run with time to spare takes lanes that nobody came for', async () => {
    const [called, forgotten, resting] = [await lane(), await lane(), await lane()];
    const at = start + 90_000;
    const rest = db.prepare('update webhook_endpoints set wake_at = ? where id = ?');
    await rest.bind(at - 89_999, resting.id).run();
    const run = consumer(ok, undefined, { seesOverdue: true });
    run.clock.now = at;
    await rest.bind(at, called.id).run();
    await rest.bind(1, forgotten.id).run();
    await run.drain(called.id);
    expect(await forgotten.deliveries()).toMatchObject([{ state: 1 }]);
    expect(await resting.deliveries()).toMatchObject([{ state: 0 }]);
  });
});
