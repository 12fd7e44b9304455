import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { sha256 } from '../../base/crypto/digest.ts';
import type { Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Statement } from '../../data/core/statement.ts';
import { totals } from '../../data/schema/store/internal-tables.ts';
import {
  incomingMoves,
  outgoingMoves,
  OutgoingMoveState,
} from '../../data/schema/store/moves-tables.ts';
import { keptTables } from '../../data/shards/clean-store.ts';
import { movedTables, type MovedTable } from '../../data/shards/moved-tables.ts';
import {
  isOneChunk,
  readChunk,
  readFirstChunks,
  type Chunk,
  type Cursor,
} from '../../data/shards/read-rows.ts';
import { requireState, requireThat, type Move, type MoveName } from './outgoing-move.ts';
import { insertStatements, referenceStatements } from './write-rows.ts';

/** The position of a copy or a comparison: the index of a table, and the key of its last row. */
export interface Place {
  position: number;
  cursor: Cursor | undefined;
}

/** The parts of a copy: all rows, then the references within tables. */
const parts = [
  ...movedTables.map((table) => ({ table, statements: insertStatements })),
  ...movedTables
    .filter(({ selfReference }) => selfReference !== undefined)
    .map((table) => ({ table, statements: referenceStatements })),
];

type Reader = (table: MovedTable, cursor: Cursor | undefined) => Promise<Chunk>;

/**
 * Returns how to read tables of a store behind its fence. One round trip reads the first rows of all of them, and each
 * further chunk costs one more.
 */
async function openReader(
  db: Database,
  tables: readonly MovedTable[],
  storeId: number,
): Promise<Reader> {
  const { chunks } = await readFirstChunks(db, tables, storeId, requireThat(db, sql`true`));
  const first = new Map(chunks.map((chunk, index) => [tables[index], chunk]));
  return async (table, cursor) =>
    (cursor ? undefined : first.get(table)) ?? readChunk(db, table, storeId, cursor);
}

const toText = (cursor: Cursor | undefined) => (cursor ? JSON.stringify(cursor) : null);

const toPlace = ({ position, cursor }: { position: number; cursor: string | null }): Place => ({
  position,
  cursor: cursor === null ? undefined : (JSON.parse(cursor) as Cursor),
});

export const advance = ({ position }: Place, next: Cursor | undefined): Place =>
  next ? { position, cursor: next } : { position: position + 1, cursor: undefined };

/** The place of a copy in its new shard; `undefined` if no store is expected under this name. One round trip. */
export async function findPlace(
  target: Database,
  { store_id, move_id }: MoveName,
): Promise<Place | undefined> {
  const [found] = await target
    .select({ position: incomingMoves.position, cursor: incomingMoves.cursor })
    .from(incomingMoves)
    .where(and(eq(incomingMoves.store_id, store_id), eq(incomingMoves.move_id, move_id)));
  return found && toPlace(found);
}

/**
 * Writes a chunk of a copy in one transaction with the place behind it. It aborts unless the copy is at the place before it, so no
 * chunk is written twice.
 */
export const writeChunk = (
  target: Database,
  { store_id, move_id }: MoveName,
  { place, after, statements }: { place: Place; after: Place; statements: readonly Statement[] },
) =>
  target.batch([
    requireThat(
      target,
      sql`exists (select 1 from ${incomingMoves} where store_id = ${store_id} and move_id = ${move_id}
        and position = ${place.position} and cursor is ${toText(place.cursor)})`,
    ),
    ...statements,
    target
      .update(incomingMoves)
      .set({ position: after.position, cursor: toText(after.cursor) })
      .where(eq(incomingMoves.store_id, store_id)),
  ]);

/** Deletes the rows of a table that stayed when the store left this shard before. */
export const deleteKeptRows = (target: Database, table: string, storeId: number) =>
  rawDatabaseStatement(
    target,
    sql`delete from ${sql.identifier(table)} where store_id = ${storeId}`,
  );

/**
 * Copies rows of the store to its new shard while time remains. What is written at once is one transaction with the place
 * behind it, so a crash or a second run repeats no row. Returns whether all rows are there. Two round trips per chunk of
 * a large table; all the small ones share one.
 */
export async function copyRows(move: Move) {
  const { source, target, store_id, context } = move;
  let place = await findPlace(target, move);
  if (!place) throw new Error('The new shard has no incoming move.');
  const ahead = new Set(parts.slice(place.position).map(({ table }) => table));
  const read = await openReader(source, [...ahead], store_id);
  while (parts[place.position]) {
    if (!context.hasTime()) return false;
    const { after, statements } = await nextWrites(move, place, read);
    await writeChunk(target, move, { place, after, statements });
    place = after;
  }
  return true;
}

/** The statements that write what comes at a place: a chunk, and with it the tables behind it whose rows fit in. */
async function nextWrites(
  { target, store_id }: Move,
  place: Place,
  read: Reader,
): Promise<{ after: Place; statements: Statement[] }> {
  const statements: Statement[] = [];
  let [sum, length] = [0, 0];
  let after = place;
  // A chunk in the middle of a table is only read at the start, so none is read in vain.
  for (let part = parts[place.position]; part && (after === place || !after.cursor);) {
    const { table } = part;
    const { rows, characters, next } = await read(table, after.cursor);
    sum += rows.length;
    length += characters;
    if (after !== place && !isOneChunk(sum, length)) break;
    if (keptTables.has(table.name) && !after.cursor)
      statements.push(deleteKeptRows(target, table.name, store_id));
    statements.push(...part.statements(target, table, rows));
    after = advance(after, next);
    part = parts[after.position];
  }
  return { after, statements };
}

/** Chunks after which the place of a comparison is stored, within a large table. */
const chunksPerSave = 20;

/**
 * Compares all values of the store in both shards while time remains. Returns whether it is complete, or the table that
 * differs. One round trip for the first rows of all tables and one per further chunk; each asks both shards at once.
 */
export async function compareRows(
  move: Move,
): Promise<{ isComplete: boolean; difference?: string; rows: number; digest: string }> {
  const { source, target, store_id, context } = move;
  let place = toPlace(move);
  let { rows: count, digest } = move;
  const save = () =>
    source.batch([
      requireState(move, OutgoingMoveState.verifying),
      source
        .update(outgoingMoves)
        .set({ position: place.position, cursor: toText(place.cursor), rows: count, digest })
        .where(eq(outgoingMoves.store_id, store_id)),
    ]);
  const ahead = movedTables.slice(place.position);
  const open = (db: Database) => openReader(db, ahead, store_id);
  const [readOurs, readTheirs] = await Promise.all([open(source), open(target)]);
  for (let chunks = 1; ; chunks += 1) {
    const table = movedTables[place.position];
    if (!table) break;
    if (!context.hasTime()) {
      await save();
      return { isComplete: false, rows: count, digest };
    }
    const [ours, theirs] = await Promise.all([
      readOurs(table, place.cursor),
      readTheirs(table, place.cursor),
    ]);
    const text = JSON.stringify(ours.rows);
    if (text !== JSON.stringify(theirs.rows)) {
      return { isComplete: false, difference: table.name, rows: count, digest };
    }
    if (ours.rows.length > 0) digest = await sha256(digest + text);
    count += ours.rows.length;
    place = advance(place, ours.next);
    if (place.cursor && chunks % chunksPerSave === 0) await save();
  }
  const [ours, theirs] = await Promise.all([source, target].map((db) => readTotals(db, store_id)));
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) {
    return { isComplete: false, difference: 'totals', rows: count, digest };
  }
  return { isComplete: true, rows: count, digest };
}

const readTotals = async (db: Database, storeId: number) =>
  db
    .select({ kind: totals.kind, total: totals.total })
    .from(totals)
    .where(and(eq(totals.store_id, storeId), ne(totals.total, 0)))
    .orderBy(asc(totals.kind));
