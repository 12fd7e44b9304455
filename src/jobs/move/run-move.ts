import { openDatabase } from '../../db/core/open.ts';
import { findStoresById } from '../../db/directory/stores.ts';
import { DepartureState } from '../../db/schema/store/moves.ts';
import { shardBinding } from '../../db/shards/shards.ts';
import type { Departure } from '../../platform/move/departure.ts';
import { abortMove, moveStore } from '../../platform/move/start.ts';
import type { Job, JobOutcome, JobRun } from '../job.ts';

/** The state of a move is looked at again so much later. The sweep of its shard does the work meanwhile. */
const lookAgainMs = 20_000;

/** The name of the move in its shards. */
const moveIdOf = ({ id }: Pick<Job, 'id'>) => `job-${id}`;

const aborted = (reason: string | null): JobOutcome => ({
  state: 'failed',
  error: `The move was given up: ${reason ?? 'aborted'}. The store stays where it was.`,
});

/**
 * Follows the move of a store, which it begins first. The move is a state machine of its own (`platform/move`): what it does
 * is not repeated here, so a turn may die anywhere.
 */
export async function runMove({ env, job, now, save }: JobRun): Promise<JobOutcome> {
  const toShard = Number(job.progress['toShard']);
  const storeId = job.store_id ?? 0;
  const [store] = await findStoresById(openDatabase(env.DIRECTORY), [storeId]);
  if (!store) return { state: 'failed', error: 'There is no such store.' };
  const departure = await shardBinding(env, job.shard)
    .prepare('select * from departures where store_id = ?')
    .bind(storeId)
    .first<Departure>();
  const isOurs = departure?.move_id === moveIdOf(job);
  if (store.shard === toShard) {
    const counts: Record<string, number> = isOurs ? { rows: departure.rows } : {};
    await save({ done: DepartureState.switched, total: DepartureState.switched });
    return { state: 'done', result: { counts } };
  }
  const waits: JobOutcome = { state: 'waits', dueAt: now() + lookAgainMs };
  if (isOurs) {
    const isAborted = departure.state === DepartureState.aborting;
    await save({
      done: isAborted ? job.done : Math.min(departure.state, DepartureState.switched),
      total: DepartureState.switched,
      progress: { ...job.progress, isBegun: true, ...(isAborted && { aborted: departure.reason }) },
    });
    return waits;
  }
  const { isBegun, aborted: reason } = job.progress;
  if (isBegun === true && !departure) {
    return aborted(typeof reason === 'string' ? reason : null);
  }
  const started = await moveStore(env, storeId, toShard, now(), moveIdOf(job));
  // Another move of this store is under way: then this one comes after it.
  return started.ok || departure ? waits : { state: 'failed', error: started.reason };
}

/** Ends the move of a job before its switch. Returns whether the store stays; it may not have begun to move. */
export async function stopMove(env: Env, job: Job, now: number): Promise<boolean> {
  const storeId = job.store_id ?? 0;
  const result = await abortMove(env, storeId, now, moveIdOf(job));
  if (result.ok) return true;
  const departure = await shardBinding(env, job.shard)
    .prepare('select state from departures where store_id = ? and move_id = ?')
    .bind(storeId, moveIdOf(job))
    .first<Pick<Departure, 'state'>>();
  return departure === null || departure.state === DepartureState.aborting;
}
