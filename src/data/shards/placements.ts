import { sql } from 'drizzle-orm';
import { prepareText } from '../core/binding.ts';
import { abortWith } from '../core/data-errors.ts';
import { preparable } from '../core/drizzle-adapter.ts';
import { type Database, openDatabase, hasShard, shardBinding } from '../core/open-database.ts';
import { rawDatabaseStatement, textStatement } from '../core/raw.ts';
import {
  prepareStatement,
  typedStatement,
  type RecordSelect,
  type TotalSelect,
  type TypedStatement,
} from '../core/statement.ts';
import type { KnownStore, Store } from '../core/store.ts';
import { isHereSql, PlacementState } from '../schema/store/placement-tables.ts';
import { movingLease } from '../schema/store/webhooks-tables.ts';

/** A condition of a grant, as text with its values. */
export interface GuardCondition {
  sql: string;
  params: readonly unknown[];
}

/** The requirements of a guard. */
export interface Guard {
  storeId: number;
  /** Reads are also allowed while the store is leaving the shard: the handle changes nothing. */
  isReadOnly: boolean;
  /** The facts of the store that the caller claims; `undefined` if the directory was asked. */
  facts?: string | undefined;
  /** The store must be at work: the caller knows it from a cache of the isolate. */
  mustWork?: boolean | undefined;
  /** The epoch that the store must still have. */
  epoch?: number | undefined;
  conditions: readonly GuardCondition[];
}

/** The row of a guard. `total` is null where the select of a total returns no row. */
export type GuardRow = { epoch: number; total?: number | null };

/** The expression that aborts for each cause of a guard, made once: each request has a guard. */
const aborting = {
  placement: abortWith('placement'),
  facts: abortWith('facts'),
  grant_live: abortWith('grant_live'),
};

/**
 * Aborts the batch unless the store is in this shard (`StoreElsewhere`). Then the conditions must hold
 * (`core/data-errors.ts`), and the claimed facts be right, or the store be at work (`StoreElsewhere`). Reads one row by primary
 * key for the store, and what the conditions and `total` read; writes none.
 */
export function guardStatement(shard: Database, guard: Guard, total?: TotalSelect) {
  const { epoch, from, params } = guardParts(guard);
  const counted = total && prepareStatement(total).getQuery();
  const text = `select ${epoch} as epoch${counted ? `, (${counted.sql}) as total` : ''} from ${from}`;
  const values = [...params.epoch, ...(counted?.params ?? []), ...params.from];
  return textStatement<GuardRow>(shard, text, values);
}

/**
 * The guard and the select of one record in one statement: a statement takes a database longer than its row. Returns what the
 * select returns.
 */
export function guardedRecordStatement(shard: Database, guard: Guard, select: RecordSelect) {
  const { epoch, from, params } = guardParts(guard);
  const prepared = prepareStatement(select);
  const query = prepared.getQuery();
  const sql = `select ${epoch} as guard_epoch, record.* from ${from} left join (${query.sql}) as record`;
  const all = { sql, params: [...params.epoch, ...params.from, ...query.params] };
  return typedStatement<TypedStatement<unknown>>(
    preparable(() => ({
      stmt: prepareText(shard.$client, sql),
      getQuery: () => all,
      mapResult: (result) => {
        // The guard always returns one row, without a record with nulls.
        const [{ guard_epoch: _epoch, ...record } = {}] = result.results;
        const results = 'id' in record && record.id !== null ? [record] : [];
        return prepared.mapResult({ ...result, results });
      },
    })),
  );
}

/** The epoch of the store, or why its batch aborts: as an expression, what it is selected from, and the values of both. */
function guardParts({ storeId, isReadOnly, facts, mustWork, epoch, conditions }: Guard) {
  const causes = [
    `when r.epoch is null then ${aborting.placement}`,
    ...conditions.map(({ sql }) => `when (${sql}) is not true then ${aborting.grant_live}`),
    ...(facts === undefined ? [] : [`when r.facts is not ? then ${aborting.facts}`]),
    ...(mustWork ? [`when not r.works then ${aborting.facts}`] : []),
  ];
  const params = {
    epoch: [
      ...conditions.flatMap((condition) => condition.params),
      ...(facts === undefined ? [] : [facts]),
    ],
    from: [
      storeId,
      isReadOnly ? PlacementState.leaving : PlacementState.here,
      ...(epoch === undefined ? [] : [epoch]),
    ],
  };
  const isHere = `r.store_id = ? and r.state <= ?${epoch === undefined ? '' : ' and r.epoch = ?'}`;
  return {
    epoch: `case ${causes.join(' ')} else r.epoch end`,
    from: `(select 1) left join placements r on ${isHere}`,
    params,
  };
}

/** Aborts a batch that changes data of a store outside a handle unless the store is in this shard. */
export const assertPlaced = (shard: Database, storeId: number) =>
  guardStatement(shard, { storeId, isReadOnly: false, conditions: [] });

/**
 * Returns the facts of a store that access tokens repeat. The guard compares it with the shard's own copy, so a token
 * with old or forged facts is always rejected.
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

/** Finds the shard that a store went to from this one; `undefined` if it did not leave. One round trip. */
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
    sql`insert into placements (store_id, facts, version)
      values (${store.id}, ${factsOf(store)}, ${store.version}) on conflict do nothing`,
  );

/**
 * Updates the copies of the facts and of the event budgets of these stores. A copy of a later version stays. Workers stop to deliver for a store that no
 * longer works. For one that works again, its timers are looked for, and its webhooks count failures from now on.
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
    join placements r on r.store_id = changed.id and r.version <= changed.version
    where changed.works = ${works} and r.works <> changed.works`;
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
        join placements r on r.store_id = changed.id and r.version <= changed.version
        left join event_budgets b on b.store_id = changed.id where b.budget is not changed.budget
        on conflict do update set budget = excluded.budget`,
    ),
    rawDatabaseStatement(
      shard,
      sql`update placements set facts = changed.facts, version = changed.version from ${changed}
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
 * Returns the store with the shard that it went to, in case the directory does not say so yet. One round trip to the shard
 * that the directory names; only for requests that did not find the store.
 */
export async function followMove<S extends Store>(env: Env, store: S): Promise<S> {
  const shard = await findForwarding(openDatabase(shardBinding(env, store.shard)), store.id);
  return shard !== undefined && hasShard(env, shard) ? { ...store, shard } : store;
}
