import type * as z from 'zod';
import { insertionBelow } from '../../db/children.ts';
import { newestOf } from '../../db/links.ts';
import { filters, filterValues } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import type { NewFilter } from './request.ts';

/** The values of a filter. */
export const valuesOf = { table: filterValues, parent: filters, by: 'filter_id' } as const;

/** Adds a filter with its values. One round trip. */
export async function createFilter(db: StoreDb, { values, ...filter }: z.output<typeof NewFilter>) {
  const [first, ...others] = values;
  const [rows] = await db.batch([
    db.insertion(filters, filter),
    ...(first ? [insertionBelow(db, valuesOf, newestOf(db, filters), [first, ...others])] : []),
  ]);
  return rows[0];
}
