import { asc, lte, sql } from 'drizzle-orm';
import { openDatabase } from '../core/open.ts';
import { rawDatabaseStatement, rawStatement } from '../core/raw.ts';
import type { StoreDb } from '../core/store-db.ts';
import { carts } from '../schema/store/carts.ts';
import { transactions } from '../schema/store/transactions.ts';

/** The tables whose records have timers. */
const timedTables = { cart: carts, transaction: transactions } as const;

/** A record whose timer is due. */
export interface DueRecord {
  kind: keyof typeof timedTables;
  id: number;
  store_id: number;
  /** When the timer was due; epoch milliseconds. */
  due_at: number | null;
}

/** The due records of a shard, up to `limit` of each kind, the longest overdue first. One round trip. */
export async function findDueRecords(
  binding: D1Database,
  now: number,
  limit: number,
): Promise<DueRecord[]> {
  const shard = openDatabase(binding);
  const selectDue = (kind: DueRecord['kind']) => {
    const { id, store_id, due_at } = timedTables[kind];
    return shard
      .select({ id, store_id, due_at })
      .from(timedTables[kind])
      .where(lte(due_at, now))
      .orderBy(asc(due_at))
      .limit(limit);
  };
  const [dueCarts, dueTransactions] = await shard.batch([
    selectDue('cart'),
    selectDue('transaction'),
  ]);
  return [
    ...dueCarts.map((row) => ({ kind: 'cart' as const, ...row })),
    ...dueTransactions.map((row) => ({ kind: 'transaction' as const, ...row })),
  ];
}

/** Sets a new due time for a record, unless it was changed in the meantime. One round trip. */
export const postponeDueRecord = (
  db: StoreDb,
  { kind, id, due_at }: DueRecord,
  until: number | null,
) =>
  db.batch([
    rawStatement(
      db,
      sql`update ${timedTables[kind]} set due_at = ${until}
        where id = ${id} and store_id = ${db.store.id} and due_at = ${due_at}`,
    ),
  ]);

/**
 * Postpones orphaned records, whose store the directory does not know, so that they do not delay others. Works on a
 * whole shard, as {@link findDueRecords} does. One round trip.
 */
export function postponeOrphanedRecords(
  binding: D1Database,
  records: readonly DueRecord[],
  until: number,
) {
  const shard = openDatabase(binding);
  const postpone = (kind: DueRecord['kind']) => {
    const ids = records.filter((record) => record.kind === kind).map(({ id }) => id);
    return rawDatabaseStatement(
      shard,
      sql`update ${timedTables[kind]} set due_at = ${until}
        where id in (select value from json_each(${JSON.stringify(ids)})) and due_at < ${until}`,
    );
  };
  return shard.batch([postpone('cart'), postpone('transaction')]);
}
