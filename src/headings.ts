import type { Heading } from './http/heading.ts';

/** Every heading of the API and where its rows are, in the order of the specification; what it does not have comes last. */
export const headings: readonly Heading[] = [
  {
    heading: 'User',
    under: ['/auth/me'],
    load: async () => (await import('./resources/user.ts')).userOperations,
  },
  {
    heading: 'Brands',
    under: ['/{alias}/catalog/brands'],
    load: async () => (await import('./resources/brands.ts')).brandOperations,
  },
  {
    heading: 'Bundles (kits)',
    under: ['/{alias}/catalog/bundles'],
    load: async () => (await import('./resources/bundles/rows.ts')).bundleOperations,
  },
  {
    heading: 'Categories',
    under: ['/{alias}/catalog/categories'],
    load: async () => (await import('./resources/categories/rows.ts')).categoryOperations,
  },
  {
    heading: 'Collections',
    under: ['/{alias}/catalog/collections'],
    load: async () => (await import('./resources/collections/rows.ts')).collectionOperations,
  },
  {
    heading: 'Product comments',
    under: ['/{alias}/catalog/comments'],
    load: async () => (await import('./resources/comments/rows.ts')).commentOperations,
  },
  {
    heading: 'Customizations',
    under: ['/{alias}/catalog/customizations'],
    load: async () => (await import('./resources/customizations/rows.ts')).customizationOperations,
  },
  {
    heading: 'Feeds',
    under: ['/{alias}/catalog/feeds'],
    load: async () => (await import('./resources/feeds.ts')).feedOperations,
  },
  {
    heading: 'Filter values',
    under: ['/{alias}/catalog/filters'],
    load: async () => (await import('./resources/filters/value-rows.ts')).filterValueOperations,
  },
  {
    heading: 'Flags',
    under: ['/{alias}/catalog/flags'],
    load: async () => (await import('./resources/flags/rows.ts')).flagOperations,
  },
  {
    heading: 'Payment configuration',
    under: ['/{alias}/checkout/payments'],
    load: async () => (await import('./resources/payments/rows.ts')).paymentOperations,
  },
  {
    heading: 'Transactions',
    under: ['/{alias}/checkout/transactions'],
    load: async () => (await import('./resources/transactions/rows.ts')).transactionOperations,
  },
  {
    heading: 'E-mail configuration',
    under: ['/{alias}/config/emails'],
    load: async () => (await import('./resources/emails/rows.ts')).emailOperations,
  },
  {
    heading: 'Webhooks',
    under: ['/{alias}/webhooks', '/{alias}/orders'],
    load: async () => (await import('./resources/webhooks/rows.ts')).webhookOperations,
  },
  {
    heading: 'Webhook deliveries',
    under: ['/{alias}/webhooks'],
    load: async () => (await import('./resources/webhooks/delivery-rows.ts')).deliveryOperations,
  },
  {
    heading: 'Webhook replays',
    under: ['/{alias}/webhooks'],
    load: async () => (await import('./resources/webhooks/replay-rows.ts')).replayOperations,
  },
  {
    heading: 'Webhook upkeep',
    under: ['/{alias}/webhooks'],
    load: async () => (await import('./resources/webhooks/upkeep-rows.ts')).upkeepOperations,
  },
  {
    heading: 'Feed of events',
    under: ['/{alias}/events'],
    load: async () => [
      ...(await import('./resources/events/rows.ts')).eventOperations,
      ...(await import('./resources/webhooks/event-replay-rows.ts')).eventReplayOperations,
    ],
  },
  {
    heading: 'Products',
    under: ['/{alias}/catalog/products'],
    load: async () => (await import('./resources/products/rows.ts')).productOperations,
  },
  {
    heading: 'SKUs and stock',
    under: ['/{alias}/catalog/products', '/{alias}/catalog/skus'],
    load: async () => (await import('./resources/products/sku-rows.ts')).skuOperations,
  },
  {
    heading: 'Customers',
    under: ['/{alias}/customers'],
    load: async () => (await import('./resources/customers/rows.ts')).customerOperations,
  },
  {
    heading: 'Addresses of customers',
    under: ['/{alias}/customers'],
    load: async () => (await import('./resources/customers/address-rows.ts')).addressOperations,
  },
  {
    heading: 'Carts',
    under: ['/{alias}/checkout/carts'],
    load: async () => (await import('./resources/carts/rows.ts')).cartOperations,
  },
  {
    heading: 'Orders',
    under: ['/{alias}/orders', '/{alias}/checkout/statuses'],
    load: async () => (await import('./resources/orders/rows.ts')).orderOperations,
  },
  {
    heading: 'Parts of orders',
    under: ['/{alias}/orders'],
    load: async () => (await import('./resources/orders/part-rows.ts')).orderPartOperations,
  },
  {
    heading: 'Invoices',
    under: ['/{alias}/orders'],
    load: async () => (await import('./resources/invoices/rows.ts')).invoiceOperations,
  },
  {
    heading: 'Store settings',
    under: ['/{alias}/config/settings'],
    load: async () => (await import('./resources/settings/rows.ts')).settingsOperations,
  },
  {
    heading: 'Banners',
    under: ['/{alias}/catalog/banners'],
    load: async () => (await import('./resources/banners.ts')).bannerOperations,
  },
  {
    heading: 'Filters',
    under: ['/{alias}/catalog/filters'],
    load: async () => (await import('./resources/filters/rows.ts')).filterOperations,
  },
];
