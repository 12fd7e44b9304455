import { sql, type SQL } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { parameters, rawStatement } from '../core/raw.ts';
import type { StoreDb } from '../core/store-db.ts';
import { shapedStatement } from '../core/store-statements.ts';
import type { StoreTable } from '../core/store-table.ts';
import type { LinkedFilter, RecordSet } from '../lists/record-source.ts';
import { computedColumn } from './relations.ts';

/**
 * A table of pairs of ids. It has no `store_id`, so every statement that writes a pair looks up
 * both records in the store.
 */
export interface Link {
  table: SQLiteTable;
  owner: StoreTable;
  ownerId: AnySQLiteColumn;
  linked: StoreTable;
  linkedId: AnySQLiteColumn;
}

/** A list of ids as a subquery with one parameter. */
export const idsSubquery = (ids: readonly number[]) =>
  sql`(select value from json_each(${JSON.stringify(ids)}))`;

const idsOfStore = (storeId: SQL | number, table: StoreTable, ids: SQL) =>
  sql`(select ${table.id} from ${table} where +${table.store_id} = ${storeId} and ${table.id} in ${ids})`;

const insertPairs = ({ table, ownerId, linkedId }: Link) =>
  sql`insert into ${table} (${sql.identifier(ownerId.name)}, ${sql.identifier(linkedId.name)})`;

/** Links records of the store, those of `pairs` of ids; existing links stay. */
const linkPairs = (link: Link, storeId: SQL | number, pairs: SQL) =>
  sql`${insertPairs(link)} select one.id, other.id from ${pairs} pair
    cross join ${link.owner} one on one.id = pair.owner and +one.store_id = ${storeId}
    cross join ${link.linked} other on other.id = pair.linked and +other.store_id = ${storeId}
    where true on conflict do nothing`;

/** Links a record with others of the store; existing links stay. */
export const linkStatement = (
  db: StoreDb,
  link: Link,
  owner: SQL | number,
  ids: readonly number[],
) =>
  rawStatement(
    db,
    linkPairs(
      link,
      db.store.id,
      sql`(select ${owner} as owner, value as linked from json_each(${JSON.stringify(ids)}))`,
    ),
  );

/** Removes the links between a record and these others. */
export const unlinkStatement = (db: StoreDb, link: Link, owner: number, ids: readonly number[]) =>
  rawStatement(
    db,
    sql`delete from ${link.table} where ${link.ownerId} in ${idsOfStore(db.store.id, link.owner, sql`(${owner})`)}
      and ${link.linkedId} in ${idsSubquery(ids)}`,
  );

/** The ids that a record is linked with afterwards. */
export interface OwnedLinks {
  owner: number;
  ids: readonly number[];
}

const [storeId, owners, texts] = parameters('storeId', 'owners', 'pairs');
const pairs = sql`(select value ->> 0 as owner, value ->> 1 as linked from json_each(${texts}))`;

/** Replaces all links of records by these, in two statements; those of `created` have none. */
export function replaceLinksStatements(
  db: StoreDb,
  link: Link,
  records: readonly OwnedLinks[],
  created: readonly OwnedLinks[] = [],
) {
  const { table, owner, ownerId, linkedId } = link;
  const all = [...created, ...records].flatMap((one) => one.ids.map((id) => [one.owner, id]));
  const values = {
    storeId: db.store.id,
    owners: JSON.stringify(records.map((one) => one.owner)),
    pairs: JSON.stringify(all),
  };
  const statement = (name: string, build: () => SQL) =>
    shapedStatement(db, table, { key: `${name} ${ownerId.name}`, build }, values);
  const remove = () => sql`delete from ${table}
    where ${ownerId} in ${idsOfStore(storeId, owner, sql`(select value from json_each(${owners}))`)}
      and (${ownerId}, ${linkedId}) not in ${pairs}`;
  return [
    ...(records.length > 0 ? [statement('unlink', remove)] : []),
    ...(all.length > 0 ? [statement('link', () => linkPairs(link, storeId, pairs))] : []),
  ];
}

/**
 * {@link replaceLinksStatements} if the ids that were sent differ from those before; else no
 * statements.
 */
export function changedLinksStatements(
  db: StoreDb,
  link: Link,
  owner: number,
  before: readonly number[] | undefined,
  sent: readonly number[] | undefined,
) {
  if (!sent) return [];
  const ids = sent.toSorted((one, other) => one - other);
  return JSON.stringify(before) === JSON.stringify(ids)
    ? []
    : replaceLinksStatements(db, link, [{ owner, ids }]);
}

/** Copies the links of other records of the same table to a record. */
export const copyLinksStatement = (
  db: StoreDb,
  link: Link,
  owner: number,
  sources: readonly number[],
) =>
  rawStatement(
    db,
    sql`${insertPairs(link)} select distinct one.id, ${link.linkedId}
      from ${idsOfStore(db.store.id, link.owner, sql`(${owner})`)} one, ${link.table}
      where ${link.ownerId} in ${idsOfStore(db.store.id, link.owner, idsSubquery(sources))} on conflict do nothing`,
  );

/** The condition that a linked record is linked with the owner. */
export const isLinkedTo = (link: Link, owner: SQL | AnySQLiteColumn | number) =>
  sql`${link.linked.id} in (select ${link.linkedId} from ${link.table} where ${link.ownerId} = ${owner})`;

/**
 * The linked records of an owner, which belongs to the store, as a list below it (`StoreDb.page`).
 */
export const linkedRecords = (
  { table, ownerId, linked, linkedId }: Link,
  owner: number,
): RecordSet => ({
  holds: sql`exists (select 1 from ${table} where ${ownerId} = ${owner} and ${linkedId} = ${linked.id})`,
  source: {
    key: sql`${linkedId}`,
    scale: 1,
    from: sql`${table}`,
    where: sql`${ownerId} = ${owner}`,
    isById: true,
    isExact: true,
  },
});

/**
 * The filter of a list of owners by the ids that they are linked with (option `linked` of
 * `StoreDb.page`).
 */
export const isLinkedWithAny =
  ({ table, owner, ownerId, linkedId }: Link): LinkedFilter =>
  (ids) => {
    const isAny = sql`${linkedId} in (select value from json_each(${JSON.stringify(ids)}))`;
    return {
      holds: sql`exists (select 1 from ${table} where ${ownerId} = ${owner.id} and ${isAny})`,
      source: {
        key: sql`${ownerId}`,
        scale: 1,
        from: sql`${table}`,
        where: ids.length === 1 ? sql`${linkedId} = ${ids[0]}` : isAny,
        isById: ids.length === 1,
        // The ids may be those of another store.
        isExact: false,
      },
    };
  };

/** Computed column: the ids that a record is linked with, ascending. */
export const linkedIds = (link: Link, owner: StoreTable) =>
  computedColumn(
    sql`json((select json_group_array(id) from (select ${link.linkedId} as id from ${link.table}
      where ${link.ownerId} = ${owner.id} order by 1)))`,
    (text: string) => JSON.parse(text) as number[],
  );

/** The condition that a record is not linked with exactly these ids. */
export const linksDiffer = (link: Link, owner: number, ids: readonly number[]) =>
  sql`(select json_group_array(id) from (select ${link.linkedId} as id from ${link.table}
    where ${link.ownerId} = ${owner} order by 1)) <> ${JSON.stringify(ids.toSorted((a, b) => a - b))}`;
