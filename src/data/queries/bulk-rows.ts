import { getTableColumns, sql, type Column, type SQL } from 'drizzle-orm';
import { abortUnless } from '../core/data-errors.ts';
import { parameters } from '../core/raw.ts';
import { markInsert, type Statement } from '../core/statement.ts';
import type { StoreDb } from '../core/store-db.ts';
import { shapedStatement, withDerivedColumns } from '../core/store-statements.ts';
import type { InsertValues, StoreTable, UpdateValues } from '../core/store-table.ts';
import { inParameters } from './json-parameters.ts';
import type { RevisionTable } from './revision.ts';

/** Records that are written together: the columns, and a JSON text of the values by column. */
interface SameColumns {
  names: readonly string[];
  text: string;
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
    const group = groups.get(names.join()) ?? { names, rows: [] };
    group.rows.push(JSON.stringify({ ...row, ...further, id }));
    groups.set(names.join(), group);
  }
  return [...groups.values()].flatMap(({ names, rows }) =>
    inParameters(rows).map((text) => ({ names, text })),
  );
}

const [storeId, now, items] = parameters('storeId', 'now', 'items');

/** A statement on the items of a JSON text, built once for a table and a key. */
const itemsStatement = (
  db: StoreDb,
  table: StoreTable,
  key: string,
  text: string,
  build: () => SQL,
): Statement =>
  shapedStatement(db, table, { key, build }, { storeId: db.store.id, now: db.now, items: text });

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
  key: readonly (keyof InsertValues<T> & string)[] = [],
): Statement[] {
  const [one, ...others] = rows;
  return byColumns(table, rows).map(({ names, text }) => {
    const columns = ['id', ...names];
    const statement = itemsStatement(
      db,
      table,
      `insert all ${names.join()} ${key.join()}`,
      text,
      () => sql`insert into ${table} (store_id, created_at, updated_at, ${identifiers(columns)})
      select ${storeId}, ${now}, ${now}, ${sql.join(columns.map(valueOf), sql`, `)} from json_each(${items}) item
      where true ${key.length > 0 ? onConflictUpdate(table, key, names) : sql``}`,
    );
    return one && others.length === 0 ? markInsert(statement, { table, id: one.id }) : statement;
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
  ).map(({ names, text }) => updateStatement(db, table, names, text));

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
  ).flatMap(({ names, text }) => [
    updateStatement(db, table, names, text, table.revision),
    itemsStatement(db, table, 'all changed', text, () =>
      abortUnless(sql`changes() = json_array_length(${items})`, 'conflict'),
    ),
  ]);

const updateStatement = (
  db: StoreDb,
  table: StoreTable,
  names: readonly string[],
  text: string,
  revision?: RevisionTable['revision'],
) =>
  itemsStatement(db, table, `update all ${names.join()} ${revision?.name}`, text, () => {
    const set = names.map((name) => sql`${sql.identifier(name)} = ${valueOf(name)}, `);
    // The plus keeps SQLite from walking all records of the store.
    return sql`update ${table} set ${sql.join(set)}${revision ? sql`revision = ${revision} + 1, ` : sql``}updated_at = ${now}
      from json_each(${items}) item
      where ${table.id} = item.value ->> '$.id' and +${table.store_id} = ${storeId}
        ${revision ? sql`and ${revision} = item.value ->> '$.revision'` : sql``}`;
  });
