import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { runTimers } from '../../src/platform/run-timers.ts';
import { counting, type Cost } from '../support/counted.ts';
import { eventsOf, subscribe } from '../support/events.ts';
import { orderBody, sellingStore, type SellingStore } from '../support/selling.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const guest = { name: 'Bia Prado', email: 'bia@buyers.test', phone: null };

// Years before anything that other tests leave behind, and each test before the last one, so that a timer at
// this time sees the records of its test alone.
let epoch = Date.UTC(2019, 0, 1);
const earlier = () => (epoch -= 200 * day);

const db = env.STORE_0;

/** Moves what a cart goes by to another time. */
const shift = (id: number, start: number) =>
  db
    .prepare(
      `update carts set due_at = due_at - edited_at + ?2, edited_at = ?2 where id = ?1 and due_at is not null`,
    )
    .bind(id, start)
    .run();

/** A cart of a guest that was edited last at `start`. */
async function cartAt(shop: SellingStore, start: number, more: object = { tracking_data: guest }) {
  const items = shop.skuIds.map((sku_id) => ({ sku_id, quantity: 1 }));
  const { body } = await shop.api('POST /checkout/carts', { items, ...more });
  await shift(body.data.id, start);
  return {
    id: body.data.id as number,
    status: async () => (await shop.api(`GET /checkout/carts/${body.data.id}`)).body.data.status,
  };
}

/** A store that hears of these events. */
async function hearing(...events: string[]) {
  const shop = await sellingStore();
  await subscribe(shop, events);
  const heard = async () => (await eventsOf(shop)).map(({ event }) => event);
  return { shop, heard };
}

/** Lets timers run at a time, in an environment in which something may be different. */
const runAt = (now: number, different: object = {}) =>
  runTimers({ ...env, ...different }, () => now);

/** The database, which does something else than it should with some batches. */
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

describe('a cart that is left idle', () => {
  it('is abandoned and reminded of after an hour, once more a day later, and expires after 30 days', async () => {
    const start = earlier();
    const { shop, heard } = await hearing('cart.reminder');
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
      expect([at - start, await cart.status(), (await heard()).length]).toEqual([
        at - start,
        status,
        reminders,
      ]);
    }
    const [first] = await eventsOf(shop);
    expect(first?.resource).toMatchObject({
      id: cart.id,
      status: 'abandoned',
      tracking_data: guest,
      items: { data: [{ sku_id: shop.skuIds[0] }] },
      customer: { data: null },
    });
  });

  it('begins anew with an edit, and is left alone once it is an order', async () => {
    const start = earlier();
    const { shop, heard } = await hearing('cart.reminder');
    const cart = await cartAt(shop, start);
    await runAt(start + hour);
    await shop.api(`PUT /checkout/carts/${cart.id}`, { shipping: { value: 1 } });
    await shift(cart.id, start + 2 * hour);
    await runAt(start + 3 * hour - 1);
    expect([await cart.status(), await heard()]).toEqual(['open', ['cart.reminder']]);
    await runAt(start + 3 * hour);
    expect([await cart.status(), (await heard()).length]).toEqual(['abandoned', 2]);
    const sent = { payment_id: shop.payments.deposit, shipping_address_id: shop.addressId };
    await shop.api(`PUT /checkout/carts/${cart.id}`, { customer_id: shop.customerId });
    await shift(cart.id, start);
    expect((await shop.api(`POST /checkout/carts/${cart.id}/orders`, sent)).status).toBe(201);
    await runAt(start + 90 * day);
    expect([await cart.status(), (await heard()).length]).toEqual(['converted', 2]);
  });

  it('is of nobody, or empty: it expires without a reminder', async () => {
    const start = earlier();
    const { shop, heard } = await hearing('cart.reminder');
    const nobody = await cartAt(shop, start, { tracking_data: { name: 'Bia' } });
    const empty = await cartAt(shop, start);
    await shop.api(`DELETE /catalog/skus/${shop.skuIds[0]}`);
    await runAt(start + 29 * day);
    expect([await nobody.status(), await empty.status()]).toEqual(['open', 'open']);
    await runAt(start + 30 * day);
    expect([await nobody.status(), await empty.status()]).toEqual(['expired', 'expired']);
    expect(await heard()).toEqual([]);
  });

  it('waits as long as its store says, also when that is changed meanwhile', async () => {
    const start = earlier();
    const { shop, heard } = await hearing('cart.reminder');
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
    expect([await soon.status(), await heard()]).toEqual(['abandoned', ['cart.reminder']]);
  });
});

describe('timers that meet', () => {
  it('do the work once when several run at the same time', async () => {
    const start = earlier();
    const { shop, heard } = await hearing('cart.reminder', 'order.status.updated', 'order.paid');
    const all = await Promise.all(Array.from({ length: 8 }, () => cartAt(shop, start)));
    const order = await orderDueAt(shop, 'pix', start);
    await Promise.all([1, 2, 3, 4].map(() => runAt(start + hour)));
    for (const cart of all) expect(await cart.status()).toBe('abandoned');
    expect(await order.status()).toBe('cancelled');
    const names = await heard();
    expect(names.filter((name) => name === 'cart.reminder')).toHaveLength(8);
    expect(names.filter((name) => name === 'order.status.updated')).toHaveLength(1);
  });

  it('lose nothing and do nothing twice when one dies half way, wherever that is', async () => {
    const start = earlier();
    const { shop, heard } = await hearing('cart.reminder');
    const all = await Promise.all(Array.from({ length: 5 }, () => cartAt(shop, start)));
    for (let power = 1; power <= 12; power += 1) {
      await runAt(
        start + hour,
        failing((_statements, count) => count > power),
      );
    }
    await runAt(start + hour);
    for (const cart of all) expect(await cart.status()).toBe('abandoned');
    expect(await heard()).toEqual(all.map(() => 'cart.reminder'));
  });

  it('go on with the others when one fails, and try that one again after five minutes', async () => {
    const start = earlier();
    const { shop, heard } = await hearing('cart.reminder');
    const before = await cartAt(shop, start);
    const broken = await cartAt(shop, start + 1);
    const after = await cartAt(shop, start + 2);
    const name = (value: string) =>
      db.prepare('update carts set token = ? where id = ?').bind(value, broken.id).run();
    // A blob is not what the schema of the event shows, so the reminder cannot be made.
    await db.prepare(`update carts set token = x'00' where id = ?`).bind(broken.id).run();
    await runAt(start + 2 * hour);
    expect(await heard()).toHaveLength(2);
    await name('mended');
    await runAt(start + 2 * hour + 5 * minute - 1);
    expect(await heard()).toHaveLength(2);
    await runAt(start + 2 * hour + 5 * minute);
    expect(await heard()).toHaveLength(3);
    for (const cart of [before, broken, after]) expect(await cart.status()).toBe('abandoned');
  });

  it('take up a hundred of a kind, the oldest first, and read no more than these', async () => {
    const start = earlier();
    const { shop, heard } = await hearing('cart.reminder');
    const first = await cartAt(shop, start);
    await db
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
         insert into carts (store_id, token, name, email, value_shipment, edited_at, due_at, created_at, updated_at)
         select ?1, 'many-' || i, 'n', 'n@buyers.test', 0, ?2, ?2 + ?3 + i, ?2, ?2 from n`,
      )
      .bind(shop.id, start, 30 * day)
      .run();
    const cost: Cost = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
    await runAt(start + hour, { STORE_0: counting(db, cost) });
    expect(await heard()).toEqual(['cart.reminder']);
    expect(await first.status()).toBe('abandoned');
    expect([cost.trips, cost.rowsRead < 200]).toEqual([3, true]);
    const expired = () =>
      db
        .prepare(`select count(*) as n from carts where store_id = ? and status = 'expired'`)
        .bind(shop.id)
        .first('n');
    await runAt(start + 31 * day);
    expect(await expired()).toBe(100);
  });

  it('set aside what belongs to no store, so that it holds up nobody', async () => {
    const start = earlier();
    const { shop, heard } = await hearing('cart.reminder');
    const lost = 9_000_000 + epoch / day;
    await db
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
         insert into carts (store_id, token, value_shipment, edited_at, due_at, created_at, updated_at)
         select ?1, ?2 || i, 0, ?3, ?3, ?3, ?3 from n`,
      )
      .bind(lost, 'lost-', start)
      .run();
    const cart = await cartAt(shop, start);
    const due = () =>
      db
        .prepare('select min(due_at) - ?2 as wait from carts where store_id = ?1')
        .bind(lost, start + hour)
        .first<number>('wait');
    await runAt(start + hour, { DIRECTORY: failing(() => true).STORE_0 });
    expect([await due(), await cart.status()]).toEqual([-hour, 'open']);
    await runAt(start + hour);
    expect([await due(), await cart.status()]).toEqual([day, 'open']);
    await runAt(start + hour);
    expect([await due(), await cart.status(), await heard()]).toEqual([
      day,
      'abandoned',
      ['cart.reminder'],
    ]);
    await db.prepare('delete from carts where store_id = ?').bind(lost).run();
  });

  it('say what failed without personal data, and never reject', async () => {
    const start = earlier();
    const { shop } = await hearing('cart.reminder');
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

/** An order with one transaction that is due at some time. */
async function orderDueAt(shop: SellingStore, payment: string, due: number, more: object = {}) {
  const sent = orderBody(shop, { payment_id: shop.payments[payment], ...more });
  const { status, body } = await shop.api('POST /orders', sent);
  expect(status, JSON.stringify(body)).toBe(201);
  const { id } = body.data;
  const made = await db
    .prepare('select id, due_at - created_at as wait from transactions where order_id = ?')
    .bind(id)
    .first<{ id: number; wait: number }>();
  await db.prepare('update transactions set due_at = ? where id = ?').bind(due, made!.id).run();
  return {
    wait: made!.wait,
    status: async () => (await shop.api(`GET /orders/${id}`)).body.data.status.data.alias as string,
    transaction: async () =>
      (await shop.api(`GET /checkout/transactions/${made!.id}`)).body.data[0].status as string,
  };
}

const orderEvents = ['order.status.updated', 'order.paid', 'product.inventory.updated'];

describe('an order that is not paid', () => {
  it.each([
    ['pix', 'hours_to_cancel_unpaid_pix', 7, hour],
    ['billet', 'days_to_cancel_unpaid_billets', 3, day],
  ])(
    'with %s is cancelled after %s, and its stock is released',
    async (kind, column, count, unit) => {
      const start = earlier();
      const { shop, heard } = await hearing(...orderEvents);
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
      // The first one is of the reservation.
      expect((await heard()).toSorted()).toEqual([
        'order.status.updated',
        'product.inventory.updated',
        'product.inventory.updated',
      ]);
    },
  );
});

describe('a card that was authorized', () => {
  it('is captured after the hours of its affiliation, once', async () => {
    const start = earlier();
    const { shop, heard } = await hearing(...orderEvents);
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
    expect((await heard()).toSorted()).toEqual([
      'order.paid',
      'order.status.updated',
      'product.inventory.updated',
      'product.inventory.updated',
    ]);
  });
});
