import { asc, lte, sql } from 'drizzle-orm';
import { openShard } from './open.ts';
import { plainStatement, rawStatement } from './raw.ts';
import { carts, transactions } from './schema/store.ts';
import type { StoreDb } from './store.ts';

/** The tables that timers work on. */
const timed = { cart: carts, transaction: transactions } as const;

/** A record of which a timer has something to do. */
export interface DueRecord {
  kind: keyof typeof timed;
  id: number;
  store_id: number;
  /** Since when, in epoch milliseconds. */
  due_at: number | null;
}

/** The records of a shard that are due, of each kind the `limit` that wait longest. One round trip. */
export async function dueRecords(
  binding: D1Database,
  now: number,
  limit: number,
): Promise<DueRecord[]> {
  const shard = openShard(binding);
  const due = (kind: DueRecord['kind']) => {
    const { id, store_id, due_at } = timed[kind];
    return shard
      .select({ id, store_id, due_at })
      .from(timed[kind])
      .where(lte(due_at, now))
      .orderBy(asc(due_at))
      .limit(limit);
  };
  const [ofCarts, ofTransactions] = await shard.batch([due('cart'), due('transaction')]);
  return [
    ...ofCarts.map((row) => ({ kind: 'cart' as const, ...row })),
    ...ofTransactions.map((row) => ({ kind: 'transaction' as const, ...row })),
  ];
}

/** Lets a record be due at another moment, unless it became due at another one meanwhile. One round trip. */
export const postpone = (db: StoreDb, { kind, id, due_at }: DueRecord, until: number | null) =>
  db.batch([
    rawStatement(
      db,
      sql`update ${timed[kind]} set due_at = ${until}
        where id = ${id} and store_id = ${db.store.id} and due_at = ${due_at}`,
    ),
  ]);

/**
 * Lets records wait until then whose store the directory does not know, so that they hold up no others. Like
 * {@link dueRecords} about a whole shard. One round trip.
 */
export function setAside(binding: D1Database, due: readonly DueRecord[], until: number) {
  const shard = openShard(binding);
  const wait = (kind: DueRecord['kind']) => {
    const ids = due.filter((one) => one.kind === kind).map(({ id }) => id);
    return plainStatement(
      shard,
      sql`update ${timed[kind]} set due_at = ${until}
        where id in (select value from json_each(${JSON.stringify(ids)})) and due_at < ${until}`,
    );
  };
  return shard.batch([wait('cart'), wait('transaction')]);
}
