import { DepartureState } from '../../db/schema/store/moves.ts';
import { ResidentState } from '../../db/schema/store/residents.ts';
import { shardBindings } from '../../db/shards/shards.ts';
import { afterEventIds, eventPrefix } from '../../events/event-id.ts';
import { deleteGrantRecords } from '../../oauth/storage/vault.ts';
import { deleteRows } from '../../platform/move/clean.ts';
import { assertion } from '../../platform/move/departure.ts';
import { movedTables, type MovedTable } from '../../platform/move/tables.ts';

/** A shard that has, or had, data of a store. */
export interface ErasedShard {
  number: number;
  db: D1Database;
}

// A store that is on its way, or whose copy is, is not fenced: its move ends first.
const fenceSql = `
  update residents set state = ${ResidentState.erased}, to_shard = null, facts = ''
  where store_id = ?1 and state in (${ResidentState.here}, ${ResidentState.gone})
    and not exists (select 1 from departures where store_id = ?1 and state <> ${DepartureState.moved})
    and not exists (select 1 from arrivals where store_id = ?1)`;

const stateSql = 'select state from residents where store_id = ?1';

/**
 * Ends the stay of a store in every shard that knows it: from then on no request, timer or delivery reaches its data, and no
 * move begins. Returns these shards; `undefined` while a move goes on. One round trip to each shard.
 */
export async function fenceStore(env: Env, storeId: number): Promise<ErasedShard[] | undefined> {
  const shards = [...shardBindings(env)].map(([number, db]) => ({ number, db }));
  const states = await Promise.all(
    shards.map(async ({ db }) => {
      const [, , found, arrival] = await db.batch<{ state: number }>([
        db.prepare(fenceSql).bind(storeId),
        db
          .prepare(
            `delete from departures where store_id = ?1 and state = ${DepartureState.moved}
              and exists (select 1 from residents where store_id = ?1 and state = ${ResidentState.erased})`,
          )
          .bind(storeId),
        db.prepare(stateSql).bind(storeId),
        db.prepare('select 0 as state from arrivals where store_id = ?1').bind(storeId),
      ]);
      return arrival?.results[0]?.state ?? found?.results[0]?.state;
    }),
  );
  const known = shards.filter((_, index) => states[index] !== undefined);
  const isFenced = states.every((state) => state === undefined || state === ResidentState.erased);
  return isFenced ? known : undefined;
}

function countStatement(db: D1Database, { name, owner }: MovedTable, storeId: number) {
  if (name === 'webhook_events') {
    return db
      .prepare('select count(*) as n from webhook_events where id > ? and id < ?')
      .bind(eventPrefix(storeId), afterEventIds(storeId));
  }
  const sql =
    owner === 'store_id'
      ? `select count(*) as n from "${name}" where store_id = ?`
      : `select count(*) as n from "${owner.parent}" p
          cross join "${name}" d on d."${owner.column}" = p.id where p.store_id = ?`;
  return db.prepare(sql).bind(storeId);
}

/** Counts the rows of a store in a shard by table; without tables that have none. One round trip. */
export async function countRows(db: D1Database, storeId: number): Promise<Record<string, number>> {
  const results = await db.batch<{ n: number }>(
    movedTables.map((table) => countStatement(db, table, storeId)),
  );
  const counts = movedTables.map(({ name }, index) => [name, results[index]?.results[0]?.n ?? 0]);
  return Object.fromEntries(counts.filter(([, n]) => n !== 0)) as Record<string, number>;
}

/** Grants whose records are deleted at once. Each is a call, and an invocation may make 1,000. */
const grantsPerStep = 100;

/** Deletes what KV has of the grants of a store, and then these grants, while time remains. Returns whether none is left. */
export async function eraseGrants(
  env: Env,
  { db }: ErasedShard,
  storeId: number,
  hasTime: () => boolean,
): Promise<boolean> {
  while (hasTime()) {
    const { results } = await db
      .prepare(`select id from oauth_grants where store_id = ? order by id limit ${grantsPerStep}`)
      .bind(storeId)
      .all<{ id: string }>();
    const ids = results.map(({ id }) => id);
    if (ids.length === 0) return true;
    await deleteGrantRecords(env, ids);
    await db.batch([
      assertErased(db, storeId),
      db
        .prepare('delete from oauth_grants where id in (select value from json_each(?))')
        .bind(JSON.stringify(ids)),
    ]);
  }
  return false;
}

/** Deletes all rows of a store from a shard, while time remains. Returns whether none is left. */
export const eraseRows = ({ db }: ErasedShard, storeId: number, hasTime: () => boolean) =>
  deleteRows(db, storeId, () => assertErased(db, storeId), hasTime);

const assertErased = (db: D1Database, storeId: number) =>
  assertion(
    db,
    `exists (select 1 from residents where store_id = ? and state = ${ResidentState.erased})`,
    storeId,
  );
