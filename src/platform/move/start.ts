import { randomBase64url } from '../../crypto/random.ts';
import { withDbErrors } from '../../db/core/errors.ts';
import { maxBytesOfNewStores } from '../../db/directory/placement.ts';
import { ShardState } from '../../db/schema/directory.ts';
import { DepartureState } from '../../db/schema/store/moves.ts';
import { ResidentState } from '../../db/schema/store/residents.ts';
import { hasShard, restoringShards, shardBinding } from '../../db/shards/shards.ts';
import { abortStatements } from './abort.ts';
import { isLost, type Departure, assertion } from './departure.ts';

/** What an operator's request led to. */
export type MoveResult = { ok: true } | { ok: false; reason: string };

const refused = (reason: string): MoveResult => ({ ok: false, reason });

/** The store of a request: its alias or its id. */
type NamedStore = string | number;

const columnOf = (store: NamedStore) => (typeof store === 'number' ? 'id' : 'alias');

interface MovePlan {
  id: number;
  shard: number;
  region: string | null;
  to_region: string | null;
  to_state: number | null;
  to_bytes: number | null;
}

const findPlan = (env: Env, store: NamedStore, toShard: number) =>
  withDbErrors(
    env.DIRECTORY.prepare(
      `select s.id, s.shard, f.region, t.region as to_region, t.state as to_state, t.bytes as to_bytes
        from stores s left join shards f on f.number = s.shard left join shards t on t.number = ?2
        where s.${columnOf(store)} = ?1`,
    )
      .bind(store, toShard)
      .first<MovePlan>(),
  );

/** Says why a store cannot move to a shard; `undefined` if it can. One round trip to the directory. */
export const findMoveObstacle = async (env: Env, store: NamedStore, toShard: number) =>
  findObstacle(env, await findPlan(env, store, toShard), toShard);

/**
 * Starts the move of a store to another shard, or says why not. The sweep of its shard does the work. One round trip to
 * the directory and one to the shard. `moveId` names the move; one that is under way is not begun again.
 */
export async function moveStore(
  env: Env,
  store: NamedStore,
  toShard: number,
  now: number,
  moveId = randomBase64url(16),
): Promise<MoveResult> {
  const plan = await findPlan(env, store, toShard);
  const reason = findObstacle(env, plan, toShard);
  if (reason !== undefined || !plan) return refused(reason ?? unknownStore);
  const source = shardBinding(env, plan.shard);
  try {
    const [, inserted] = await source.batch([
      assertion(
        source,
        `exists (select 1 from residents where store_id = ? and state = ${ResidentState.here})`,
        plan.id,
      ),
      source
        .prepare(
          `insert into departures (store_id, move_id, to_shard, state, started_at, since)
            values (?1, ?2, ?3, ${DepartureState.announced}, ?4, ?4) on conflict do nothing returning store_id`,
        )
        .bind(plan.id, moveId, toShard, now),
    ]);
    return inserted?.results.length ? { ok: true } : refused(underWay);
  } catch (error) {
    if (isLost(error)) return refused(underWay);
    throw error;
  }
}

const unknownStore = 'There is no such store.';
const noMove = 'No move of this store is under way.';
const underWay = 'A move of this store is under way.';

function findObstacle(env: Env, plan: MovePlan | null, toShard: number): string | undefined {
  if (!plan) return unknownStore;
  if (plan.shard === toShard) return `The store is in shard ${toShard} already.`;
  if (!hasShard(env, toShard) || plan.to_region === null) return `There is no shard ${toShard}.`;
  const restoring = restoringShards(env);
  const isRestoring = restoring.has(plan.shard) || restoring.has(toShard);
  if (isRestoring) return 'One of the two shards is being restored.';
  if (plan.region !== plan.to_region) {
    return `Shard ${toShard} is in another region (${plan.to_region}, not ${plan.region}).`;
  }
  if (plan.to_state === ShardState.closed) return `Shard ${toShard} is closed.`;
  return (plan.to_bytes ?? 0) >= maxBytesOfNewStores ? `Shard ${toShard} is full.` : undefined;
}

/**
 * Ends a move before its switch, or says why not. The store is served as before at once. With `moveId`, only the move of that
 * name.
 */
export async function abortMove(
  env: Env,
  named: NamedStore,
  now: number,
  moveId?: string,
): Promise<MoveResult> {
  const store = await withDbErrors(
    env.DIRECTORY.prepare(`select id, shard from stores where ${columnOf(named)} = ?`)
      .bind(named)
      .first<{ id: number; shard: number }>(),
  );
  if (!store) return refused(unknownStore);
  const source = shardBinding(env, store.shard);
  const departure = await source
    .prepare('select * from departures where store_id = ?')
    .bind(store.id)
    .first<Departure>();
  if (!departure || (moveId !== undefined && departure.move_id !== moveId)) {
    return refused(noMove);
  }
  try {
    await source.batch(abortStatements(source, departure, 'by an operator', now));
    return { ok: true };
  } catch (error) {
    if (isLost(error)) return refused('The store has moved; move it back.');
    throw error;
  }
}
