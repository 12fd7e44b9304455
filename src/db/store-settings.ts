import { sql } from 'drizzle-orm';
import { rawStatement } from './raw.ts';
import { storeSettings } from './schema/carts.ts';
import type { StoreDb } from './store.ts';

/** After so many minutes without an edit a cart counts as abandoned, unless the store says otherwise (sources 3). */
export const usualIdleMinutes = 60;

/** Reads how long a cart of this store may be idle, in minutes: always one row. */
export const readingIdleMinutes = (db: StoreDb) =>
  rawStatement<{ minutes: number }>(
    db,
    sql`select coalesce((select cart_idle_minutes from ${storeSettings} where store_id = ${db.store.id}),
      ${usualIdleMinutes}) as minutes`,
  );

/** Lets carts of this store be idle for so many minutes, from their next edit on. */
export const settingIdleMinutes = (db: StoreDb, minutes: number) =>
  rawStatement(
    db,
    sql`insert into ${storeSettings} (store_id, cart_idle_minutes) values (${db.store.id}, ${minutes})
      on conflict do update set cart_idle_minutes = excluded.cart_idle_minutes`,
  );
