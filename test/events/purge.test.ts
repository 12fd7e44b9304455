import { leaveUnjudged } from '../support/judged.ts';
import { describe, expect, it } from 'vitest';
import { newEventId, orderDigits } from '../../src/events/event-id.ts';
import { purge } from '../../src/events/purge.ts';
import { db, lane } from '../support/lanes.ts';
import { shiftAt } from '../support/shift.ts';
import { watching } from '../support/watching.ts';

const day = 86_400_000;
const minute = 60_000;

/** Years before what other tests record, and on a full hour. */
const now = Date.UTC(2003, 0, 1);
const [open, delivered, gaveUp, held, cancelled] = [0, 1, 2, 3, 4];

/** No store that a test makes has this id. */
const noStore = 2 ** 42;

/** An endpoint without deliveries; its lane is looked at in the minute that is `id` of the hour. */
async function endpoint() {
  const to = await lane();
  // What is purged leaves gaps behind.
  leaveUnjudged(to.id);
  await db.prepare('delete from webhook_deliveries where endpoint_id = ?').bind(to.id).run();
  return { ...to, at: now + (to.id % 60) * minute };
}

async function add(
  endpointId: number,
  seq: number,
  { state, days, event }: { state: number; days: number; event?: string },
) {
  const at = now - days * day;
  const id = event ?? newEventId(noStore, at);
  const isOver = state !== open && state !== held;
  await db.batch([
    db
      .prepare(
        `insert or ignore into webhook_events (id, store_id, event, body, created_at)
         values (?, ${noStore}, 'order.paid', '{}', ?)`,
      )
      .bind(id, at),
    db
      .prepare(
        `insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at, done_at)
         values (?, ?, ?, ?, 0, ?, ?)`,
      )
      .bind(endpointId, seq, id, state, at, isOver ? at + 1_000 : null),
  ]);
  return id;
}

const has = async (id: string) =>
  (await db.prepare('select 1 from webhook_events where id = ?').bind(id).first()) !== null;

describe('events', () => {
  it.each([
    ['go 30 days after all is over', delivered, 30.1, false],
    ['stay until then', delivered, 29.9, true],
    ['go likewise when they were given up', gaveUp, 31, false],
    ['go likewise when they were cancelled', cancelled, 31, false],
    ['stay while they are held', held, 29.9, true],
    ['go after 30 days although they are held', held, 30.1, false],
    ['stay for as long as they are open', open, 99, true],
  ])('%s', async (_name, state, days, stays) => {
    const to = await endpoint();
    const event = await add(to.id, 1, { state, days });
    await purge(shiftAt(now));
    expect(await has(event)).toBe(stays);
  });

  it('stay while one of several deliveries is not over', async () => {
    const [one, other] = [await endpoint(), await endpoint()];
    const event = await add(one.id, 1, { state: delivered, days: 20 });
    await add(other.id, 1, { state: held, days: 20, event });
    await purge(shiftAt(now));
    expect(await has(event)).toBe(true);
  });

  it('that go while they are held cancel what waited for them', async () => {
    const to = await endpoint();
    await add(to.id, 1, { state: held, days: 31 });
    await add(to.id, 2, { state: held, days: 20 });
    await purge(shiftAt(now));
    expect(await to.deliveries()).toMatchObject([
      { state: cancelled, done_at: now },
      { state: held },
    ]);
  });

  it('go by their time alone when no store is in their ids', async () => {
    const to = await endpoint();
    const id = (days: number) => `evt_${orderDigits(now - days * day)}${'7'.repeat(20)}`;
    await add(to.id, 1, { state: delivered, days: 30.1, event: id(30.1) });
    await add(to.id, 2, { state: open, days: 31, event: id(31) });
    await add(to.id, 3, { state: held, days: 32, event: id(32) });
    await add(to.id, 4, { state: delivered, days: 29.9, event: id(29.9) });
    await purge(shiftAt(now));
    const kept = await Promise.all([30.1, 31, 32, 29.9].map((days) => has(id(days))));
    expect(kept).toEqual([false, true, false, true]);
  });
});

describe('deliveries', () => {
  it('go 30 days after they were over, and fault 71: none that is open or held', async () => {
    const to = await endpoint();
    const states = [delivered, open, gaveUp, delivered, cancelled, delivered];
    const days = [40, 39, 38, 31, 30.5, 29];
    for (const [index, state] of states.entries()) {
      await add(to.id, index + 1, { state, days: days[index] ?? 0 });
    }
    await purge(shiftAt(to.at + minute));
    expect(await to.deliveries()).toHaveLength(6);
    await purge(shiftAt(to.at));
    expect((await to.deliveries()).map(({ seq }) => seq)).toEqual([2, 6]);
  });

  it('fault 71: go by chunks of at most 5,000, reading the old ones of a lane only', async () => {
    const to = await endpoint();
    await db
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 22000)
         insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at, done_at)
         select ?1, i, 'x', 1, 0, case when i <= 12000 then ?2 else ?3 end, ?2 from n`,
      )
      .bind(to.id, now - 31 * day, now - 29 * day)
      .run();
    const { watched, runs } = watching('delete from webhook_deliveries');
    await purge({ ...shiftAt(to.at), db: watched });
    expect(runs.map(({ changes }) => changes)).toEqual([5_000, 5_000, 2_000]);
    expect((await to.deliveries()).length).toBe(10_000);
    const read = runs.reduce((sum, run) => sum + run.read, 0);
    expect(read).toBeLessThan(12_000 * 10);
  });

  it('wait for the next minute when there is no time', async () => {
    const to = await endpoint();
    await add(to.id, 1, { state: delivered, days: 40 });
    await purge({ ...shiftAt(to.at), mayGoOn: () => false });
    expect(await to.deliveries()).toHaveLength(1);
  });
});

describe('attempts', () => {
  it('lose what the receiver answered after 7 days, and go after 30', async () => {
    const to = await endpoint();
    const insert = db.prepare(
      `insert into webhook_attempts (endpoint_id, seq, number, at, duration_ms, response_body, host)
       values (?, 1, ?, ?, 1, '{}', 'a.example')`,
    );
    for (const [number, days] of [6.9, 7.1, 29.9, 30.1].entries()) {
      await insert.bind(to.id, number, now - days * day).run();
    }
    await purge(shiftAt(now));
    expect(await to.attempts()).toMatchObject([
      { number: 0, response_body: '{}' },
      { number: 1, response_body: null },
      { number: 2, response_body: null },
    ]);
  });
});

describe('what the operator and owners are told', () => {
  it('goes after 30 days and after a year', async () => {
    const to = await endpoint();
    const dead = db.prepare(
      `insert into webhook_dead_hints (endpoint_id, at, error) values (?, ?, 'x')`,
    );
    const notice = db.prepare(
      `insert into webhook_notices (store_id, endpoint_id, kind, at) values (${noStore}, ?, 'gone', ?)`,
    );
    for (const days of [29, 31]) await dead.bind(to.id, now - days * day).run();
    for (const days of [364, 366]) await notice.bind(to.id, now - days * day).run();
    await purge(shiftAt(now));
    const left = async (table: string) =>
      (await db.prepare(`select at from ${table} where endpoint_id = ?`).bind(to.id).all()).results;
    expect(await left('webhook_dead_hints')).toEqual([{ at: now - 29 * day }]);
    expect(await left('webhook_notices')).toEqual([{ at: now - 364 * day }]);
  });
});
