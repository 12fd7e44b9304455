import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addTransaction } from '../../src/commerce/add-transaction.ts';
import { cancelTransaction } from '../../src/commerce/cancel-transaction.ts';
import { captureTransaction } from '../../src/commerce/capture-transaction.ts';
import { changeInvoice } from '../../src/commerce/change-invoice.ts';
import { issueInvoice } from '../../src/commerce/issue-invoice.ts';
import { moveOrder } from '../../src/commerce/move-order.ts';
import { payTransaction } from '../../src/commerce/pay-transaction.ts';
import { placeOrder } from '../../src/commerce/place-order.ts';
import { refuseTransaction } from '../../src/commerce/refuse-transaction.ts';
import type { OrderStatus } from '../../src/db/schema/orders.ts';
import type { StoreDb } from '../../src/db/store.ts';
import { newOrderOf } from '../../src/resources/orders/new-order-of.ts';
import { NewOrderRequest } from '../../src/resources/orders/requests.ts';
import { allowedFrom } from '../support/arrows.ts';
import { copiesOfOrder } from '../support/copies.ts';
import { dbOf } from '../support/db.ts';
import { subscribe } from '../support/events.ts';
import { sequenceOf, toldAfter } from '../support/told-after.ts';
import { inLanes, type LaneOfRuns } from '../support/lanes-of-runs.ts';
import { orderBody, sellingStore, stockOf, type SellingStore } from '../support/selling.ts';
import { Model } from './reference-model.ts';

/** The order under test, what it is called in the database, and what its events are read from. */
interface Real {
  db: StoreDb;
  shop: SellingStore;
  orderId: number;
  transactionIds: number[];
  invoiceIds: number[];
}

type Act = (real: Real) => Promise<{ id: number } | undefined>;

/** For values that must be new each time. */
let fresh = 0;

/** Runs an action and tells whether it was done, or refused as a 409 or as invalid data. */
async function isDone(act: Promise<unknown>): Promise<boolean> {
  try {
    if ((await act) === undefined) throw new Error('there was nothing to act on');
    return true;
  } catch (error) {
    const { status, errors } = error as { status?: number; errors?: object };
    if (status === 409 || (status === undefined && errors !== undefined)) return false;
    throw error;
  }
}

/** One thing to try; the model says whether it must be done, and what follows. */
class Try implements fc.AsyncCommand<Model, Real> {
  readonly name: string;
  readonly predict: (model: Model) => boolean;
  readonly act: Act;
  readonly keep: ((real: Real, id: number) => void) | undefined;

  constructor(
    name: string,
    predict: (model: Model) => boolean,
    act: Act,
    keep?: (real: Real, id: number) => void,
  ) {
    this.name = name;
    this.predict = predict;
    this.act = act;
    this.keep = keep;
  }

  check = () => true;

  async run(model: Model, real: Real) {
    const must = this.predict(model);
    let id: number | undefined;
    const act = this.act(real).then((answer) => {
      id = answer?.id;
      return answer;
    });
    const done = await isDone(act);
    if (done !== must) throw new Error(`${this.name}: ${done ? 'done' : 'refused'}`);
    if (must && id !== undefined) this.keep?.(real, id);
  }

  toString = () => this.name;
}

const move = fc.constantFrom(...allowedFrom.keys()).map(
  (to) =>
    new Try(
      `move to ${to}`,
      (model) => model.move(to),
      ({ db, orderId }) => moveOrder(db, orderId, { to: to as OrderStatus }),
    ),
);

const pay = fc.constantFrom('credit_card', 'pix').map(
  (alias) =>
    new Try(
      `new ${alias}`,
      (model) => model.addTransaction(alias === 'pix' ? 'waiting_payment' : 'authorized'),
      ({ db, orderId, shop }) =>
        addTransaction(db, orderId, {
          payment_id: shop.payments[alias] ?? 0,
          installments: 1,
          affiliation_id: null,
          holder_name: null,
          holder_document: null,
          truncated_card: null,
        }),
      (real, id) => real.transactionIds.push(id),
    ),
);

const settle = fc
  .tuple(fc.constantFrom('capture', 'pay', 'refuse', 'cancel'), fc.nat({ max: 2 }))
  .map(([how, place]) => {
    const acts: Record<string, (db: StoreDb, id: number) => ReturnType<typeof payTransaction>> = {
      capture: (db, id) => captureTransaction(db, id),
      pay: payTransaction,
      refuse: (db, id) => refuseTransaction(db, id, { error_code: 1, error_message: 'No.' }),
      cancel: cancelTransaction,
    };
    return new Try(
      `${how} transaction ${place}`,
      (model) => model.settle(how, place),
      async ({ db, transactionIds }) => {
        const id = transactionIds[place];
        // One that is not there is refused by the model as well.
        if (id === undefined) throw Object.assign(new Error('none'), { status: 409 });
        return acts[how]?.(db, id);
      },
    );
  });

const invoice = fc.constant(null).map(
  () =>
    new Try(
      'issue an invoice',
      (model) => model.issueInvoice(),
      ({ db, orderId }) =>
        issueInvoice(db, orderId, {
          number: 1,
          series: 1,
          access_key: String((fresh += 1)).padStart(44, '0'),
          value: (fresh += 1),
          issued_at: 0,
          url: null,
        }),
      (real, id) => real.invoiceIds.push(id),
    ),
);

const cancelInvoice = fc.nat({ max: 1 }).map(
  (place) =>
    new Try(
      `cancel invoice ${place}`,
      (model) => model.cancelInvoice(place),
      async ({ db, orderId, invoiceIds }) => {
        const id = invoiceIds[place];
        if (id === undefined) throw Object.assign(new Error('none'), { status: 409 });
        // Another value than the last time, since what changes nothing is done whatever the state.
        return changeInvoice(db, { orderId, id }, { status: 'cancelled', value: (fresh += 1) });
      },
    ),
);

const heard = [
  'order.created',
  'order.paid',
  'order.status.updated',
  'order.invoice.created',
  'order.invoice.updated',
  'transaction.payment.refused',
  'product.inventory.updated',
];

const commands = fc.commands([move, move, pay, settle, settle, invoice, cancelInvoice], {
  maxCommands: 5,
});

const units = 1_000_000;

/** A store with an order for each run that hears of everything, and what its stock must be after all runs. */
async function lane(runs: number): Promise<LaneOfRuns<Iterable<fc.AsyncCommand<Model, Real>>>> {
  const shop = await sellingStore({ quantity: units });
  const endpoint = await subscribe(shop, heard);
  const [skuId = 0] = shop.skuIds;
  const first = await placeOrder(dbOf(shop), newOrderOf(NewOrderRequest.parse(orderBody(shop))));
  expect(await toldAfter(endpoint, 0)).toEqual(['order.created', 'product.inventory.updated']);
  expect(await stockOf(shop, skuId)).toEqual({ quantity: units, reserved: 1 });
  const ids = await copiesOfOrder(first?.id ?? 0, runs);
  await env.STORE_0.prepare('update stocks set reserved = ? where sku_id = ?')
    .bind(1 + runs, skuId)
    .run();
  let total = await stockOf(shop, skuId);
  let seen = await sequenceOf(endpoint);
  return {
    arbitrary: commands,
    run: async (tries) => {
      const db = dbOf(shop);
      const model = new Model();
      const real = { db, shop, orderId: ids.pop() ?? 0, transactionIds: [], invoiceIds: [] };
      await fc.asyncModelRun(() => ({ model, real }), tries);
      const told = await toldAfter(endpoint, seen);
      expect(told).toEqual(model.events);
      seen += told.length;
      total.quantity += model.stock.quantity;
      total.reserved += model.stock.reserved - 1;
    },
    recover: async () => {
      total = await stockOf(shop, skuId);
      seen = await sequenceOf(endpoint);
    },
    end: async () => expect(await stockOf(shop, skuId)).toEqual(total),
  };
}

const runs = 2000;

describe('orders, their transactions and their invoices', () => {
  it(
    `do what the model does, with its events and its stock, in ${runs} runs`,
    () => inLanes(runs, lane),
    300_000,
  );
});
