import { and, asc, eq, ne } from 'drizzle-orm';
import { sha256 } from '../../base/crypto/digest.ts';
import type { Database } from '../../data/core/open-database.ts';
import { totals } from '../../data/schema/store/internal-tables.ts';
import { outgoingMoves, OutgoingMoveState } from '../../data/schema/store/moves-tables.ts';
import { Dump } from '../../data/shards/read-rows.ts';
import { cursorText, toPlace } from '../pump/load.ts';
import { requireState, type Move } from './outgoing-move.ts';

/** Chunks after which the place of a comparison is stored, within a large table. */
const chunksPerSave = 20;

/**
 * Compares all values of the store in both shards while time remains. Returns whether it is
 * complete, or the table that differs. One round trip for the first rows of all tables and one per
 * further chunk; each asks both shards at once.
 */
export async function compareRows(
  move: Move,
): Promise<{ isComplete: boolean; difference?: string; rows: number; digest: string }> {
  const { source, target, store_id, context } = move;
  let place = toPlace(move);
  let { rows, digest } = move;
  const save = () =>
    source.batch([
      requireState(move, OutgoingMoveState.verifying),
      source
        .update(outgoingMoves)
        .set({ position: place.position, cursor: cursorText(place), rows, digest })
        .where(eq(outgoingMoves.store_id, store_id)),
    ]);
  const dumps = [source, target].map((db) => new Dump(db, store_id));
  for (let chunks = 1; ; chunks += 1) {
    if (!context.hasTime()) {
      await save();
      return { isComplete: false, rows, digest };
    }
    const [ours, theirs] = await Promise.all(dumps.map((dump) => dump.read(place)));
    if (!ours) break;
    const text = JSON.stringify(ours.line);
    if (text !== JSON.stringify(theirs?.line)) {
      return { isComplete: false, difference: ours.line.table, rows, digest };
    }
    if (ours.line.rows.length > 0) digest = await sha256(digest + text);
    rows += ours.line.rows.length;
    place = ours.after;
    if (place.cursor && chunks % chunksPerSave === 0) await save();
  }
  const [ours, theirs] = await Promise.all([source, target].map((db) => readTotals(db, store_id)));
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) {
    return { isComplete: false, difference: 'totals', rows, digest };
  }
  return { isComplete: true, rows, digest };
}

const readTotals = async (db: Database, storeId: number) =>
  db
    .select({ kind: totals.kind, total: totals.total })
    .from(totals)
    .where(and(eq(totals.store_id, storeId), ne(totals.total, 0)))
    .orderBy(asc(totals.kind));
