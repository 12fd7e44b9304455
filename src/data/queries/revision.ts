import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Period } from '../../base/codecs/fields/period.ts';
import type { StoreDb } from '../core/store-db.ts';
import type { StoreTable } from '../core/store-table.ts';

/** A table whose column `revision` counts changes: the optimistic lock of its records. */
export type RevisionTable = StoreTable & { revision: AnySQLiteColumn<{ data: number }> };

/**
 * Increments the revision of a record, so that concurrent writers see that they read an older
 * state.
 */
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

/** The values that were sent and differ from the stored ones. */
export const changedValues = <Changes extends object>(
  before: Record<string, unknown>,
  changes: Changes,
): Partial<Changes> =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
    ),
  ) as Partial<Changes>;

/**
 * Sets `updated_at` of records when something changed that is not a column of theirs, such as links
 * or items.
 */
export const touchStatement = (db: StoreDb, table: StoreTable, where: SQL | undefined) =>
  db.updateStatement(table, where, {}, { updated_at: sql`${db.now}` });

/**
 * Aborts the batch with a `ConflictError` if columns that are valid only together changed after
 * they were read: those of `names` that were not sent. No statement if none or all were sent; then
 * the change does not depend on what was read.
 */
export function assertOthersUnchanged<Name extends string>(
  db: StoreDb,
  table: StoreTable & Record<Name, AnySQLiteColumn>,
  read: { id: number } & Record<Name, unknown>,
  sent: Partial<Record<Name, unknown>>,
  names: readonly Name[],
) {
  const others = names.filter((name) => sent[name] === undefined);
  if (others.length === 0 || others.length === names.length) return [];
  const areUnchanged = others.map((name) => {
    const column = table[name];
    return sql`${column} is ${sql.param(read[name], column)}`;
  });
  return [
    db.assert(
      sql`exists (select 1 from ${table} where ${and(eq(table.id, read.id), ...areUnchanged)})`,
    ),
  ];
}

/** The columns of a period; see {@link assertOthersUnchanged}. */
export const periodColumns = [
  'stopwatch',
  'start_at',
  'end_at',
] as const satisfies (keyof Period)[];
