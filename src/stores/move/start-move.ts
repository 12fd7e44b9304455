import { sql } from 'drizzle-orm';
import { HttpError } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import {
  openDatabase,
  hasShard,
  restoringShards,
  shardBinding,
} from '../../data/core/open-database.ts';
import { maxBytesOfMoves } from '../../data/directory/choose-shard.ts';
import type { Job, JobRequest } from '../../data/directory/job.ts';
import { requestJob } from '../../data/directory/request-job.ts';
import { shards, ShardState, stores } from '../../data/schema/directory/directory-tables.ts';
import { outgoingMoves, OutgoingMoveState } from '../../data/schema/store/moves-tables.ts';
import { isHere } from '../../data/schema/store/placement-tables.ts';
import { isLost, refused, requireThat, type MoveResult } from './outgoing-move.ts';

interface MovePlan {
  id: number;
  shard: number;
  to_state: number | null;
  to_bytes: number | null;
}

const findPlan = async (env: Env, storeId: number, toShard: number) =>
  (await openDatabase(env.DIRECTORY).get<MovePlan | undefined>(
    sql`select stores.id, stores.shard, target.state as to_state, target.bytes as to_bytes
      from ${stores} left join ${shards} target on target.number = ${toShard}
      where stores.id = ${storeId}`,
  )) ?? null;

/**
 * Requests the move of a store, as {@link requestJob} does. Throws a 422 for a shard to which it
 * cannot move.
 */
export const requestMove = (
  action: ActionContext,
  request: Extract<JobRequest, { kind: 'store_move' }>,
): Promise<Job> =>
  requestJob(action, request, async () => {
    const { storeId, toShard } = request;
    const plan = await findPlan(action.env, storeId, toShard);
    const reason = findObstacle(action.env, plan, toShard);
    if (reason !== undefined) throw new HttpError('invalid_body', { errors: { shard: [reason] } });
  });

/**
 * Starts the move of a store to another shard, or returns the reason why not. One round trip to the
 * directory and one to the shard. `moveId` names the move; one that is under way is not begun
 * again. `advanceMove` makes its steps.
 */
export async function startMove(
  env: Env,
  storeId: number,
  toShard: number,
  { moveId, now }: { moveId: string; now: number },
): Promise<MoveResult> {
  const plan = await findPlan(env, storeId, toShard);
  const reason = findObstacle(env, plan, toShard);
  if (reason !== undefined || !plan) return refused(reason ?? unknownStore);
  const source = openDatabase(shardBinding(env, plan.shard));
  try {
    const [, inserted] = await source.batch([
      requireThat(source, isHere(storeId)),
      source
        .insert(outgoingMoves)
        .values({
          store_id: storeId,
          move_id: moveId,
          to_shard: toShard,
          state: OutgoingMoveState.announced,
          started_at: now,
          since: now,
        })
        .onConflictDoNothing()
        .returning({ id: outgoingMoves.store_id }),
    ]);
    return inserted.length > 0 ? { ok: true } : refused(underWay);
  } catch (error) {
    if (isLost(error)) return refused(underWay);
    throw error;
  }
}

export const unknownStore = 'There is no such store.';
const underWay = 'A move of this store is under way.';

function findObstacle(env: Env, plan: MovePlan | null, toShard: number): string | undefined {
  if (!plan) return unknownStore;
  if (plan.shard === toShard) return `The store is in shard ${toShard} already.`;
  if (restoringShards(env).has(plan.shard)) return isRestored;
  return findObstacleOfTarget(env, plan, toShard);
}

/**
 * The reason why a store cannot be restored into this shard; its own one may be lost. One round
 * trip.
 */
export async function findRestoreObstacle(
  env: Env,
  storeId: number,
  toShard: number,
): Promise<string | undefined> {
  const plan = await findPlan(env, storeId, toShard);
  return plan ? findObstacleOfTarget(env, plan, toShard) : unknownStore;
}

const isRestored = 'One of the two shards is being restored.';

function findObstacleOfTarget(env: Env, plan: MovePlan, toShard: number): string | undefined {
  if (!hasShard(env, toShard) || plan.to_state === null) return `There is no shard ${toShard}.`;
  if (restoringShards(env).has(toShard)) return isRestored;
  if (plan.to_state === ShardState.closed) return `Shard ${toShard} is closed.`;
  return (plan.to_bytes ?? 0) >= maxBytesOfMoves ? `Shard ${toShard} is full.` : undefined;
}
