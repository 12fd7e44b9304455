import { withDbErrors } from '../../db/core/errors.ts';
import { openDatabase } from '../../db/core/open.ts';
import { findStoresById } from '../../db/directory/stores.ts';
import { DepartureState } from '../../db/schema/store/moves.ts';
import { ResidentState } from '../../db/schema/store/residents.ts';
import { raiseCounters, takeBlock } from '../../db/shards/id-blocks.ts';
import { updateFactsStatements } from '../../db/shards/residents.ts';
import { log } from '../../log.ts';
import type { SweepContext } from '../../sweep-task.ts';
import { eraseAgain } from './erase-again.ts';

const raiseReserved = (db: D1Database, last: number) =>
  db.prepare('update sequences set last = ?1 where last < ?1').bind(last);

/** Stores that are confirmed at once. */
const pageSize = 1_000;

/** A move that goes on after its switch decides itself about its store. */
const unconfirmedSql = `select store_id from residents where state = ${ResidentState.leaving} and store_id > ?
  and store_id not in (select store_id from departures where state = ${DepartureState.switched})
  order by store_id limit ${pageSize}`;

const confirmSql = `update residents set state = iif(j.value ->> 1 = ?2, ${ResidentState.here}, ${ResidentState.gone}),
    to_shard = nullif(j.value ->> 1, ?2)
  from json_each(?1) j where store_id = j.value ->> 0 and state = ${ResidentState.leaving}`;

/**
 * After a restore: the shard may believe that it has stores which moved away since. Until the directory says where each of them
 * is, none may be changed here. Copies the facts of the stores again. Alerts for stores that came after the restored moment, whose data it has lost.
 */
export async function confirmResidents(context: SweepContext): Promise<void> {
  const { env, shard, db, now } = context;
  for (let last = 0; ;) {
    const { results } = await db.prepare(unconfirmedSql).bind(last).all<{ store_id: number }>();
    const ids = results.map(({ store_id }) => store_id);
    if (ids.length === 0) break;
    await eraseAgain(context, ids);
    const stores = await findStoresById(openDatabase(env.DIRECTORY), ids);
    const pairs = stores.map(({ id, shard: home }) => [id, home]);
    await db.prepare(confirmSql).bind(JSON.stringify(pairs), shard).run();
    const database = openDatabase(db);
    await withDbErrors(database.batch(updateFactsStatements(database, stores, now())));
    last = ids.at(-1) ?? last;
  }
  const { results } = await env.DIRECTORY.prepare('select id from stores where shard = ?')
    .bind(shard)
    .all<{ id: number }>();
  const { results: here } = await db
    .prepare(`select store_id from residents where state <> ${ResidentState.gone}`)
    .all<{ store_id: number }>();
  const known = new Set(here.map(({ store_id }) => store_id));
  const missing = results.map(({ id }) => id).filter((id) => !known.has(id));
  if (missing.length > 0) {
    log('error', 'stores_missing_after_restore', { alert: true, shard, stores: missing });
  }
  const last = await takeBlock(env.DIRECTORY, shard);
  await db.batch([
    // Ids that were given out after the restored moment may live on in another shard.
    ...(last === undefined ? [] : [raiseCounters(db, last), raiseReserved(db, last)]),
    db.prepare('update shard_identity set unconfirmed = 0'),
  ]);
}
