import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** The cause of each event, and its use. */
export const eventTexts: DocumentTexts['events'] = {
  'order.created':
    'Sent once for each new order, from a cart or from outside. Use it to pick up the sale; wait for order.paid before you ship.',
  'order.paid':
    'Sent once when the payment of an order arrived. This is the moment to pick, invoice and ship. Comes after order.status.updated, or after order.created for an order that was paid elsewhere.',
  'order.status.updated':
    'Sent each time an order enters another status, no matter who caused it. resource has the new status, and desire_status what may follow.',
  'order.invoice.created':
    'Sent when a fiscal document of an order is recorded. Use it to send the document to the buyer.',
  'order.invoice.updated':
    'Sent when an invoice is corrected or cancelled. Compare status to see which.',
  'transaction.payment.refused':
    'Sent when a payment is refused. resource has the buyer and, if there was one, the cart, so that you can offer another way to pay.',
  'cart.reminder':
    'Sent when a cart with contact details becomes abandoned, again a day later, and at each manual reminder. Use it to write to the buyer; the service sends no mail of its own.',
  'customer.created':
    'Sent for each new customer, also for a guest who orders. Use it to keep a CRM or a mailing list up to date. Later changes send no event.',
  'customer.address.created':
    'Sent for each new shipping address of a customer, also for those created with the customer.',
  'product.created': 'Sent once for each new product, with its SKUs, brand, categories and images.',
  'product.updated':
    'Sent when a product or one of its SKUs changes, also by a bulk change of prices. resource is the whole product after the change. Stock has an event of its own.',
  'product.deleted':
    'Sent when a product is deleted. resource is its last state, so that you can find your own copy.',
  'product.inventory.updated':
    'Sent when the units of a SKU change: by you, by an order that reserves or takes them, or by one that gives them back. quantity less reserved can be sold.',
  'catalog.import_completed':
    'Sent once for each import of products that ends: done, cancelled or failed. resource says what came of its lines. An import with product_events=false sends this instead of the events of its products; then read the catalogue.',
  'app.connected':
    'Sent to the webhook of your app each time a merchant consents, also again. Use it to greet the merchant, or to note who has your app.',
  'app.disconnected':
    'Sent to the webhook of your app when its last connection to the store was ended. reason says by what. A connection that merely runs out sends nothing.',
  'customer.anonymized':
    'Sent to the webhook of every app that has or had a scope of customers, orders or carts in the store. Delete what you keep of the customer.',
  'store.closed':
    'Sent to the webhook of every app that the store is or was connected to. erase_at is when its data are erased here: delete yours by then.',
  'store.renamed':
    'Sent to the webhook of every app that the store is connected to. Calls of the former alias still arrive; file what you keep under the new one.',
};
