import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod';
import { afterEventIds, eventPrefix } from '../core/event-id.ts';
import type { Database } from '../core/open-database.ts';
import { prepareSql, rawDatabaseStatement } from '../core/raw.ts';
import type { TypedStatement } from '../core/statement.ts';
import { movedTables, type MovedTable } from './moved-tables.ts';

/** A value as D1 stores it. No table has blobs. */
export type Cell = string | number | null;

/** The key of the last row that was read: with the owner first for a table that has a parent. */
export type Cursor = readonly Cell[];

/** How far a dump or a load is: in which table, or part of a copy, and behind which row of it. */
export const Place = z.object({
  position: z.int(),
  cursor: z.array(z.union([z.string(), z.number(), z.null()])).optional(),
});

export interface Place {
  position: number;
  cursor?: Cursor | undefined;
}

/** Some rows of a table in the order of their keys, with all their values. */
export interface Line {
  table: string;
  columns: readonly string[];
  rows: Cell[][];
}

/** A line at a place; without rows for an empty table. */
export interface Chunk {
  line: Line;
  /** The sum of the characters of these rows. */
  characters: number;
  after: Place;
}

/**
 * Rows of a chunk. A statement of this size holds a database for some 50 ms, so that other stores
 * hardly notice.
 */
export const rowsPerChunk = 1_000;

/**
 * How much one chunk holds: rows, and about so many characters. The limit of D1 is 2 MB for a
 * value.
 */
interface ChunkSize {
  rows: number;
  characters: number;
}

const wholeChunk: ChunkSize = { rows: rowsPerChunk, characters: 800_000 };

/** Whether so much is at most one chunk. */
export const isOneChunk = (rows: number, characters = 0) =>
  rows <= rowsPerChunk && characters <= wholeChunk.characters;

/**
 * A first chunk, of which one batch reads those of all tables. So a store of usual size is read in
 * one transaction.
 */
const firstChunk: ChunkSize = { rows: 200, characters: 40_000 };

/** Names columns. */
export const list = (columns: readonly string[], prefix = '') =>
  sql.raw(columns.map((column) => `${prefix}"${column}"`).join(', '));

const values = (cells: readonly (Cell | SQL)[]) =>
  sql.join(
    cells.map((cell) => sql`${cell}`),
    sql`, `,
  );

/** The columns of a cursor. */
export const cursorColumns = ({ owner, key }: MovedTable) =>
  owner === 'store_id' ? key : [owner.column, ...key];

/** Selects the rows of a store that come after the cursor, in the order of their keys. */
export function selectRows(
  table: MovedTable,
  storeId: number,
  cursor: Cursor | undefined,
  rows: number,
): SQL {
  const limit = sql.raw(String(rows));
  const { name, columns, owner, key } = table;
  if (owner !== 'store_id') {
    const [parentId = 0, ...rest] = cursor ?? [];
    // Behind the cursor within its record, and from the start in all others.
    const from = key.map((_, index) => sql`iif(parent.id = ${parentId}, ${rest[index] ?? -1}, -1)`);
    return sql`select ${list(columns, 'moved.')} from ${sql.identifier(owner.parent)} parent
        cross join ${sql.identifier(name)} moved on moved.${sql.identifier(owner.column)} = parent.id
        where parent.store_id = ${storeId} and parent.id >= ${parentId} and (${list(key, 'moved.')}) > (${values(from)})
        order by parent.id, ${list(key, 'moved.')} limit ${limit}`;
  }
  const conditions = [sql`store_id = ${storeId}`];
  if (name === 'webhook_events') {
    // Their ids begin with the store, and no other index leads to them.
    conditions.push(sql`id > ${eventPrefix(storeId)} and id < ${afterEventIds(storeId)}`);
  }
  if (cursor && key.length > 0) conditions.push(sql`(${list(key)}) > (${values(cursor)})`);
  const order = key.length > 0 ? sql`order by ${list(key)}` : sql``;
  return sql`select ${list(columns)} from ${sql.identifier(name)} where ${sql.join(conditions, sql` and `)}
    ${order} limit ${limit}`;
}

/** Selects a chunk: the cells of each row, and behind them the characters up to it. */
function selectChunk(
  table: MovedTable,
  storeId: number,
  cursor: Cursor | undefined,
  chunk: ChunkSize,
): SQL {
  const { columns } = table;
  const size = sql.raw(columns.map((column) => `coalesce(length("${column}"), 0)`).join(' + '));
  const order = cursorColumns(table);
  const window = sql`${order.length > 0 ? sql`order by ${list(order)}` : sql``} rows unbounded preceding`;
  // The first row is always in; others while the sum of what is before them is within the limit.
  return sql`select ${list(columns)}, chunk_sum from (
        select *, sum(chunk_row) over (${window}) as chunk_sum
        from (select *, ${size} as chunk_row from (${selectRows(table, storeId, cursor, chunk.rows)})))
      where chunk_sum - chunk_row < ${chunk.characters}`;
}

/** The rows of a store in a shard, from a place on. Where a line ends depends on the data only. */
export class Dump<Row = unknown> {
  readonly #db: Database;
  readonly #storeId: number;
  readonly #tables: readonly MovedTable[];
  readonly #beside: TypedStatement<Row[]>;
  #first: Record<string, Cell>[][] | undefined;
  #opened = 0;
  /** The row of `beside`, as it was when the first rows were read. */
  row: Row | undefined;
  /** Whether one transaction has read all rows so far. */
  isOneRead = true;

  constructor(
    db: Database,
    storeId: number,
    {
      tables = movedTables,
      beside = rawDatabaseStatement<Row>(db, sql`select 1`),
    }: { tables?: readonly MovedTable[]; beside?: TypedStatement<Row[]> } = {},
  ) {
    this.#db = db;
    this.#storeId = storeId;
    this.#tables = tables;
    this.#beside = beside;
  }

  /**
   * Reads what comes at a place, which only goes forward; `undefined` behind the last table. The
   * first call reads the first rows of all tables in one batch, so a store of usual size as it is
   * at one moment. Each further chunk of a large table is a round trip.
   */
  async read({ position, cursor }: Place): Promise<Chunk | undefined> {
    const table = this.#tables[position];
    if (!table) return undefined;
    this.#first ??= await this.#open(position);
    if (!cursor) {
      const names = [...table.columns, 'chunk_sum'];
      const found = this.#first[position - this.#opened] ?? [];
      const rows = found.map((record) => names.map((name) => record[name] ?? null));
      return toChunk(table, position, rows, firstChunk);
    }
    this.isOneRead = false;
    const query = selectChunk(table, this.#storeId, cursor, wholeChunk);
    return toChunk(
      table,
      position,
      await prepareSql(this.#db.$client, query).raw<Cell[]>(),
      wholeChunk,
    );
  }

  async #open(position: number) {
    const [[row], ...found] = (await this.#db.batch([
      this.#beside,
      ...this.#tables
        .slice(position)
        .map((table) =>
          rawDatabaseStatement(this.#db, selectChunk(table, this.#storeId, undefined, firstChunk)),
        ),
    ])) as [[Row?], ...Record<string, Cell>[][]];
    this.#opened = position;
    this.row = row;
    return found;
  }
}

function toChunk(
  table: MovedTable,
  position: number,
  rows: readonly Cell[][],
  { rows: most, characters }: ChunkSize,
): Chunk {
  const order = cursorColumns(table);
  const total = Number(rows.at(-1)?.at(-1) ?? 0);
  const isLast =
    rows.length === 0 || (rows.length < most && total < characters) || order.length === 0;
  const cells = rows.map((row) => row.slice(0, -1));
  const last = cells.at(-1);
  const after =
    isLast || !last
      ? { position: position + 1 }
      : { position, cursor: order.map((column) => last[table.columns.indexOf(column)] ?? null) };
  const line = { table: table.name, columns: table.columns, rows: cells };
  return { line, characters: total, after };
}
