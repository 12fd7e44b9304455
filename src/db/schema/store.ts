export { banners } from './banners.ts';
export { brands, products, skus, stocks } from './catalog.ts';
export { assertions, sequences, totals } from './machinery.ts';
export {
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
  webhookReplays,
  webhookSubscriptions,
} from './webhooks.ts';
