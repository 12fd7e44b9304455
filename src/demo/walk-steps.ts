import type { EventName } from '../events/catalogue.ts';
import { eventNames } from '../events/catalogue.ts';

/** Calls a row of one store, `call('POST /catalog/brands', {...})`; answers with the body, throws when it is refused. */
export type Call = <T = Data<{ id: number }>>(request: string, body?: object) => Promise<T>;

interface Data<T> {
  data: T;
}

/** What a walk needs besides the store. */
export interface Surroundings {
  /** Where the events are sent. */
  inbox: string;
  /** Lets a cart be idle until its reminder has been sent. */
  leaveIdle: (cartId: number) => Promise<void>;
  /** Gets a line about each step. */
  say: (line: string) => void;
}

/** What a walk has left in the store. */
export interface Walked {
  webhook: { id: number; secret_key: string };
  orderId: number;
  productId: number;
}

/** What the walk makes happen, in this order and no more (sources 7). */
export const walkedEvents: readonly EventName[] = [
  'product.created',
  'product.inventory.updated', // the stock is counted again
  'customer.created',
  'customer.address.created',
  'cart.reminder',
  'order.created',
  'product.inventory.updated', // reserved
  'transaction.payment.refused',
  'order.status.updated', // refused
  'product.inventory.updated', // released
  'order.status.updated', // waiting_payment
  'product.inventory.updated', // reserved again
  'order.status.updated', // paid
  'order.paid',
  'product.inventory.updated', // gone
  'order.invoice.created',
  'order.status.updated', // invoiced
  'order.invoice.updated',
  'order.status.updated', // ready_for_shipping
  'order.status.updated', // on_carriage
  'order.status.updated', // delivered
  'product.updated',
  'product.deleted',
];

/**
 * The walk that fires all 13 events (sources 7), by the rows of the API alone: product with stock, customer with
 * address, cart left idle, cart to order, card refused, pix paid, invoice issued and corrected, delivered, product edited
 * and deleted. The store must be a test store that takes cards and pix. What it makes is named after `mark`.
 */
export async function walk(call: Call, mark: string, around: Surroundings): Promise<Walked> {
  const { inbox, leaveIdle, say } = around;
  const { data: webhook } = await call<Data<Walked['webhook']>>('POST /webhooks', {
    name: `Walk ${mark}`,
    url: inbox,
    events: eventNames,
  });
  say(`webhook ${webhook.id} sends all ${eventNames.length} events to ${inbox}`);

  const { brandId, productId, skuId } = await stockProduct(call, mark);
  say(`product ${productId} with 12 units`);
  const { customerId, addressId } = await welcomeCustomer(call, mark);
  say(`customer ${customerId} with address ${addressId}`);

  const { data: cart } = await call('POST /checkout/carts', {
    customer_id: customerId,
    items: [{ sku_id: skuId, quantity: 2 }],
    shipping: { service: 'PAC', value: 12.5 },
  });
  await leaveIdle(cart.id);
  say(`cart ${cart.id} was left idle and is reminded of`);

  const orderId = await payAtSecondTry(call, cart.id, addressId);
  say(`order ${orderId} of it: card refused, pix paid`);
  await invoice(call, orderId);
  say('invoice issued and corrected');
  for (const status of ['ready_for_shipping', 'on_carriage', 'delivered']) {
    await call(`PUT /orders/${orderId}`, { status });
  }
  say('delivered');

  await call(`PUT /catalog/products/${productId}`, { name: `Caneca ${mark}, 350 ml` });
  await call(`DELETE /catalog/products/${productId}`);
  await call(`DELETE /catalog/brands/${brandId}`);
  say('product edited and deleted');
  return { webhook, orderId, productId };
}

async function stockProduct(call: Call, mark: string) {
  const { data: brand } = await call('POST /catalog/brands', {
    name: `Olaria ${mark}`,
    active: true,
  });
  const { data: product } = await call('POST /catalog/products', {
    name: `Caneca ${mark}`,
    simple: true,
    active: true,
    brand_id: brand.id,
    skus: [{ sku: `CAN-${mark}`, price_sale: 39.9, quantity: 10, quantity_managed: true }],
  });
  const { data: skus } = await call<Data<[{ id: number }]>>(
    `GET /catalog/products/${product.id}/skus`,
  );
  const skuId = skus[0].id;
  await call(`PUT /catalog/skus/${skuId}/stocks/1`, { delta: 2 });
  return { brandId: brand.id, productId: product.id, skuId };
}

/** A person who never was; the CPF fits its check digits. */
async function welcomeCustomer(call: Call, mark: string) {
  const { data: customer } = await call('POST /customers', {
    email: `clara.${mark}@cliente.test`,
    first_name: 'Clara',
    last_name: 'Exemplo',
    type: 'f',
    cpf: '529.982.247-25',
    phone: '+55 (11) 91234-5678',
    addresses: [
      {
        receiver: 'Clara Exemplo',
        zipcode: '01310-100',
        street: 'Rua do Exemplo',
        number: '1',
        neighborhood: 'Centro',
        city: 'São Paulo',
        state: 'SP',
      },
    ],
  });
  const { data: addresses } = await call<Data<[{ id: number }]>>(
    `GET /customers/${customer.id}/addresses`,
  );
  return { customerId: customer.id, addressId: addresses[0].id };
}

/** Makes an order of a cart, whose card is refused and whose pix is paid. */
async function payAtSecondTry(call: Call, cartId: number, addressId: number) {
  const { data: types } = await call<Data<{ id: number; alias: string }[]>>(
    'GET /checkout/payments?limit=100',
  );
  const idOf = (wanted: string) => types.find(({ alias }) => alias === wanted)?.id;
  const { data: order } = await call(`POST /checkout/carts/${cartId}/orders`, {
    payment_id: idOf('credit_card'),
    shipping_address_id: addressId,
    holder_name: 'CLARA EXEMPLO',
  });
  const { data: tried } = await call<Data<[{ id: number }]>>(
    `GET /orders/${order.id}/transactions`,
  );
  const simulate = (id: number, outcome: string) =>
    call(`POST /checkout/transactions/${id}/simulate`, { outcome });
  await simulate(tried[0].id, 'refuse');
  const { data: pix } = await call(`POST /orders/${order.id}/transactions`, {
    payment_id: idOf('pix'),
  });
  await simulate(pix.id, 'pay');
  return order.id;
}

async function invoice(call: Call, orderId: number) {
  const { data: issued } = await call(`POST /orders/${orderId}/invoices`, {
    number: orderId,
    series: 1,
    access_key: `${Date.now()}`.padStart(44, '0'),
    value: 92.3,
    issued_at: new Date().toISOString(),
  });
  await call(`PUT /orders/${orderId}/invoices/${issued.id}`, { series: 2 });
}
