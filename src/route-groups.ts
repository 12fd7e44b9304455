import type { RouteGroup } from './http/lazy-routes.ts';

/** All groups of operations in the order of the specification. Groups that the specification lacks come last. */
export const routeGroups: readonly RouteGroup[] = [
  {
    tag: 'User',
    pathPrefixes: ['/auth/me'],
    load: async () => (await import('./resources/user.ts')).userOperations,
  },
  {
    tag: 'Brands',
    pathPrefixes: ['/{alias}/catalog/brands'],
    load: async () => (await import('./resources/brands.ts')).brandOperations,
  },
  {
    tag: 'Bundles (kits)',
    pathPrefixes: ['/{alias}/catalog/bundles'],
    load: async () => (await import('./resources/bundles/routes.ts')).bundleOperations,
  },
  {
    tag: 'Categories',
    pathPrefixes: ['/{alias}/catalog/categories'],
    load: async () => (await import('./resources/categories/routes.ts')).categoryOperations,
  },
  {
    tag: 'Collections',
    pathPrefixes: ['/{alias}/catalog/collections'],
    load: async () => (await import('./resources/collections/routes.ts')).collectionOperations,
  },
  {
    tag: 'Product comments',
    pathPrefixes: ['/{alias}/catalog/comments'],
    load: async () => (await import('./resources/comments/routes.ts')).commentOperations,
  },
  {
    tag: 'Customizations',
    pathPrefixes: ['/{alias}/catalog/customizations'],
    load: async () =>
      (await import('./resources/customizations/routes.ts')).customizationOperations,
  },
  {
    tag: 'Feeds',
    pathPrefixes: ['/{alias}/catalog/feeds'],
    load: async () => (await import('./resources/feeds.ts')).feedOperations,
  },
  {
    tag: 'Filter values',
    pathPrefixes: ['/{alias}/catalog/filters'],
    load: async () => (await import('./resources/filters/values/routes.ts')).filterValueOperations,
  },
  {
    tag: 'Flags',
    pathPrefixes: ['/{alias}/catalog/flags'],
    load: async () => (await import('./resources/flags/routes.ts')).flagOperations,
  },
  {
    tag: 'Payment configuration',
    pathPrefixes: ['/{alias}/checkout/payments'],
    load: async () => (await import('./resources/payments/routes.ts')).paymentOperations,
  },
  {
    tag: 'Transactions',
    pathPrefixes: ['/{alias}/checkout/transactions'],
    load: async () => (await import('./resources/transactions/routes.ts')).transactionOperations,
  },
  {
    tag: 'E-mail configuration',
    pathPrefixes: ['/{alias}/config/emails'],
    load: async () => (await import('./resources/emails/routes.ts')).emailOperations,
  },
  {
    tag: 'Webhooks',
    pathPrefixes: ['/{alias}/webhooks', '/{alias}/orders'],
    load: async () => (await import('./resources/webhooks/routes.ts')).webhookOperations,
  },
  {
    tag: 'Webhook deliveries',
    pathPrefixes: ['/{alias}/webhooks'],
    load: async () =>
      (await import('./resources/webhooks/deliveries/routes.ts')).deliveryOperations,
  },
  {
    tag: 'Webhook replays',
    pathPrefixes: ['/{alias}/webhooks'],
    load: async () => (await import('./resources/webhooks/replays/routes.ts')).replayOperations,
  },
  {
    tag: 'Webhook maintenance',
    pathPrefixes: ['/{alias}/webhooks'],
    load: async () =>
      (await import('./resources/webhooks/maintenance/routes.ts')).maintenanceOperations,
  },
  {
    tag: 'Feed of events',
    pathPrefixes: ['/{alias}/events'],
    load: async () => [
      ...(await import('./resources/events/routes.ts')).eventOperations,
      ...(await import('./resources/events/routes.ts')).eventReplayOperations,
    ],
  },
  {
    tag: 'Products',
    pathPrefixes: ['/{alias}/catalog/products'],
    load: async () => (await import('./resources/products/routes.ts')).productOperations,
  },
  {
    tag: 'SKUs and stock',
    pathPrefixes: ['/{alias}/catalog/products', '/{alias}/catalog/skus'],
    load: async () => (await import('./resources/products/skus/routes.ts')).skuOperations,
  },
  {
    tag: 'Imports',
    pathPrefixes: ['/{alias}/catalog/imports'],
    load: async () => (await import('./resources/imports/routes.ts')).importOperations,
  },
  {
    tag: 'Exports',
    pathPrefixes: ['/{alias}/catalog/exports'],
    load: async () => (await import('./resources/exports/routes.ts')).exportOperations,
  },
  {
    tag: 'Bulk changes',
    pathPrefixes: ['/{alias}/catalog/stocks', '/{alias}/catalog/prices'],
    load: async () => (await import('./resources/bulk/routes.ts')).bulkOperations,
  },
  {
    tag: 'Customers',
    pathPrefixes: ['/{alias}/customers'],
    load: async () => (await import('./resources/customers/routes.ts')).customerOperations,
  },
  {
    tag: 'Addresses of customers',
    pathPrefixes: ['/{alias}/customers'],
    load: async () => (await import('./resources/customers/addresses/routes.ts')).addressOperations,
  },
  {
    tag: 'Carts',
    pathPrefixes: ['/{alias}/checkout/carts'],
    load: async () => (await import('./resources/carts/routes.ts')).cartOperations,
  },
  {
    tag: 'Orders',
    pathPrefixes: ['/{alias}/orders', '/{alias}/checkout/statuses'],
    load: async () => (await import('./resources/orders/routes.ts')).orderOperations,
  },
  {
    tag: 'Parts of orders',
    pathPrefixes: ['/{alias}/orders'],
    load: async () => (await import('./resources/orders/parts/routes.ts')).orderPartOperations,
  },
  {
    tag: 'Invoices',
    pathPrefixes: ['/{alias}/orders'],
    load: async () => (await import('./resources/invoices/routes.ts')).invoiceOperations,
  },
  {
    tag: 'Store settings',
    pathPrefixes: ['/{alias}/config/settings'],
    load: async () => (await import('./resources/settings.ts')).settingsOperations,
  },
  {
    tag: 'Activity',
    pathPrefixes: ['/{alias}/audit'],
    load: async () => (await import('./resources/activity.ts')).activityOperations,
  },
  {
    tag: 'Banners',
    pathPrefixes: ['/{alias}/catalog/banners'],
    load: async () => (await import('./resources/banners.ts')).bannerOperations,
  },
  {
    tag: 'Filters',
    pathPrefixes: ['/{alias}/catalog/filters'],
    load: async () => (await import('./resources/filters/routes.ts')).filterOperations,
  },
  {
    tag: 'Test stores',
    pathPrefixes: ['/{alias}/test'],
    load: async () => (await import('./resources/test-stores/routes.ts')).testStoreOperations,
  },
  {
    tag: 'Operators',
    pathPrefixes: [
      '/operator/stores',
      '/operator/shards',
      '/operator/users',
      '/operator/apps',
      '/operator/health',
      '/operator/audit',
    ],
    load: async () => (await import('./resources/operator/routes.ts')).operatorOperations,
  },
];
