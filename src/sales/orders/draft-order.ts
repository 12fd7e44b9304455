import { maxCents } from '../../base/codecs/fields/scalars.ts';
import { ValidationError } from '../../base/errors.ts';
import type { StockedSku } from '../../catalog/stock/stock.ts';
import { baseColumns } from '../../data/core/reserved-ids.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import type { addresses, customers } from '../../data/schema/store/customers-tables.ts';
import { orderStatusIds } from '../../data/schema/store/orders-tables.ts';
import { buildTransaction, toTransactionRecord } from '../transactions/new-transaction.ts';
import type { PaymentTerms } from '../transactions/payment-terms.ts';
import { toStockLines, resolveOrderLines, type OrderLine } from './lines.ts';
import type { NewOrder, ShippingAddress } from './new-order.ts';
import type { FullOrder } from './order-queries.ts';

/** Input of a new order: reserved ids and the records that the order refers to. */
export interface OrderInputs {
  ids: {
    /** Of a buyer who is new to the store. */
    customer: number;
    order: number;
    /** Id of the last item; the ids of the items are consecutive. */
    lastItem: number;
    address: number;
    statusChange: number;
    transaction: number;
  };
  skus: readonly StockedSku[];
  customer: Row<typeof customers> | undefined;
  address: Row<typeof addresses> | undefined;
  terms: PaymentTerms;
}

/**
 * Returns a new order as it will be read after the insert. Only its number is missing: the counter
 * of the store assigns it inside the batch. Throws a `ValidationError`, or 409 `out_of_stock`, if
 * the order cannot be placed.
 */
export function draftOrder(db: StoreDb, order: NewOrder, inputs: OrderInputs) {
  const { customer, ids, terms } = inputs;
  if (!customer || customer.anonymized) {
    throw new ValidationError({ customer_id: ['No such customer in this store.'] });
  }
  const address = resolveShippingAddress(order.shipping, inputs.address);
  const lines = resolveOrderLines(order.items, inputs.skus);
  const amounts = calculateOrderAmounts(lines, order);
  const payable = {
    order_id: ids.order,
    customer_id: customer.id,
    amount: amounts.value_total,
    isPaid: order.isPaid,
  };
  const transaction = order.payment && buildTransaction(db, payable, order.payment, terms);
  const status = order.isPaid ? 'paid' : 'waiting_payment';
  const {
    payment: _payment,
    items: _items,
    shipping: _shipping,
    isPaid: _paid,
    buyer: _buyer,
    cart,
    ...columns
  } = order;
  const draft: FullOrder = {
    ...columns,
    ...amounts,
    ...baseColumns(db, ids.order),
    customer_id: customer.id,
    number: 0,
    revision: 1,
    cart_id: cart?.id ?? null,
    cart_token: cart?.token ?? null,
    status,
    status_id: orderStatusIds[status],
    buyer_value_total: transaction?.buyer_amount ?? amounts.value_total,
    track_code: null,
    track_url: null,
    date_delivery: null,
    open_invoices: 0,
    payments: transaction && terms.payment ? [terms.payment] : [],
    customer: { data: customer },
    items: {
      data: lines.map((line, index) => ({
        ...toOrderItem(line),
        ...baseColumns(db, ids.lastItem - lines.length + 1 + index),
        order_id: ids.order,
      })),
    },
    transactions: {
      data: transaction ? [toTransactionRecord(db, ids.transaction, transaction, terms)] : [],
    },
    invoices: { data: [] },
    shipping_address: {
      data: { ...address, ...baseColumns(db, ids.address), order_id: ids.order },
    },
    statuses: { data: [{ ...baseColumns(db, ids.statusChange), order_id: ids.order, status }] },
  };
  return { draft, customer, stockLines: toStockLines(lines) };
}

const toOrderItem = ({ sku, units, price, stock }: OrderLine) => ({
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

/**
 * Returns the amounts of an order in cents. Throws a `ValidationError` if the total exceeds the
 * largest amount, or the discount exceeds the total before the discount.
 */
function calculateOrderAmounts(
  lines: readonly { units: number; price: number }[],
  values: { value_shipment: number; value_discount: number; value_tax: number },
) {
  const { value_shipment, value_discount, value_tax } = values;
  const value_products = lines.reduce((sum, { units, price }) => sum + units * price, 0);
  const beforeDiscount = value_products + value_shipment + value_tax;
  if (beforeDiscount > maxCents) {
    throw new ValidationError({ items: ['Must not add up to more than 99,999,999.99.'] });
  }
  if (value_discount > beforeDiscount) {
    throw new ValidationError({ value_discount: ['Must not exceed the order total.'] });
  }
  return {
    value_products,
    value_shipment,
    value_discount,
    value_tax,
    value_total: beforeDiscount - value_discount,
  };
}

/**
 * Returns the address that the order keeps as its own copy. `saved` is the address of the customer
 * that the order refers to. Throws a `ValidationError` if the customer has no such address.
 */
function resolveShippingAddress(
  shipping: NewOrder['shipping'],
  saved: Row<typeof addresses> | undefined,
): ShippingAddress {
  if (!('id' in shipping)) return shipping;
  if (!saved) {
    throw new ValidationError({ shipping_address_id: ['This customer has no such address.'] });
  }
  const { receiver, zipcode, street, number, complement, neighborhood, city, state, country } =
    saved;
  return { receiver, zipcode, street, number, complement, neighborhood, city, state, country };
}
