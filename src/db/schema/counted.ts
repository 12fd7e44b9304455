/** The tables whose number of records per store is kept in `totals`. */
export const countedKinds = [
  'banners',
  'brands',
  'bundles',
  'categories',
  'collections',
  'customers',
  'customizations',
  'feeds',
  'filters',
  'flags',
  'product_comments',
  'products',
] as const;
