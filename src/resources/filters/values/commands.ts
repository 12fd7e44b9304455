import { and, eq } from 'drizzle-orm';
import type * as z from 'zod';
import type { StoreDb } from '../../../db/core/store-db.ts';
import { insertChildrenStatement } from '../../../db/query/child-rows.ts';
import { lastInsertedId } from '../../../db/query/links.ts';
import { filters, filterValues } from '../../../db/schema/store/categories.ts';
import type { FilterOptionRequest } from './requests.ts';

export const valuesOfFilter = {
  table: filterValues,
  parent: filters,
  parentColumn: 'filter_id',
} as const;

/** Ids of the path of one value. */
interface ValueIds {
  filterId: number;
  id: number;
}

export const belongsToFilter = ({ filterId }: { filterId: number }) =>
  eq(filterValues.filter_id, filterId);

/** Adds a value to a filter. Returns `undefined` when the store has no such filter. One round trip. */
export async function createFilterValue(
  db: StoreDb,
  filterId: number,
  body: z.output<typeof FilterOptionRequest.post>,
) {
  const [inserted, rows] = await db.batch([
    insertChildrenStatement(db, valuesOfFilter, filterId, [body]),
    db.select(filterValues, { where: eq(filterValues.id, lastInsertedId(db, filterValues)) }),
  ]);
  return inserted.length > 0 ? rows[0] : undefined;
}

/** Updates a value. Returns `undefined` when the filter has no such value. One round trip. */
export async function updateFilterValue(
  db: StoreDb,
  ids: ValueIds,
  body: z.output<typeof FilterOptionRequest.put>,
) {
  const [, rows] = await db.batch([
    db.updateStatement(filterValues, and(eq(filterValues.id, ids.id), belongsToFilter(ids)), body),
    db.selectOne(filterValues, ids.id, {}, belongsToFilter(ids)),
  ]);
  return rows[0];
}

/** Deletes a value. Returns `undefined` when the filter has no such value. One round trip. */
export async function deleteFilterValue(db: StoreDb, ids: ValueIds) {
  const [deleted] = await db.batch([
    db.deleteStatement(filterValues, and(eq(filterValues.id, ids.id), belongsToFilter(ids))),
  ]);
  return deleted[0];
}
