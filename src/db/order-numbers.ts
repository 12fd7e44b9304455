import { sql } from 'drizzle-orm';
import { rawStatement } from './raw.ts';
import { orderNumbers } from './schema/orders.ts';
import type { StoreDb } from './store.ts';

/** Takes the next order number of the store; a batch that is rolled back gives it back, so there are no gaps. */
export const takeOrderNumber = (db: StoreDb) =>
  rawStatement(
    db,
    sql`insert into ${orderNumbers} (store_id, last) values (${db.store.id}, 1)
      on conflict do update set last = last + 1`,
  );

/** The number that the batch took. */
export const takenOrderNumber = (db: StoreDb) =>
  sql`(select last from ${orderNumbers} where store_id = ${db.store.id})`;
