import type { RouteGroup } from '../http/mount.ts';

/**
 * All groups of operations in the order of the specification. Groups that the specification lacks
 * come last.
 */
export const routeGroups: readonly RouteGroup[] = [
  {
    tag: 'User',
    pathPrefixes: ['/auth/me'],
    load: async () => (await import('../accounts/user.ts')).userOperations,
  },
  {
    tag: 'Brands',
    pathPrefixes: ['/{alias}/catalog/brands'],
    load: async () => (await import('../catalog/brands.ts')).brandOperations,
  },
  {
    tag: 'Bundles (kits)',
    pathPrefixes: ['/{alias}/catalog/bundles'],
    load: async () => (await import('../catalog/bundles/routes.ts')).bundleOperations,
  },
  {
    tag: 'Categories',
    pathPrefixes: ['/{alias}/catalog/categories'],
    load: async () => (await import('../catalog/categories/routes.ts')).categoryOperations,
  },
  {
    tag: 'Collections',
    pathPrefixes: ['/{alias}/catalog/collections'],
    load: async () => (await import('../catalog/collections/routes.ts')).collectionOperations,
  },
  {
    tag: 'Product comments',
    pathPrefixes: ['/{alias}/catalog/comments'],
    load: async () => (await import('../catalog/comments.ts')).commentOperations,
  },
  {
    tag: 'Customizations',
    pathPrefixes: ['/{alias}/catalog/customizations'],
    load: async () => (await import('../catalog/customizations.ts')).customizationOperations,
  },
  {
    tag: 'Feeds',
    pathPrefixes: ['/{alias}/catalog/feeds'],
    load: async () => (await import('../catalog/feeds.ts')).feedOperations,
  },
  {
    tag: 'Filter values',
    pathPrefixes: ['/{alias}/catalog/filters'],
    load: async () => (await import('../catalog/filters.ts')).filterValueOperations,
  },
  {
    tag: 'Flags',
    pathPrefixes: ['/{alias}/catalog/flags'],
    load: async () => (await import('../catalog/flags/routes.ts')).flagOperations,
  },
  {
    tag: 'Payment configuration',
    pathPrefixes: ['/{alias}/checkout/payments'],
    load: async () => (await import('../sales/payments/routes.ts')).paymentOperations,
  },
  {
    tag: 'Transactions',
    pathPrefixes: ['/{alias}/checkout/transactions'],
    load: async () => (await import('../sales/transactions/routes.ts')).transactionOperations,
  },
  {
    tag: 'E-mail configuration',
    pathPrefixes: ['/{alias}/config/emails'],
    load: async () => (await import('../stores/emails.ts')).emailOperations,
  },
  {
    tag: 'Webhooks',
    pathPrefixes: ['/{alias}/webhooks', '/{alias}/orders'],
    load: async () => (await import('../webhooks/operations/routes.ts')).webhookOperations,
  },
  {
    tag: 'Webhook deliveries',
    pathPrefixes: ['/{alias}/webhooks'],
    load: async () => (await import('../webhooks/operations/deliveries.ts')).deliveryOperations,
  },
  {
    tag: 'Webhook replays',
    pathPrefixes: ['/{alias}/webhooks'],
    load: async () => (await import('../webhooks/operations/replays.ts')).replayOperations,
  },
  {
    tag: 'Webhook maintenance',
    pathPrefixes: ['/{alias}/webhooks'],
    load: async () => (await import('../webhooks/operations/maintenance.ts')).maintenanceOperations,
  },
  {
    tag: 'Feed of events',
    pathPrefixes: ['/{alias}/events'],
    load: async () => [
      ...(await import('../webhooks/operations/events.ts')).eventOperations,
      ...(await import('../webhooks/operations/events.ts')).eventReplayOperations,
    ],
  },
  {
    tag: 'Products',
    pathPrefixes: ['/{alias}/catalog/products'],
    load: async () => (await import('../catalog/products/routes.ts')).productOperations,
  },
  {
    tag: 'SKUs and stock',
    pathPrefixes: ['/{alias}/catalog/products', '/{alias}/catalog/skus'],
    load: async () => (await import('../catalog/skus/routes.ts')).skuOperations,
  },
  {
    tag: 'Imports',
    pathPrefixes: ['/{alias}/catalog/imports'],
    load: async () => (await import('../catalog/transfers/routes.ts')).importOperations,
  },
  {
    tag: 'Exports',
    pathPrefixes: ['/{alias}/catalog/exports'],
    load: async () => (await import('../catalog/transfers/routes.ts')).exportOperations,
  },
  {
    tag: 'Bulk changes',
    pathPrefixes: ['/{alias}/catalog/stocks', '/{alias}/catalog/prices'],
    load: async () => (await import('../catalog/bulk/routes.ts')).bulkOperations,
  },
  {
    tag: 'Customers',
    pathPrefixes: ['/{alias}/customers'],
    load: async () => (await import('../sales/customers/routes.ts')).customerOperations,
  },
  {
    tag: 'Addresses of customers',
    pathPrefixes: ['/{alias}/customers'],
    load: async () => (await import('../sales/customers/addresses.ts')).addressOperations,
  },
  {
    tag: 'Carts',
    pathPrefixes: ['/{alias}/checkout/carts'],
    load: async () => (await import('../sales/carts/routes.ts')).cartOperations,
  },
  {
    tag: 'Orders',
    pathPrefixes: ['/{alias}/orders', '/{alias}/checkout/statuses'],
    load: async () => (await import('../sales/orders/routes.ts')).orderOperations,
  },
  {
    tag: 'Parts of orders',
    pathPrefixes: ['/{alias}/orders'],
    load: async () => (await import('../sales/orders/parts.ts')).orderPartOperations,
  },
  {
    tag: 'Invoices',
    pathPrefixes: ['/{alias}/orders'],
    load: async () => (await import('../sales/invoices/routes.ts')).invoiceOperations,
  },
  {
    tag: 'Reports',
    pathPrefixes: ['/{alias}/reports'],
    load: async () => (await import('../sales/reports/routes.ts')).reportOperations,
  },
  {
    tag: 'Store settings',
    pathPrefixes: ['/{alias}/config/settings'],
    load: async () => (await import('../stores/settings.ts')).settingsOperations,
  },
  {
    tag: 'Activity',
    pathPrefixes: ['/{alias}/audit', '/{alias}/requests'],
    load: async () => (await import('../accounts/activity.ts')).activityOperations,
  },
  {
    tag: 'Banners',
    pathPrefixes: ['/{alias}/catalog/banners'],
    load: async () => (await import('../catalog/banners/routes.ts')).bannerOperations,
  },
  {
    tag: 'Filters',
    pathPrefixes: ['/{alias}/catalog/filters'],
    load: async () => (await import('../catalog/filters.ts')).filterOperations,
  },
  {
    tag: 'Test stores',
    pathPrefixes: ['/{alias}/test'],
    load: async () => (await import('../stores/test-stores/routes.ts')).testStoreOperations,
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
    load: async () => (await import('../ops/operator/routes.ts')).operatorOperations,
  },
  {
    tag: 'Jobs of operators',
    pathPrefixes: ['/operator/stores', '/operator/shards', '/operator/users', '/operator/jobs'],
    load: async () => (await import('../ops/operator/jobs.ts')).jobOperations,
  },
];
