/** The tables whose number of records per store is kept in `totals`. */
export const countedKinds = [
  'banners',
  'brands',
  'bundles',
  'carts',
  'categories',
  'collections',
  'customers',
  'customizations',
  'feeds',
  'filters',
  'flags',
  'orders',
  'product_comments',
  'products',
  'transactions',
] as const;
