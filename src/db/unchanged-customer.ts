import { sql } from 'drizzle-orm';
import { customers } from './schema/customers.ts';
import type { StoreDb } from './store.ts';

/**
 * Aborts the batch with a `StaleRevision` if the customer was changed, removed or anonymised after it was read.
 */
export const unchangedCustomer = (db: StoreDb, read: { id: number; updated_at: number }) =>
  db.must(
    sql`exists (select 1 from ${customers} where ${customers.id} = ${read.id}
      and ${customers.store_id} = ${db.store.id} and ${customers.updated_at} = ${read.updated_at}
      and not ${customers.anonymized})`,
  );
