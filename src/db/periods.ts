import { eq, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Period } from '../wire/period.ts';
import type { StoreDb } from './store.ts';
import type { StoreTable } from './table.ts';

type PeriodTable = StoreTable & Record<keyof Period, AnySQLiteColumn>;

/** Aborts the batch unless a record's period is as it was read: another writer may have moved its other end. */
export const samePeriod = (db: StoreDb, table: PeriodTable, read: Period & { id: number }) =>
  db.must(sql`exists (select 1 from ${table} where ${eq(table.id, read.id)} and ${table.stopwatch} is ${read.stopwatch}
    and ${table.start_at} is ${read.start_at} and ${table.end_at} is ${read.end_at})`);
