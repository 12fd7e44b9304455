import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { copyCart, copyOrder } from '../../support/fixtures/copies.ts';
import {
  createSellingStore,
  orderBody,
  type SellingStore,
} from '../../support/fixtures/selling-store.ts';
import { isSlow, runsOf } from '../../support/slow.ts';
import { runAllTimers } from '../../support/sweep.ts';
import '../../support/fixtures/first-shard.ts';

// Long before the records of other tests: a run at this time finds only those of this file.
const start = Date.UTC(1990, 0, 1);
const minute = 60_000;

const db = env.STORE_0;
const timedTables = ['carts', 'transactions'];

/** The stores of the current test. */
let storeIds: number[] = [];

afterEach(async () => {
  await db.batch(
    timedTables.map((table) =>
      db
        .prepare(
          `update ${table} set due_at = null where due_at is not null and store_id in (select value from json_each(?))`,
        )
        .bind(JSON.stringify(storeIds)),
    ),
  );
  storeIds = [];
});

/**
 * Creates a store with so many carts that expire and orders that were not paid, all due at `due`.
 */
async function storeWithDue({ carts = 0, orders = 0, due = start }): Promise<SellingStore> {
  const shop = await createSellingStore({ quantity: 1_000 });
  storeIds.push(shop.id);
  if (carts > 0) {
    const items = shop.skuIds.map((sku_id) => ({ sku_id, quantity: 1 }));
    const { body } = await shop.api('POST /checkout/carts', { items });
    if (carts > 1) await copyCart(body.data.id, carts - 1);
  }
  if (orders > 0) {
    const sent = orderBody(shop, { payment_id: shop.payments.pix });
    const { body } = await shop.api('POST /orders', sent);
    if (orders > 1) await copyOrder(body.data.id, orders - 1, { withTransactions: true });
  }
  const statements = timedTables.map((table) =>
    db.prepare(`update ${table} set due_at = ?2 where store_id = ?1`).bind(shop.id, due),
  );
  await db.batch([
    ...statements,
    // Idle for more than 30 days, so the carts expire.
    db.prepare('update carts set edited_at = 0 where store_id = ?').bind(shop.id),
    db.prepare('update stocks set reserved = ?2 where store_id = ?1').bind(shop.id, orders),
  ]);
  return shop;
}

/**
 * The records of a store that the timers have ended, by table, and the times of the first and the
 * last.
 */
async function ended(shop: SellingStore) {
  const [carts, transactions] = await db.batch<{ count: number; first: number; last: number }>(
    timedTables.map((table) =>
      db
        .prepare(
          `select count(*) as count, min(updated_at) as first, max(updated_at) as last from ${table}
           where store_id = ? and status in ('expired', 'cancelled')`,
        )
        .bind(shop.id),
    ),
  );
  return { carts: carts!.results[0]!, transactions: transactions!.results[0]! };
}

/** A clock that moves by `stepMs` each time that it is read. */
const tickingClock = (from: number, stepMs: number) => {
  let now = from - stepMs;
  return () => (now += stepMs);
};

describe('timers of a store beside the backlog of another', () => {
  // In a slow run they are more than one run tries, else more than a store has of one page.
  const many = { carts: runsOf(210, 110), orders: runsOf(60, 20) };
  const all = many.carts + many.orders + 2;

  it(`${many.carts} carts and ${many.orders} unpaid orders of one store do not delay those of another, and money comes first`, async () => {
    const flood = await storeWithDue(many);
    const other = await storeWithDue({ carts: 1, orders: 1, due: start + minute / 2 });
    const cost = noCost();
    const bindings = { ...env, STORE_0: countingDatabase(db, cost) };
    await runAllTimers(bindings, tickingClock(start + minute, 1));
    const [ofFlood, ofOther] = [await ended(flood), await ended(other)];
    expect([ofOther.transactions.count, ofOther.carts.count]).toEqual([1, 1]);
    expect([ofFlood.transactions.count, ofFlood.carts.count]).toEqual([many.orders, many.carts]);
    // The other store gets its turn among the first, and no cart is touched before the last
    // payment.
    expect(ofOther.transactions.first - ofFlood.transactions.first).toBeLessThan(20);
    expect(ofOther.carts.first - ofFlood.carts.first).toBeLessThan(20);
    expect(ofFlood.transactions.last).toBeLessThan(ofFlood.carts.first);
    // Two round trips for each record, and one for each page.
    expect(cost.roundTrips).toBeLessThanOrEqual(2 * all + 10);
    expect(cost.rowsRead).toBeLessThan(50 * all);
  });

  it.runIf(isSlow)(
    'a run without enough time for all payments still serves every store, carts included',
    async () => {
      const flood = await storeWithDue({ carts: 110, orders: 110 });
      const other = await storeWithDue({ carts: 1, orders: 1, due: start + minute / 2 });
      await runAllTimers(env, tickingClock(start + minute, 250));
      const [ofFlood, ofOther] = [await ended(flood), await ended(other)];
      expect([ofOther.transactions.count, ofOther.carts.count]).toEqual([1, 1]);
      expect(ofFlood.transactions.count).toBeLessThan(110);
      expect(ofFlood.transactions.count).toBeGreaterThan(ofFlood.carts.count);
    },
  );

  it.each([
    // In a slow run, the last one comes in the second round.
    ['fail', 'update of status', 2],
    ['fail and cannot be postponed', 'update', 1],
  ])('records that %s hold up neither other stores nor their own', async (_, change, rounds) => {
    const flood = await storeWithDue({ carts: runsOf(221, 111) });
    const other = await storeWithDue({ carts: 1, due: start + minute / 2 });
    const last = `(select max(id) from carts where store_id = ${flood.id})`;
    await db
      .prepare(
        `create trigger broken_carts before ${change} on carts
         when old.store_id = ${flood.id} and old.id < ${last} begin select raise(abort, 'broken'); end`,
      )
      .run();
    using failures = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await runAllTimers(env, () => start + minute, rounds);
    expect(failures).toHaveBeenCalled();
    await db.prepare('drop trigger broken_carts').run();
    expect((await ended(other)).carts.count).toBe(1);
    if (change !== 'update') expect((await ended(flood)).carts.count).toBe(1);
  });

  it('the first look reads a bounded number of rows, however many records of a store are due', async () => {
    const rowsRead: number[] = [];
    for (const carts of [300, runsOf(3_000, 900)]) {
      await storeWithDue({ carts });
      await storeWithDue({ carts: 1 });
      const cost = noCost();
      // The time is over after the first look.
      const clock = tickingClock(start + minute, minute);
      await runAllTimers({ ...env, STORE_0: countingDatabase(db, cost) }, clock);
      rowsRead.push(cost.rowsRead);
    }
    const [few = 0, many = 0] = rowsRead;
    expect(few).toBeGreaterThan(0);
    // Stores of other tests count for both.
    expect(many - few).toBeLessThan(100);
  });
});
