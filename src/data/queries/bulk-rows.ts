import { getTableColumns, sql, type Column, type SQL } from 'drizzle-orm';
import { rawStatement } from '../core/raw.ts';
import type { Statement } from '../core/statement.ts';
import type { StoreDb } from '../core/store-db.ts';
import { withDerivedColumns } from '../core/store-statements.ts';
import type { InsertValues, StoreTable, UpdateValues } from '../core/store-table.ts';
import { inParameters } from './json-parameters.ts';
import type { Link } from './links.ts';
import type { RevisionTable } from './revision.ts';

/** Records that are written together: the values of each by column, and the text of the same. */
interface SameColumns {
  names: readonly string[];
  rows: readonly string[];
}

/** Groups records by the columns that they write: a statement writes the same ones of each. */
function byColumns(
  table: StoreTable,
  records: readonly { id: number; values: object; further?: object }[],
): SameColumns[] {
  const groups = new Map<string, { names: string[]; rows: string[] }>();
  for (const { id, values, further } of records) {
    const row = withDerivedColumns(table, values as Record<string, unknown>);
    const names = Object.keys(row).filter((name) => row[name] !== undefined);
    const key = names.toSorted().join();
    const group = groups.get(key) ?? { names, rows: [] };
    group.rows.push(JSON.stringify({ ...row, ...further, id }));
    groups.set(key, group);
  }
  return [...groups.values()];
}

const valueOf = (name: string) => sql.raw(`item.value ->> '$.${name}'`);
const identifiers = (names: readonly string[]) =>
  sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  );

/**
 * Inserts any number of records under their reserved ids, in a few statements. `key`: a record
 * whose values of these columns are taken replaces the others of the stored one, which has the same
 * id.
 */
export function insertRowsStatements<T extends StoreTable>(
  db: StoreDb,
  table: T,
  rows: readonly { id: number; values: InsertValues<T> }[],
  key?: readonly (keyof InsertValues<T> & string)[],
): Statement[] {
  return byColumns(table, rows).flatMap(({ names, rows: texts }) => {
    const values = sql.join(['id', ...names].map(valueOf), sql`, `);
    return inParameters(texts).map((parameter) =>
      rawStatement(
        db,
        sql`insert into ${table} (store_id, created_at, updated_at, ${identifiers(['id', ...names])})
          select ${db.store.id}, ${db.now}, ${db.now}, ${values} from json_each(${parameter}) item
          where true ${key ? onConflictUpdate(table, key, names) : sql``}`,
      ),
    );
  });
}

/** The end of an insert: where `key` is taken, it sets those of the other columns that differ. */
export function onConflictUpdate(
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
  return sql`on conflict (${identifiers(key)}) do update set ${sql.join(set, sql`, `)}, updated_at = excluded.updated_at
    where ${sql.join(differs, sql` or `)}`;
}

/** A change of a record: its id, and the columns that differ. */
export interface RowChange<T extends StoreTable> {
  id: number;
  changes: UpdateValues<T>;
}

/** Changes any number of records, in a statement for each set of columns. */
export const updateRowsStatements = <T extends StoreTable>(
  db: StoreDb,
  table: T,
  rows: readonly RowChange<T>[],
): Statement[] =>
  byColumns(
    table,
    rows.map(({ id, changes }) => ({ id, values: changes })),
  ).flatMap(({ names, rows: texts }) =>
    inParameters(texts).map((parameter) => updateStatement(db, table, names, parameter)),
  );

/**
 * Changes records in the same way, and counts a revision of each, also of one without changed
 * columns. Aborts the batch with a `ConflictError` if one of them no longer has the revision that
 * was read.
 */
export const reviseRowsStatements = <T extends RevisionTable>(
  db: StoreDb,
  table: T,
  rows: readonly (RowChange<T> & { revision: number })[],
): Statement[] =>
  byColumns(
    table,
    rows.map(({ id, revision, changes }) => ({ id, values: changes, further: { revision } })),
  ).flatMap(({ names, rows: texts }) =>
    inParameters(texts).flatMap((parameter) => [
      updateStatement(db, table, names, parameter, table.revision),
      db.assert(sql`changes() = json_array_length(${parameter})`),
    ]),
  );

function updateStatement(
  db: StoreDb,
  table: StoreTable,
  names: readonly string[],
  parameter: string,
  revision?: RevisionTable['revision'],
): Statement {
  const set = names.map((name) => sql`${sql.identifier(name)} = ${valueOf(name)}, `);
  // The plus keeps SQLite from walking all records of the store.
  return rawStatement(
    db,
    sql`update ${table} set ${sql.join(set)}${revision ? sql`revision = ${revision} + 1, ` : sql``}updated_at = ${db.now}
      from json_each(${parameter}) item
      where ${table.id} = item.value ->> '$.id' and +${table.store_id} = ${db.store.id}
        ${revision ? sql`and ${revision} = item.value ->> '$.revision'` : sql``}`,
  );
}

/** The links that a record has afterwards. */
export interface OwnedLinks {
  owner: number;
  ids: readonly number[];
}

/**
 * Replaces the links of any number of records, which were inserted or asserted before. `areNew`:
 * none of them has any.
 */
export function replaceAllLinksStatements(
  db: StoreDb,
  { table, owner, ownerId, linked, linkedId }: Link,
  records: readonly OwnedLinks[],
  { areNew = false } = {},
): Statement[] {
  if (records.length === 0) return [];
  const pairs = JSON.stringify(records.flatMap((one) => one.ids.map((id) => [one.owner, id])));
  const owners = JSON.stringify(records.map((one) => one.owner));
  const isOfStore = sql`${ownerId} in (select ${owner.id} from ${owner} where +${owner.store_id} = ${db.store.id}
    and ${owner.id} in (select value from json_each(${owners})))`;
  const remove = rawStatement(
    db,
    sql`delete from ${table} where ${isOfStore}
      and (${ownerId}, ${linkedId}) not in (select value ->> 0, value ->> 1 from json_each(${pairs}))`,
  );
  const add = rawStatement(
    db,
    sql`insert into ${table} (${identifiers([ownerId.name, linkedId.name])})
      select one.id, other.id from json_each(${pairs}) pair
        cross join ${owner} one on one.id = pair.value ->> 0 and +one.store_id = ${db.store.id}
        cross join ${linked} other on other.id = pair.value ->> 1 and +other.store_id = ${db.store.id}
      where true on conflict do nothing`,
  );
  return areNew ? [add] : [remove, add];
}
