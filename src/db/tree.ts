import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { FieldErrors } from '../problem.ts';
import { rawStatement } from './raw.ts';
import type { StoreDb } from './store.ts';
import type { StoreTable } from './table.ts';

/** A table whose records may have a parent among themselves. */
export type TreeTable = StoreTable & { parent_id: AnySQLiteColumn };

/** From a root to its deepest record. */
export const maxLevels = 10;

// A circle would never end: one level more than allowed is enough to notice it.
const up = (db: StoreDb, table: TreeTable, id: SQL | number) =>
  sql`with recursive up(id, parent_id, level) as (
    select id, parent_id, 1 from ${table} where id = ${id} and store_id = ${db.store.id}
    union all select above.id, above.parent_id, level + 1 from ${table} above
      join up on above.id = up.parent_id where level <= ${maxLevels})`;

const down = (db: StoreDb, table: TreeTable, id: SQL | number) =>
  sql`with recursive down(id, level) as (
    select id, 1 from ${table} where id = ${id} and store_id = ${db.store.id}
    union all select below.id, level + 1 from ${table} below
      join down on below.parent_id = down.id where level <= ${maxLevels})`;

/** Reads a record and those above it. */
export const lineage = (db: StoreDb, table: TreeTable, id: number | null | undefined) =>
  rawStatement<{ id: number }>(db, sql`${up(db, table, id ?? 0)} select id from up`);

/** Reads how many levels a record and those below it are. */
export const height = (db: StoreDb, table: TreeTable, id: number) =>
  rawStatement<{ levels: number }>(
    db,
    sql`${down(db, table, id)} select coalesce(max(level), 1) as levels from down`,
  );

/** What is wrong with a parent, as `lineage` and `height` read it; `id` is the record's own. */
export function parentErrors(
  noun: string,
  parentId: number | null | undefined,
  above: readonly { id: number }[],
  own: { id: number; levels: number } = { id: 0, levels: 1 },
): FieldErrors {
  if (!parentId) return {};
  if (above.length === 0) return { parent_id: [`No such ${noun} in this store.`] };
  if (above.some(({ id }) => id === own.id)) {
    return { parent_id: ['Must be neither the record itself nor one below it.'] };
  }
  return above.length + own.levels > maxLevels
    ? { parent_id: [`Must leave the tree at most ${maxLevels} levels deep.`] }
    : {};
}

/** Says, after a change, that the record still stands in a tree that is not too deep. */
export const standsInTree = (db: StoreDb, table: TreeTable, id: SQL | number) =>
  sql`(${up(db, table, id)} select max(level) from up) +
    (${down(db, table, id)} select max(level) from down) <= ${maxLevels + 1}`;
