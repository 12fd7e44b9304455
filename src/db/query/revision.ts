import { and, eq, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Period } from '../../codecs/time/period.ts';
import type { StoreDb } from '../core/store-db.ts';
import type { StoreTable } from '../core/table.ts';

/** A table whose column `revision` counts changes: the optimistic lock of its records. */
type RevisionTable = StoreTable & { revision: AnySQLiteColumn<{ data: number }> };

/** Increments the revision of a record, so that concurrent writers see that they read an older state. */
export const incrementRevision = ({ revision }: RevisionTable) => ({
  revision: sql`${revision} + 1`,
});

/** The condition that a record still has the revision that was read. */
export const hasRevision = (table: RevisionTable, read: { id: number; revision: number }) =>
  and(eq(table.id, read.id), eq(table.revision, read.revision));

/** Whether any value that was sent differs from the stored one. Values are plain JSON data. */
export function hasChanges(before: Record<string, unknown>, changes: object): boolean {
  return Object.entries(changes).some(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  );
}

/** Sets `updated_at` of records when something changed that is not a column of theirs, such as links or items. */
export const touchStatement = (db: StoreDb, table: StoreTable, where: SQL | undefined) =>
  db.updateStatement(table, where, {}, { updated_at: sql`${db.now}` });

type PeriodTable = StoreTable & Record<keyof Period, AnySQLiteColumn>;

/** Aborts the batch if the period of a record changed after it was read; another writer may have moved its other end. */
export const assertPeriodUnchanged = (
  db: StoreDb,
  table: PeriodTable,
  read: Period & { id: number },
) =>
  db.assert(sql`exists (select 1 from ${table} where ${eq(table.id, read.id)} and ${table.stopwatch} is ${read.stopwatch}
    and ${table.start_at} is ${read.start_at} and ${table.end_at} is ${read.end_at})`);
