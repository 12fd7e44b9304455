import {
  correctInvoice,
  postCart,
  createCustomerWithAddress,
  createProductWithStock,
  postInvoice,
  orderByCard,
  payByPix,
  simulateOutcome,
  type CallApi,
  type Data,
} from '../client/cli/store-steps.ts';
import { specifiedEventNames, type EventName } from '../data/grants/event-catalogue.ts';

export interface WalkOptions {
  /** URL of the receiver. */
  inboxUrl: string;
  /** Resolves once the reminder of the idle cart has been sent. */
  awaitReminder: (cartId: number) => Promise<void>;
  /** Called with a line about each step. */
  log: (line: string) => void;
}

/** The records that the walk creates in the store. */
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
 * Causes each event of the specification at least once, only by calls of the API. A customer's idle
 * cart becomes an order that is paid at the second attempt, invoiced and delivered; then the
 * product is edited and deleted. The store must be a test store that accepts cards and pix. `mark`
 * makes the names of the records unique.
 */
export async function runWalk(
  call: CallApi,
  mark: string,
  { inboxUrl, awaitReminder, log }: WalkOptions,
): Promise<WalkResult> {
  const { data: webhook } = await call<Data<WalkResult['webhook']>>('POST /webhooks', {
    name: `Walk ${mark}`,
    url: inboxUrl,
    events: specifiedEventNames,
  });
  log(`webhook ${webhook.id} sends all ${specifiedEventNames.length} events to ${inboxUrl}`);

  const { brandId, productId, skuId } = await createProductWithStock(call, mark);
  log(`product ${productId} with 12 units`);
  const { customerId, addressId } = await createCustomerWithAddress(call, mark);
  log(`customer ${customerId} with address ${addressId}`);

  const cartId = await postCart(call, customerId, skuId);
  await awaitReminder(cartId);
  log(`cart ${cartId} was left idle; its reminder was sent`);

  const { orderId, transactionId } = await orderByCard(call, cartId, addressId);
  await simulateOutcome(call, transactionId, 'refuse');
  await payByPix(call, orderId);
  log(`order ${orderId} of this cart: card refused, pix paid`);
  await correctInvoice(call, orderId, await postInvoice(call, orderId));
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
