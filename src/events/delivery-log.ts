import { sql, type SQL } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import { DeliveryState, webhookDeliveries, webhookEndpoints } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import type { EventName } from './catalogue.ts';
import { logged, loggedId, type Owner } from './endpoint-access.ts';
import { seqAfter, seqBefore } from './log-position.ts';

/** What a reader of the log wants of it. Moments are epoch milliseconds, `until` is excluded. */
export interface LogQuery {
  limit: number;
  /** Only what comes before this sequence number. */
  before: number | undefined;
  state: number | undefined;
  event: EventName | undefined;
  during: { from: number; until: number } | undefined;
}

/** A delivery as the log has it; `event` is null once the event is kept no longer. */
export type LoggedDelivery = typeof webhookDeliveries.$inferSelect & {
  event: EventName | null;
  /** When the lane of the endpoint wants to be woken. */
  wake_at: number | null;
};

/** Newest first. `next` continues the list: everything before this sequence number. */
export interface LogPage {
  rows: LoggedDelivery[];
  next: number | null;
}

/** Deliveries that one page of a filtered list looks at: then it says where to go on, found enough or not. */
export const scannedPerPage = 1_000;

/**
 * One page of an endpoint's log; `undefined` when the caller has no such endpoint. One round trip. What it reads is
 * bounded by the page, or by `scannedPerPage` with a filter that no index serves.
 */
export async function deliveryLog(
  db: StoreDb,
  owner: Owner,
  id: number,
  query: LogQuery,
): Promise<LogPage | undefined> {
  const [endpoints, found] = await db.batch([
    db.select(webhookEndpoints, { where: logged(id, owner) }),
    rawStatement<LoggedDelivery & { scanned: number; lowest: number | null }>(
      db,
      pageSql(loggedId(db, id, owner), query),
    ),
  ]);
  const [endpoint] = endpoints;
  if (!endpoint) return undefined;
  // The counts stand beside each row, and beside nulls when no row was found.
  const rows = found.filter(({ seq }) => seq !== null).slice(0, query.limit);
  const { scanned = 0, lowest = null } = found[0] ?? {};
  const isFull = found.length > query.limit;
  const next = isFull ? (rows.at(-1)?.seq ?? null) : scanned === depthOf(query) ? lowest : null;
  return { rows: rows.map((row) => ({ ...row, wake_at: endpoint.wake_at })), next };
}

/** States that have an index of their own. */
const isIndexed = (state: number | undefined) => state !== undefined && state >= 2;

const depthOf = ({ limit, state, event, during }: LogQuery) =>
  event === undefined && during === undefined && (state === undefined || isIndexed(state))
    ? limit + 1
    : scannedPerPage;

function pageSql(endpoint: SQL, query: LogQuery): SQL {
  const { limit, before, state, event, during } = query;
  const within = [
    sql`endpoint_id = ${endpoint}`,
    ...(before === undefined ? [] : [sql`seq < ${before}`]),
    ...(during === undefined
      ? []
      : [
          sql`seq >= ${seqBefore(endpoint, during.from)}`,
          sql`seq < ${seqAfter(endpoint, during.until)}`,
        ]),
    // As a literal, so that SQLite sees that the partial index holds it.
    ...(isIndexed(state) ? [sql`state = ${sql.raw(String(state))} and state >= 2`] : []),
  ];
  const wanted = [
    ...(state === undefined ? [] : [sql`s.state = ${state}`]),
    ...(event === undefined ? [] : [sql`e.event = ${event}`]),
    ...(during === undefined
      ? []
      : [sql`s.created_at >= ${during.from} and s.created_at < ${during.until}`]),
  ];
  // Left to itself SQLite goes through all states in the order of the key.
  const index = isIndexed(state) ? sql`indexed by webhook_deliveries_unsent` : sql``;
  const matching = wanted.length === 0 ? sql`1` : sql.join(wanted, sql` and `);
  return sql`with scanned as materialized (
      select * from ${webhookDeliveries} ${index} where ${sql.join(within, sql` and `)}
      order by seq desc limit ${depthOf(query)})
    select f.*, c.scanned, c.lowest
    from (select count(*) as scanned, min(seq) as lowest from scanned) c
    left join (
      select s.*, e.event from scanned s left join webhook_events e on e.id = s.event_id
      where ${matching} order by s.seq desc limit ${limit + 1}) f
    order by f.seq desc`;
}

/** When an open delivery goes out next (epoch milliseconds, past: as soon as possible), else `null`. */
export const nextAttemptAt = (delivery: LoggedDelivery): number | null =>
  delivery.state === DeliveryState.open
    ? Math.max(delivery.due_at, delivery.wake_at ?? 0, delivery.created_at)
    : null;
