import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

export const tagTexts: DocumentTexts['tags'] = {
  User: 'Who you are, and which stores your credentials reach. The first call of every integration.',
  Brands: 'Makers and labels. Every product begins with one, so create brands first.',
  'Bundles (kits)':
    'Kits: several SKUs that are sold together, at their own prices, at fixed ones or at a discount.',
  Categories:
    'The shelves of the shop, in trees of up to ten levels, with their products and banners.',
  Collections: 'Products grouped for a campaign or a theme, for a time or for good.',
  'Product comments':
    'What buyers write about products, and the answers. The shop shows what you approve.',
  Customizations: 'Choices that buyers make when they order a product, such as an engraving.',
  Feeds:
    'Addresses of product files that price comparisons and ad services fetch. You make the files.',
  'Filter values': 'The choices of a filter, such as Blue of the filter Colour.',
  Flags: 'Seals on products, such as New, given by rules instead of product by product.',
  'Payment configuration':
    'The six ways to pay: which are active, their deadlines, installments and contracts.',
  Transactions:
    'Payments of orders: capture, cancel and refund them, and simulate outcomes in a test store.',
  'E-mail configuration': "The account that the store's mails are sent with.",
  Webhooks:
    'Subscriptions: the service sends events of the store to your address, signed, and again until they arrive.',
  'Webhook deliveries': 'The log of what was sent to a webhook and what your address answered.',
  'Webhook replays': 'Sending past deliveries again, for instance after a fault at your end.',
  'Webhook maintenance':
    'Testing a webhook, changing its signing secret without loss, and turning it on again.',
  'Feed of events':
    'The events of 30 days to read in order. It closes gaps, and it works without a receiver.',
  Products: 'What the shop sells. A product has SKUs, and those have prices and stock.',
  'SKUs and stock':
    'The variants of products that buyers put into carts, and how many units of each there are.',
  'Bulk changes':
    'Stock and prices of up to 500 SKUs in one call. Items do not depend on each other.',
  Imports: 'Thousands of products in one file: sent as lines of JSON, stored in the background.',
  Exports: 'All products as one file, in the form that an import takes.',
  Customers: 'Who buys: persons and companies. Personal data, so apps need a scope of its own.',
  'Addresses of customers': 'Where customers have parcels sent. Orders keep a copy.',
  Carts:
    'What buyers want before they order. Idle carts are reminded of, and a cart becomes an order.',
  Orders:
    'Sales, from placing to delivery. Their status decides about stock, and each change sends an event.',
  'Parts of orders': 'What belongs to one order: its history, items, address and payments.',
  Invoices:
    'Fiscal documents (NF-e) of orders. You issue them; the service records them and tells others.',
  Reports:
    'Answers that would take many calls: what sold, what runs out, and the order that a customer asks about.',
  'Test stores': 'Letting time pass in a store that is made for tests.',
  'Store settings': 'What changes how the service works for one store.',
  Activity: 'Who changed what in a store, when, and from where.',
  Banners: 'Pictures that the home page, categories and collections of the shop show.',
  Filters: 'Properties by which buyers narrow lists of products, such as the colour.',
  Operators: 'Running the service: stores, users and apps. Only for API keys of operators.',
  'Jobs of operators':
    'Work that takes long or waits: exports, moves and erasures of stores, and databases that are emptied. Only for API keys of operators.',
  OAuth:
    'How an app gets tokens for a store: with the consent of the merchant (authorization code with PKCE).',
  Events:
    'What a webhook receives: one signed POST per event. Verify it, answer with 2xx within 5 seconds, and do the work afterwards.',
};

/** The order of the tags in the reference. */
export const tagGroups: DocumentTexts['tagGroups'] = [
  { name: 'Access', tags: ['OAuth', 'User'] },
  {
    name: 'Catalogue',
    tags: [
      'Products',
      'SKUs and stock',
      'Brands',
      'Categories',
      'Collections',
      'Bundles (kits)',
      'Customizations',
      'Filters',
      'Filter values',
      'Flags',
      'Banners',
      'Feeds',
      'Product comments',
      'Bulk changes',
      'Imports',
      'Exports',
    ],
  },
  {
    name: 'Sales',
    tags: [
      'Customers',
      'Addresses of customers',
      'Carts',
      'Orders',
      'Parts of orders',
      'Invoices',
      'Transactions',
      'Payment configuration',
      'Reports',
    ],
  },
  {
    name: 'Events',
    tags: [
      'Events',
      'Webhooks',
      'Webhook deliveries',
      'Webhook replays',
      'Webhook maintenance',
      'Feed of events',
    ],
  },
  { name: 'Store', tags: ['Store settings', 'Activity', 'Test stores', 'E-mail configuration'] },
  { name: 'Service', tags: ['Operators', 'Jobs of operators'] },
];

/**
 * The pages of the tags with many operations: the first has those whose path fits none of the
 * others.
 */
export const subjectsOfTags: Readonly<
  Record<string, [{ name: string }, ...{ name: string; paths: RegExp }[]]>
> = {
  Categories: [
    { name: 'Categories' },
    { name: 'Products and banners of categories', paths: /\/categories\/\{id\}\// },
  ],
  Collections: [
    { name: 'Collections' },
    { name: 'Products of collections', paths: /\/collections\/\{id\}\// },
  ],
  Operators: [
    { name: 'Operators: stores' },
    { name: 'Operators: members of stores', paths: /\/(?:members|owner)\b/ },
    {
      name: 'Operators: sign-in and keys of users',
      paths: /\/(?:password-resets|end-sessions|keys)\b/,
    },
    { name: 'Operators: users', paths: /\/operator\/users\b/ },
    { name: 'Operators: apps and assistants', paths: /\/operator\/(?:apps|hosts)\b/ },
    { name: 'Operators: health and activity', paths: /\/operator\/(?:health|audit)$/ },
  ],
  'Jobs of operators': [
    { name: 'Jobs: exports and returns of stores' },
    { name: 'Jobs: moves of stores', paths: /\/moves\b/ },
    { name: 'Jobs: erasures and two-step sign-in', paths: /\/(?:erasures|second-factor)\b/ },
    { name: 'Jobs: databases', paths: /\/operator\/shards\b/ },
    { name: 'Jobs: progress and end', paths: /\/operator\/jobs\b/ },
  ],
};
