import { getTableColumns, sql } from 'drizzle-orm';
import type { Column, SQL } from 'drizzle-orm';
import { withDerived } from './derived.ts';
import { rawStatement } from './raw.ts';
import type { StoreDb } from './store.ts';
import type { StoreTable, Values } from './table.ts';

/** The records of `table` below one record of `parent`, named in the column `by`. */
export interface Children<T extends StoreTable, By extends keyof Values<T> & string> {
  table: T;
  parent: StoreTable;
  by: By;
}

/** `id` is there when it was reserved; then all have one. */
type Child<T extends StoreTable, By extends string> = Omit<Values<T>, By | 'store_id'> & {
  id?: number;
};

/**
 * Adds records below one record of this store in a single statement, whatever their number; adds nothing, and
 * answers with nothing, when this store has no such parent. Where a child with the same value of `key` is
 * there already, that one is changed instead and keeps its id.
 */
export function insertionBelow<T extends StoreTable, By extends keyof Values<T> & string>(
  db: StoreDb,
  { table, parent, by }: Children<T, By>,
  parentId: number | SQL,
  children: readonly [Child<T, By>, ...Child<T, By>[]],
  key?: keyof Child<T, By> & string,
) {
  const rows = children.map((child) => withDerived(table, child));
  const names = Object.keys(rows[0] ?? {});
  const identifiers = [by, ...names].map((name) => sql.identifier(name));
  const values = names.map((name) => sql`value ->> ${sql.raw(`'$.${name}'`)}`);
  return rawStatement<{ id: number }>(
    db,
    sql`insert into ${table} (store_id, created_at, updated_at, ${sql.join(identifiers, sql`, `)})
      select ${parent.store_id}, ${db.now}, ${db.now}, ${parent.id}, ${sql.join(values, sql`, `)}
      from ${parent} cross join json_each(${JSON.stringify(rows)})
      where ${parent.id} = ${parentId} and ${parent.store_id} = ${db.store.id}
      ${key === undefined ? sql`` : orChange(table, [by, key], names)} returning id`,
  );
}

function orChange(table: StoreTable, key: readonly string[], names: readonly string[]): SQL {
  const columns: Record<string, Column> = getTableColumns(table);
  const changed = names.filter((name) => !key.includes(name)).map((name) => sql.identifier(name));
  const set = changed.map((name) => sql`${name} = excluded.${name}`);
  const differs = changed.map((name) => sql`${columns[name.value]} is not excluded.${name}`);
  return sql`on conflict (${sql.join(
    key.map((name) => sql.identifier(name)),
    sql`, `,
  )}) do update set ${sql.join(set, sql`, `)}, updated_at = excluded.updated_at
    where ${sql.join(differs, sql` or `)}`;
}
