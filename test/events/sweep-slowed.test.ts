import { describe, expect, it } from 'vitest';
import { judgeFailing } from '../../src/events/sweep-failing.ts';
import { tellSlowed } from '../../src/events/sweep-slowed.ts';
import { consumer, db, lane, start } from '../support/lanes.ts';
import { noticesOf } from '../support/log.ts';
import { shiftAt } from '../support/shift.ts';

const hour = 3_600_000;
const wait = (headers: Record<string, string> = {}) => new Response(null, { status: 429, headers });

/** A lane of a receiver, and what its owner was told. */
async function slowed(receive: (hours: number) => Response) {
  const to = await lane({ events: 3 });
  const run = consumer(() => receive((run.clock.now - start) / hour));
  return {
    ...to,
    run,
    /** Lets time go on up to an hour after the start, cron with it. */
    async until(hours: number) {
      const end = start + hours * hour;
      for (let wake = (await to.endpoint())?.wake_at; typeof wake === 'number' && wake < end;) {
        run.clock.now = Math.max(run.clock.now, wake);
        await run.drain(to.id);
        await tellSlowed(shiftAt(run.clock.now));
        await judgeFailing(shiftAt(run.clock.now));
        wake = (await to.endpoint())?.wake_at;
      }
      await tellSlowed(shiftAt(end));
    },
    notices: async () =>
      (await noticesOf(to.id)).map(({ kind, at }) => [kind, (at - start) / hour]),
  };
}

describe('an endpoint that answers nothing but 429', () => {
  it.each([
    ['without a pause', {}],
    ['and asks for twelve hours', { 'retry-after': '43200' }],
  ])('%s: its owner is told after 24 h, once, and it stays on', async (_how, headers) => {
    const to = await slowed(() => wait(headers));
    await to.until(23.9);
    expect(await to.notices()).toEqual([]);
    await to.until(24.1);
    expect(await to.notices()).toMatchObject([['slowed_24h', expect.closeTo(24, 0)]]);
    await Promise.all([to.until(300), tellSlowed(shiftAt(start + 200 * hour))]);
    expect(await to.notices()).toHaveLength(1);
    expect(await to.endpoint()).toMatchObject({ status: 0, fail_count: 0, first_fail_at: null });
    expect((await to.deliveries()).map(({ state }) => state)).toEqual([0, 0, 0]);
  });

  it('is told anew once something arrived in between', async () => {
    const to = await slowed((hours) => (hours > 30 && hours < 50 ? new Response() : wait()));
    await to.until(29);
    expect(await to.notices()).toHaveLength(1);
    await to.until(60);
    expect((await to.deliveries()).map(({ state }) => state)).toEqual([1, 1, 1]);
    await db.batch([
      db
        .prepare('update webhook_deliveries set state = 0, attempts = 0 where endpoint_id = ?')
        .bind(to.id),
      db.prepare('delete from webhook_attempts where endpoint_id = ?').bind(to.id),
      db
        .prepare('update webhook_endpoints set wake_at = ? where id = ?')
        .bind(start + 60 * hour, to.id),
    ]);
    await to.until(83.5);
    expect(await to.notices()).toHaveLength(1);
    await to.until(85);
    expect(await to.notices()).toHaveLength(2);
  });

  it('is told nothing of it while it fails besides: that has its own notices', async () => {
    const to = await slowed((hours) =>
      hours < 0.001 ? new Response(null, { status: 500 }) : wait(),
    );
    await to.until(100);
    expect((await to.notices()).map(([kind]) => kind)).toEqual(['failing_24h', 'failing_72h']);
  });

  it('begins anew when it was paused and resumed, whatever was tried before', async () => {
    const to = await slowed(() => wait());
    await to.until(20);
    await db
      .prepare(
        'update webhook_endpoints set fail_streak = 0, wake_at = ?1, updated_at = ?1 where id = ?2',
      )
      .bind(start + 20 * hour, to.id)
      .run();
    await to.until(43);
    expect(await to.notices()).toEqual([]);
    await to.until(45);
    expect(await to.notices()).toHaveLength(1);
  });
});
