import { eventNames, type EventName } from '../events/catalogue.ts';

/** Calls an operation of one store: `call('POST /catalog/brands', {...})`. Returns the body; rejects unless 2xx. */
export type CallApi = <T = Data<{ id: number }>>(request: string, body?: object) => Promise<T>;

interface Data<T> {
  data: T;
}

export interface WalkOptions {
  /** URL of the receiver. */
  inboxUrl: string;
  /** Resolves once the reminder of the idle cart has been sent. */
  awaitReminder: (cartId: number) => Promise<void>;
  /** Called with a line about each step. */
  log: (line: string) => void;
}

/** What the walk leaves behind in the store. */
export interface WalkResult {
  webhook: { id: number; secret_key: string };
  orderId: number;
  productId: number;
}

/** The events that the walk causes, in this order and no others. */
export const expectedWalkEvents: readonly EventName[] = [
  'product.created',
  'product.inventory.updated', // stock changed by hand
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
  'product.inventory.updated', // sold
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
 * Causes each of the 13 events at least once, only by calls of the API. A customer's idle cart becomes an order that
 * is paid at the second attempt, invoiced and delivered; then the product is edited and deleted. The store must be a
 * test store that accepts cards and pix. `mark` makes the names of the records unique.
 */
export async function runWalk(
  call: CallApi,
  mark: string,
  { inboxUrl, awaitReminder, log }: WalkOptions,
): Promise<WalkResult> {
  const { data: webhook } = await call<Data<WalkResult['webhook']>>('POST /webhooks', {
    name: `Walk ${mark}`,
    url: inboxUrl,
    events: eventNames,
  });
  log(`webhook ${webhook.id} sends all ${eventNames.length} events to ${inboxUrl}`);

  const { brandId, productId, skuId } = await createProductWithStock(call, mark);
  log(`product ${productId} with 12 units`);
  const { customerId, addressId } = await createCustomerWithAddress(call, mark);
  log(`customer ${customerId} with address ${addressId}`);

  const { data: cart } = await call('POST /checkout/carts', {
    customer_id: customerId,
    items: [{ sku_id: skuId, quantity: 2 }],
    shipping: { service: 'PAC', value: 12.5 },
  });
  await awaitReminder(cart.id);
  log(`cart ${cart.id} was left idle; its reminder was sent`);

  const orderId = await orderAndPayOnSecondAttempt(call, cart.id, addressId);
  log(`order ${orderId} of this cart: card refused, pix paid`);
  await issueAndEditInvoice(call, orderId);
  log('invoice issued and corrected');
  for (const status of ['ready_for_shipping', 'on_carriage', 'delivered']) {
    await call(`PUT /orders/${orderId}`, { status });
  }
  log('delivered');

  await call(`PUT /catalog/products/${productId}`, { name: `Caneca ${mark}, 350 ml` });
  await call(`DELETE /catalog/products/${productId}`);
  await call(`DELETE /catalog/brands/${brandId}`);
  log('product edited and deleted');
  return { webhook, orderId, productId };
}

async function createProductWithStock(call: CallApi, mark: string) {
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

/** The customer is invented; the CPF has valid check digits. */
async function createCustomerWithAddress(call: CallApi, mark: string) {
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

/** Orders a cart. The card payment is refused, then a pix payment succeeds. */
async function orderAndPayOnSecondAttempt(call: CallApi, cartId: number, addressId: number) {
  const { data: types } = await call<Data<{ id: number; alias: string }[]>>(
    'GET /checkout/payments?limit=100',
  );
  const idOf = (name: string) => types.find(({ alias }) => alias === name)?.id;
  const { data: order } = await call(`POST /checkout/carts/${cartId}/orders`, {
    payment_id: idOf('credit_card'),
    shipping_address_id: addressId,
    holder_name: 'CLARA EXEMPLO',
  });
  const { data: transactions } = await call<Data<[{ id: number }]>>(
    `GET /orders/${order.id}/transactions`,
  );
  const simulate = (id: number, outcome: string) =>
    call(`POST /checkout/transactions/${id}/simulate`, { outcome });
  await simulate(transactions[0].id, 'refuse');
  const { data: pix } = await call(`POST /orders/${order.id}/transactions`, {
    payment_id: idOf('pix'),
  });
  await simulate(pix.id, 'pay');
  return order.id;
}

async function issueAndEditInvoice(call: CallApi, orderId: number) {
  const { data: created } = await call(`POST /orders/${orderId}/invoices`, {
    number: orderId,
    series: 1,
    access_key: `${Date.now()}`.padStart(44, '0'),
    value: 92.3,
    issued_at: new Date().toISOString(),
  });
  await call(`PUT /orders/${orderId}/invoices/${created.id}`, { series: 2 });
}
