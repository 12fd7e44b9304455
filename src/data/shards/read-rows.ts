import { afterEventIds, eventPrefix } from '../core/event-id.ts';
import type { Database } from '../core/open-database.ts';
import type { MovedTable } from './moved-tables.ts';

/** A value as D1 stores it. No table has blobs. */
export type Cell = string | number | null;

/** The key of the last row that was read: with the owner first for a table that has a parent. */
export type Cursor = readonly Cell[];

/** Some rows of a store in the order of their keys. */
export interface Chunk {
  rows: Cell[][];
  /** Where to go on; `undefined` behind the last row. */
  next: Cursor | undefined;
}

/** Rows of a chunk. A statement of this size holds a database for some 50 ms, so that other stores hardly notice. */
export const rowsPerChunk = 1_000;

/** Characters of a chunk, about. The limit of D1 is 2 MB for a value. */
const charactersPerChunk = 800_000;

const list = (columns: readonly string[], prefix = '') =>
  columns.map((column) => `${prefix}"${column}"`).join(', ');

/** The columns of a cursor. */
const cursorColumns = ({ owner, key }: MovedTable) =>
  owner === 'store_id' ? key : [owner.column, ...key];

/** The condition that a row belongs to the store, comes after the cursor, and the order of the keys. */
function selectRows(table: MovedTable, storeId: number, cursor: Cursor | undefined) {
  const { name, columns, owner, key } = table;
  if (owner !== 'store_id') {
    const [parentId = 0, ...rest] = cursor ?? [];
    // Behind the cursor within its record, and from the start in all others.
    const from = key.map(() => 'iif(p.id = ?, ?, -1)').join(', ');
    return {
      sql: `select ${list(columns, 'd.')} from "${owner.parent}" p cross join "${name}" d on d."${owner.column}" = p.id
        where p.store_id = ? and p.id >= ? and (${list(key, 'd.')}) > (${from})
        order by p.id, ${list(key, 'd.')} limit ${rowsPerChunk}`,
      values: [storeId, parentId, ...key.flatMap((_, index) => [parentId, rest[index] ?? -1])],
    };
  }
  const values: Cell[] = [storeId];
  let condition = 'store_id = ?';
  if (name === 'webhook_events') {
    // Their ids begin with the store, and no other index leads to them.
    condition += ' and id > ? and id < ?';
    values.push(eventPrefix(storeId), afterEventIds(storeId));
  }
  if (cursor && key.length > 0) {
    condition += ` and (${list(key)}) > (${key.map(() => '?').join(', ')})`;
    values.push(...cursor);
  }
  const order = key.length > 0 ? `order by ${list(key)}` : '';
  return {
    sql: `select ${list(columns)} from "${name}" where ${condition} ${order} limit ${rowsPerChunk}`,
    values,
  };
}

/** Reads the next rows of a store. One round trip; reads each row once, in the order of an index. */
export async function readChunk(
  db: Database,
  table: MovedTable,
  storeId: number,
  cursor: Cursor | undefined,
): Promise<Chunk> {
  const { columns } = table;
  const selected = selectRows(table, storeId, cursor);
  const size = columns.map((column) => `coalesce(length("${column}"), 0)`).join(' + ');
  const order = list(cursorColumns(table));
  // The first row is always in; the others while the sum of what is before them is within the limit.
  const rows = await db.$client
    .prepare(
      `select ${list(columns)}, chunk_sum from (
        select *, sum(chunk_row) over (${order && `order by ${order}`} rows unbounded preceding) as chunk_sum
        from (select *, ${size} as chunk_row from (${selected.sql})))
      where chunk_sum - chunk_row < ${charactersPerChunk}`,
    )
    .bind(...selected.values)
    .raw<Cell[]>();
  const total = Number(rows.at(-1)?.at(-1) ?? 0);
  const isLast =
    rows.length === 0 || (rows.length < rowsPerChunk && total < charactersPerChunk) || !order;
  const cells = rows.map((row) => row.slice(0, -1));
  const last = cells.at(-1);
  const next =
    isLast || !last
      ? undefined
      : cursorColumns(table).map((column) => last[columns.indexOf(column)] ?? null);
  return { rows: cells, next };
}
