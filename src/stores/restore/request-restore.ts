import { and, desc, eq, isNotNull, lte } from 'drizzle-orm';
import { HttpError } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { openDatabase, shardBinding } from '../../data/core/open-database.ts';
import type { Job } from '../../data/directory/job.ts';
import { requestJob } from '../../data/directory/request-job.ts';
import { storeCopies } from '../../data/schema/directory/operators-tables.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import { findRestoreObstacle } from '../move/start-move.ts';

/**
 * Requests the restore of a store from its newest copy, or the newest that was finished by a time
 * (epoch milliseconds). Throws a 422 for a shard that cannot take it, and where there is no copy.
 */
export async function requestRestore(
  action: ActionContext,
  { before, ...request }: RestoreRequest,
): Promise<Job> {
  const { directory, env } = action;
  const { storeId, toShard } = request;
  const [copy] = await directory
    .select({ id: storeCopies.id })
    .from(storeCopies)
    .where(
      and(
        eq(storeCopies.store_id, storeId),
        isNotNull(storeCopies.finished_at),
        lte(storeCopies.finished_at, before ?? action.now),
      ),
    )
    .orderBy(desc(storeCopies.id))
    .limit(1);
  const work = { kind: 'store_restore', copyId: copy?.id ?? 0, ...request } as const;
  return requestJob(action, work, async () => {
    const obstacle = await findRestoreObstacle(env, storeId, toShard);
    const reason =
      obstacle ??
      ((await isThere(env, storeId, toShard)) ? `The store is in shard ${toShard}.` : undefined);
    if (reason !== undefined) throw new HttpError('invalid_body', { errors: { shard: [reason] } });
    if (!copy) {
      throw new HttpError('invalid_body', { errors: { before: ['There is no such copy.'] } });
    }
  });
}

interface RestoreRequest {
  storeId: number;
  toShard: number;
  reason: string;
  before: number | null;
}

/**
 * Whether a shard has the store. A new database of a lost shard has not, although the directory
 * names it.
 */
async function isThere(env: Env, storeId: number, toShard: number): Promise<boolean> {
  const [found] = await openDatabase(shardBinding(env, toShard))
    .select({ state: placements.state })
    .from(placements)
    .where(eq(placements.store_id, storeId));
  return found !== undefined && found.state !== PlacementState.gone;
}
