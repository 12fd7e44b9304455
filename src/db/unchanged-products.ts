import { sql } from 'drizzle-orm';
import { products } from './schema/catalog.ts';
import type { StoreDb } from './store.ts';

/**
 * Aborts the batch with a `StaleRevision` if one of these products was changed after it was read, so that what is
 * written of their SKUs, their prices above all, is what is stored.
 */
export const unchangedProducts = (db: StoreDb, read: readonly { id: number; revision: number }[]) =>
  db.must(
    sql`not exists (select 1 from json_each(${JSON.stringify(read)}) was where not exists (
      select 1 from ${products} where ${products.id} = was.value ->> 'id'
        and ${products.store_id} = ${db.store.id}
        and ${products.revision} = was.value ->> 'revision'))`,
  );
