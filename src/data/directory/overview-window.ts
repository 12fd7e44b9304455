import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';

/** Records that a page of a filtered list reads. A page may then hold few or none although there is a next one. */
const scannedRows = 1_000;

/** A page of a list: newest first, from a cursor on. */
export interface PageRequest {
  limit: number;
  /** Only records with a lower id. */
  cursor?: number | undefined;
}

export interface CursorPage<Row> {
  rows: Row[];
  /** The cursor of the next page; `null` at the end. */
  next: number | null;
}

/**
 * Reads a page of a table of the directory, newest first. `within` is a condition that an index serves, `filter` one on the
 * scanned rows `r`. One round trip, which reads at most {@link scannedRows} rows of the table.
 */
export async function readWindow<Row extends { id: number }>(
  directory: Database,
  query: { table: SQL; columns: SQL; joins?: SQL; within?: SQL | undefined; filter?: SQL },
  { limit, cursor }: PageRequest,
): Promise<CursorPage<Row>> {
  const { table, columns, joins = sql``, within = sql`1`, filter = sql`1` } = query;
  const before = cursor === undefined ? sql`1` : sql`id < ${cursor}`;
  const scanned = sql`select * from ${table} where ${before} and ${within} order by id desc limit ${scannedRows}`;
  const [rows, [scan]] = await directory.batch([
    rawDatabaseStatement<Row>(
      directory,
      sql`select ${columns} from (${scanned}) r ${joins} where ${filter} order by r.id desc limit ${limit}`,
    ),
    rawDatabaseStatement<{ count: number; last: number | null }>(
      directory,
      sql`select count(*) as count, min(id) as last from (${scanned})`,
    ),
  ]);
  if (rows.length === limit) {
    const last = rows.at(-1)?.id ?? null;
    return { rows, next: last === scan?.last && scan.count < scannedRows ? null : last };
  }
  return { rows, next: scan?.count === scannedRows ? scan.last : null };
}

/** The condition that a column contains a text, without regard to letter case of ASCII. */
export const containsText = (column: SQL, text: string) =>
  sql`instr(lower(${column}), ${text.toLowerCase()}) > 0`;
