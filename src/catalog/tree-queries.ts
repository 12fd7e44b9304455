import { sql, type SQL } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { FieldErrors } from '../base/errors.ts';
import { rawStatement } from '../data/core/raw.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import type { StoreTable } from '../data/core/store-table.ts';

/** A table whose records may have a parent in the same table. */
type TreeTable = StoreTable & { parent_id: AnySQLiteColumn };

/** The most levels of a tree, from its root to its deepest record. */
const maxTreeLevels = 10;

// A cycle would recurse forever; one level more than allowed is enough to detect it.
const ancestorsCte = (db: StoreDb, table: TreeTable, id: SQL | number) =>
  sql`with recursive up(id, parent_id, level) as (
    select id, parent_id, 1 from ${table} where id = ${id} and store_id = ${db.store.id}
    union all select above.id, above.parent_id, level + 1 from ${table} above
      join up on above.id = up.parent_id where level <= ${maxTreeLevels})`;

const descendantsCte = (db: StoreDb, table: TreeTable, id: SQL | number) =>
  sql`with recursive down(id, level) as (
    select id, 1 from ${table} where id = ${id} and store_id = ${db.store.id}
    union all select below.id, level + 1 from ${table} below
      join down on below.parent_id = down.id where level <= ${maxTreeLevels})`;

/** Selects a record and its ancestors. */
export const selectLineage = (db: StoreDb, table: TreeTable, id: number | null | undefined) =>
  rawStatement<{ id: number }>(db, sql`${ancestorsCte(db, table, id ?? 0)} select id from up`);

/** Selects the number of levels from a record down to its deepest descendant. */
export const selectHeight = (db: StoreDb, table: TreeTable, id: number) =>
  rawStatement<{ levels: number }>(
    db,
    sql`${descendantsCte(db, table, id)} select coalesce(max(level), 1) as levels from down`,
  );

/**
 * Validates the parent of a record. `lineage` is that of the parent; `own` are the record's own id
 * and height.
 */
export function parentErrors(
  noun: string,
  parentId: number | null | undefined,
  lineage: readonly { id: number }[],
  own: { id: number; levels: number } = { id: 0, levels: 1 },
): FieldErrors {
  if (!parentId) return {};
  if (lineage.length === 0) return { parent_id: [`No such ${noun} in this store.`] };
  if (lineage.some(({ id }) => id === own.id)) {
    return { parent_id: ['Must not be the record itself or one of its descendants.'] };
  }
  return lineage.length + own.levels > maxTreeLevels
    ? { parent_id: [`Must not make the tree deeper than ${maxTreeLevels} levels.`] }
    : {};
}

/** The condition, after a change, that the tree of a record has no cycle and is not too deep. */
export const isTreeValid = (db: StoreDb, table: TreeTable, id: SQL | number) =>
  sql`(${ancestorsCte(db, table, id)} select max(level) from up) +
    (${descendantsCte(db, table, id)} select max(level) from down) <= ${maxTreeLevels + 1}`;
