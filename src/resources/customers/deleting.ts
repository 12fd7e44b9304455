import { and, eq, not, sql } from 'drizzle-orm';
import { customers, orders } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import { blanking, blankingOfCarts } from './blanking.ts';

/**
 * Removes a customer with all addresses; one who has ordered is anonymised instead and keeps the id. One round
 * trip; `undefined` when the store has no such customer.
 */
export async function deleteCustomer(db: StoreDb, id: number) {
  const hasOrdered = sql`exists (select 1 from ${orders}
    where ${orders.store_id} = ${db.store.id} and ${orders.customer_id} = ${id})`;
  const [, removed, left] = await db.batch([
    blankingOfCarts(db, id),
    db.removal(customers, and(eq(customers.id, id), not(hasOrdered))),
    db.selectOne(customers, id),
    // Whoever is still there has ordered.
    ...blanking(db, id),
  ]);
  return removed[0] ?? left[0];
}
