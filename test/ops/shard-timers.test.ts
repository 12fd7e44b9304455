import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { countingDatabase, type DatabaseCost, noCost } from '../support/api/measure.ts';
import '../support/fixtures/first-shard.ts';
import {
  orderBody,
  createSellingStore,
  type SellingStore,
} from '../support/fixtures/selling-store.ts';
import { runAllTimers } from '../support/sweep.ts';
import { recordedEvents, subscribeEndpoint } from '../support/webhooks/recorded-events.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const guest = { name: 'Bia Prado', email: 'bia@buyers.test', phone: null };

// Years before the records of other tests, and each test earlier than the one before. So a run at
// this time processes only the records of its own test.
let epoch = Date.UTC(2019, 0, 1);
const newStart = () => (epoch -= 200 * day);

const db = env.STORE_0;

/** Moves the timer of a cart to another time. */
const moveTimer = (id: number, start: number) =>
  db
    .prepare(
      `update carts set due_at = due_at - edited_at + ?2, edited_at = ?2 where id = ?1 and due_at is not null`,
    )
    .bind(id, start)
    .run();

/** Creates a guest's cart that was last edited at `start`. */
async function cartAt(shop: SellingStore, start: number, more: object = { tracking_data: guest }) {
  const items = shop.skuIds.map((sku_id) => ({ sku_id, quantity: 1 }));
  const { body } = await shop.api('POST /checkout/carts', { items, ...more });
  await moveTimer(body.data.id, start);
  return {
    id: body.data.id as number,
    status: async () => (await shop.api(`GET /checkout/carts/${body.data.id}`)).body.data.status,
  };
}

/** Creates a store with a webhook for these events. */
async function storeWithWebhook(...events: string[]) {
  const shop = await createSellingStore();
  await subscribeEndpoint(shop, events);
  const receivedEvents = async () => (await recordedEvents(shop)).map(({ event }) => event);
  return { shop, receivedEvents };
}

/** Runs the timers at a time, with other bindings if given. */
const runAt = async (now: number, bindings: object = {}) => {
  await runAllTimers({ ...env, ...bindings }, () => now);
};

/** A database whose batches fail when `fails` returns true. */
const failing = (fails: (statements: D1PreparedStatement[], count: number) => boolean) => {
  let count = 0;
  return {
    STORE_0: {
      prepare: (sql: string) => db.prepare(sql),
      batch: (statements: D1PreparedStatement[]) =>
        fails(statements, (count += 1))
          ? Promise.reject(new Error('power failure'))
          : db.batch(statements),
    },
  };
};

describe('runTimers on an idle cart', () => {
  it('sends a reminder after an hour and one a day later, and expires the cart after 30 days', async () => {
    const start = newStart();
    const { shop, receivedEvents } = await storeWithWebhook('cart.reminder');
    const cart = await cartAt(shop, start);
    const steps: [at: number, status: string, reminders: number][] = [
      [start + hour - 1, 'open', 0],
      [start + hour, 'abandoned', 1],
      [start + hour, 'abandoned', 1],
      [start + hour + day - 1, 'abandoned', 1],
      [start + hour + day, 'abandoned', 2],
      [start + 29 * day, 'abandoned', 2],
      [start + 30 * day - 1, 'abandoned', 2],
      [start + 30 * day, 'expired', 2],
      [start + 60 * day, 'expired', 2],
    ];
    for (const [at, status, reminders] of steps) {
      await runAt(at);
      expect([at - start, await cart.status(), (await receivedEvents()).length]).toEqual([
        at - start,
        status,
        reminders,
      ]);
    }
    const [first] = await recordedEvents(shop);
    expect(first?.resource).toMatchObject({
      id: cart.id,
      status: 'abandoned',
      tracking_data: guest,
      items: { data: [{ sku_id: shop.skuIds[0] }] },
      customer: { data: null },
    });
  });

  it('restarts its time after an edit, and ignores it once it is an order', async () => {
    const start = newStart();
    const { shop, receivedEvents } = await storeWithWebhook('cart.reminder');
    const cart = await cartAt(shop, start);
    await runAt(start + hour);
    await shop.api(`PUT /checkout/carts/${cart.id}`, { shipping: { value: 1 } });
    await moveTimer(cart.id, start + 2 * hour);
    await runAt(start + 3 * hour - 1);
    expect([await cart.status(), await receivedEvents()]).toEqual(['open', ['cart.reminder']]);
    await runAt(start + 3 * hour);
    expect([await cart.status(), (await receivedEvents()).length]).toEqual(['abandoned', 2]);
    const sent = { payment_id: shop.payments.deposit, shipping_address_id: shop.addressId };
    await shop.api(`PUT /checkout/carts/${cart.id}`, { customer_id: shop.customerId });
    await moveTimer(cart.id, start);
    expect((await shop.api(`POST /checkout/carts/${cart.id}/orders`, sent)).status).toBe(201);
    await runAt(start + 90 * day);
    expect([await cart.status(), (await receivedEvents()).length]).toEqual(['converted', 2]);
  });

  it('expires it without a reminder when it has no contact details or no items', async () => {
    const start = newStart();
    const { shop, receivedEvents } = await storeWithWebhook('cart.reminder');
    const unreachable = await cartAt(shop, start, { tracking_data: { name: 'Bia' } });
    const empty = await cartAt(shop, start);
    await shop.api(`DELETE /catalog/skus/${shop.skuIds[0]}`);
    await runAt(start + 29 * day);
    expect([await unreachable.status(), await empty.status()]).toEqual(['open', 'open']);
    await runAt(start + 30 * day);
    expect([await unreachable.status(), await empty.status()]).toEqual(['expired', 'expired']);
    expect(await receivedEvents()).toEqual([]);
  });

  it('waits as long as the setting of its store says, also after a change of the setting', async () => {
    const start = newStart();
    const { shop, receivedEvents } = await storeWithWebhook('cart.reminder');
    const say = (minutes: number) =>
      db
        .prepare(
          'insert or replace into store_settings (store_id, cart_idle_minutes) values (?, ?)',
        )
        .bind(shop.id, minutes)
        .run();
    await say(5);
    const soon = await cartAt(shop, start);
    await runAt(start + 5 * minute - 1);
    expect(await soon.status()).toBe('open');
    await say(10);
    await runAt(start + 5 * minute);
    expect(await soon.status()).toBe('open');
    await runAt(start + 10 * minute);
    expect([await soon.status(), await receivedEvents()]).toEqual(['abandoned', ['cart.reminder']]);
  });
});

describe('runTimers', () => {
  it('processes each record once when several runs overlap', async () => {
    const start = newStart();
    const { shop, receivedEvents } = await storeWithWebhook(
      'cart.reminder',
      'order.status.updated',
      'order.paid',
    );
    const all = await Promise.all(Array.from({ length: 8 }, () => cartAt(shop, start)));
    const order = await orderDueAt(shop, 'pix', start);
    await Promise.all([1, 2, 3, 4].map(() => runAt(start + hour)));
    for (const cart of all) expect(await cart.status()).toBe('abandoned');
    expect(await order.status()).toBe('cancelled');
    const names = await receivedEvents();
    expect(names.filter((name) => name === 'cart.reminder')).toHaveLength(8);
    expect(names.filter((name) => name === 'order.status.updated')).toHaveLength(1);
  });

  it('loses nothing and repeats nothing when a run is interrupted at any point', async () => {
    const start = newStart();
    const { shop, receivedEvents } = await storeWithWebhook('cart.reminder');
    const all = await Promise.all(Array.from({ length: 5 }, () => cartAt(shop, start)));
    for (let power = 1; power <= 12; power += 1) {
      await runAt(
        start + hour,
        failing((_statements, count) => count > power),
      );
    }
    await runAt(start + hour);
    for (const cart of all) expect(await cart.status()).toBe('abandoned');
    expect(await receivedEvents()).toEqual(all.map(() => 'cart.reminder'));
  });

  it('continues with other records after a failure, and retries that record after five minutes', async () => {
    const start = newStart();
    const { shop, receivedEvents } = await storeWithWebhook('cart.reminder');
    const before = await cartAt(shop, start);
    const broken = await cartAt(shop, start + 1);
    const after = await cartAt(shop, start + 2);
    const name = (value: string) =>
      db.prepare('update carts set token = ? where id = ?').bind(value, broken.id).run();
    // The schema of the event rejects a blob, so the reminder fails.
    await db.prepare(`update carts set token = x'00' where id = ?`).bind(broken.id).run();
    await runAt(start + 2 * hour);
    expect(await receivedEvents()).toHaveLength(2);
    await name('mended');
    await runAt(start + 2 * hour + 5 * minute - 1);
    expect(await receivedEvents()).toHaveLength(2);
    await runAt(start + 2 * hour + 5 * minute);
    expect(await receivedEvents()).toHaveLength(3);
    for (const cart of [before, broken, after]) expect(await cart.status()).toBe('abandoned');
  });

  it('reads two rows per store and a few per due record beside 2,000 that are not due, in three round trips', async () => {
    const start = newStart();
    const { shop, receivedEvents } = await storeWithWebhook('cart.reminder');
    const first = await cartAt(shop, start);
    await db
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
         insert into carts (id, store_id, token, name, email, value_shipment, edited_at, due_at, created_at, updated_at)
         select -(abs(random()) >> 12), ?1, 'many-' || i, 'n', 'n@buyers.test', 0, ?2, ?2 + ?3 + i, ?2, ?2 from n`,
      )
      .bind(shop.id, start, 30 * day)
      .run();
    // Other tests have created stores with timers.
    const stores = await db
      .prepare(
        `select (select count(distinct store_id) from carts where due_at is not null)
          + (select count(distinct store_id) from transactions where due_at is not null) as n`,
      )
      .first<number>('n');
    const cost: DatabaseCost = noCost();
    await runAt(start + hour, { STORE_0: countingDatabase(db, cost) });
    expect(await receivedEvents()).toEqual(['cart.reminder']);
    expect(await first.status()).toBe('abandoned');
    expect(cost.roundTrips).toBe(3);
    expect(cost.rowsRead).toBeLessThan(200 + 2 * (stores ?? 0));
    await db.prepare('delete from carts where store_id = ?').bind(shop.id).run();
  });

  it('postpones records whose store is unknown, so that they do not block others', async () => {
    const start = newStart();
    const { shop, receivedEvents } = await storeWithWebhook('cart.reminder');
    const lost = 9_000_000 + epoch / day;
    await db
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
         insert into carts (id, store_id, token, value_shipment, edited_at, due_at, created_at, updated_at)
         select -(abs(random()) >> 12), ?1, ?2 || i, 0, ?3, ?3, ?3, ?3 from n`,
      )
      .bind(lost, 'lost-', start)
      .run();
    await db.prepare('insert into placements (store_id, works) values (?, 1)').bind(lost).run();
    const cart = await cartAt(shop, start);
    const due = () =>
      db
        .prepare('select min(due_at) - ?2 as wait from carts where store_id = ?1')
        .bind(lost, start + hour)
        .first<number>('wait');
    await runAt(start + hour, { DIRECTORY: failing(() => true).STORE_0 });
    expect([await due(), await cart.status()]).toEqual([-hour, 'open']);
    await runAt(start + hour);
    expect([await due(), await cart.status(), await receivedEvents()]).toEqual([
      day,
      'abandoned',
      ['cart.reminder'],
    ]);
    await db.prepare('delete from carts where store_id = ?').bind(lost).run();
  });

  it('logs failures without personal data and never rejects', async () => {
    const start = newStart();
    const { shop } = await storeWithWebhook('cart.reminder');
    await cartAt(shop, start);
    const dead = {
      STORE_0: {
        prepare: () => {
          throw new Error('bia@buyers.test');
        },
      },
    };
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await expect(runAt(start + hour, dead)).resolves.toBeUndefined();
    await expect(runAt(start + hour, { DIRECTORY: dead.STORE_0 })).resolves.toBeUndefined();
    const lines = logged.mock.calls.map(([line]) => String(line));
    logged.mockRestore();
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({ event: 'timer_failed', alert: true });
      expect(line).not.toContain('buyers.test');
    }
  });
});

/** Creates an order whose only transaction is due at a given time. */
async function orderDueAt(shop: SellingStore, payment: string, due: number, more: object = {}) {
  const sent = orderBody(shop, { payment_id: shop.payments[payment], ...more });
  const { status, body } = await shop.api('POST /orders', sent);
  expect(status, JSON.stringify(body)).toBe(201);
  const { id } = body.data;
  const transaction = await db
    .prepare('select id, due_at - created_at as wait from transactions where order_id = ?')
    .bind(id)
    .first<{ id: number; wait: number }>();
  await db
    .prepare('update transactions set due_at = ? where id = ?')
    .bind(due, transaction!.id)
    .run();
  return {
    wait: transaction!.wait,
    status: async () => (await shop.api(`GET /orders/${id}`)).body.data.status.data.alias as string,
    transaction: async () =>
      (await shop.api(`GET /checkout/transactions/${transaction!.id}`)).body.data[0]
        .status as string,
  };
}

const orderEvents = ['order.status.updated', 'order.paid', 'product.inventory.updated'];

describe('runTimers on an unpaid order', () => {
  it.each([
    ['pix', 'hours_to_cancel_unpaid_pix', 7, hour],
    ['billet', 'days_to_cancel_unpaid_billets', 3, day],
  ])(
    'cancels an order with %s after %s and releases its stock',
    async (kind, column, count, unit) => {
      const start = newStart();
      const { shop, receivedEvents } = await storeWithWebhook(...orderEvents);
      await db
        .prepare(`update payment_configurations set ${column} = ? where payment_id = ?`)
        .bind(count, shop.payments[kind])
        .run();
      const order = await orderDueAt(shop, kind, start);
      expect(order.wait).toBe(count * unit);
      const stock = async () =>
        (await shop.api(`GET /catalog/skus/${shop.skuIds[0]}/stocks`)).body.data[0];
      expect(await stock()).toMatchObject({ quantity: 10, reserved: 1 });
      await runAt(start - 1);
      expect(await order.status()).toBe('waiting_payment');
      await Promise.all([runAt(start), runAt(start)]);
      await runAt(start + day);
      expect([await order.status(), await order.transaction()]).toEqual(['cancelled', 'cancelled']);
      expect(await stock()).toMatchObject({ quantity: 10, reserved: 0 });
      // The first inventory event belongs to the reservation.
      expect((await receivedEvents()).toSorted()).toEqual([
        'order.status.updated',
        'product.inventory.updated',
        'product.inventory.updated',
      ]);
    },
  );
});

describe('runTimers on an authorized card', () => {
  it('captures it once, after the hours of its affiliation', async () => {
    const start = newStart();
    const { shop, receivedEvents } = await storeWithWebhook(...orderEvents);
    const affiliation = await db
      .prepare('select id from affiliations where store_id = ?')
      .bind(shop.id)
      .first('id');
    await db
      .prepare('update affiliations set auto_capture = 1, capture_hour_delay = 5 where id = ?')
      .bind(affiliation)
      .run();
    const more = { affiliation_id: affiliation };
    const order = await orderDueAt(shop, 'credit_card', start, more);
    expect(order.wait).toBe(5 * hour);
    await runAt(start - 1);
    expect(await order.transaction()).toBe('authorized');
    await Promise.all([runAt(start), runAt(start), runAt(start)]);
    await runAt(start + day);
    expect([await order.status(), await order.transaction()]).toEqual(['paid', 'paid']);
    expect((await receivedEvents()).toSorted()).toEqual([
      'order.paid',
      'order.status.updated',
      'product.inventory.updated',
      'product.inventory.updated',
    ]);
  });
});
