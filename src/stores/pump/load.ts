import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Statement } from '../../data/core/statement.ts';
import { incomingMoves } from '../../data/schema/store/moves-tables.ts';
import { keptTables } from '../../data/shards/clean-store.ts';
import { movedTables, type MovedTable } from '../../data/shards/moved-tables.ts';
import {
  Dump,
  isOneChunk,
  type Chunk,
  type Cursor,
  type Place,
} from '../../data/shards/read-rows.ts';
import { requireThat, type MoveName } from '../move/outgoing-move.ts';
import { insertStatements, referenceStatements } from './write-rows.ts';

/** A chunk that a load writes: rows, or the references of rows within their table. */
export interface LoadedChunk extends Chunk {
  isReference: boolean;
  /**
   * Tables whose rows stayed when the store left this shard before. They are deleted in the same
   * transaction.
   */
  replaces: readonly string[];
}

/** Reads what comes at a place; `undefined` behind the last one. */
export type Feed = (place: Place) => Promise<LoadedChunk | undefined>;

const tables: ReadonlyMap<string, MovedTable> = new Map(
  movedTables.map((table) => [table.name, table]),
);

export const isMoved = (table: string) => tables.has(table);

export const hasOwnReferences = (table: string) => tables.get(table)?.selfReference !== undefined;

/** The rows of a store in another shard, then the references within tables. */
export function feedOfShard(db: Database, storeId: number): Feed {
  const referring = movedTables.filter(({ name }) => hasOwnReferences(name));
  const dump = new Dump(db, storeId, { tables: [...movedTables, ...referring] });
  return async (place) => {
    const chunk = await dump.read(place);
    const isReference = place.position >= movedTables.length;
    const isReplaced = chunk && keptTables.has(chunk.line.table) && !place.cursor;
    return chunk && { ...chunk, isReference, replaces: isReplaced ? [chunk.line.table] : [] };
  };
}

export const cursorText = ({ cursor }: Place) => (cursor ? JSON.stringify(cursor) : null);

/** Reads a place as a row of a move has it. */
export const toPlace = ({ position, cursor }: { position: number; cursor: string | null }): Place =>
  cursor === null ? { position } : { position, cursor: JSON.parse(cursor) as Cursor };

/**
 * The place of a load in its shard; `undefined` if no store is expected under this name. One round
 * trip.
 */
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
 * Writes the rows of a store into a shard while time remains. What is written at once is one
 * transaction with the place behind it. It aborts unless the load is at the place before it, so a
 * crash or a second run repeats no row. Returns the position that is reached, and whether all rows
 * are there. Small tables share a transaction.
 */
export async function load(
  target: Database,
  name: MoveName,
  feed: Feed,
  hasTime: () => boolean,
): Promise<{ isComplete: boolean; position: number }> {
  let place = await findPlace(target, name);
  if (!place) throw new Error('The new shard has no incoming move.');
  let chunk = await feed(place);
  while (chunk) {
    if (!hasTime()) return { isComplete: false, position: place.position };
    const statements: Statement[] = [];
    let [rows, characters] = [0, 0];
    let after: Place;
    do {
      statements.push(...statementsOf(target, name, chunk));
      rows += chunk.line.rows.length;
      characters += chunk.characters;
      ({ after } = chunk);
      chunk = await feed(after);
    } while (chunk && isOneChunk(rows + chunk.line.rows.length, characters + chunk.characters));
    await target.batch([
      requireThat(target, isAt(name, place)),
      ...statements,
      target
        .update(incomingMoves)
        .set({ position: after.position, cursor: cursorText(after) })
        .where(eq(incomingMoves.store_id, name.store_id)),
    ]);
    place = after;
  }
  return { isComplete: true, position: place.position };
}

const isAt = ({ store_id, move_id }: MoveName, place: Place) =>
  sql`exists (select 1 from ${incomingMoves} where store_id = ${store_id} and move_id = ${move_id}
    and position = ${place.position} and cursor is ${cursorText(place)})`;

function statementsOf(
  target: Database,
  { store_id }: MoveName,
  { line, isReference, replaces }: LoadedChunk,
): Statement[] {
  const table = tables.get(line.table);
  const write = isReference ? referenceStatements : insertStatements;
  return [
    ...replaces.map((one) =>
      rawDatabaseStatement(
        target,
        sql`delete from ${sql.identifier(one)} where store_id = ${store_id}`,
      ),
    ),
    ...(table && line.rows.length > 0 ? write(target, table, line) : []),
  ];
}
