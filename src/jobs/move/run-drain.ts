import { openDatabase } from '../../db/core/open.ts';
import { placeStore } from '../../db/directory/placement.ts';
import { DepartureState } from '../../db/schema/store/moves.ts';
import { shardBinding } from '../../db/shards/shards.ts';
import { moveStore } from '../../platform/move/start.ts';
import type { JobOutcome, JobRun } from '../job.ts';

/** Stores that leave a shard at the same time: each refuses changes for a while, and all share its database. */
const movesAtOnce = 2;

/** After so many moves that were given up, a store is left where it is. */
const attemptsPerStore = 3;

const lookAgainMs = 20_000;

/** Stores that a turn looks at, by id. */
const storesPerTurn = 200;

/**
 * Moves all stores of a shard to others of its region, a few at a time. The shard is closed, so none comes. A store whose moves
 * are given up again and again is left, and named at the end. Erased stores have nothing to move.
 */
export async function runDrain({ env, job, now, save }: JobRun): Promise<JobOutcome> {
  const { shard } = job;
  const [stores, [counted], [record]] = await readStores(env.DIRECTORY, shard);
  const left = counted?.left ?? 0;
  const total = Math.max(job.total, left);
  if (left === 0) {
    await save({ done: total, total });
    // The shard may be taken away now, so its other jobs go to where their stores are.
    await env.DIRECTORY.prepare(
      `update jobs set shard = (select shard from stores where id = jobs.store_id)
        where shard = ?1 and store_id is not null and due_at is not null`,
    )
      .bind(shard)
      .run();
    return { state: 'done', result: { counts: { stores: total } } };
  }
  const attempts = { ...(job.progress['attempts'] as Record<string, number> | undefined) };
  const { results: leaving } = await shardBinding(env, shard)
    .prepare(`select store_id from departures where state <> ${DepartureState.moved}`)
    .all<{ store_id: number }>();
  const underWay = new Set(leaving.map(({ store_id }) => store_id));
  const next = stores
    .filter(({ id }) => !underWay.has(id) && (attempts[id] ?? 0) < attemptsPerStore)
    .slice(0, Math.max(0, movesAtOnce - underWay.size));
  if (next.length === 0 && underWay.size === 0) {
    const ids = stores.map(({ id }) => id).slice(0, 20);
    return { state: 'failed', error: `Stores that could not be moved: ${ids.join(', ')}.` };
  }
  for (const { id } of next) {
    const toShard = await placeStore(openDatabase(env.DIRECTORY), record?.region ?? '');
    if (toShard === undefined) {
      return { state: 'failed', error: 'No other shard of the region is open and has room.' };
    }
    const attempt = (attempts[id] ?? 0) + 1;
    // First the count, then the move: a turn that dies in between has lost an attempt, and begins none twice.
    attempts[id] = attempt;
    await save({ done: total - left, total, progress: { ...job.progress, attempts } });
    await moveStore(env, id, toShard, now(), `job-${job.id}-${id}-${attempt}`);
  }
  await save({ done: total - left, total });
  return { state: 'waits', dueAt: now() + lookAgainMs };
}

async function readStores(directory: D1Database, shard: number) {
  const ofShard = 'from stores where shard = ? and erased_at is null';
  const [stores, counted, record] = await directory.batch([
    directory.prepare(`select id ${ofShard} order by id limit ${storesPerTurn}`).bind(shard),
    directory.prepare(`select count(*) as left ${ofShard}`).bind(shard),
    directory.prepare('select region from shards where number = ?').bind(shard),
  ]);
  return [
    (stores?.results ?? []) as { id: number }[],
    (counted?.results ?? []) as { left: number }[],
    (record?.results ?? []) as { region: string }[],
  ] as const;
}
