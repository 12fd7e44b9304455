import { orderStatusIds } from '../db/schema/orders.ts';
import type { addresses, customers } from '../db/schema/store.ts';
import { stamps } from '../db/stamps.ts';
import type { StoreDb } from '../db/store.ts';
import type { Row } from '../db/table.ts';
import { InvalidBody } from '../problem.ts';
import type { NewOrder } from './new-order.ts';
import { newTransaction, storedTransaction } from './new-transaction.ts';
import { orderAmounts } from './order-amounts.ts';
import { managedLines, orderLines, type OrderLine } from './order-lines.ts';
import type { WholeOrder } from './order-reading.ts';
import type { Terms } from './payment-terms.ts';
import { shippingOf } from './shipping.ts';
import type { StockedSku } from './stocked-skus.ts';

/** What was read for a new order: the ids reserved for it and what it names. */
export interface Surroundings {
  ids: { order: number; lastItem: number; address: number; history: number; transaction: number };
  skus: readonly StockedSku[];
  customer: Row<typeof customers> | undefined;
  address: Row<typeof addresses> | undefined;
  terms: Terms;
}

/**
 * A new order as it will be read once it is stored, except for its number, which the store's counter gives it in the
 * transaction. Throws an `InvalidBody`, or 409 `out_of_stock`, when it cannot be placed.
 */
export function draftOrder(db: StoreDb, order: NewOrder, read: Surroundings) {
  const { customer, ids, terms } = read;
  if (!customer || customer.anonymized) {
    throw new InvalidBody({ customer_id: ['No such customer in this store.'] });
  }
  const address = shippingOf(order.shipping, read.address);
  const lines = orderLines(order.items, read.skus);
  const amounts = orderAmounts(lines, order);
  const payable = {
    order_id: ids.order,
    customer_id: customer.id,
    amount: amounts.value_total,
    isPaid: order.isPaid,
  };
  const paying = order.payment && newTransaction(db, payable, order.payment, terms);
  const status = order.isPaid ? 'paid' : 'waiting_payment';
  const {
    payment: _payment,
    items: _items,
    shipping: _shipping,
    isPaid: _paid,
    cart,
    ...sent
  } = order;
  const whole: WholeOrder = {
    ...sent,
    ...amounts,
    ...stamps(db, ids.order),
    number: 0,
    revision: 1,
    cart_id: cart?.id ?? null,
    cart_token: cart?.token ?? null,
    status,
    status_id: orderStatusIds[status],
    buyer_value_total: paying?.buyer_amount ?? amounts.value_total,
    track_code: null,
    track_code_folded: null,
    track_url: null,
    date_delivery: null,
    open_invoices: 0,
    payments: paying && terms.payment ? [terms.payment] : [],
    customer: { data: customer },
    items: {
      data: lines.map((line, place) => ({
        ...itemOf(line),
        ...stamps(db, ids.lastItem - lines.length + 1 + place),
        order_id: ids.order,
      })),
    },
    transactions: { data: paying ? [storedTransaction(db, ids.transaction, paying, terms)] : [] },
    invoices: { data: [] },
    shipping_address: { data: { ...address, ...stamps(db, ids.address), order_id: ids.order } },
    statuses: { data: [{ ...stamps(db, ids.history), order_id: ids.order, status }] },
  };
  return { whole, customer, stock: managedLines(lines) };
}

const itemOf = ({ sku, units, price, stock }: OrderLine) => ({
  sku_id: sku.id,
  product_id: sku.product_id,
  stock_row_id: stock?.id ?? null,
  sku: sku.sku,
  name: sku.product.data?.name ?? sku.sku,
  title: sku.title,
  quantity: units,
  price,
  value_total: price * units,
});
