import { describe, expect, it } from 'vitest';
import { judgeFailing } from '../../src/events/sweep-failing.ts';
import { settleInactive } from '../../src/events/sweep-inactive.ts';
import { consumer, db, lane, start } from '../support/lanes.ts';
import { noticesOf } from '../support/log.ts';
import { shiftAt } from '../support/shift.ts';

const hour = 3_600_000;

async function failing(wanted: { count?: number; warned?: number } = {}) {
  const to = await lane({ events: 3 });
  await db
    .prepare(
      `update webhook_endpoints set first_fail_at = ?, fail_count = ?, fail_streak = ?2, warn_level = ?
       where id = ?`,
    )
    .bind(start, wanted.count ?? 12, wanted.warned ?? 0, to.id)
    .run();
  return {
    ...to,
    notices: async () => (await noticesOf(to.id)).map(({ kind }) => kind),
  };
}

describe('an endpoint that keeps failing', () => {
  it('fault 42: is warned at 24 h and 72 h and switched off at 120 h, each once, however many judge', async () => {
    const to = await failing();
    const judged: [number, string[]][] = [];
    for (const hours of [23.99, 24, 48, 71.99, 72, 119.99, 120, 500]) {
      const shift = shiftAt(start + hours * hour);
      await Promise.all([judgeFailing(shift), judgeFailing(shift), judgeFailing(shift)]);
      judged.push([hours, await to.notices()]);
    }
    expect(judged).toEqual([
      [23.99, []],
      [24, ['failing_24h']],
      [48, ['failing_24h']],
      [71.99, ['failing_24h']],
      [72, ['failing_24h', 'failing_72h']],
      [119.99, ['failing_24h', 'failing_72h']],
      [120, ['failing_24h', 'failing_72h', 'disabled']],
      [500, ['failing_24h', 'failing_72h', 'disabled']],
    ]);
    expect(await to.endpoint()).toMatchObject({ status: 2, updated_at: start + 120 * hour });
  });

  it('has what is open held once it is switched off, and nothing is given up', async () => {
    const to = await failing();
    await judgeFailing(shiftAt(start + 120 * hour));
    await settleInactive(shiftAt(start + 120 * hour));
    expect((await to.deliveries()).map(({ state }) => state)).toEqual([3, 3, 3]);
    expect(await to.endpoint()).toMatchObject({ wake_at: null });
  });

  it('stays on with fewer than ten failures that it is blamed for', async () => {
    const to = await failing({ count: 9 });
    await judgeFailing(shiftAt(start + 130 * hour));
    expect(await to.notices()).toEqual(['failing_72h']);
    expect(await to.endpoint()).toMatchObject({ status: 0, warn_level: 2 });
  });

  it('that cron finds late hears of the last step alone', async () => {
    const to = await failing();
    await judgeFailing(shiftAt(start + 80 * hour));
    expect(await to.notices()).toEqual(['failing_72h']);
  });

  it('is not judged while it is paused', async () => {
    const to = await failing();
    await db.prepare('update webhook_endpoints set status = 1 where id = ?').bind(to.id).run();
    await judgeFailing(shiftAt(start + 130 * hour));
    expect(await to.notices()).toEqual([]);
  });

  it('fault 43: one success at 119 h and it begins anew, warnings too', async () => {
    const to = await failing({ warned: 2 });
    const run = consumer(() => new Response());
    run.clock.now = start + 119 * hour;
    await run.drain(to.id);
    expect(await to.endpoint()).toMatchObject({
      first_fail_at: null,
      fail_count: 0,
      warn_level: 0,
    });
    await judgeFailing(shiftAt(start + 120 * hour));
    expect(await to.notices()).toEqual([]);
    expect(await to.endpoint()).toMatchObject({ status: 0 });
  });

  it.each([1, 4])(
    'fault 41: a dead endpoint with %i events costs one probe per step for 120 h, then all are held',
    async (events) => {
      const to = await lane({ events });
      const run = consumer(() => new Response(null, { status: 500 }));
      const times: number[] = [];
      for (let wake: unknown = start; typeof wake === 'number' && wake < start + 120 * hour;) {
        run.clock.now = wake;
        times.push(run.requests.length);
        await run.drain(to.id);
        wake = (await to.endpoint())?.wake_at;
      }
      // Two were under way at first; after that each wake-up is one request.
      expect(times.slice(1).map((count, index) => count - (times[index] ?? 0))).toEqual([
        Math.min(events, 2),
        ...Array(times.length - 2).fill(1),
      ]);
      const hours = (run.clock.now - start) / hour;
      expect(hours).toBeGreaterThan(108);
      expect((await to.deliveries()).map(({ state }) => state)).toEqual(Array(events).fill(0));
      await judgeFailing(shiftAt(start + 120 * hour));
      await settleInactive(shiftAt(start + 120 * hour));
      expect(await to.endpoint()).toMatchObject({ status: 2 });
      expect((await to.deliveries()).map(({ state }) => state)).toEqual(Array(events).fill(3));
    },
  );
});
