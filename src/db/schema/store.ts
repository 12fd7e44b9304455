export { bundleItems, bundles } from './bundles.ts';
export { productComments } from './comments.ts';
export { cartItems, carts, storeSettings } from './carts.ts';
export { addresses, customers } from './customers.ts';
export { customizationProducts, customizations } from './customizations.ts';
export { emailConfigurations } from './emails.ts';
export { filters, filterValues } from './filters.ts';
export { banners } from './banners.ts';
export {
  categories,
  categoryBanners,
  categoryFilterValues,
  categoryProducts,
} from './categories.ts';
export { brands, products, skus, stocks } from './catalog.ts';
export { productImages } from './product-images.ts';
export {
  collectionBanners,
  collectionProducts,
  collectionRules,
  collections,
} from './collections.ts';
export { feeds } from './feeds.ts';
export { flagRules, flags } from './flags.ts';
export { oauthEvents, oauthGrants } from './grants.ts';
export { idempotencyKeys } from './idempotency.ts';
export { invoices } from './invoices.ts';
export { orderAddresses, orderItems, orderNumbers, orders, orderStatuses } from './orders.ts';
export { transactions } from './transactions.ts';
export { affiliations, paymentConfigurations, paymentInstallments, payments } from './payments.ts';
export { assertions, sequences, totals } from './machinery.ts';
export { webhookDeadHints, webhookNotices } from './webhook-alarms.ts';
export {
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
  webhookSubscriptions,
} from './webhooks.ts';
export { webhookAudit, webhookHosts, webhookPings, webhookReplays } from './webhook-upkeep.ts';
