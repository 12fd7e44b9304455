import { sql } from 'drizzle-orm';
import { type Database, openDatabase, hasShard, shardBinding } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import type { KnownStore, Store } from '../core/store.ts';
import { isHereSql, PlacementState } from '../schema/store/placement-tables.ts';
import { movingLease } from '../schema/store/webhooks-tables.ts';

/**
 * Returns the facts of a store that access tokens repeat. The guard compares it with the shard's
 * own copy, so a token with old or forged facts is always rejected.
 */
export const factsOf = ({
  alias,
  zone,
  base_url,
  test,
  active,
  requests_per_minute: limit,
  mfa_required: isFactorRequired,
}: Omit<Store, 'id' | 'shard'>) =>
  JSON.stringify([
    alias,
    zone,
    base_url,
    test,
    ...(limit == null ? [] : [limit]),
    ...(isFactorRequired ? ['factor'] : []),
    active,
  ]);

/**
 * Finds the shard that a store went to from this one; `undefined` if it did not leave. One round
 * trip.
 */
async function findForwarding(shard: Database, storeId: number): Promise<number | undefined> {
  const [rows] = await shard.batch([
    rawDatabaseStatement<{ to_shard: number }>(
      shard,
      sql`select to_shard from placements where store_id = ${storeId} and state = ${PlacementState.gone}`,
    ),
  ]);
  return rows[0]?.to_shard;
}

/** Makes a shard the home of a new store; does nothing if it has a row of the store. */
export const insertPlacement = (shard: Database, store: KnownStore) =>
  rawDatabaseStatement(
    shard,
    sql`insert into placements (store_id, facts, works, version)
      values (${store.id}, ${factsOf(store)}, ${Number(store.active)}, ${store.version}) on conflict do nothing`,
  );

/**
 * Updates the copies of the facts and of the event budgets of these stores. A copy of a later
 * version stays. Workers stop to deliver for a store that no longer works. For one that works
 * again, its timers are looked for, and its webhooks count failures from now on.
 */
export function updateFactsStatements(shard: Database, stores: readonly KnownStore[], now: number) {
  const changes = JSON.stringify(
    stores.map((store) => [
      store.id,
      factsOf(store),
      store.version,
      Number(store.active),
      store.event_budget,
    ]),
  );
  const changed = sql`(select value ->> 0 as id, value ->> 1 as facts, value ->> 2 as version, value ->> 3 as works,
    value ->> 4 as budget
    from json_each(${changes})) as changed`;
  const turning = (works: 0 | 1) => sql`select changed.id from ${changed}
    join placements on placements.store_id = changed.id and placements.version <= changed.version
    where changed.works = ${works} and placements.works <> changed.works`;
  return [
    rawDatabaseStatement(
      shard,
      sql`update webhook_endpoints set lease_backoff_until = max(lease_backoff_until, ${now})
        where store_id in (${turning(0)}) and lease_until > ${now} and lease_until < ${movingLease}`,
    ),
    rawDatabaseStatement(
      shard,
      sql`update webhook_endpoints set first_failure_at = ${now}
        where store_id in (${turning(1)}) and first_failure_at is not null`,
    ),
    rawDatabaseStatement(
      shard,
      sql`update timer_bounds set due_at = 0 where exists (${turning(1)})`,
    ),
    rawDatabaseStatement(
      shard,
      sql`insert into event_budgets (store_id, day, bytes, budget) select changed.id, 0, 0, changed.budget from ${changed}
        join placements on placements.store_id = changed.id and placements.version <= changed.version
        left join event_budgets on event_budgets.store_id = changed.id where event_budgets.budget is not changed.budget
        on conflict do update set budget = excluded.budget`,
    ),
    rawDatabaseStatement(
      shard,
      sql`update placements set facts = changed.facts, works = changed.works, version = changed.version
        from ${changed}
        where placements.store_id = changed.id and placements.version <= changed.version`,
    ),
  ] as const;
}

/** Returns which of these stores are not in this shard. One round trip. */
export async function listAbsent(
  shard: Database,
  stores: readonly Pick<Store, 'id'>[],
): Promise<ReadonlySet<number>> {
  const [absent] = await shard.batch([
    rawDatabaseStatement<{ id: number }>(
      shard,
      sql`select value as id from json_each(${JSON.stringify(stores.map(({ id }) => id))}) as asked
        where not ${isHereSql('asked.value')}`,
    ),
  ]);
  const ids: readonly { id: number }[] = absent;
  return new Set(ids.map(({ id }) => id));
}

/**
 * Returns the store with the shard that it went to, in case the directory does not say so yet. One
 * round trip to the shard that the directory names; only for requests that did not find the store.
 */
export async function followMove<S extends Store>(env: Env, store: S): Promise<S> {
  const shard = await findForwarding(openDatabase(shardBinding(env, store.shard)), store.id);
  return shard !== undefined && hasShard(env, shard) ? { ...store, shard } : store;
}
