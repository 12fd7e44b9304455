import { ResidentState } from '../../db/schema/store/residents.ts';
import { log } from '../../log.ts';
import type { SweepContext } from '../../sweep-task.ts';

const erasedSql = `select id from stores
  where erased_at is not null and id in (select value from json_each(?))`;

const fenceSql = `update residents set state = ${ResidentState.erased}, to_shard = null, facts = ''
  where store_id in (select value from json_each(?))`;

const jobSql = `insert into jobs (kind, shard, store_id, progress, reason, requested_by, created_at, due_at)
  select 'store_erasure', ?2, value, json_object('begunAt', ?3), 'after a restore', 0, ?3, ?3 from json_each(?1)
  where not exists (select 1 from jobs where store_id = value and kind = 'store_erasure' and finished_at is null)`;

/**
 * A restore brings back the data of stores that were erased since. They are fenced again before anybody can reach them, and
 * jobs erase them. Two round trips to the directory and one to the shard, if there are any; else one.
 */
export async function eraseAgain(
  { env, shard, db, now }: SweepContext,
  storeIds: readonly number[],
): Promise<void> {
  const { results } = await env.DIRECTORY.prepare(erasedSql)
    .bind(JSON.stringify(storeIds))
    .all<{ id: number }>();
  if (results.length === 0) return;
  const ids = JSON.stringify(results.map(({ id }) => id));
  await db.prepare(fenceSql).bind(ids).run();
  await env.DIRECTORY.prepare(jobSql).bind(ids, shard, now()).run();
  log('error', 'erased_stores_restored', {
    alert: true,
    shard,
    stores: results.map(({ id }) => id),
  });
}
