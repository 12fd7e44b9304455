import { eventNames, type EventName } from '../../data/grants/event-catalogue.ts';
import type { Command } from './command.ts';
import { openSession } from './session.ts';
import {
  correctInvoice,
  postCart,
  createCustomerWithAddress,
  createProductWithStock,
  postInvoice,
  orderByCard,
  simulateOutcome,
  type CallApi,
} from './store-steps.ts';
import { didYouMean, UsageError } from './usage-error.ts';

/** Causes an event by calls of the API. Resolves with the path of the record that it is about. */
type Trigger = (call: CallApi, mark: string) => Promise<string>;

const product: Trigger = async (call, mark) => {
  const { productId } = await createProductWithStock(call, mark);
  return `/catalog/products/${productId}`;
};

const customer: Trigger = async (call, mark) => {
  const { customerId } = await createCustomerWithAddress(call, mark);
  return `/customers/${customerId}`;
};

async function makeCart(call: CallApi, mark: string) {
  const { skuId } = await createProductWithStock(call, mark);
  const { customerId, addressId } = await createCustomerWithAddress(call, mark);
  return { addressId, cartId: await postCart(call, customerId, skuId) };
}

async function makeOrder(call: CallApi, mark: string) {
  const { cartId, addressId } = await makeCart(call, mark);
  return orderByCard(call, cartId, addressId);
}

const settled =
  (outcome: 'pay' | 'refuse'): Trigger =>
  async (call, mark) => {
    const { orderId, transactionId } = await makeOrder(call, mark);
    await simulateOutcome(call, transactionId, outcome);
    return `/orders/${orderId}`;
  };

async function makeInvoice(call: CallApi, mark: string) {
  const orderPath = await settled('pay')(call, mark);
  const orderId = Number(orderPath.split('/').at(-1));
  return { orderId, invoiceId: await postInvoice(call, orderId) };
}

const triggers: Readonly<Record<EventName, Trigger>> = {
  'product.created': product,
  'product.inventory.updated': product,
  'product.updated': async (call, mark) => {
    const path = await product(call, mark);
    await call(`PUT ${path}`, { name: `Caneca ${mark}, 350 ml` });
    return path;
  },
  'product.deleted': async (call, mark) => {
    const path = await product(call, mark);
    await call(`DELETE ${path}`);
    return path;
  },
  'customer.created': customer,
  'customer.address.created': customer,
  'cart.reminder': async (call, mark) => {
    const { cartId } = await makeCart(call, mark);
    await call(`POST /checkout/carts/${cartId}/reminders`);
    return `/checkout/carts/${cartId}`;
  },
  'order.created': async (call, mark) => `/orders/${(await makeOrder(call, mark)).orderId}`,
  'order.paid': settled('pay'),
  'order.status.updated': settled('pay'),
  'transaction.payment.refused': settled('refuse'),
  'order.invoice.created': async (call, mark) => {
    const { orderId, invoiceId } = await makeInvoice(call, mark);
    return `/orders/${orderId}/invoices/${invoiceId}`;
  },
  'order.invoice.updated': async (call, mark) => {
    const { orderId, invoiceId } = await makeInvoice(call, mark);
    await correctInvoice(call, orderId, invoiceId);
    return `/orders/${orderId}/invoices/${invoiceId}`;
  },
  'catalog.import_completed': async (call, mark) => {
    const { brandId } = await createProductWithStock(call, mark);
    const line = { name: `Bule ${mark}`, simple: true, active: true, brand_id: brandId };
    const { data } = await call('POST /catalog/imports', line, 'application/x-ndjson');
    return `/catalog/imports/${data.id}`;
  },
};

const isEventName = (name: string): name is EventName => Object.hasOwn(triggers, name);

export const trigger: Command = {
  summary: 'cause an event in a test store: store-api trigger order.paid',
  usage: 'EVENT [options]',
  details: `
Causes the event by ordinary calls: order.paid creates a product, a customer, a cart and an order, and pays it.
The steps before cause their own events as well. The records stay in the store. Payments need a test store.

The events: ${eventNames.join(', ')}.`,
  options: {},
  run: async (input) => {
    const [name = '', ...others] = input.positionals;
    if (!isEventName(name) || others.length > 0) {
      const meant = others.length > 0 ? '' : didYouMean(name, eventNames);
      throw new UsageError(`Which event?${meant} One of ${eventNames.join(', ')}.`);
    }
    const { call, store } = openSession(input);
    const path = await triggers[name](call, Date.now().toString(36));
    const { terminal } = input;
    if (terminal.isJson) terminal.print({ event: name, store, path });
    else terminal.line(`${name} happened in ${store}: ${path}`);
  },
};
