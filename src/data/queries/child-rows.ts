import { getTableColumns, sql, type Column, type SQL } from 'drizzle-orm';
import { rawStatement } from '../core/raw.ts';
import type { StoreDb } from '../core/store-db.ts';
import { withDerivedColumns } from '../core/store-statements.ts';
import type { InsertValues, StoreTable } from '../core/store-table.ts';

/** A table whose records belong to a record of `parent`, whose id is in `parentColumn`. */
interface ChildTable<T extends StoreTable, ParentColumn extends keyof InsertValues<T> & string> {
  table: T;
  parent: StoreTable;
  parentColumn: ParentColumn;
}

/** The values of a child. Either all children of a statement have a (reserved) id or none. */
type Child<T extends StoreTable, ParentColumn extends string> = Omit<
  InsertValues<T>,
  ParentColumn | 'store_id'
> & { id?: number };

/**
 * Inserts any number of children of one record in a single statement and returns their ids; inserts nothing if the store
 * has no such parent. With `key`, a child that has the same value of that column already is updated and keeps its id.
 */
export function insertChildrenStatement<
  T extends StoreTable,
  ParentColumn extends keyof InsertValues<T> & string,
>(
  db: StoreDb,
  { table, parent, parentColumn }: ChildTable<T, ParentColumn>,
  parentId: number | SQL,
  children: readonly [Child<T, ParentColumn>, ...Child<T, ParentColumn>[]],
  key?: keyof Child<T, ParentColumn> & string,
) {
  const rows = children.map((child) => withDerivedColumns(table, child));
  const names = Object.keys(rows[0] ?? {});
  const identifiers = [parentColumn, ...names].map((name) => sql.identifier(name));
  const values = names.map((name) => sql`value ->> ${sql.raw(`'$.${name}'`)}`);
  return rawStatement<{ id: number }>(
    db,
    sql`insert into ${table} (store_id, created_at, updated_at, ${sql.join(identifiers, sql`, `)})
      select ${parent.store_id}, ${db.now}, ${db.now}, ${parent.id}, ${sql.join(values, sql`, `)}
      from ${parent} cross join json_each(${JSON.stringify(rows)})
      where ${parent.id} = ${parentId} and ${parent.store_id} = ${db.store.id}
      ${key === undefined ? sql`` : onConflictUpdate(table, [parentColumn, key], names)} returning id`,
  );
}

function onConflictUpdate(
  table: StoreTable,
  key: readonly string[],
  names: readonly string[],
): SQL {
  const columns: Record<string, Column> = getTableColumns(table);
  const changed = names
    .filter((name) => name !== 'id' && !key.includes(name))
    .map((name) => sql.identifier(name));
  const set = changed.map((name) => sql`${name} = excluded.${name}`);
  const differs = changed.map((name) => sql`${columns[name.value]} is not excluded.${name}`);
  return sql`on conflict (${sql.join(
    key.map((name) => sql.identifier(name)),
    sql`, `,
  )}) do update set ${sql.join(set, sql`, `)}, updated_at = excluded.updated_at
    where ${sql.join(differs, sql` or `)}`;
}
