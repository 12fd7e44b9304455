import { sql } from 'drizzle-orm';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { customers } from '../../data/schema/store/customers-tables.ts';
import { orderNumbers } from '../../data/schema/store/orders-tables.ts';

/**
 * Takes the next order number of the store. A batch that is rolled back returns it, so that numbers
 * have no gaps.
 */
export const takeOrderNumberStatement = (db: StoreDb) =>
  rawStatement(
    db,
    sql`insert into ${orderNumbers} (store_id, last) values (${db.store.id}, 1)
      on conflict do update set last = last + 1`,
  );

/** The order number that the batch took. */
export const takenOrderNumber = (db: StoreDb) =>
  sql`(select last from ${orderNumbers} where store_id = ${db.store.id})`;

/**
 * Aborts the batch with a `ConflictError` if the customer was changed, deleted or anonymized after
 * it was read.
 */
export const assertCustomerUnchanged = (db: StoreDb, read: { id: number; updated_at: number }) =>
  db.assert(
    sql`exists (select 1 from ${customers} where ${customers.id} = ${read.id}
      and ${customers.store_id} = ${db.store.id} and ${customers.updated_at} = ${read.updated_at}
      and not ${customers.anonymized})`,
  );
