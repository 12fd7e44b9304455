import { conflict } from '../problem.ts';
import type { Problem } from '../problem.ts';

/** 409 `out_of_stock`: too little is left of the items at these places of the order. */
export const outOfStock = (places: readonly number[]): Problem =>
  conflict(
    'out_of_stock',
    Object.fromEntries(
      places.map((place) => [`items.${place}.sku_id`, ['Too little is left of this SKU.']]),
    ),
  );
