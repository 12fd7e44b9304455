import type { Section } from './http/operation.ts';
import { bannerOperations } from './resources/banners.ts';
import { brandOperations } from './resources/brands.ts';
import { bundleOperations } from './resources/bundles/rows.ts';
import { commentOperations } from './resources/comments/rows.ts';
import { customizationOperations } from './resources/customizations/rows.ts';
import { filterOperations } from './resources/filters/rows.ts';
import { filterValueOperations } from './resources/filters/value-rows.ts';
import { cartOperations } from './resources/carts/rows.ts';
import { categoryOperations } from './resources/categories/rows.ts';
import { collectionOperations } from './resources/collections/rows.ts';
import { eventOperations } from './resources/events/rows.ts';
import { addressOperations } from './resources/customers/address-rows.ts';
import { customerOperations } from './resources/customers/rows.ts';
import { emailOperations } from './resources/emails/rows.ts';
import { feedOperations } from './resources/feeds.ts';
import { flagOperations } from './resources/flags/rows.ts';
import { invoiceOperations } from './resources/invoices/rows.ts';
import { orderPartOperations } from './resources/orders/part-rows.ts';
import { orderOperations } from './resources/orders/rows.ts';
import { paymentOperations } from './resources/payments/rows.ts';
import { settingsOperations } from './resources/settings/rows.ts';
import { productOperations } from './resources/products/rows.ts';
import { skuOperations } from './resources/products/sku-rows.ts';
import { transactionOperations } from './resources/transactions/rows.ts';
import { userOperations } from './resources/user.ts';
import { deliveryOperations } from './resources/webhooks/delivery-rows.ts';
import { replayOperations } from './resources/webhooks/replay-rows.ts';
import { webhookOperations } from './resources/webhooks/rows.ts';
import { upkeepOperations } from './resources/webhooks/upkeep-rows.ts';

/** Every row of the API, in the order of the specification; what it does not have comes last. */
export const sections: readonly Section[] = [
  { heading: 'User', operations: userOperations },
  { heading: 'Brands', operations: brandOperations },
  { heading: 'Bundles (kits)', operations: bundleOperations },
  { heading: 'Categories', operations: categoryOperations },
  { heading: 'Collections', operations: collectionOperations },
  { heading: 'Product comments', operations: commentOperations },
  { heading: 'Customizations', operations: customizationOperations },
  { heading: 'Feeds', operations: feedOperations },
  { heading: 'Filter values', operations: filterValueOperations },
  { heading: 'Flags', operations: flagOperations },
  { heading: 'Payment configuration', operations: paymentOperations },
  { heading: 'Transactions', operations: transactionOperations },
  { heading: 'E-mail configuration', operations: emailOperations },
  { heading: 'Webhooks', operations: webhookOperations },
  { heading: 'Webhook deliveries', operations: deliveryOperations },
  { heading: 'Webhook replays', operations: replayOperations },
  { heading: 'Webhook upkeep', operations: upkeepOperations },
  { heading: 'Feed of events', operations: eventOperations },
  { heading: 'Products', operations: productOperations },
  { heading: 'SKUs and stock', operations: skuOperations },
  { heading: 'Customers', operations: customerOperations },
  { heading: 'Addresses of customers', operations: addressOperations },
  { heading: 'Carts', operations: cartOperations },
  { heading: 'Orders', operations: orderOperations },
  { heading: 'Parts of orders', operations: orderPartOperations },
  { heading: 'Invoices', operations: invoiceOperations },
  { heading: 'Store settings', operations: settingsOperations },
  { heading: 'Banners', operations: bannerOperations },
  { heading: 'Filters', operations: filterOperations },
];
