import type * as z from 'zod';
import type { StoreDb } from '../../db/core/store-db.ts';
import { insertChildrenStatement } from '../../db/query/child-rows.ts';
import { lastInsertedId } from '../../db/query/links.ts';
import { filters } from '../../db/schema/store/categories.ts';
import type { NewFilter } from './requests.ts';
import { valuesOfFilter } from './values/commands.ts';

/** Creates a filter with its values. One round trip. */
export async function createFilter(db: StoreDb, { values, ...filter }: z.output<typeof NewFilter>) {
  const [first, ...others] = values;
  const [rows] = await db.batch([
    db.insertStatement(filters, filter),
    ...(first
      ? [
          insertChildrenStatement(db, valuesOfFilter, lastInsertedId(db, filters), [
            first,
            ...others,
          ]),
        ]
      : []),
  ]);
  return rows[0];
}
