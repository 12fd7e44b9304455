import { sql } from 'drizzle-orm';
import { withGuardedWrites } from '../../data/core/binding.ts';
import { abortUnless } from '../../data/core/data-errors.ts';
import { compileSql } from '../../data/core/raw.ts';
import { OutgoingMoveState } from '../../data/schema/store/moves-tables.ts';

const { announced, fenced, copying, verifying } = OutgoingMoveState;

/** The condition that a store is being copied out of or into this shard. */
const isMoving = sql`(exists (select 1 from incoming_moves) or exists (
  select 1 from outgoing_moves where state in (${announced}, ${fenced}, ${copying}, ${verifying})))`;

const selectMoving = compileSql(sql`select ${isMoving} as found`);
const requireRest = compileSql(abortUnless(sql`not ${isMoving}`, 'moving'));

/** Whether a store is being copied out of or into this shard. One round trip. */
export const hasMoves = async (db: D1Database): Promise<boolean> =>
  (await selectMoving(db).first<number>('found')) === 1;

/**
 * The database of a shard for work that deletes or rewrites rows of many stores. Each of its writes aborts with the cause
 * `moving` while a store is copied out of or into the shard. So a move need not wait for work that began before it.
 */
export const atRest = (db: D1Database): D1Database => withGuardedWrites(db, requireRest(db));
