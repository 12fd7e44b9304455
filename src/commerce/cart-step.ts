import { and, eq, sql } from 'drizzle-orm';
import { carts } from '../db/schema/store.ts';
import type { StoreDb } from '../db/store.ts';
import type { Changes } from '../db/table.ts';

/**
 * The statements that change a cart, under the revision that was read: of two writers at once one is rolled back with a
 * `StaleRevision` and decides anew.
 */
export function cartStep(
  db: StoreDb,
  { id, revision }: { id: number; revision: number },
  changes: Changes<typeof carts>,
) {
  const asRead = and(eq(carts.id, id), eq(carts.revision, revision));
  return [
    // Apart from the changes, which may be none: the revision moves all the same.
    db.change(carts, asRead, {}, { revision: sql`${carts.revision} + 1` }),
    db.mustHaveChanged(),
    db.change(carts, eq(carts.id, id), changes),
  ];
}
