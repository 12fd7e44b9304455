import type { RouteGroup } from '../http/mount.ts';

/** All groups of operations in the order of the specification. Groups that the specification lacks come last. */
export const routeGroups: readonly RouteGroup[] = [
  {
    tag: 'User',
    pathPrefixes: ['/auth/me'],
    load: async () => (await import('./user.ts')).userOperations,
  },
  {
    tag: 'Brands',
    pathPrefixes: ['/{alias}/catalog/brands'],
    load: async () => (await import('./brands.ts')).brandOperations,
  },
  {
    tag: 'Bundles (kits)',
    pathPrefixes: ['/{alias}/catalog/bundles'],
    load: async () => (await import('./bundles.ts')).bundleOperations,
  },
  {
    tag: 'Categories',
    pathPrefixes: ['/{alias}/catalog/categories'],
    load: async () => (await import('./categories/routes.ts')).categoryOperations,
  },
  {
    tag: 'Collections',
    pathPrefixes: ['/{alias}/catalog/collections'],
    load: async () => (await import('./collections/routes.ts')).collectionOperations,
  },
  {
    tag: 'Product comments',
    pathPrefixes: ['/{alias}/catalog/comments'],
    load: async () => (await import('./comments.ts')).commentOperations,
  },
  {
    tag: 'Customizations',
    pathPrefixes: ['/{alias}/catalog/customizations'],
    load: async () => (await import('./customizations.ts')).customizationOperations,
  },
  {
    tag: 'Feeds',
    pathPrefixes: ['/{alias}/catalog/feeds'],
    load: async () => (await import('./feeds.ts')).feedOperations,
  },
  {
    tag: 'Filter values',
    pathPrefixes: ['/{alias}/catalog/filters'],
    load: async () => (await import('./filters.ts')).filterValueOperations,
  },
  {
    tag: 'Flags',
    pathPrefixes: ['/{alias}/catalog/flags'],
    load: async () => (await import('./flags.ts')).flagOperations,
  },
  {
    tag: 'Payment configuration',
    pathPrefixes: ['/{alias}/checkout/payments'],
    load: async () => (await import('./payments/routes.ts')).paymentOperations,
  },
  {
    tag: 'Transactions',
    pathPrefixes: ['/{alias}/checkout/transactions'],
    load: async () => (await import('./transactions.ts')).transactionOperations,
  },
  {
    tag: 'E-mail configuration',
    pathPrefixes: ['/{alias}/config/emails'],
    load: async () => (await import('./emails.ts')).emailOperations,
  },
  {
    tag: 'Webhooks',
    pathPrefixes: ['/{alias}/webhooks', '/{alias}/orders'],
    load: async () => (await import('./webhooks/routes.ts')).webhookOperations,
  },
  {
    tag: 'Webhook deliveries',
    pathPrefixes: ['/{alias}/webhooks'],
    load: async () => (await import('./webhooks/deliveries.ts')).deliveryOperations,
  },
  {
    tag: 'Webhook replays',
    pathPrefixes: ['/{alias}/webhooks'],
    load: async () => (await import('./webhooks/replays.ts')).replayOperations,
  },
  {
    tag: 'Webhook maintenance',
    pathPrefixes: ['/{alias}/webhooks'],
    load: async () => (await import('./webhooks/maintenance.ts')).maintenanceOperations,
  },
  {
    tag: 'Feed of events',
    pathPrefixes: ['/{alias}/events'],
    load: async () => [
      ...(await import('./events.ts')).eventOperations,
      ...(await import('./events.ts')).eventReplayOperations,
    ],
  },
  {
    tag: 'Products',
    pathPrefixes: ['/{alias}/catalog/products'],
    load: async () => (await import('./products/routes.ts')).productOperations,
  },
  {
    tag: 'SKUs and stock',
    pathPrefixes: ['/{alias}/catalog/products', '/{alias}/catalog/skus'],
    load: async () => (await import('./skus/routes.ts')).skuOperations,
  },
  {
    tag: 'Imports',
    pathPrefixes: ['/{alias}/catalog/imports'],
    load: async () => (await import('./transfers.ts')).importOperations,
  },
  {
    tag: 'Exports',
    pathPrefixes: ['/{alias}/catalog/exports'],
    load: async () => (await import('./transfers.ts')).exportOperations,
  },
  {
    tag: 'Bulk changes',
    pathPrefixes: ['/{alias}/catalog/stocks', '/{alias}/catalog/prices'],
    load: async () => (await import('./bulk/routes.ts')).bulkOperations,
  },
  {
    tag: 'Customers',
    pathPrefixes: ['/{alias}/customers'],
    load: async () => (await import('./customers/routes.ts')).customerOperations,
  },
  {
    tag: 'Addresses of customers',
    pathPrefixes: ['/{alias}/customers'],
    load: async () => (await import('./customers/addresses.ts')).addressOperations,
  },
  {
    tag: 'Carts',
    pathPrefixes: ['/{alias}/checkout/carts'],
    load: async () => (await import('./carts/routes.ts')).cartOperations,
  },
  {
    tag: 'Orders',
    pathPrefixes: ['/{alias}/orders', '/{alias}/checkout/statuses'],
    load: async () => (await import('./orders/routes.ts')).orderOperations,
  },
  {
    tag: 'Parts of orders',
    pathPrefixes: ['/{alias}/orders'],
    load: async () => (await import('./orders/parts.ts')).orderPartOperations,
  },
  {
    tag: 'Invoices',
    pathPrefixes: ['/{alias}/orders'],
    load: async () => (await import('./invoices.ts')).invoiceOperations,
  },
  {
    tag: 'Reports',
    pathPrefixes: ['/{alias}/reports'],
    load: async () => (await import('./reports.ts')).reportOperations,
  },
  {
    tag: 'Store settings',
    pathPrefixes: ['/{alias}/config/settings'],
    load: async () => (await import('./settings.ts')).settingsOperations,
  },
  {
    tag: 'Activity',
    pathPrefixes: ['/{alias}/audit', '/{alias}/requests'],
    load: async () => (await import('./activity.ts')).activityOperations,
  },
  {
    tag: 'Banners',
    pathPrefixes: ['/{alias}/catalog/banners'],
    load: async () => (await import('./banners/routes.ts')).bannerOperations,
  },
  {
    tag: 'Filters',
    pathPrefixes: ['/{alias}/catalog/filters'],
    load: async () => (await import('./filters.ts')).filterOperations,
  },
  {
    tag: 'Test stores',
    pathPrefixes: ['/{alias}/test'],
    load: async () => (await import('./test-stores.ts')).testStoreOperations,
  },
  {
    tag: 'Operators',
    pathPrefixes: [
      '/operator/stores',
      '/operator/users',
      '/operator/apps',
      '/operator/hosts',
      '/operator/health',
      '/operator/audit',
    ],
    load: async () => (await import('./operator/routes.ts')).operatorOperations,
  },
  {
    tag: 'Jobs of operators',
    pathPrefixes: ['/operator/stores', '/operator/shards', '/operator/users', '/operator/jobs'],
    load: async () => (await import('./operator/jobs.ts')).jobOperations,
  },
];
