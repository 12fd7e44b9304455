import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { StoreDb } from './store.ts';
import type { StoreTable } from './table.ts';

/** Moves `updated_at` of records of which something changed that is no column of theirs: links, items. */
export const touch = (db: StoreDb, table: StoreTable, where: SQL | undefined) =>
  db.change(table, where, {}, { updated_at: sql`${db.now}` });
