import { eq } from 'drizzle-orm';
import { dayMs, minuteMs } from '../../base/durations.ts';
import type { Database } from '../../data/core/open-database.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Store } from '../../data/core/store.ts';
import { carts } from '../../data/schema/store/carts-tables.ts';
import { skus } from '../../data/schema/store/catalog-tables.ts';
import { customers, addresses } from '../../data/schema/store/customers-tables.ts';
import { orders } from '../../data/schema/store/orders-tables.ts';
import type { OrderStatus } from '../../data/schema/store/orders-tables.ts';
import { payments } from '../../data/schema/store/payments-tables.ts';
import { createCart } from '../../sales/carts/commands.ts';
import { processDueCart } from '../../sales/carts/reminders.ts';
import { NewCart } from '../../sales/carts/requests.ts';
import { issueInvoice } from '../../sales/invoices/issue-invoice.ts';
import { changeOrder } from '../../sales/orders/change-order.ts';
import { type FullOrder, fullOrderExtras } from '../../sales/orders/order-queries.ts';
import { placeOrder } from '../../sales/orders/place-order.ts';
import {
  captureTransaction,
  payTransaction,
  refuseTransaction,
} from '../../sales/transactions/transaction-commands.ts';
import { insertMissing, createSeedDb, findIdsBy } from '../../stores/test-stores/insert-missing.ts';
import type { CartSeed } from './carts-data.ts';
import type { OrderSeed } from './orders-data.ts';

/** Creates the missing carts in the past, and processes the timers that were due since then. */
export async function seedCarts(
  store: Store,
  database: Database,
  seeds: readonly CartSeed[],
  now: number,
) {
  const db = createSeedDb(store, database, now);
  const codes = seeds.flatMap(({ items }) => items.map(({ sku }) => sku));
  const skuIds = await findIdsBy(db, skus, skus.sku, codes);
  const emails = seeds.flatMap(({ customer }) => customer ?? []);
  const customerIds = await findIdsBy(db, customers, customers.email, emails);
  const target = { table: carts, column: carts.shipment_service, seeds };
  await insertMissing(
    db,
    { ...target, keyOf: ({ service }) => service },
    async ({ service, shipping, customer, guest, items, minutesAgo }) => {
      const pastDb = createSeedDb(store, database, now - minutesAgo * minuteMs);
      const created = await createCart(
        pastDb,
        NewCart.parse({
          customer_id: customer === undefined ? null : customerIds.get(customer),
          tracking_data: guest ?? null,
          shipping: { service, value: shipping },
          items: items.map(({ sku, quantity }) => ({ sku_id: skuIds.get(sku), quantity })),
        }),
      );
      for (let cart = created; cart?.due_at && cart.due_at <= now;) {
        const { id, due_at } = cart;
        await processDueCart(createSeedDb(store, database, due_at), {
          kind: 'cart',
          id,
          store_id: store.id,
          due_at,
        });
        const processed = await db.find(carts, id);
        cart = processed && { ...cart, ...processed };
      }
      return created;
    },
  );
}

/**
 * Moves an order to its next status by the same command that a payment, an invoice or a user would
 * run.
 */
async function applyOrderStatus(db: StoreDb, order: FullOrder, to: OrderStatus, trackCode: string) {
  const [transaction] = order.transactions.data;
  if (!transaction) throw new Error('a demo order has a transaction');
  switch (to) {
    case 'paid':
      return transaction.status === 'authorized'
        ? captureTransaction(db, transaction.id)
        : payTransaction(db, transaction.id);
    case 'refused':
      return refuseTransaction(db, transaction.id, {
        error_code: 51,
        error_message: 'Saldo insuficiente.',
      });
    case 'invoiced':
      return issueInvoice(db, order.id, {
        number: order.number,
        series: 1,
        access_key: String(order.number).padStart(44, '3526'),
        value: order.value_total,
        issued_at: db.now,
        url: null,
      });
    default:
      return changeOrder(db, order.id, {
        to,
        columns: to === 'on_carriage' ? { track_code: trackCode } : {},
      });
  }
}

/**
 * Places the missing orders, and moves each through those of its statuses that it has not reached
 * yet.
 */
export async function seedOrders(
  store: Store,
  database: Database,
  seeds: readonly OrderSeed[],
  now: number,
): Promise<void> {
  if (seeds.length === 0) return;
  const db = createSeedDb(store, database, now);
  const codes = seeds.flatMap(({ items }) => items.map(({ sku }) => sku));
  const skuIds = await findIdsBy(db, skus, skus.sku, codes);
  const customerIds = await findIdsBy(
    db,
    customers,
    customers.email,
    seeds.map(({ email }) => email),
  );
  const paymentIds = await findIdsBy(
    db,
    payments,
    payments.alias,
    seeds.map(({ payment }) => payment),
  );
  const orderIds = await insertMissing(
    db,
    { table: orders, column: orders.utm_content, seeds, keyOf: ({ trackCode }) => trackCode },
    async (seed) => {
      const customer_id = customerIds.get(seed.email) ?? 0;
      const [savedAddresses] = await db.batch([
        db.select(addresses, { where: eq(addresses.customer_id, customer_id) }),
      ]);
      return placeOrder(createSeedDb(store, database, now - seed.daysAgo * dayMs), {
        buyer: { id: customer_id },
        items: seed.items.map(({ sku, quantity }) => ({ sku_id: skuIds.get(sku) ?? 0, quantity })),
        shipping: { id: savedAddresses[0]?.id ?? 0 },
        value_shipment: Math.round(seed.shipment * 100),
        value_discount: 0,
        value_tax: 0,
        shipment_service: 'Correios',
        utm_source: 'demo',
        utm_medium: null,
        utm_campaign: null,
        utm_term: null,
        utm_content: seed.trackCode,
        metadata: [],
        payment: {
          payment_id: paymentIds.get(seed.payment) ?? 0,
          installments: seed.installments ?? 1,
          affiliation_id: null,
          holder_name: null,
          holder_document: null,
          truncated_card: null,
        },
        isPaid: false,
        cart: undefined,
      });
    },
  );
  for (const seed of seeds) {
    const id = orderIds.get(seed.trackCode) ?? 0;
    const order = await db.find(orders, id, fullOrderExtras);
    if (!order) continue;
    const reached = order.statuses.data.length - 1;
    for (const [step, status] of seed.statuses.entries()) {
      const stepDb = createSeedDb(store, database, now - (seed.daysAgo - step) * dayMs);
      if (step >= reached) await applyOrderStatus(stepDb, order, status, seed.trackCode);
    }
  }
}
