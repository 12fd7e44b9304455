import { and, eq, gt } from 'drizzle-orm';
import { conflict } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { hasShard, openDatabase, shardBinding } from '../../data/core/open-database.ts';
import type { Job } from '../../data/directory/job.ts';
import { wake } from '../../data/queues.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { outgoingMoves, OutgoingMoveState } from '../../data/schema/store/moves-tables.ts';
import { findOutgoingMove, isOutgoingMove } from './outgoing-move.ts';
import { moveIdOf, sourceOf } from './run-move.ts';
import { keepMs } from './settle.ts';

/** Whether a job is a move whose old data may still be there. */
export const isPurgeable = ({ kind, state, progress, finished_at }: Job, now: number): boolean =>
  kind === 'store_move' &&
  state === 'done' &&
  progress['isPurged'] !== true &&
  (finished_at ?? 0) > now - keepMs;

/**
 * Lets the old data of a store that has moved be deleted now, not after 30 days: the sweep of the
 * old shard does it. The audit comes first, so a run that dies between the two databases deletes
 * nothing that it has not recorded. Throws a 409 until the move is done. Old data that are gone
 * already change nothing.
 */
export async function purgeMove(action: ActionContext, job: Job, reason: string): Promise<Job> {
  if (job.state !== 'done') throw conflict('move_not_done');
  await purgeOldData(action, job, reason);
  const progress = { ...job.progress, isPurged: true };
  await action.directory.update(jobs).set({ progress }).where(eq(jobs.id, job.id));
  return { ...job, progress };
}

async function purgeOldData(action: ActionContext, job: Job, reason: string): Promise<void> {
  const { directory, env, actor, from, now } = action;
  const storeId = job.store_id ?? 0;
  const name = { store_id: storeId, move_id: moveIdOf(job) };
  const shard = sourceOf(job);
  if (!hasShard(env, shard)) return;
  const source = openDatabase(shardBinding(env, shard));
  const found = await findOutgoingMove(source, storeId);
  // A later move of the store out of the same shard has a name of its own, and is not meant.
  if (found?.move_id !== name.move_id) return;
  await directory.batch([
    auditStatement(directory, {
      at: now,
      actor,
      from,
      action: 'store.old_data_purged',
      target: { kind: 'store', id: storeId },
      storeId,
      reason,
      changes: { shard: [shard, null] },
    }),
  ]);
  await source
    .update(outgoingMoves)
    .set({ since: now - keepMs })
    .where(
      and(
        isOutgoingMove(name),
        eq(outgoingMoves.state, OutgoingMoveState.moved),
        gt(outgoingMoves.since, now - keepMs),
      ),
    );
  action.defer(wake(env, 'sweep', { v: 1, shard, round: 0 }));
}
