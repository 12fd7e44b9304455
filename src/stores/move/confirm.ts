import { eq, ne, sql } from 'drizzle-orm';
import { log } from '../../base/log.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { findStoresById } from '../../data/directory/stores.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import {
  outgoingMoves,
  OutgoingMoveState,
  shardIdentity,
} from '../../data/schema/store/moves-tables.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import { raiseCounters, takeBlock } from '../../data/shards/id-blocks.ts';
import { updateFactsStatements } from '../../data/shards/placements.ts';
import type { SweepContext } from '../../data/sweep-task.ts';

/** Stores that are confirmed at once. */
const pageSize = 1_000;

/**
 * The next stores whose place is to be confirmed. A move decides itself about its store after its
 * switch.
 */
const unconfirmedAfter = (last: number) =>
  sql`select store_id from ${placements} where state = ${PlacementState.leaving} and store_id > ${last}
    and store_id not in (select store_id from ${outgoingMoves} where state = ${OutgoingMoveState.switched})
    order by store_id limit ${pageSize}`;

/** `homes`: a JSON array of pairs of a store and the shard that the directory names. */
const confirmPlaces = (homes: string, shard: number) =>
  sql`update ${placements} set state = iif(home.value ->> 1 = ${shard}, ${PlacementState.here}, ${PlacementState.gone}),
      to_shard = nullif(home.value ->> 1, ${shard})
    from json_each(${homes}) home where store_id = home.value ->> 0 and state = ${PlacementState.leaving}`;

/**
 * After a restore, the shard may still hold placements of stores that moved away later. Until the
 * directory reports the place of each of them, none may be changed here. Copies the facts of the
 * stores again. Alerts for stores that came after the restored moment, whose data the shard has
 * lost.
 */
export async function confirmPlacements(context: SweepContext): Promise<void> {
  const { env, shard, now } = context;
  const [database, directory] = [openDatabase(context.db), openDatabase(env.DIRECTORY)];
  for (let last = 0; ;) {
    const found = await database.all<{ store_id: number }>(unconfirmedAfter(last));
    const ids = found.map(({ store_id }) => store_id);
    if (ids.length === 0) break;
    await eraseAgain(context, ids);
    const known = await findStoresById(directory, ids);
    const homes = known.map(({ id, shard: home }) => [id, home]);
    await database.run(confirmPlaces(JSON.stringify(homes), shard));
    await database.batch(updateFactsStatements(database, known, now()));
    last = ids.at(-1) ?? last;
  }
  const expected = await directory
    .select({ id: stores.id })
    .from(stores)
    .where(eq(stores.shard, shard));
  const here = await database
    .select({ id: placements.store_id })
    .from(placements)
    .where(ne(placements.state, PlacementState.gone));
  const known = new Set(here.map(({ id }) => id));
  const missing = expected.map(({ id }) => id).filter((id) => !known.has(id));
  if (missing.length > 0) {
    log('error', 'stores_missing_after_restore', { alert: true, shard, stores: missing });
  }
  const last = await takeBlock(directory, shard);
  const confirmed = database.update(shardIdentity).set({ unconfirmed: 0 });
  if (last === undefined) await confirmed;
  else {
    await database.batch([
      // Ids that were given out after the restored moment may live on in another shard.
      ...raiseCounters(database, last),
      confirmed,
    ]);
  }
}

/**
 * A restore brings back the data of stores that were erased later. They are fenced again before any
 * request reaches them, and jobs erase them. Two round trips to the directory and one to the shard,
 * if there are any; else one.
 */
async function eraseAgain(
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
