import { describe, expect, it } from 'vitest';
import { createEventId } from '../../../src/data/core/event-id.ts';
import { DeliveryState, purgeSlots } from '../../../src/data/schema/store/webhooks-tables.ts';
import { purgeExpired } from '../../../src/webhooks/sweep/purge.ts';
import { db, insertEndpoint } from '../../support/webhooks/consumer.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';
import { untrackEndpoint } from '../../support/webhooks/tracked.ts';
import { watchStatements } from '../../support/webhooks/watch-statements.ts';

const day = 86_400_000;
const minute = 60_000;

/** Years before all other tests, at midnight. */
const now = Date.UTC(2003, 0, 1);
const { open, delivered, gaveUp, held, cancelled } = DeliveryState;

/** No test creates a store with this id. The purge visits it in the first minute of a day. */
const noStore = Math.floor(2 ** 42 / purgeSlots) * purgeSlots;

/** Inserts an endpoint without deliveries. */
async function insertEmptyEndpoint(store = noStore) {
  const target = await insertEndpoint({ store });
  // The purge leaves gaps behind.
  untrackEndpoint(target.id);
  await db.prepare('delete from webhook_deliveries where endpoint_id = ?').bind(target.id).run();
  return target;
}

async function add(
  endpointId: number,
  seq: number,
  { state, days, event }: { state: number; days: number; event?: string },
) {
  const at = now - days * day;
  const id = event ?? createEventId(noStore, at);
  const hasEnded = state !== open && state !== held;
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
      .bind(endpointId, seq, id, state, at, hasEnded ? at + 1_000 : null),
  ]);
  return id;
}

const has = async (id: string) =>
  (await db.prepare('select 1 from webhook_events where id = ?').bind(id).first()) !== null;

describe('events', () => {
  it.each([
    ['are deleted after 30 days when delivered', delivered, 30.1, false],
    ['are kept until then', delivered, 29.9, true],
    ['are deleted after 30 days when given up', gaveUp, 31, false],
    ['are deleted after 30 days when cancelled', cancelled, 31, false],
    ['are kept for 30 days while held', held, 29.9, true],
    ['are deleted after 30 days even if held', held, 30.1, false],
    ['are kept while open', open, 99, true],
  ])('%s', async (_name, state, days, isKept) => {
    const target = await insertEmptyEndpoint();
    const event = await add(target.id, 1, { state, days });
    await purgeExpired(sweepContextAt(now));
    expect(await has(event)).toBe(isKept);
  });

  it('are kept while one of several deliveries has not ended', async () => {
    const [one, other] = [await insertEmptyEndpoint(), await insertEmptyEndpoint()];
    const event = await add(one.id, 1, { state: delivered, days: 20 });
    await add(other.id, 1, { state: held, days: 20, event });
    await purgeExpired(sweepContextAt(now));
    expect(await has(event)).toBe(true);
  });

  it('cancel their held deliveries when they are deleted', async () => {
    const target = await insertEmptyEndpoint();
    await add(target.id, 1, { state: held, days: 31 });
    await add(target.id, 2, { state: held, days: 20 });
    await purgeExpired(sweepContextAt(now));
    expect(await target.deliveries()).toMatchObject([
      { state: cancelled, done_at: now },
      { state: held },
    ]);
  });
});

describe('deliveries', () => {
  it('fault 71: are deleted 30 days after their end, unless open or held, in the minute of their store', async () => {
    const target = await insertEmptyEndpoint();
    const states = [delivered, open, gaveUp, delivered, cancelled, delivered];
    const days = [40, 39, 38, 31, 30.5, 29];
    for (const [index, state] of states.entries()) {
      await add(target.id, index + 1, { state, days: days[index] ?? 0 });
    }
    await purgeExpired(sweepContextAt(now + minute));
    expect(await target.deliveries()).toHaveLength(6);
    await purgeExpired(sweepContextAt(now + purgeSlots * minute));
    expect((await target.deliveries()).map(({ seq }) => seq)).toEqual([2, 6]);
  });

  it('fault 71: are deleted in chunks of at most 5,000, reading only the old ones of an endpoint', async () => {
    const target = await insertEmptyEndpoint();
    await db
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 22000)
         insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at, done_at)
         select ?1, i, 'x', 1, 0, case when i <= 12000 then ?2 else ?3 end, ?2 from n`,
      )
      .bind(target.id, now - 31 * day, now - 29 * day)
      .run();
    const { database, runs } = watchStatements('delete from webhook_deliveries');
    await purgeExpired({ ...sweepContextAt(now), db: database });
    expect(runs.map(({ changes }) => changes)).toEqual([5_000, 5_000, 2_000]);
    expect((await target.deliveries()).length).toBe(10_000);
    const read = runs.reduce((sum, run) => sum + run.read, 0);
    expect(read).toBeLessThan(12_000 * 10);
  });

  it('wait for the next minute when no time remains', async () => {
    const target = await insertEmptyEndpoint();
    await add(target.id, 1, { state: delivered, days: 40 });
    await purgeExpired({ ...sweepContextAt(now), hasTime: () => false });
    expect(await target.deliveries()).toHaveLength(1);
  });
});

describe('attempts', () => {
  it('lose their response body after 7 days and are deleted after 30', async () => {
    const target = await insertEmptyEndpoint();
    const insert = db.prepare(
      `insert into webhook_attempts (endpoint_id, seq, number, at, duration_ms, response_body, host)
       values (?, 1, ?, ?, 1, '{}', 'a.example')`,
    );
    for (const [number, days] of [6.9, 7.1, 29.9, 30.1].entries()) {
      await insert.bind(target.id, number, now - days * day).run();
    }
    await purgeExpired(sweepContextAt(now));
    expect(await target.attempts()).toMatchObject([
      { number: 0, response_body: '{}' },
      { number: 1, response_body: null },
      { number: 2, response_body: null },
    ]);
  });
});

describe('notices to the owner', () => {
  it('are deleted after a year', async () => {
    const target = await insertEmptyEndpoint();
    const notice = db.prepare(
      `insert into webhook_notices (store_id, endpoint_id, kind, at) values (${noStore}, ?, 'gone', ?)`,
    );
    for (const days of [364, 366]) await notice.bind(target.id, now - days * day).run();
    await purgeExpired(sweepContextAt(now));
    const { results } = await db
      .prepare('select at from webhook_notices where endpoint_id = ?')
      .bind(target.id)
      .all();
    expect(results).toEqual([{ at: now - 364 * day }]);
  });
});
