import { sql, type SQL } from 'drizzle-orm';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import {
  DeliveryState,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
} from '../../data/schema/store/webhooks-tables.ts';
import { hasLogOf, logEndpointId, type EndpointOwner } from '../endpoints/endpoint-access.ts';
import { endSeqAt, firstSeqAt } from './seq-range.ts';

/** Filters of the log. Times are epoch milliseconds; `until` is exclusive. */
export interface DeliveryLogQuery {
  limit: number;
  /** Only deliveries before this sequence number. */
  before: number | undefined;
  /** A state, or `failed`: those whose last attempt failed, in whatever state. */
  state: number | 'failed' | undefined;
  event: EventName | undefined;
  during: { from: number; until: number } | undefined;
}

/** A delivery in the log. `event` is null after the event has been purged. */
export type LoggedDelivery = typeof webhookDeliveries.$inferSelect & {
  event: EventName | null;
  /** See `webhookEvents`; null after the event has been purged. */
  changed: string | null;
  /** Of the endpoint. */
  next_attempt_at: number | null;
};

/** Newest first. `next` is the value of `before` for the next page. */
interface DeliveryLogPage {
  rows: LoggedDelivery[];
  next: number | null;
}

/**
 * Deliveries, or attempts, that one page of a filtered list scans. A page may be short of rows and
 * still have a next page.
 */
const maxScannedPerPage = 1_000;

/**
 * Lists one page of the log of an endpoint. Returns `undefined` when the caller may not read it.
 * One round trip. Rows read are bounded by the page size, or by `maxScannedPerPage` with a filter
 * that has no index.
 */
export async function listDeliveries(
  db: StoreDb,
  owner: EndpointOwner,
  id: number,
  query: DeliveryLogQuery,
): Promise<DeliveryLogPage | undefined> {
  const [endpoints, found] = await db.batch([
    db.select(webhookEndpoints, { where: hasLogOf(id, owner) }),
    rawStatement<LoggedDelivery & { scanned: number; lowest: number | null }>(
      db,
      pageQuery(logEndpointId(db, id, owner), query),
    ),
  ]);
  const [endpoint] = endpoints;
  if (!endpoint) return undefined;
  // Every row carries the counts; without a match there is one row of nulls with the counts.
  const rows = found.filter(({ seq }) => seq !== null).slice(0, query.limit);
  const { scanned = 0, lowest = null } = found[0] ?? {};
  const isFull = found.length > query.limit;
  const next = isFull ? (rows.at(-1)?.seq ?? null) : scanned === scanLimit(query) ? lowest : null;
  return { rows: rows.map((row) => ({ ...row, next_attempt_at: endpoint.next_attempt_at })), next };
}

/** States of the partial index `webhook_deliveries_unsent`. */
const isIndexed = (state: DeliveryLogQuery['state']) => typeof state === 'number' && state >= 2;

const scanLimit = ({ limit, state, event, during }: DeliveryLogQuery) =>
  event === undefined && during === undefined && (state === undefined || isIndexed(state))
    ? limit + 1
    : maxScannedPerPage;

function pageQuery(endpoint: SQL, query: DeliveryLogQuery): SQL {
  const { limit, before, state, event, during } = query;
  const within = [
    sql`endpoint_id = ${endpoint}`,
    ...(before === undefined ? [] : [sql`seq < ${before}`]),
    ...(during === undefined
      ? []
      : [
          sql`seq >= ${firstSeqAt(endpoint, during.from)}`,
          sql`seq < ${endSeqAt(endpoint, during.until)}`,
        ]),
    // A literal, so that SQLite can use the partial index.
    ...(isIndexed(state) ? [sql`state = ${sql.raw(String(state))} and state >= 2`] : []),
  ];
  const wanted = [
    ...(state === undefined
      ? []
      : [state === 'failed' ? sql`delivery.error is not null` : sql`delivery.state = ${state}`]),
    ...(event === undefined ? [] : [sql`webhook_events.event = ${event}`]),
    ...(during === undefined
      ? []
      : [sql`delivery.created_at >= ${during.from} and delivery.created_at < ${during.until}`]),
  ];
  // Otherwise SQLite would scan the primary key through all states.
  const index = isIndexed(state) ? sql`indexed by webhook_deliveries_unsent` : sql``;
  const matching = wanted.length === 0 ? sql`1` : sql.join(wanted, sql` and `);
  // Each failed attempt has a row, and first successes have none. The cross join keeps SQLite from
  // reading all deliveries.
  const [table, deliveries] =
    state === 'failed'
      ? [
          webhookAttempts,
          sql`(select delivery.* from (select distinct seq from scanned) attempted cross join ${webhookDeliveries} delivery
            on delivery.endpoint_id = ${endpoint} and delivery.seq = attempted.seq)`,
        ]
      : [webhookDeliveries, sql`scanned`];
  return sql`with scanned as materialized (
      select * from ${table} ${index} where ${sql.join(within, sql` and `)}
      order by seq desc limit ${scanLimit(query)})
    select found.*, counted.scanned, counted.lowest
    from (select count(*) as scanned, min(seq) as lowest from scanned) counted
    left join (
      select delivery.*, webhook_events.event, webhook_events.changed from ${deliveries} delivery left join webhook_events on webhook_events.id = delivery.event_id
      where ${matching} order by delivery.seq desc limit ${limit + 1}) found
    order by found.seq desc`;
}

/**
 * The next attempt of an open delivery in epoch milliseconds (in the past: as soon as possible),
 * else `null`.
 */
export const calculateNextAttempt = (delivery: LoggedDelivery): number | null =>
  delivery.state === DeliveryState.open
    ? Math.max(delivery.due_at, delivery.next_attempt_at ?? 0, delivery.created_at)
    : null;
