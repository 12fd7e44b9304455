import { inArray, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { rawStatement } from './raw.ts';
import { computed } from './relations.ts';
import type { StoreDb } from './store.ts';
import type { StoreTable } from './table.ts';

/** Which records of one table belong to which of another: a table of pairs, without an id or a store of its own. */
export interface Links {
  table: SQLiteTable;
  owner: { table: StoreTable; column: AnySQLiteColumn<{ data: number }> };
  target: { table: StoreTable; column: AnySQLiteColumn<{ data: number }> };
}

/** Ids of a request as one parameter. */
export const idList = (ids: readonly number[]): SQL =>
  sql`(select value from json_each(${JSON.stringify(ids)}))`;

/** The highest id of a table in this store: within a batch, that of the record which was just added. */
export const newestOf = (db: StoreDb, table: StoreTable): SQL<number> =>
  sql<number>`(select max(${table.id}) from ${table} where ${table.store_id} = ${db.store.id})`;

/** The ids that a record is linked to, in order; read in the same statement as the record. */
export const linkedIds = (links: Links) =>
  computed(arrayOf(links, links.owner.table.id), (text: string) => JSON.parse(text) as number[]);

const arrayOf = ({ table, owner, target }: Links, id: SQL | AnySQLiteColumn | number): SQL =>
  sql`(select json_group_array(id) from (select ${target.column} as id from ${table} where ${owner.column} = ${id} order by ${target.column}))`;

/** Whether a target is linked to the owner that is read: for relations. */
export const isLinked = ({ table, owner, target }: Links): SQL =>
  inArray(
    target.table.id,
    sql`(select ${target.column} from ${table} where ${owner.column} = ${owner.table.id})`,
  );

/** Whether a record is linked to anything else than these ids. */
export const linksDiffer = (links: Links, owner: number, ids: readonly number[]): SQL =>
  sql`${arrayOf(links, owner)} <> ${JSON.stringify(ids.toSorted((a, b) => a - b))}`;

/** The statements that link a record of this store to these records of this store and to no others. */
export function relink(db: StoreDb, links: Links, owner: number | SQL, ids: readonly number[]) {
  const [of, to] = [links.owner, links.target];
  const own = sql`(select ${of.table.id} from ${of.table} where ${of.table.id} = ${owner} and ${of.table.store_id} = ${db.store.id})`;
  return [
    rawStatement(
      db,
      sql`delete from ${links.table} where ${of.column} = ${own} and ${to.column} not in ${idList(ids)}`,
    ),
    rawStatement(
      db,
      sql`insert or ignore into ${links.table} (${sql.identifier(of.column.name)}, ${sql.identifier(to.column.name)})
        select ${of.table.id}, ${to.table.id} from ${of.table} join ${to.table}
        where ${of.table.id} = ${own} and ${to.table.store_id} = ${db.store.id} and ${to.table.id} in ${idList(ids)}`,
    ),
  ];
}
