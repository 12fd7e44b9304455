import { sql, type SQL } from 'drizzle-orm';
import { foldText } from '../../base/codecs/fields/normalize-text.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';

/**
 * Records that a page of a filtered list reads. A page may then hold few or none although there is
 * a next one.
 */
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

/** The spellings of a text that rows are searched for, and the JSON list of the texts of a row. */
interface TextSearch {
  spellings: readonly string[];
  texts: SQL;
}

interface SearchedRow {
  id: number;
  texts: string;
}

/**
 * Reads a page of a table of the directory, newest first. `within` is a condition that an index
 * serves, `filter` one on the scanned rows, `record`. Reads at most {@link scannedRows} rows of the
 * table. One round trip, or two with a search: SQL folds letters of ASCII only.
 */
export async function readWindow<Row extends { id: number }>(
  directory: Database,
  query: {
    table: SQL;
    columns: SQL;
    joins?: SQL;
    within?: SQL | undefined;
    filter?: SQL;
    search?: TextSearch | undefined;
  },
  { limit, cursor }: PageRequest,
): Promise<CursorPage<Row>> {
  const { table, columns, joins = sql``, within = sql`1`, filter = sql`1`, search } = query;
  const before = cursor === undefined ? sql`1` : sql`id < ${cursor}`;
  const scanned = sql`select * from ${table} where ${before} and ${within} order by id desc limit ${scannedRows}`;
  let wanted = filter;
  if (search) {
    const texts = sql`select record.id, ${search.texts} as texts from (${scanned}) record ${joins} where ${filter} order by record.id desc`;
    const [found]: [SearchedRow[]] = await directory.batch([
      rawDatabaseStatement<SearchedRow>(directory, texts),
    ]);
    const ids = found.filter(isFoundBy(search)).map(({ id }) => id);
    wanted = sql`record.id in (select value from json_each(${JSON.stringify(ids.slice(0, limit))}))`;
  }
  const [rows, [scan]] = await directory.batch([
    rawDatabaseStatement<Row>(
      directory,
      sql`select ${columns} from (${scanned}) record ${joins} where ${wanted} order by record.id desc limit ${limit}`,
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

/** Whether a text of a row contains what is searched for, without regard to case and accents. */
function isFoundBy({ spellings }: TextSearch): (row: SearchedRow) => boolean {
  const parts = spellings.map((text) => foldText(text.trim()));
  return ({ texts }) =>
    (JSON.parse(texts) as (string | null)[])
      .map((text) => foldText(text ?? ''))
      .some((text) => parts.some((part) => text.includes(part)));
}
