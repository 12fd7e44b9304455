import { describe, expect, it } from 'vitest';
import { eventIdAt } from '../../src/events/event-id.ts';
import { purge } from '../../src/events/purge.ts';
import { db, lane } from '../support/lanes.ts';
import { shiftAt } from '../support/shift.ts';
import { watching } from '../support/watching.ts';

const day = 86_400_000;

/** Years before what other tests record. */
const now = Date.UTC(2003, 0, 1);
const [open, held, cancelled] = [0, 3, 4];

/** No store that a test makes has an id from here on. */
const noStore = 2 ** 43;

describe('events of several stores', () => {
  /** Adds events of these stores, `count` of each, without deliveries. */
  const fill = (stores: readonly number[], count: number, days: number) =>
    db.batch(
      stores.map((store) =>
        db
          .prepare(
            `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
             insert into webhook_events (id, store_id, event, body, created_at)
             select ?1 || printf('%020x', i), ?2, 'order.paid', '{}', ?3 from n`,
          )
          .bind(eventIdAt(store, now - days * day), store, now - days * day),
      ),
    );

  const left = async (store: number) =>
    db
      .prepare('select count(*) as n from webhook_events where store_id = ?')
      .bind(store)
      .first('n');

  it('go by chunks of at most 5,000, store by store', async () => {
    const stores = [1, 2, 3].map((nth) => noStore + nth);
    // What other tests have left from before.
    await purge(shiftAt(now));
    await fill(stores, 4_000, 31);
    await fill(stores, 10, 29);
    const { watched, runs } = watching('delete from webhook_events');
    await purge({ ...shiftAt(now), db: watched });
    expect(runs.map(({ changes }) => changes)).toEqual([5_000, 5_000, 2_000]);
    for (const store of stores) expect(await left(store)).toBe(10);
  });

  it('cost a look at each store while none is old', async () => {
    await fill([noStore + 6, noStore + 7], 20_000, 29);
    const { watched, runs } = watching('delete from webhook_events');
    // A year before, not even what other tests leave open is old: then it would be looked up among all that is open.
    await purge({ ...shiftAt(now - 365 * day), db: watched });
    expect(runs).toHaveLength(1);
    expect(runs[0]?.read).toBeLessThan(10_000);
  });

  it('cancel what is held by chunks likewise', async () => {
    const to = await lane();
    for (const [index, store] of [noStore + 4, noStore + 5].entries()) {
      await db
        .prepare(
          `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
           insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at)
           select ?1, ?2 + i, ?3 || printf('%020x', i), ${held}, 0, 0 from n`,
        )
        .bind(to.id, 1 + index * 3_000, eventIdAt(store, now - 31 * day))
        .run();
    }
    await db.prepare('update webhook_endpoints set last_seq = 6001 where id = ?').bind(to.id).run();
    const { watched, runs } = watching('update webhook_deliveries');
    await purge({ ...shiftAt(now), db: watched });
    expect(runs.map(({ changes }) => changes)).toEqual([5_000, 1_000]);
    const [its, ...others] = await to.deliveries();
    expect(its?.state).toBe(open);
    expect(others.every(({ state }) => state === cancelled)).toBe(true);
  });
});
