import { sql } from 'drizzle-orm';
import { log } from '../../base/log.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';

/**
 * A restore brings back the data of stores that were erased later. They are fenced again before any request reaches
 * them, and jobs erase them. Two round trips to the directory and one to the shard, if there are any; else one.
 */
export async function eraseAgain(
  { env, shard, db, now }: SweepContext,
  storeIds: readonly number[],
): Promise<void> {
  const directory = openDatabase(env.DIRECTORY);
  const erased = await directory.all<{ id: number }>(
    sql`select id from ${stores} where erased_at is not null
      and id in (select value from json_each(${JSON.stringify(storeIds)}))`,
  );
  if (erased.length === 0) return;
  const ids = erased.map(({ id }) => id);
  const list = JSON.stringify(ids);
  await openDatabase(db).run(
    sql`update ${placements} set state = ${PlacementState.erased}, to_shard = null, facts = ''
      where store_id in (select value from json_each(${list}))`,
  );
  const at = now();
  await directory.run(
    sql`insert into ${jobs} (kind, shard, store_id, progress, reason, requested_by, created_at, due_at)
      select 'store_erasure', ${shard}, value, ${JSON.stringify({ begunAt: at })}, 'after a restore', 0, ${at}, ${at}
      from json_each(${list}) where not exists (select 1 from ${jobs}
        where store_id = value and kind = 'store_erasure' and finished_at is null)`,
  );
  log('error', 'erased_stores_restored', { alert: true, shard, stores: ids });
}
