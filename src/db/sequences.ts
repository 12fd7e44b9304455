import { sql, type SQL } from 'drizzle-orm';
import { rawStatement } from './raw.ts';
import { sequences } from './schema/machinery.ts';
import { preparatory } from './statement.ts';
import type { StoreDb } from './store.ts';

/** The records whose ids are reserved before they are written. */
export type ReservedKind =
  | 'addresses'
  | 'customers'
  | 'invoices'
  | 'order_addresses'
  | 'order_items'
  | 'order_statuses'
  | 'orders'
  | 'product_images'
  | 'products'
  | 'skus'
  | 'transactions';

/**
 * Takes `count` new ids of a kind; its row's `last` is the highest of them, and there is no row for none. For records whose ids stand in
 * an event that is written in the same batch as they are. Ids that are not used are never given out again.
 */
export function reservation(db: StoreDb, kind: ReservedKind, count: number | SQL) {
  return preparatory(
    rawStatement<{ last: number }>(
      db,
      sql`insert into ${sequences} (kind, last)
        select ${kind}, wanted from (select ${count} as wanted) where wanted > 0
        on conflict do update set last = last + excluded.last returning last`,
    ),
  );
}
