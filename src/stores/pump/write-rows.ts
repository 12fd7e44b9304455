import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { MovedTable } from '../../data/shards/moved-tables.ts';
import type { Cell, Line } from '../../data/shards/read-rows.ts';

/**
 * Characters of JSON that one value of a statement holds. D1 allows 2,000,000 bytes, and a
 * character has up to three.
 */
const maxJsonLength = 600_000;

/**
 * Statements that insert rows. These may not be of one moment, and of a release that had other
 * columns. So a row is left out if it refers to one that is not there, or is there already under
 * one of its unique values. A reference that may be null becomes null. Those within a table are set
 * later.
 */
export function insertStatements(
  db: Database,
  { name, columns, selfReference, references }: MovedTable,
  { columns: given, rows }: Line,
): Statement[] {
  const known = columns.filter((column) => given.includes(column));
  const names = sql.raw(known.map((column) => `"${column}"`).join(', '));
  const insert = (from: SQL, cellOf: (column: string) => SQL) => {
    const isThere = (parent: string, cell: SQL) =>
      sql`(select id from ${sql.identifier(parent)} where id = ${cell})`;
    const cells = known.map((column) => {
      const optional = references.find((one) => one.column === column && one.mayBeNull);
      if (column === selfReference) return sql`null`;
      return optional ? isThere(optional.parent, cellOf(column)) : cellOf(column);
    });
    const required = references
      .filter(({ column, mayBeNull }) => !mayBeNull && known.includes(column))
      .map(({ column, parent }) => sql`${isThere(parent, cellOf(column))} is not null`);
    return rawDatabaseStatement(
      db,
      sql`insert into ${sql.identifier(name)} (${names}) select ${sql.join(cells, sql`, `)}${from}
        where ${sql.join([sql`true`, ...required], sql` and `)} on conflict do nothing`,
    );
  };
  const { lists, large } = splitByLength(rows);
  return [
    ...lists.map((json) =>
      insert(sql` from json_each(${json})`, (column) =>
        sql.raw(`value ->> ${given.indexOf(column)}`),
      ),
    ),
    ...large.map((row) => insert(sql``, (column) => sql`${row[given.indexOf(column)] ?? null}`)),
  ];
}

/** Statements that set the references within a table, after all its rows are there. */
export function referenceStatements(
  db: Database,
  { name, selfReference = '' }: MovedTable,
  { columns, rows }: Line,
): Statement[] {
  const id = columns.indexOf('id');
  const reference = columns.indexOf(selfReference);
  const pairs = rows
    .filter((row) => row[reference] !== null)
    .map((row) => [row[id], row[reference]]);
  if (pairs.length === 0) return [];
  const table = sql.identifier(name);
  return [
    rawDatabaseStatement(
      db,
      sql`update ${table} set ${sql.identifier(selfReference)} = pair.value ->> 1
        from json_each(${JSON.stringify(pairs)}) pair where ${table}.id = pair.value ->> 0`,
    ),
  ];
}

/** JSON arrays of rows, none too long for a value, and the rows that are too long themselves. */
function splitByLength(rows: readonly Cell[][]): { lists: string[]; large: Cell[][] } {
  const lists: string[] = [];
  const large: Cell[][] = [];
  let texts: string[] = [];
  let length = 0;
  const close = () => {
    if (texts.length > 0) lists.push(`[${texts.join(',')}]`);
    texts = [];
    length = 0;
  };
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (text.length > maxJsonLength) {
      large.push(row);
      continue;
    }
    if (length + text.length > maxJsonLength) close();
    texts.push(text);
    length += text.length;
  }
  close();
  return { lists, large };
}
