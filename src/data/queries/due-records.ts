import { getTableName, sql, type SQL } from 'drizzle-orm';
import { openDatabase } from '../core/open-database.ts';
import { rawDatabaseStatement, rawStatement } from '../core/raw.ts';
import type { StoreDb } from '../core/store-db.ts';
import { carts } from '../schema/store/carts-tables.ts';
import { timerBounds } from '../schema/store/internal-tables.ts';
import { isAtWorkSql, placements, PlacementState } from '../schema/store/placement-tables.ts';
import { transactions } from '../schema/store/transactions-tables.ts';

/** The tables whose records have timers. */
const timedTables = { transaction: transactions, cart: carts } as const;

export type TimedKind = keyof typeof timedTables;

/** A record whose timer is due. */
export interface DueRecord {
  kind: TimedKind;
  id: number;
  store_id: number;
  /** When the timer was due; epoch milliseconds. */
  due_at: number | null;
}

/** Due records of one kind, round-robin by store. */
export interface DuePage {
  records: DueRecord[];
  /** Whether a store may have more due records than its share of this page. */
  hasMore: boolean;
}

/**
 * Finds due records of a shard, one page of each kind. Stores with due records share the `limit`
 * equally, and each gets at least one. A page begins with the longest overdue record of every
 * store. Before the bound of a kind it reads one row; then two per store with timers and two per
 * record, however many are due. One round trip, and one more when a bound has passed and nothing is
 * due: then the bound is raised.
 */
export async function findDueRecords<K extends TimedKind>(
  binding: D1Database,
  kinds: readonly K[],
  now: number,
  limit: number,
): Promise<Record<K, DuePage>> {
  const shard = openDatabase(binding);
  const [later, ...results] = await shard.batch([
    rawDatabaseStatement<{ kind: string }>(
      shard,
      sql`select kind from ${timerBounds} where due_at > ${now}`,
    ),
    ...kinds.map((kind) =>
      rawDatabaseStatement<Omit<DueRecord, 'kind'>>(shard, dueQuery(kind, now, limit)),
    ),
  ]);
  const pages = kinds.map(
    (kind, index) => [kind, toPage(kind, results[index] ?? [], limit)] as const,
  );
  const passed = pages.filter(
    ([kind, { records }]) =>
      records.length === 0 &&
      !later.some((bound: { kind: string }) => bound.kind === tableName(kind)),
  );
  const [first, ...rest] = passed.map(([kind]) =>
    rawDatabaseStatement(shard, raiseBound(kind, now)),
  );
  if (first) await shard.batch([first, ...rest]);
  return Object.fromEntries(pages) as Record<K, DuePage>;
}

const tableName = (kind: TimedKind) => getTableName(timedTables[kind]);

/** Jumps from store to store in the index of timers: one row per store. */
const storesWithTimers = (kind: TimedKind, condition: SQL) => {
  const table = timedTables[kind];
  return sql`store (id) as (
      select (select min(store_id) from ${table} where due_at is not null) where ${condition}
      union all
      select (select min(store_id) from ${table} where due_at is not null and store_id > store.id)
      from store where id is not null)`;
};

/** Timers rest while a store moves or is deactivated, and in the old data of one that has moved. */
const isAtWork = isAtWorkSql('store.id');

/**
 * The timers of a store that moves count for the bound: they are due again if the move ends. Those
 * of old data never are, and those of a deactivated store not before it works again
 * (`updateFactsStatements`).
 */
const isKept = sql`(select state >= ${sql.raw(`${PlacementState.gone}`)} or not works
  from ${placements} where ${placements.store_id} = store.id) is not 1`;

/** Takes the share of each store, if the bound has passed. */
function dueQuery(kind: TimedKind, now: number, limit: number) {
  const table = timedTables[kind];
  const hasPassed = sql`not exists (
    select 1 from ${timerBounds} where kind = ${tableName(kind)} and due_at > ${now})`;
  return sql`
    with recursive ${storesWithTimers(kind, hasPassed)},
    waiting (id) as materialized (
      select id from store
      where exists (select 1 from ${table} where store_id = store.id and due_at <= ${now}) and ${isAtWork})
    select record.id, record.store_id, record.due_at
    from waiting cross join ${table} record on record.id in (
      select id from ${table} where store_id = waiting.id and due_at <= ${now} order by due_at
      limit (select max(1, cast(${limit} / count(*) as integer)) from waiting))
    order by row_number() over (partition by record.store_id order by record.due_at), record.due_at`;
}

/** A bound when no timer is set. */
const farFuture = 8.64e15;

/**
 * Sets the bound to the earliest timer. A timer that is set meanwhile comes before or after this
 * statement.
 */
const raiseBound = (kind: TimedKind, now: number) => sql`
  insert into ${timerBounds} (kind, due_at)
  with recursive ${storesWithTimers(kind, sql`true`)}
  select ${tableName(kind)}, coalesce(min(
    (select min(due_at) from ${timedTables[kind]} where store_id = store.id and due_at is not null)), ${farFuture})
  from store where ${isKept}
  on conflict (kind) do update set due_at = excluded.due_at where timer_bounds.due_at <= ${now}`;

function toPage(kind: TimedKind, rows: readonly Omit<DueRecord, 'kind'>[], limit: number): DuePage {
  const byStore = Map.groupBy(rows, (row) => row.store_id);
  const share = Math.max(1, Math.floor(limit / byStore.size));
  return {
    records: rows.map((row) => ({ kind, ...row })),
    hasMore: [...byStore.values()].some((ofStore) => ofStore.length === share),
  };
}

/** Sets a new due time for a record, unless it was changed in the meantime. One round trip. */
export const postponeDueRecord = (
  db: StoreDb,
  { kind, id, due_at }: DueRecord,
  until: number | null,
) =>
  db.batch([
    rawStatement(
      db,
      sql`update ${timedTables[kind]} set due_at = ${until}
        where id = ${id} and store_id = ${db.store.id} and due_at = ${due_at}`,
    ),
  ]);

/**
 * Postpones orphaned records, whose store the directory does not know, so that they do not delay
 * others. Works on a whole shard, as {@link findDueRecords} does. One round trip.
 */
export function postponeOrphanedRecords(
  binding: D1Database,
  kind: TimedKind,
  records: readonly DueRecord[],
  until: number,
) {
  const shard = openDatabase(binding);
  const ids = records.map(({ id }) => id);
  return shard.batch([
    rawDatabaseStatement(
      shard,
      sql`update ${timedTables[kind]} set due_at = ${until}
        where id in (select value from json_each(${JSON.stringify(ids)})) and due_at < ${until}`,
    ),
  ]);
}
