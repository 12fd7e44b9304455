import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoreDb } from '../../src/data/core/store-db.ts';
import { orders, type OrderStatus } from '../../src/data/schema/store/orders-tables.ts';
import { changeInvoice } from '../../src/sales/invoices/change-invoice.ts';
import { issueInvoice } from '../../src/sales/invoices/issue-invoice.ts';
import { changeOrder } from '../../src/sales/orders/change-order.ts';
import { fullOrderExtras } from '../../src/sales/orders/order-queries.ts';
import { placeOrder } from '../../src/sales/orders/place-order.ts';
import { toNewOrder, NewOrderRequest } from '../../src/sales/orders/requests.ts';
import { addTransaction } from '../../src/sales/transactions/add.ts';
import {
  cancelTransaction,
  captureTransaction,
  payTransaction,
  processDueTransaction,
  refuseTransaction,
} from '../../src/sales/transactions/transaction-commands.ts';
import { copyOrder } from '../support/fixtures/copies.ts';
import {
  orderBody,
  createSellingStore,
  stockOf,
  type SellingStore,
} from '../support/fixtures/selling-store.ts';
import { allowedOrderTransitions } from '../support/fixtures/state-tables.ts';
import { openStoreDb } from '../support/fixtures/store-db.ts';
import { runsOf } from '../support/slow.ts';
import {
  subscribeEndpoint,
  lastSequence,
  eventNamesAfter,
} from '../support/webhooks/recorded-events.ts';
import { OrderModel } from './order-model.ts';
import { runInParallel, type PropertyRunner } from './parallel-runs.ts';
import '../support/fixtures/first-shard.ts';

/**
 * The order under test, with the ids of its transactions and invoices in the order of their
 * creation.
 */
interface RealOrder {
  db: StoreDb;
  shop: SellingStore & { affiliationId: number };
  orderId: number;
  transactionIds: number[];
  invoiceIds: number[];
}

type Action = (real: RealOrder) => Promise<{ id: number } | undefined>;

/** Source of values that must be unique. */
let counter = 0;

/**
 * Returns whether an action succeeded; `false` for a 409 or a validation error. Throws any other
 * error.
 */
async function succeeds(result: Promise<unknown>): Promise<boolean> {
  try {
    if ((await result) === undefined) throw new Error('the record does not exist');
    return true;
  } catch (error) {
    const { status, errors } = error as { status?: number; errors?: object };
    if (status === 409 || (status === undefined && errors !== undefined)) return false;
    throw error;
  }
}

/** An action on the order; the model predicts whether it succeeds, and applies it to itself. */
class ActionCommand implements fc.AsyncCommand<OrderModel, RealOrder> {
  readonly name: string;
  readonly predict: (model: OrderModel) => boolean;
  readonly action: Action;
  readonly onCreated: ((real: RealOrder, id: number) => void) | undefined;

  constructor(
    name: string,
    predict: (model: OrderModel) => boolean,
    action: Action,
    onCreated?: (real: RealOrder, id: number) => void,
  ) {
    this.name = name;
    this.predict = predict;
    this.action = action;
    this.onCreated = onCreated;
  }

  check = () => true;

  async run(model: OrderModel, real: RealOrder) {
    const shouldSucceed = this.predict(model);
    let id: number | undefined;
    const result = this.action(real).then((record) => {
      id = record?.id;
      return record;
    });
    const didSucceed = await succeeds(result);
    if (didSucceed !== shouldSucceed) {
      throw new Error(`${this.name} ${didSucceed ? 'succeeded' : 'failed'}, unlike the model`);
    }
    if (shouldSucceed && id !== undefined) this.onCreated?.(real, id);
  }

  toString = () => this.name;
}

const changeStatus = fc.constantFrom(...allowedOrderTransitions.keys()).map(
  (to) =>
    new ActionCommand(
      `change the order to ${to}`,
      (model) => model.changeStatus(to),
      ({ db, orderId }) => changeOrder(db, orderId, { to: to as OrderStatus }),
    ),
);

const month = 30 * 86_400_000;

/** Cents: of an order of 100.00 one cent, parts of it, and one cent too many. */
const someCents = fc.constantFrom(1, 4_000, 6_000, 10_000, 10_001);

const newTransaction = fc
  .tuple(fc.constantFrom('credit_card', 'pix'), fc.option(someCents, { nil: undefined }))
  .map(
    ([alias, amount]) =>
      new ActionCommand(
        `add a ${alias} transaction of ${amount ?? 'the rest'}`,
        (model) => model.addTransaction(alias === 'pix' ? 'waiting_payment' : 'authorized', amount),
        ({ db, orderId, shop }) =>
          addTransaction(db, orderId, {
            amount,
            payment_id: shop.payments[alias] ?? 0,
            installments: 1,
            affiliation_id: alias === 'pix' ? null : shop.affiliationId,
            holder_name: null,
            holder_document: null,
            truncated_card: null,
          }),
        (real, id) => real.transactionIds.push(id),
      ),
  );

const changeTransaction = fc
  .tuple(
    fc.constantFrom('capture', 'capture', 'pay', 'refuse', 'cancel', 'wait'),
    fc.nat({ max: 2 }),
    fc.option(someCents, { nil: undefined }),
  )
  .map(([how, index, cents]) => {
    const part = how === 'capture' ? cents : undefined;
    const actions: Record<string, (db: StoreDb, id: number) => ReturnType<typeof payTransaction>> =
      {
        capture: (db, id) => captureTransaction(db, id, part),
        wait: (db, id) => processDueTransaction(db, id),
        pay: payTransaction,
        refuse: (db, id) => refuseTransaction(db, id, { error_code: 1, error_message: 'No.' }),
        cancel: cancelTransaction,
      };
    return new ActionCommand(
      `${how} ${part ?? ''} of transaction ${index}`,
      (model) => model.changeTransaction(how, index, part),
      async ({ db, shop, transactionIds }) => {
        const id = transactionIds[index];
        // The model rejects a missing transaction as well.
        if (id === undefined) throw Object.assign(new Error('none'), { status: 409 });
        return actions[how]?.(how === 'wait' ? openStoreDb(shop, db.now + month) : db, id);
      },
    );
  });

const newInvoice = fc.constant(null).map(
  () =>
    new ActionCommand(
      'issue an invoice',
      (model) => model.issueInvoice(),
      ({ db, orderId }) =>
        issueInvoice(db, orderId, {
          number: 1,
          series: 1,
          access_key: String((counter += 1)).padStart(44, '0'),
          value: (counter += 1),
          issued_at: 0,
          url: null,
        }),
      (real, id) => real.invoiceIds.push(id),
    ),
);

const cancelInvoice = fc.nat({ max: 1 }).map(
  (index) =>
    new ActionCommand(
      `cancel invoice ${index}`,
      (model) => model.cancelInvoice(index),
      async ({ db, orderId, invoiceIds }) => {
        const id = invoiceIds[index];
        if (id === undefined) throw Object.assign(new Error('none'), { status: 409 });
        // A new value each time: a change without effect succeeds in any status.
        return changeInvoice(db, { orderId, id }, { status: 'cancelled', value: (counter += 1) });
      },
    ),
);

const subscribedEvents = [
  'order.created',
  'order.paid',
  'order.status.updated',
  'order.invoice.created',
  'order.invoice.updated',
  'transaction.payment.refused',
  'product.inventory.updated',
];

const commands = fc.commands(
  [
    changeStatus,
    changeStatus,
    newTransaction,
    changeTransaction,
    changeTransaction,
    newInvoice,
    cancelInvoice,
  ],
  { maxCommands: 7 },
);

const units = 1_000_000;

/**
 * Creates a store with an order for each run and a webhook for all events; tracks the expected
 * stock over all runs.
 */
async function createRunner(
  runs: number,
): Promise<PropertyRunner<Iterable<fc.AsyncCommand<OrderModel, RealOrder>>>> {
  const selling = await createSellingStore({ quantity: units });
  const affiliation = await env.STORE_0.prepare(
    'update affiliations set auto_capture = 1 where store_id = ? returning id',
  )
    .bind(selling.id)
    .first<{ id: number }>();
  const shop = { ...selling, affiliationId: affiliation!.id };
  const endpoint = await subscribeEndpoint(shop, subscribedEvents);
  const [skuId = 0] = shop.skuIds;
  const first = await placeOrder(
    openStoreDb(shop),
    toNewOrder(NewOrderRequest.parse(orderBody(shop))),
  );
  expect(await eventNamesAfter(endpoint, 0)).toEqual([
    'order.created',
    'product.inventory.updated',
  ]);
  expect(await stockOf(shop, skuId)).toEqual({ quantity: units, reserved: 1 });
  const ids = await copyOrder(first?.id ?? 0, runs);
  await env.STORE_0.prepare('update stocks set reserved = ? where sku_id = ?')
    .bind(1 + runs, skuId)
    .run();
  let expectedStock = await stockOf(shop, skuId);
  let seen = await lastSequence(endpoint);
  return {
    arbitrary: commands,
    run: async (actions) => {
      const db = openStoreDb(shop);
      const model = new OrderModel(10_000);
      const real = { db, shop, orderId: ids.pop() ?? 0, transactionIds: [], invoiceIds: [] };
      await fc.asyncModelRun(() => ({ model, real }), actions);
      const published = await eventNamesAfter(endpoint, seen);
      expect(published).toEqual(model.events);
      const stored = await db.find(orders, real.orderId, fullOrderExtras);
      const payments = stored!.transactions.data.map(({ status, amount }) => ({ status, amount }));
      expect([stored!.status, payments]).toEqual([model.status, model.transactions]);
      expect(model.sumOf()).toBeLessThanOrEqual(stored!.value_total);
      seen += published.length;
      expectedStock.quantity += model.stock.quantity;
      expectedStock.reserved += model.stock.reserved - 1;
    },
    recover: async () => {
      expectedStock = await stockOf(shop, skuId);
      seen = await lastSequence(endpoint);
    },
    finish: async () => expect(await stockOf(shop, skuId)).toEqual(expectedStock),
  };
}

const runs = runsOf(1000, 64);

describe('an order with transactions and invoices', () => {
  it(
    `matches its model, with events and stock, in ${runs} random runs`,
    () => runInParallel(runs, createRunner),
    300_000,
  );
});
