import { sha256 } from '../../crypto/digest.ts';
import { DepartureState } from '../../db/schema/store/moves.ts';
import { keptTables } from './clean.ts';
import { assertion, assertState, type Move } from './departure.ts';
import { readChunk, type Cursor } from './read-rows.ts';
import { movedTables } from './tables.ts';
import { insertStatements, referenceStatements } from './write-rows.ts';

/** How far a copy or a comparison is: the position of a table, and the key of its last row. */
interface Place {
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

const toText = (cursor: Cursor | undefined) => (cursor ? JSON.stringify(cursor) : null);

const toPlace = ({ position, cursor }: { position: number; cursor: string | null }): Place => ({
  position,
  cursor: cursor === null ? undefined : (JSON.parse(cursor) as Cursor),
});

const advance = ({ position }: Place, next: Cursor | undefined): Place =>
  next ? { position, cursor: next } : { position: position + 1, cursor: undefined };

/**
 * Copies rows of the store to its new shard while time remains. Each chunk is one transaction with the place behind it, so
 * a crash or a second run repeats no row. Returns whether all rows are there. Two round trips per chunk.
 */
export async function copyRows({ source, target, store_id, move_id, context }: Move) {
  const found = await target
    .prepare('select position, cursor from arrivals where store_id = ? and move_id = ?')
    .bind(store_id, move_id)
    .first<{ position: number; cursor: string | null }>();
  if (!found) throw new Error('The move has no arrival.');
  let place = toPlace(found);
  for (;;) {
    const part = parts[place.position];
    if (!part) return true;
    if (!context.hasTime()) return false;
    const { rows, next } = await readChunk(source, part.table, store_id, place.cursor);
    const after = advance(place, next);
    await target.batch([
      assertion(
        target,
        'exists (select 1 from arrivals where store_id = ? and move_id = ? and position = ? and cursor is ?)',
        store_id,
        move_id,
        place.position,
        toText(place.cursor),
      ),
      ...(keptTables.has(part.table.name) && place.cursor === undefined
        ? [target.prepare(`delete from ${part.table.name} where store_id = ?`).bind(store_id)]
        : []),
      ...part.statements(target, part.table, rows),
      target
        .prepare('update arrivals set position = ?, cursor = ? where store_id = ?')
        .bind(after.position, toText(after.cursor), store_id),
    ]);
    place = after;
  }
}

/** Chunks after which the place of a comparison is stored. */
const chunksPerSave = 20;

/**
 * Compares all values of the store in both shards while time remains. Returns whether it is complete, or the table that
 * differs. One round trip per chunk, which asks both shards at once.
 */
export async function compareRows(
  move: Move,
): Promise<{ isComplete: boolean; difference?: string; rows: number; digest: string }> {
  const { source, target, store_id, context } = move;
  let place = toPlace(move);
  let { rows: count, digest } = move;
  const save = () =>
    source.batch([
      assertState(move, DepartureState.verifying),
      source
        .prepare(
          'update departures set position = ?, cursor = ?, rows = ?, digest = ? where store_id = ?',
        )
        .bind(place.position, toText(place.cursor), count, digest, store_id),
    ]);
  for (let chunks = 1; ; chunks += 1) {
    const table = movedTables[place.position];
    if (!table) break;
    if (!context.hasTime()) {
      await save();
      return { isComplete: false, rows: count, digest };
    }
    const [ours, theirs] = await Promise.all([
      readChunk(source, table, store_id, place.cursor),
      readChunk(target, table, store_id, place.cursor),
    ]);
    const text = JSON.stringify(ours.rows);
    if (text !== JSON.stringify(theirs.rows)) {
      return { isComplete: false, difference: table.name, rows: count, digest };
    }
    if (ours.rows.length > 0) digest = await sha256(digest + text);
    count += ours.rows.length;
    place = advance(place, ours.next);
    if (chunks % chunksPerSave === 0) await save();
  }
  const [ours, theirs] = await Promise.all(
    [source, target].map((db) => db.prepare(totalsSql).bind(store_id).all()),
  );
  if (JSON.stringify(ours?.results) !== JSON.stringify(theirs?.results)) {
    return { isComplete: false, difference: 'totals', rows: count, digest };
  }
  return { isComplete: true, rows: count, digest };
}

const totalsSql = 'select kind, total from totals where store_id = ? and total <> 0 order by kind';
