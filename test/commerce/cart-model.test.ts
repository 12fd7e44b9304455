import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderCart } from '../../src/commerce/order-cart.ts';
import { remindOfCart } from '../../src/commerce/remind-of-cart.ts';
import { settleDueCart } from '../../src/commerce/settle-due-cart.ts';
import { openShard } from '../../src/db/open.ts';
import { carts } from '../../src/db/schema/store.ts';
import { handle } from '../../src/demo/handle.ts';
import { Problem } from '../../src/problem.ts';
import type { NewCart } from '../../src/resources/carts/requests.ts';
import { createCart, updateCart } from '../../src/resources/carts/writing.ts';
import { copiesOfCart } from '../support/copies.ts';
import { subscribe } from '../support/events.ts';
import { inLanes, type LaneOfRuns } from '../support/lanes-of-runs.ts';
import { sequenceOf, toldAfter } from '../support/told-after.ts';
import { sellingStore, type SellingStore } from '../support/selling.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** What a cart should be, in as few words as its table has (sources 3). */
interface Model {
  now: number;
  status: 'open' | 'abandoned' | 'converted' | 'expired';
  hasContact: boolean;
  edited: number;
  /** When it was reminded of first and second. */
  reminders: number[];
  /** The events that there must be. */
  events: string[];
}

/** The real cart, under a clock of its own. */
class Real {
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
  handle(
    { ...shop, shard: 0, zone: 'UTC', base_url: 'https://a.test', active: true, test: true },
    openShard(env.STORE_0),
    now,
  );

const guest = { name: 'Bia Prado', email: 'bia@buyers.test', phone: null };
const isClosed = ({ status }: Model) => status === 'converted' || status === 'expired';

/** The status of an answer: 200, or that of the refusal. */
async function statusOf(work: Promise<unknown>): Promise<number> {
  try {
    await work;
    return 200;
  } catch (error) {
    if (error instanceof Problem) return error.status;
    throw error;
  }
}

type Command = fc.AsyncCommand<Model, Real>;

const command = (name: string, run: Command['run']): Command => ({
  check: () => true,
  run,
  toString: () => name,
});

/** Time passes, and then timers run. */
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
      await Promise.all([settleDueCart(real.db, due), settleDueCart(real.db, due)]);
    }
    if (isClosed(model)) return;
    const [first, second] = model.reminders;
    const isIdle = first === undefined && model.now - model.edited >= hour;
    const isStill = first !== undefined && second === undefined && model.now - first >= day;
    if (model.now - model.edited >= 30 * day) model.status = 'expired';
    else if (model.hasContact && (isIdle || isStill)) {
      model.status = 'abandoned';
      model.reminders.push(model.now);
      model.events.push('cart.reminder');
    }
  });

const edit = (hasContact: boolean) =>
  command(hasContact ? 'edit' : 'edit, of nobody', async (model, real) => {
    real.quantity = (real.quantity % 5) + 1;
    const items = [{ sku_id: real.shop.skuIds[0]!, quantity: real.quantity }];
    const body = { items, customer_id: null, tracking_data: hasContact ? guest : null };
    expect(await statusOf(updateCart(real.db, real.id, body))).toBe(isClosed(model) ? 409 : 200);
    if (isClosed(model)) return;
    Object.assign(model, { status: 'open', hasContact, edited: model.now, reminders: [] });
  });

const remind = () =>
  command('remind', async (model, real) => {
    const mayBe = !isClosed(model) && model.hasContact;
    expect(await statusOf(remindOfCart(real.db, real.id))).toBe(mayBe ? 200 : 409);
    if (mayBe) model.events.push('cart.reminder');
  });

const order = () =>
  command('order', async (model, real) => {
    const how = { installments: 1, affiliation_id: null, holder_name: null };
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
      payment: { payment_id: real.shop.payments.deposit!, ...how, ...card },
      shipping: { ...place, ...area },
    };
    const mayBe = !isClosed(model) && model.hasContact;
    expect(await statusOf(orderCart(real.db, real.id, checkout))).toBe(mayBe ? 200 : 409);
    if (!mayBe) return;
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

/** A store with a cart for each run. */
async function lane(runs: number): Promise<LaneOfRuns<Iterable<Command>>> {
  const shop = await sellingStore({ quantity: 1_000_000 });
  const endpoint = await subscribe(shop, ['cart.reminder', 'order.created']);
  let seen = 0;
  const now = Date.UTC(2040, 0, 1);
  const body: NewCart = {
    items: [{ sku_id: shop.skuIds[0]!, quantity: 1 }],
    customer_id: null,
    tracking_data: guest,
    shipping: { service: null, value: 0 },
  };
  const cart = await createCart(handleAt(shop, now), body);
  const ids = await copiesOfCart(cart?.id ?? 0, runs);
  return {
    arbitrary: commands,
    run: async (run) => {
      const model: Model = {
        now,
        status: 'open',
        hasContact: true,
        edited: now,
        reminders: [],
        events: [],
      };
      const real = new Real(shop, ids.pop() ?? 0, now);
      await fc.asyncModelRun(() => ({ model, real }), run);
      const [row, told] = await Promise.all([
        real.db.find(carts, real.id),
        toldAfter(endpoint, seen),
      ]);
      expect([row?.status, row?.reminders]).toEqual([model.status, model.reminders.length]);
      expect(told).toEqual(model.events);
      seen += told.length;
    },
    recover: async () => {
      seen = await sequenceOf(endpoint);
    },
    end: () => Promise.resolve(),
  };
}

const runs = 2000;

describe('a cart', () => {
  it(
    `is at every moment what its table of states says, with its events, in ${runs} runs`,
    () => inLanes(runs, lane),
    300_000,
  );
});
