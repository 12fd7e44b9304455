import { sql, type SQL } from 'drizzle-orm';
import { rawStatement } from '../core/raw.ts';
import { markInsert } from '../core/statement.ts';
import type { StoreDb } from '../core/store-db.ts';
import { withDerivedColumns } from '../core/store-statements.ts';
import type { InsertValues, StoreTable } from '../core/store-table.ts';
import { onConflictUpdate } from './bulk-rows.ts';

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
 * Inserts any number of children of one record in a single statement and returns their ids; inserts
 * nothing if the store has no such parent. With `key`, a child that has the same value of that
 * column already is updated and keeps its id.
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
  const statement = rawStatement<{ id: number }>(
    db,
    sql`insert into ${table} (store_id, created_at, updated_at, ${sql.join(identifiers, sql`, `)})
      select ${parent.store_id}, ${db.now}, ${db.now}, ${parent.id}, ${sql.join(values, sql`, `)}
      from ${parent} cross join json_each(${JSON.stringify(rows)})
      where ${parent.id} = ${parentId} and ${parent.store_id} = ${db.store.id}
      ${key === undefined ? sql`` : onConflictUpdate(table, [parentColumn, key], names)} returning id`,
  );
  return children.length === 1 ? markInsert(statement, { table, id: children[0].id }) : statement;
}
