/** The tables whose number of records per store is kept in `totals`. */
export const countedKinds = [
  'brands',
  'bundles',
  'customizations',
  'filters',
  'product_comments',
  'products',
] as const;
