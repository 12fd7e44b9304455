import { sql } from 'drizzle-orm';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { products, stocks } from '../../data/schema/store/catalog-tables.ts';

/**
 * Adds `quantity` and `reserved`, both times the units of the line, to several rows of `stocks` in
 * one statement. Aborts the batch with a `ConflictError` unless every row could be changed: a stock
 * never reserves more than it has.
 */
export function moveStockStatements(
  db: StoreDb,
  lines: readonly { id: number; units: number }[],
  { quantity, reserved }: { quantity: number; reserved: number },
) {
  const units = sql`(line.value ->> 'units')`;
  return [
    rawStatement(
      db,
      sql`update ${stocks} set quantity = quantity + ${quantity} * ${units},
          reserved = reserved + ${reserved} * ${units}, updated_at = ${db.now}
        from json_each(${JSON.stringify(lines)}) line
        where ${stocks.id} = line.value ->> 'id' and ${stocks.store_id} = ${db.store.id}
          and ${stocks.reserved} + ${reserved} * ${units}
            between 0 and ${stocks.quantity} + ${quantity} * ${units}`,
    ),
    db.assert(sql`changes() = ${lines.length}`),
  ];
}

/**
 * Aborts the batch with a `ConflictError` if one of these products was changed after it was read.
 * So the SKU data that the batch copies, prices above all, is what is stored.
 */
export const assertProductsUnchanged = (
  db: StoreDb,
  read: readonly { id: number; revision: number }[],
) =>
  db.assert(
    sql`not exists (select 1 from json_each(${JSON.stringify(read)}) was where not exists (
      select 1 from ${products} where ${products.id} = was.value ->> 'id'
        and ${products.store_id} = ${db.store.id}
        and ${products.revision} = was.value ->> 'revision'))`,
  );
