import { sql, type SQL } from 'drizzle-orm';
import { compileSql, parameter, parameters } from '../../data/core/raw.ts';
import { acquire, beginSharable, leases } from '../../data/queues.ts';
import { isAtWorkSql } from '../../data/schema/store/placement-tables.ts';
import { DeliveryState, EndpointStatus } from '../../data/schema/store/webhooks-tables.ts';
import { isSlowSql } from '../events/fan-out.ts';
import type { LeasedEndpoint } from './leased-endpoint.ts';
import {
  leasedColumns,
  maxBatchBodyBytes,
  toLeasedEndpoint,
  withBodiesSql,
  type DueDeliveryRow,
  type LeasedEndpointRow,
  type LoadOptions,
  withholdUnreceivable,
} from './load-endpoints.ts';
import { joinLease, type JoinRequest } from './share.ts';

/** Endpoints of one shard that may have something due, and shared leases to join. */
export interface LeaseRequest {
  shard: number;
  db: D1Database;
  endpoints: readonly number[];
  joins: readonly JoinRequest[];
}

/** The leases of one request. A database failure omits the endpoints that it concerns. */
export interface AcquiredLeases {
  endpoints: LeasedEndpoint[];
  /** A request for a few long overdue endpoints, if there are any. */
  overdue: LeaseRequest[];
  failures: unknown[];
}

/** How endpoints are leased and loaded. */
export interface LeaseOptions extends Omit<LoadOptions, 'worker' | 'secretContext'> {
  /** Which kind of overdue endpoints to look for. */
  isSlow: boolean;
}

/** Leases the endpoints of a request and joins the shared leases, concurrently. Never rejects. */
export async function acquireLeases(
  { shard, db, endpoints, joins }: LeaseRequest,
  options: LeaseOptions,
): Promise<AcquiredLeases> {
  // One entry per endpoint: the database knows one worker number per run.
  const joinByEndpoint = new Map(joins.map((join) => [join.endpoint, join]));
  for (const endpoint of endpoints) joinByEndpoint.delete(endpoint);
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  const [leased, ...joined] = await Promise.all([
    endpoints.length > 0
      ? leaseEndpoints(shard, db, endpoints, options).catch(onFailure)
      : undefined,
    ...[...joinByEndpoint.values()].map((join) =>
      joinLease(shard, db, join, options).catch(onFailure),
    ),
  ]);
  return {
    endpoints: [...(leased?.endpoints ?? []), ...joined.flatMap((endpoint) => endpoint ?? [])],
    overdue: leased?.overdue.length ? [{ shard, db, endpoints: leased.overdue, joins: [] }] : [],
    failures,
  };
}

const overdueMs = 90_000;

const [id, now, until] = parameters('id', 'now', 'until');

const lease = compileSql<{ now: number; until: number; ids: string }>(
  acquire(leases.endpoints, {
    now,
    end: until,
    where: sql`id in (select value from json_each(${parameter('ids')})) and status = ${EndpointStatus.active}
      and ${isAtWorkSql('webhook_endpoints.store_id')}`,
    set: beginSharable(1),
    returning: leasedColumns,
  }),
);

// Loads only for an endpoint that this batch has just leased. In backoff, the probe is the oldest
// or the newest delivery; one with its own retry schedule is not a candidate for the newest.
const selectDue = compileSql<{
  id: number;
  now: number;
  until: number;
  bytes: number;
  size: number;
}>(
  withBodiesSql(sql`select * from (
        select seq, event_id, attempts, counted_failures, due_at, trigger from webhook_deliveries
        where endpoint_id = ${id} and state = ${DeliveryState.open} and due_at <= ${now}
        order by due_at, seq
        limit coalesce((select case when consecutive_failures > 0 then 1 else ${parameter('size')} end
          from webhook_endpoints where id = ${id} and lease_until = ${until}), 0))
      union all
      select * from (
        select seq, event_id, attempts, counted_failures, due_at, trigger from webhook_deliveries
        where endpoint_id = ${id} and state = ${DeliveryState.open} and due_at = 0
        order by seq desc
        limit coalesce((select consecutive_failures > 0 from webhook_endpoints
          where id = ${id} and lease_until = ${until}), 0))`),
);

/**
 * A CTE `waiting (id, number)` with up to `limit` endpoints that have open deliveries, by id from
 * the one after `after`. It jumps from endpoint to endpoint in the index of open deliveries, so it
 * reads one row per endpoint, however many deliveries wait. The last row may be null. An index of
 * the endpoints by their next attempt would cost one row more written per event.
 */
export const waitingCte = (after: number | SQL, limit: number) => sql`
  with recursive waiting (id, number) as (
    select (select min(endpoint_id) from webhook_deliveries
      where state = ${DeliveryState.open} and endpoint_id > ${after}), 1
    union all
    select (select min(endpoint_id) from webhook_deliveries
      where state = ${DeliveryState.open} and endpoint_id > waiting.id), number + 1
    from waiting where waiting.id is not null and number < ${limit})`;

/** Endpoints with open deliveries that a run checks, by id from the last of its own on. */
const maxLookedAt = 3;

// The sweep would have enqueued these long ago, so it has stopped. All other endpoints that are due
// for so long were leased just now or before.
const selectOverdue = compileSql<{
  now: number;
  isSlow: 0 | 1;
  last: number;
}>(sql`${waitingCte(parameter('last'), maxLookedAt)}
  select endpoint.id from waiting join webhook_endpoints endpoint on endpoint.id = waiting.id
  where next_attempt_at <= ${now} - ${overdueMs} and lease_until <= ${now} and status = ${EndpointStatus.active}
    and ${isSlowSql} = ${parameter('isSlow')} and ${isAtWorkSql('endpoint.store_id')}
  order by next_attempt_at limit ${maxLookedAt}`);

/**
 * Leases the given endpoints that are active, due and free, loads their due deliveries, and looks
 * for overdue endpoints. One round trip. Rejects when the database fails: then nothing is leased,
 * or the leases expire.
 */
async function leaseEndpoints(
  shard: number,
  db: D1Database,
  endpointIds: readonly number[],
  options: LeaseOptions,
): Promise<{ endpoints: LeasedEndpoint[]; overdue: number[] }> {
  const { now, leaseMs, batchSize, isSlow } = options;
  const ids = [...new Set(endpointIds)];
  const until = now + leaseMs;
  const bytesPerEndpoint = Math.floor(maxBatchBodyBytes / Math.max(1, ids.length));
  const [leased, overdue, ...loaded] = await db.batch<
    LeasedEndpointRow | DueDeliveryRow | { id: number }
  >([
    lease(db, { now, until, ids: JSON.stringify(ids) }),
    selectOverdue(db, { now, isSlow: isSlow ? 1 : 0, last: Math.max(...ids) }),
    ...ids.map((id) => selectDue(db, { id, now, until, bytes: bytesPerEndpoint, size: batchSize })),
  ]);
  // Each result has the columns of its own statement. Deliveries of an endpoint that another worker
  // leased in the same millisecond are loaded as well; only leased rows are used here.
  const rows = (leased?.results ?? []) as LeasedEndpointRow[];
  const endpoints = await Promise.all(
    rows.map(async (row) => {
      const due = (loaded[ids.indexOf(row.id)]?.results ?? []) as DueDeliveryRow[];
      const deliveries = await withholdUnreceivable(db, row.id, due);
      return toLeasedEndpoint(shard, row, deliveries, { ...options, worker: 0 });
    }),
  );
  return { endpoints, overdue: ((overdue?.results ?? []) as { id: number }[]).map(({ id }) => id) };
}
