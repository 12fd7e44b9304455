import { DeliveryState, EndpointStatus } from '../db/schema/webhooks.ts';
import { laneOf, type DueRow, type EndpointRow } from './lane-open.ts';
import { laneColumns, maxBytes, withBodies } from './lane-page.ts';
import type { Lane } from './lane.ts';
import { slowLane } from './slow-lane.ts';

const overdueMs = 90_000;
const overdueLanes = 20;

const leaseSql = `
  update webhook_endpoints set lease_until = ?1, lease_gen = lease_gen + 1, lease_workers = 1,
    lease_claimed = null, lease_rest = 0
  where id in (select value from json_each(?3))
    and status = ${EndpointStatus.active} and lease_until <= ?2 and wake_at <= ?2
  returning ${laneColumns}`;

// Only for a lane that was leased just now. While it backs off, its oldest or its newest delivery is the probe, and
// what has a schedule of its own is not the newest.
const dueSql = withBodies(
  `select * from (
        select seq, event_id, attempts, refusals, due_at, trigger from webhook_deliveries
        where endpoint_id = ?1 and state = ${DeliveryState.open} and due_at <= ?2
        order by due_at, seq
        limit coalesce((select case when fail_streak > 0 then 1 else ?5 end
          from webhook_endpoints where id = ?1 and lease_until = ?3), 0))
      union all
      select * from (
        select seq, event_id, attempts, refusals, due_at, trigger from webhook_deliveries
        where endpoint_id = ?1 and state = ${DeliveryState.open} and due_at = 0
        order by seq desc
        limit coalesce((select fail_streak > 0 from webhook_endpoints
          where id = ?1 and lease_until = ?3), 0))`,
  '?4',
);

// Nobody came for these for longer than cron would have needed: it has stopped. No other lane was due for so long
// but those that were leased just now or before.
const overdueSql = `
  select id from webhook_endpoints
  where wake_at <= ?1 - ${overdueMs} and lease_until <= ?1 and status = ${EndpointStatus.active}
    and ${slowLane} = ?2
  order by wake_at limit ${overdueLanes}`;

/** What a lease came to. */
export interface Leased {
  lanes: Lane[];
  /** Endpoints whose lanes are long overdue, 20 at most. */
  overdue: number[];
}

export interface LeaseOptions {
  /** Epoch milliseconds. */
  now: number;
  leaseMs: number;
  /** Deliveries that a consumer takes of a lane at once. */
  pageSize: number;
  sealingKey: string;
  /** Which kind of overdue lanes to look for. */
  isSlow: boolean;
}

/**
 * Takes those of the endpoints' lanes that are active, due and free, with the deliveries that are due, and looks for
 * lanes that nobody takes. One round trip. Rejects when the database does; then nothing is leased, or the leases run out by themselves.
 */
export async function leaseLanes(
  shard: number,
  db: D1Database,
  endpointIds: readonly number[],
  options: LeaseOptions,
): Promise<Leased> {
  const { now, leaseMs, pageSize, isSlow } = options;
  const ids = [...new Set(endpointIds)];
  const until = now + leaseMs;
  const share = Math.floor(maxBytes / Math.max(1, ids.length));
  const due = db.prepare(dueSql);
  const [leased, overdue, ...loaded] = await db.batch<EndpointRow | DueRow | { id: number }>([
    db.prepare(leaseSql).bind(until, now, JSON.stringify(ids)),
    db.prepare(overdueSql).bind(now, isSlow ? 1 : 0),
    ...ids.map((id) => due.bind(id, now, until, share, pageSize)),
  ]);
  // Each result has the columns of its own statement. What another consumer leased in the same millisecond is
  // loaded as well, and dropped here.
  const endpoints = (leased?.results ?? []) as EndpointRow[];
  const lanes = await Promise.all(
    endpoints.map((endpoint) => {
      const rows = (loaded[ids.indexOf(endpoint.id)]?.results ?? []) as DueRow[];
      return laneOf(shard, endpoint, rows, { ...options, worker: 0 });
    }),
  );
  return { lanes, overdue: ((overdue?.results ?? []) as { id: number }[]).map(({ id }) => id) };
}
