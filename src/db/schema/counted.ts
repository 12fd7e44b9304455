/** The tables whose number of records per store is kept in `totals`. */
export const countedKinds = ['brands', 'customizations', 'products'] as const;
