import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../src/base/errors.ts';
import { openDatabase } from '../../src/data/core/open-database.ts';
import { carts } from '../../src/data/schema/store/carts-tables.ts';
import { convertCartToOrder } from '../../src/sales/carts/checkout.ts';
import { createCart, updateCart } from '../../src/sales/carts/commands.ts';
import { sendCartReminder, processDueCart } from '../../src/sales/carts/reminders.ts';
import type { NewCart } from '../../src/sales/carts/requests.ts';
import { createSeedDb } from '../../src/stores/test-stores/insert-missing.ts';
import { copyCart } from '../support/fixtures/copies.ts';
import { createSellingStore, type SellingStore } from '../support/fixtures/selling-store.ts';
import { runsOf } from '../support/slow.ts';
import {
  subscribeEndpoint,
  lastSequence,
  eventNamesAfter,
} from '../support/webhooks/recorded-events.ts';
import { runInParallel, type PropertyRunner } from './parallel-runs.ts';
import '../support/fixtures/first-shard.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** The expected state of a cart. */
interface CartModel {
  now: number;
  status: 'open' | 'abandoned' | 'converted' | 'expired';
  hasContact: boolean;
  editedAt: number;
  /** Times of the first and second reminder. */
  reminders: number[];
  /** The expected events. */
  events: string[];
}

/** The cart under test, with its own clock. */
class RealCart {
  readonly shop: SellingStore;
  readonly id: number;
  now: number;
  quantity = 1;

  constructor(shop: SellingStore, id: number, now: number) {
    this.shop = shop;
    this.id = id;
    this.now = now;
  }

  get db() {
    return handleAt(this.shop, this.now);
  }
}

const handleAt = (shop: SellingStore, now: number) =>
  createSeedDb(
    { ...shop, shard: 0, zone: 'UTC', base_url: 'https://a.test', active: true, test: true },
    openDatabase(env.STORE_0),
    now,
  );

const guest = { name: 'Bia Prado', email: 'bia@buyers.test', phone: null };
const isClosed = ({ status }: CartModel) => status === 'converted' || status === 'expired';

/** Returns 200, or the status of the error that the work throws. */
async function statusOf(work: Promise<unknown>): Promise<number> {
  try {
    await work;
    return 200;
  } catch (error) {
    if (error instanceof HttpError) return error.status;
    throw error;
  }
}

type Command = fc.AsyncCommand<CartModel, RealCart>;

const command = (name: string, run: Command['run']): Command => ({
  check: () => true,
  run,
  toString: () => name,
});

/** Advances the clock, then runs the timers. */
const wait = (ms: number) =>
  command(`wait ${ms / hour} h`, async (model, real) => {
    model.now = real.now += ms;
    const row = await real.db.find(carts, real.id);
    if (row?.due_at && row.due_at <= real.now) {
      const due = {
        kind: 'cart' as const,
        id: real.id,
        store_id: real.shop.id,
        due_at: row.due_at,
      };
      await Promise.all([processDueCart(real.db, due), processDueCart(real.db, due)]);
    }
    if (isClosed(model)) return;
    const [first, second] = model.reminders;
    const isFirstDue = first === undefined && model.now - model.editedAt >= hour;
    const isSecondDue = first !== undefined && second === undefined && model.now - first >= day;
    if (model.now - model.editedAt >= 30 * day) model.status = 'expired';
    else if (model.hasContact && (isFirstDue || isSecondDue)) {
      model.status = 'abandoned';
      model.reminders.push(model.now);
      model.events.push('cart.reminder');
    }
  });

const edit = (hasContact: boolean) =>
  command(hasContact ? 'edit' : 'edit without contact details', async (model, real) => {
    real.quantity = (real.quantity % 5) + 1;
    const items = [{ sku_id: real.shop.skuIds[0]!, quantity: real.quantity }];
    const body = { items, customer_id: null, tracking_data: hasContact ? guest : null };
    expect(await statusOf(updateCart(real.db, real.id, body))).toBe(isClosed(model) ? 409 : 200);
    if (isClosed(model)) return;
    Object.assign(model, { status: 'open', hasContact, editedAt: model.now, reminders: [] });
  });

const remind = () =>
  command('remind', async (model, real) => {
    const isAllowed = !isClosed(model) && model.hasContact;
    expect(await statusOf(sendCartReminder(real.db, real.id))).toBe(isAllowed ? 200 : 409);
    if (isAllowed) model.events.push('cart.reminder');
  });

const order = () =>
  command('order', async (model, real) => {
    const terms = { installments: 1, affiliation_id: null, holder_name: null };
    const card = { holder_document: null, truncated_card: null };
    const place = {
      receiver: 'B',
      zipcode: '01310100',
      street: 'a',
      number: '1',
      complement: null,
    };
    const area = { neighborhood: 'b', city: 'São Paulo', state: 'SP', country: 'BR' };
    const checkout = {
      payment: { payment_id: real.shop.payments.deposit!, ...terms, ...card },
      shipping: { ...place, ...area },
    };
    const isAllowed = !isClosed(model) && model.hasContact;
    expect(await statusOf(convertCartToOrder(real.db, real.id, checkout))).toBe(
      isAllowed ? 200 : 409,
    );
    if (!isAllowed) return;
    model.status = 'converted';
    model.events.push('order.created');
  });

const commands = fc.commands(
  [
    ...[hour / 2, hour, day, 10 * day, 30 * day].map(wait),
    edit(true),
    edit(false),
    remind(),
    order(),
  ].map((one) => fc.constant(one)),
  { maxCommands: 5 },
);

/** Creates a store with a cart for each run. */
async function createRunner(runs: number): Promise<PropertyRunner<Iterable<Command>>> {
  const shop = await createSellingStore({ quantity: 1_000_000 });
  const endpoint = await subscribeEndpoint(shop, ['cart.reminder', 'order.created']);
  let seen = 0;
  const now = Date.UTC(2040, 0, 1);
  const body: NewCart = {
    items: [{ sku_id: shop.skuIds[0]!, quantity: 1 }],
    customer_id: null,
    tracking_data: guest,
    shipping: { service: null, value: 0 },
  };
  const cart = await createCart(handleAt(shop, now), body);
  const ids = await copyCart(cart?.id ?? 0, runs);
  return {
    arbitrary: commands,
    run: async (run) => {
      const model: CartModel = {
        now,
        status: 'open',
        hasContact: true,
        editedAt: now,
        reminders: [],
        events: [],
      };
      const real = new RealCart(shop, ids.pop() ?? 0, now);
      await fc.asyncModelRun(() => ({ model, real }), run);
      const [row, published] = await Promise.all([
        real.db.find(carts, real.id),
        eventNamesAfter(endpoint, seen),
      ]);
      expect([row?.status, row?.reminders]).toEqual([model.status, model.reminders.length]);
      expect(published).toEqual(model.events);
      seen += published.length;
    },
    recover: async () => {
      seen = await lastSequence(endpoint);
    },
    finish: () => Promise.resolve(),
  };
}

const runs = runsOf(1000, 64);

describe('a cart', () => {
  it(
    `matches its model, with events and reminders, in ${runs} random runs`,
    () => runInParallel(runs, createRunner),
    300_000,
  );
});
