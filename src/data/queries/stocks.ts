import { sql } from 'drizzle-orm';
import { rawStatement } from '../core/raw.ts';
import type { StoreDb } from '../core/store-db.ts';
import { stocks } from '../schema/store/catalog-tables.ts';

/**
 * Adds `quantity` and `reserved`, both times the units of the line, to several rows of `stocks` in one statement. Aborts the
 * batch with a `ConflictError` unless every row could be changed: a stock never reserves more than it has.
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
