import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** Ids in paths, by the path without `/{alias}/` up to the id. */
export const pathParameterTexts: DocumentTexts['pathParameters'] = {
  'catalog/brands/{id}': 'Brand: brand_id of its products.',
  'catalog/bundles/{id}': 'Kit: bundle_id of its items.',
  'catalog/categories/{id}': 'Category, as in parent_id and categories_ids.',
  'catalog/collections/{id}': 'Collection, as in parent_id and collection_id.',
  'catalog/comments/{id}': 'Comment or answer, as in comment_id.',
  'catalog/customizations/{id}': 'Customization, from its list.',
  'catalog/feeds/{id}': 'Feed, from the list of feeds.',
  'catalog/filters/{filterId}': 'Filter, from the list of filters.',
  'catalog/filters/{filterId}/values/{id}': 'Value of this filter; under another filter it is 404.',
  'catalog/flags/{id}': 'Seal, as in the filter flag_id of products.',
  'catalog/banners/{id}':
    'Which picture: the number that categories and collections have in banners_ids.',
  'catalog/products/{id}': 'Which one: the number that other records have as product_id.',
  'catalog/skus/{id}': 'SKU, as in sku_id: a number, not your own code.',
  'catalog/skus/{id}/stocks/{stockId}':
    'Location of the stock: its stock_id, not its id. Every SKU has location 1.',
  'catalog/imports/{id}': 'Import, from the answer that started it.',
  'catalog/exports/{id}': 'Export, from the answer that started it.',
  'checkout/payments/{paymentId}': 'Payment type, as in payment_id; differs from store to store.',
  'checkout/payments/{paymentId}/config/{id}':
    'Configuration of this payment type: config_id in the list of payment types.',
  'checkout/transactions/{id}': 'Transaction, from its list or from an order.',
  'checkout/carts/{id}': 'Cart, from the answer that created it.',
  'customers/{id}': 'Which one: the number that orders and carts have as customer_id.',
  'customers/{customerId}': 'Customer whose addresses are meant.',
  'customers/{customerId}/addresses/{id}':
    'Address of this customer; under another customer it is 404.',
  'orders/{id}': 'Order: its id, not the number that buyers know.',
  'orders/{orderId}': 'Order: its id, not the number that buyers know.',
  'orders/{orderId}/invoices/{id}': 'Invoice of this order; under another order it is 404.',
  'orders/webhooks/{id}': 'Webhook, from the answer that created it.',
  'webhooks/{id}': 'Webhook, from the answer that created it.',
  'webhooks/{id}/deliveries/{seq}': 'Sequence number of the delivery, from its header or the list.',
  'webhooks/{id}/replays/{replayId}': 'Replay, from the answer that started it.',
  'events/{event_id}': 'Event: webhook-id in the headers of its deliveries, or id in the feed.',
  'operator/stores/{id}': 'Store, as in store_id or from the list of stores.',
  'operator/stores/{id}/members/{user_id}': 'Whom it is about: user_id in the list of members.',
  'operator/stores/{id}/exports/{jobId}': 'Export, from the answer that asked for it.',
  'operator/stores/{id}/moves/{jobId}': 'Move, from the answer that asked for it.',
  'operator/stores/{id}/erasures/{jobId}': 'Erasure, from the answer that asked for it.',
  'operator/jobs/{id}': 'Job, from the answer that asked for it.',
  'operator/users/{id}/keys/{key_id}': 'Key, from keys of the user.',
  'operator/users/{id}': 'User, as in user_id or from the list of users.',
  'operator/apps/{id}': 'App: its number in the list of apps, not its client id.',
  'operator/hosts/{id}': 'Host: its number in the list of blocked hosts.',
};

/** Query parameters that need more than their default text. */
export const queryParameterTexts: DocumentTexts['queryParameters'] = {
  'listBrands name':
    'Brands whose name contains this text, whatever the case and accents. Empty: all.',
  'listCategories active':
    'true for categories that the shop shows, false for hidden ones. Without it, both.',
  'listCategories featured':
    'true for highlighted categories, false for the others. Without it, both.',
  'listCategories name': 'Categories whose name contains this text, whatever the case and accents.',
  'listCategories slug': 'The category with exactly this slug.',
  'listCategories seo_title': 'Categories whose title for search engines contains this text.',
  'listCategories seo_keywords': 'Categories whose search words contain this text.',
  'listCategories seo_description':
    'Categories whose summary for search engines contains this text.',
  'listCategories banners_ids':
    'Categories that show any of these banners: ids separated by commas, or several banners_ids[].',
  'listCategories external_url': 'Categories whose menu entry leads to exactly this address.',
  'listCategories canonical_url': 'Categories with exactly this canonical address.',
  'listCategories onlyParents': 'true for categories at the root only.',
  'listCollections onlyParents': 'true for collections at the root only.',
  'listCollections includes':
    'Another name of include for products and banners. Any other name is a 400.',
  'listComments onlyParents': 'true for comments only, without the answers.',
  'listProducts name': 'Products whose name contains this text, whatever the case and accents.',
  'listProducts q':
    'Products whose name, slug or own code contains this text. Codes of SKUs are not searched.',
  'listProducts active': 'true for products on sale, false for hidden ones. Without it, both.',
  'listProducts brand_id':
    'Products of any of these brands: ids separated by commas, or several brand_id[].',
  'listProducts category_id':
    'Products that are linked to any of these categories: ids separated by commas, or several category_id[]. Categories below do not count.',
  'listProducts collection_id':
    'Products that are linked to any of these collections: ids separated by commas, or several collection_id[].',
  'listProducts flag_id':
    'Products that have any of these seals now, by their rules: ids separated by commas, or several flag_id[].',
  'listCustomers q':
    'Customers whose full name or e-mail address contains this text. For tax numbers use search.',
  'listCarts status':
    'Carts in any of these statuses, separated by commas, or several status[]. abandoned finds buyers to win back.',
  'listCarts email': 'Carts of guests whose e-mail address contains this text.',
  'listCarts customer_id': 'Carts of this buyer; guests have none.',
  'listOrders status':
    'Orders that are in any of these statuses now, by alias: separated by commas, or several status[]. A delivered order was paid, too.',
  'listOrders status_id':
    'Orders in any of these statuses, by number: separated by commas, or several status_id[].',
  'listOrders customer_id': 'What this buyer bought, by the number of the customer.',
  'listOrders q': 'Orders whose number or tracking number contains this text.',
  'listTransactions order_id': 'Attempts to pay this order.',
  'listTransactions status':
    'Transactions in any of these statuses: separated by commas, or several status[].',
  'listWebhookDeliveries event':
    'Deliveries that tell of this, such as order.paid; replays count as well.',
  'listWebhookDeliveries state':
    'Only deliveries in this state; gave_up and held find what did not arrive.',
};
