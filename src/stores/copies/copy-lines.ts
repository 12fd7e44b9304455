import { sql } from 'drizzle-orm';
import * as z from 'zod';
import type { Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { placements } from '../../data/schema/store/placement-tables.ts';
import { withdrawalProgress } from '../../data/schema/store/upkeep-tables.ts';
import { finishedChanges } from '../../data/shards/long-changes.ts';
import { movedTables } from '../../data/shards/moved-tables.ts';
import { readChunk, readFirstChunks, type Cell, type Cursor } from '../../data/shards/read-rows.ts';
import { advance, type Place } from '../move/copy-store.ts';

/** The facts of a shard about a store and its ids, which are no rows of the store. */
export interface Head {
  state: number;
  epoch: number;
  withdrawn_to: number;
  counters: string;
  /** A JSON array of the long changes that the shard has finished. */
  changes: string;
}

/** Selects the {@link Head} of a store; no row if the shard does not know it. */
export const selectHead = (storeId: number) =>
  sql`select state, epoch, coalesce((select done_to from ${withdrawalProgress} where id = 1), 0) as withdrawn_to,
    ${finishedChanges} as changes,
    (select json_group_object(name, seq) from sqlite_sequence
      where name <> 'd1_migrations' and name not like '\\_cf%' escape '\\') as counters
    from ${placements} where store_id = ${storeId}`;

/** Some rows of a table, as a line of a copy. */
const CopyLine = z.object({
  table: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
});

export interface CopyLine {
  table: string;
  columns: readonly string[];
  rows: Cell[][];
}

/** Rows of a store, and the place behind them. */
export interface ReadCopyLines {
  lines: CopyLine[];
  place: Place;
  /** The head at the same moment; absent where only one table was read. */
  head?: Head | undefined;
}

/**
 * Reads the next rows of a store. At the start of a table, one batch reads the first rows of all tables from there on. Those
 * count up to the first table that has more. So a store of usual size is read in one transaction. Where a line ends
 * depends on the data only, so equal data have equal lines.
 */
export async function readCopyLines(
  db: Database,
  storeId: number,
  place: Place,
): Promise<ReadCopyLines> {
  const [table, ...others] = movedTables.slice(place.position);
  if (!table) return { lines: [], place };
  if (place.cursor) {
    const { rows, next } = await readChunk(db, table, storeId, place.cursor);
    return { lines: toLines([{ table, rows }]), place: advance(place, next) };
  }
  const tables = [table, ...others];
  const { row, chunks } = await readFirstChunks(
    db,
    tables,
    storeId,
    rawDatabaseStatement<Head>(db, selectHead(storeId)),
  );
  const whole = chunks.findIndex(({ next }) => next !== undefined);
  const read = whole === -1 ? chunks : chunks.slice(0, whole + 1);
  const position = place.position + read.length - 1;
  const next: Cursor | undefined = read.at(-1)?.next;
  return {
    lines: toLines(read.map(({ rows }, index) => ({ table: tables[index] ?? table, rows }))),
    place: advance({ position, cursor: undefined }, next),
    head: row,
  };
}

const toLines = (read: readonly { table: (typeof movedTables)[number]; rows: Cell[][] }[]) =>
  read
    .filter(({ rows }) => rows.length > 0)
    .map(({ table: { name, columns }, rows }): CopyLine => ({ table: name, columns, rows }));

const through = (bytes: Uint8Array, transform: CompressionStream | DecompressionStream) =>
  new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer();

/** The content of a part with these lines, each with its line feed. */
export const packLines = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await through(new TextEncoder().encode(text), new CompressionStream('gzip')));

/** The lines of a part. */
export async function unpackCopyLines(content: Uint8Array): Promise<CopyLine[]> {
  const bytes = await through(content, new DecompressionStream('gzip'));
  const lines = new TextDecoder().decode(bytes).split('\n').filter(Boolean);
  return lines.map((line) => CopyLine.parse(JSON.parse(line)));
}
