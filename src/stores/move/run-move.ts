import { openDatabase, shardBinding } from '../../data/core/open-database.ts';
import type { Job, JobOutcome, JobRun } from '../../data/directory/job.ts';
import { findStoresById } from '../../data/directory/stores.ts';
import { OutgoingMoveState } from '../../data/schema/store/moves-tables.ts';
import { abortMove } from './abort-move.ts';
import { findOutgoingMove } from './outgoing-move.ts';
import { startMove } from './start-move.ts';
import { advanceMove } from './steps.ts';

/** While another move of the store is under way, this one looks again so much later. */
const lookAgainMs = 20_000;

/** The name of the move in its shards. */
export const moveIdOf = ({ id }: Pick<Job, 'id'>) => `job-${id}`;

/**
 * The shard that the store leaves. The job may wait in another one, when the store moved before its
 * own move began.
 */
export const sourceOf = ({ progress, shard }: Pick<Job, 'progress' | 'shard'>) =>
  Number(progress['fromShard'] ?? shard);

/** The value of `total` that `done` approaches. */
const total = OutgoingMoveState.switched;

/**
 * Moves a store: starts its move, and makes its steps while time remains (`stores/move`). Each step
 * is a transaction that requires the state before it, so a run may stop anywhere.
 */
export async function runMove({ env, job, now, hasTime, save }: JobRun): Promise<JobOutcome> {
  const toShard = Number(job.progress['toShard']);
  const storeId = job.store_id ?? 0;
  const directory = openDatabase(env.DIRECTORY);
  const [store] = await findStoresById(directory, [storeId]);
  if (!store) return { state: 'failed', error: 'There is no such store.' };
  const shard = store.shard === toShard ? sourceOf(job) : store.shard;
  const context = { env, shard, db: shardBinding(env, shard), now, hasTime };
  const name = { store_id: storeId, move_id: moveIdOf(job) };
  for (;;) {
    const outgoingMove = await advanceMove(context, name, ({ state, reason }) =>
      save({
        done: state === OutgoingMoveState.aborting ? job.done : Math.min(state, total),
        total,
        progress: {
          ...job.progress,
          fromShard: shard,
          isBegun: true,
          ...(reason !== null && { aborted: reason }),
        },
      }),
    );
    if (outgoingMove?.state === OutgoingMoveState.moved) {
      return { state: 'done', result: { counts: { rows: outgoingMove.rows } } };
    }
    if (outgoingMove) return { state: 'waits', dueAt: hasTime() ? now() + lookAgainMs : now() };
    if (store.shard === toShard) {
      await save({ done: total, total });
      return { state: 'done', result: { counts: {} } };
    }
    if (job.progress['isBegun'] === true) {
      const { aborted = 'aborted' } = job.progress;
      const error = `The move was given up: ${String(aborted)}. The store stays where it was.`;
      return { state: 'failed', error };
    }
    const started = await startMove(env, storeId, toShard, { moveId: name.move_id, now: now() });
    if (!started.ok) {
      // Another move of this store is under way: then this one comes after it.
      return (await findOutgoingMove(openDatabase(context.db), storeId))
        ? { state: 'waits', dueAt: now() + lookAgainMs }
        : { state: 'failed', error: started.reason };
    }
  }
}

/**
 * Ends the move of a job before its switch. Returns whether the store stays; it may not have begun
 * to move.
 */
export async function stopMove(env: Env, job: Job, now: number): Promise<boolean> {
  const storeId = job.store_id ?? 0;
  const moveId = moveIdOf(job);
  if ((await abortMove(env, storeId, { moveId, now })).ok) return true;
  const outgoingMove = await findOutgoingMove(openDatabase(shardBinding(env, job.shard)), storeId);
  return outgoingMove?.move_id !== moveId || outgoingMove.state === OutgoingMoveState.aborting;
}
