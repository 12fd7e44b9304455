import type { StoreDb } from './store.ts';

/** What the handle gives a new record of this request besides its values, for those shown before they are stored. */
export const stamps = (db: StoreDb, id: number) => ({
  id,
  store_id: db.store.id,
  created_at: db.now,
  updated_at: db.now,
});
