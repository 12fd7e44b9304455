import { describe, expect, it } from 'vitest';
import { eventIdFrom } from '../../../src/data/core/event-id.ts';
import { DeliveryState, purgeSlots } from '../../../src/data/schema/store/webhooks-tables.ts';
import { purgeExpired } from '../../../src/webhooks/sweep/purge.ts';
import { db, insertEndpoint } from '../../support/webhooks/consumer.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';
import { watchStatements } from '../../support/webhooks/watch-statements.ts';

const day = 86_400_000;

/** Years before all other tests. */
const now = Date.UTC(2003, 0, 1);
const { open, held, cancelled } = DeliveryState;

/**
 * No test creates a store with this id or a higher one. The purge visits it in the first minute of
 * a day.
 */
const noStore = Math.floor(2 ** 43 / purgeSlots) * purgeSlots;

/** Inserts an endpoint of a store: the purge finds the stores by their endpoints. */
const insertStore = (store: number) =>
  db
    .prepare(
      `insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, secret_current, created_at, updated_at)
       values (?, '', '', '', '', '', 0, 0)`,
    )
    .bind(store)
    .run();

describe('the purge of events of several stores', () => {
  /** Inserts `count` events without deliveries for each store. */
  const fill = (stores: readonly number[], count: number, days: number) =>
    db.batch(
      stores.map((store) =>
        db
          .prepare(
            `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
             insert into webhook_events (id, store_id, event, body, created_at)
             select ?1 || printf('%020x', i), ?2, 'order.paid', '{}', ?3 from n`,
          )
          .bind(eventIdFrom(store, now - days * day), store, now - days * day),
      ),
    );

  const left = async (store: number) =>
    db
      .prepare('select count(*) as n from webhook_events where store_id = ?')
      .bind(store)
      .first('n');

  it('deletes chunks of at most 5,000, store by store', async () => {
    const stores = [1, 2, 3].map((nth) => noStore + nth * purgeSlots);
    for (const store of stores) await insertStore(store);
    // Deletes rows of other tests.
    await purgeExpired(sweepContextAt(now));
    await fill(stores, 4_000, 31);
    await fill(stores, 10, 29);
    const { database, runs } = watchStatements('delete from webhook_events');
    await purgeExpired({ ...sweepContextAt(now), db: database });
    expect(runs.map(({ changes }) => changes)).toEqual([5_000, 5_000, 2_000]);
    for (const store of stores) expect(await left(store)).toBe(10);
  });

  it('reads a few rows per store while no event is old', async () => {
    const stores = [6, 7].map((nth) => noStore + nth * purgeSlots);
    for (const store of stores) await insertStore(store);
    await fill(stores, 20_000, 29);
    const { database, runs } = watchStatements('delete from webhook_events');
    // A year before, no open delivery of another test is old either, so none is looked up.
    await purgeExpired({ ...sweepContextAt(now - 365 * day), db: database });
    expect(runs).toHaveLength(1);
    expect(runs[0]?.read).toBeLessThan(100);
  });

  it('cancels held deliveries in chunks as well', async () => {
    const stores = [4, 5].map((nth) => noStore + nth * purgeSlots);
    const target = await insertEndpoint({ store: stores[0]! });
    await insertStore(stores[1]!);
    for (const [index, store] of stores.entries()) {
      await db
        .prepare(
          `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
           insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at)
           select ?1, ?2 + i, ?3 || printf('%020x', i), ${held}, 0, 0 from n`,
        )
        .bind(target.id, 1 + index * 3_000, eventIdFrom(store, now - 31 * day))
        .run();
    }
    await db
      .prepare('update webhook_endpoints set last_seq = 6001 where id = ?')
      .bind(target.id)
      .run();
    const { database, runs } = watchStatements('update webhook_deliveries');
    await purgeExpired({ ...sweepContextAt(now), db: database });
    expect(runs.map(({ changes }) => changes)).toEqual([5_000, 1_000]);
    const [first, ...others] = await target.deliveries();
    expect(first?.state).toBe(open);
    expect(others.every(({ state }) => state === cancelled)).toBe(true);
  });
});
