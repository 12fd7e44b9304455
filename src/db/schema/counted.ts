/** The tables whose number of records per store is kept in `totals`. */
export const countedKinds = [
  'banners',
  'brands',
  'categories',
  'collections',
  'feeds',
  'products',
] as const;
