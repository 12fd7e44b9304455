import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { orderCart } from '../../src/commerce/order-cart.ts';
import { remindOfCart } from '../../src/commerce/remind-of-cart.ts';
import { settleDueCart } from '../../src/commerce/settle-due-cart.ts';
import { openShard } from '../../src/db/open.ts';
import { carts } from '../../src/db/schema/store.ts';
import { handle } from '../../src/demo/handle.ts';
import { Problem } from '../../src/problem.ts';
import { createCart, updateCart } from '../../src/resources/carts/writing.ts';
import { subscribe } from '../support/events.ts';
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
  /** How many cart.reminder and order.created there are. */
  sent: { reminders: number; orders: number };
}

let shop: SellingStore;
let endpoints: number[];

beforeAll(async () => {
  shop = await sellingStore({ quantity: 1_000_000 });
  endpoints = [await subscribe(shop, ['cart.reminder']), await subscribe(shop, ['order.created'])];
});

/** The real cart, under a clock of its own. */
class Real {
  readonly id: number;
  now: number;
  quantity = 1;

  constructor(id: number, now: number) {
    this.id = id;
    this.now = now;
  }

  get db() {
    return handleAt(this.now);
  }
}

const handleAt = (now: number) =>
  handle(
    { ...shop, shard: 0, zone: 'UTC', base_url: 'https://a.test', active: true, test: true },
    openShard(env.STORE_0),
    now,
  );

/** How many events there are so far, without reading them: each endpoint hears of one and counts. */
async function counts(): Promise<number[]> {
  const { results } = await env.STORE_0.prepare(
    'select last_seq from webhook_endpoints where id in (?, ?) order by id',
  )
    .bind(...endpoints)
    .all<{ last_seq: number }>();
  return results.map(({ last_seq }) => last_seq);
}

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

/** Time passes, and then timers run, two at once. */
const wait = (ms: number) =>
  command(`wait ${ms / hour} h`, async (model, real) => {
    model.now = real.now += ms;
    const row = await real.db.find(carts, real.id);
    if (row?.due_at && row.due_at <= real.now) {
      const due = { kind: 'cart' as const, id: real.id, store_id: shop.id, due_at: row.due_at };
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
      model.sent.reminders += 1;
    }
  });

const edit = (hasContact: boolean) =>
  command(hasContact ? 'edit' : 'edit, of nobody', async (model, real) => {
    real.quantity = (real.quantity % 5) + 1;
    const items = [{ sku_id: shop.skuIds[0]!, quantity: real.quantity }];
    const body = { items, customer_id: null, tracking_data: hasContact ? guest : null };
    expect(await statusOf(updateCart(real.db, real.id, body))).toBe(isClosed(model) ? 409 : 200);
    if (isClosed(model)) return;
    Object.assign(model, { status: 'open', hasContact, edited: model.now, reminders: [] });
  });

const remind = () =>
  command('remind', async (model, real) => {
    const mayBe = !isClosed(model) && model.hasContact;
    expect(await statusOf(remindOfCart(real.db, real.id))).toBe(mayBe ? 200 : 409);
    if (mayBe) model.sent.reminders += 1;
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
      payment: { payment_id: shop.payments.deposit!, ...how, ...card },
      shipping: { ...place, ...area },
    };
    const mayBe = !isClosed(model) && model.hasContact;
    expect(await statusOf(orderCart(real.db, real.id, checkout))).toBe(mayBe ? 200 : 409);
    if (!mayBe) return;
    model.status = 'converted';
    model.sent.orders += 1;
  });

/** After every command the real cart is what the model says, and there are as many events. */
const checked = (one: Command, before: () => number[]): Command => ({
  ...one,
  run: async (model, real) => {
    await one.run(model, real);
    const row = await real.db.find(carts, real.id);
    expect([row?.status, row?.reminders]).toEqual([model.status, model.reminders.length]);
    const sent = (await counts()).map((count, index) => count - before()[index]!);
    expect(sent).toEqual([model.sent.reminders, model.sent.orders]);
  },
});

describe('a cart', () => {
  it('is at every moment what its table of states says, with an event for each reminder and order', async () => {
    let before: number[] = [];
    const commands = [
      ...[hour / 2, hour, day, 10 * day, 30 * day].map((ms) => fc.constant(wait(ms))),
      fc.constant(edit(true)),
      fc.constant(edit(false)),
      fc.constant(remind()),
      fc.constant(order()),
    ].map((one) => one.map((command) => checked(command, () => before)));
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 12 }), async (run) => {
        before = await counts();
        const now = Date.UTC(2040, 0, 1);
        const items = [{ sku_id: shop.skuIds[0]!, quantity: 1 }];
        const shipping = { service: null, value: 0 };
        const body = { items, customer_id: null, tracking_data: guest, shipping };
        const made = await createCart(handleAt(now), body);
        const model = { now, status: 'open' as const, hasContact: true, edited: now };
        await fc.asyncModelRun(
          () => ({
            model: { ...model, reminders: [], sent: { reminders: 0, orders: 0 } },
            real: new Real(made!.id, now),
          }),
          run,
        );
      }),
      { numRuns: 200 },
    );
  }, 60_000);
});
