import { sql } from 'drizzle-orm';
import { rawStatement } from './raw.ts';
import { stocks } from './schema/catalog.ts';
import type { StoreDb } from './store.ts';

/**
 * Moves units of several rows of `stocks` in one statement, each by `quantity` and `reserved` per unit. Aborts the
 * batch with a `StaleRevision` unless every one could move: no stock ever promises more than it has.
 */
export function stockMove(
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
    db.must(sql`changes() = ${lines.length}`),
  ];
}
