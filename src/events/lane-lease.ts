import { DeliveryState, EndpointStatus } from '../db/schema/webhooks.ts';
import { laneOf, type DueRow, type EndpointRow } from './lane-open.ts';
import type { Lane } from './lane.ts';

/** Deliveries that one lease takes on. */
export const maxPerLane = 60;

/** Bytes of bodies that are in memory for one batch of lanes. */
const maxBytes = 4_000_000;

const leaseSql = `
  update webhook_endpoints set lease_until = ?1, lease_gen = lease_gen + 1
  where id in (select value from json_each(?3))
    and status = ${EndpointStatus.active} and lease_until <= ?2 and wake_at <= ?2
  returning id, store_id, url, api_version, epoch, secret_current, lease_gen, fail_streak,
    first_fail_at, last_ok_at, latency_ms, ordered, concurrency, timeout_ms`;

// Only for a lane that was leased just now; while it backs off, its oldest delivery is the probe. The
// first delivery is always taken, however large.
const dueSql = `
  select seq, event_id, attempts, event, body, triggered_at from (
    select d.*, e.event, e.body, e.created_at as triggered_at,
      sum(coalesce(length(e.body), 0)) over (order by d.due_at, d.seq)
        - coalesce(length(e.body), 0) as before
    from (
      select seq, event_id, attempts, due_at from webhook_deliveries
      where endpoint_id = ?1 and state = ${DeliveryState.open} and due_at <= ?2
        and exists (select 1 from webhook_endpoints where id = ?1 and lease_until = ?3)
      order by due_at, seq
      limit coalesce((select case when fail_streak > 0 then 1 else ${maxPerLane} end
        from webhook_endpoints where id = ?1), 0)
    ) d left join webhook_events e on e.id = d.event_id
  ) where before < ?4 order by due_at, seq`;

export interface LeaseOptions {
  /** Epoch milliseconds. */
  now: number;
  leaseMs: number;
  sealingKey: string;
}

/**
 * Takes those of the endpoints' lanes that are active, due and free, with the deliveries that are due. One
 * round trip. Rejects when the database does; then nothing is leased, or the leases run out by themselves.
 */
export async function leaseLanes(
  shard: number,
  db: D1Database,
  endpointIds: readonly number[],
  options: LeaseOptions,
): Promise<Lane[]> {
  const { now, leaseMs } = options;
  const ids = [...new Set(endpointIds)];
  const until = now + leaseMs;
  const share = Math.floor(maxBytes / Math.max(1, ids.length));
  const due = db.prepare(dueSql);
  const [leased, ...loaded] = await db.batch<EndpointRow | DueRow>([
    db.prepare(leaseSql).bind(until, now, JSON.stringify(ids)),
    ...ids.map((id) => due.bind(id, now, until, share)),
  ]);
  // Each result has the columns of its own statement. What another consumer leased in the same millisecond is
  // loaded as well, and dropped here.
  const endpoints = (leased?.results ?? []) as EndpointRow[];
  return Promise.all(
    endpoints.map((endpoint) => {
      const rows = (loaded[ids.indexOf(endpoint.id)]?.results ?? []) as DueRow[];
      return laneOf(shard, endpoint, rows, options);
    }),
  );
}
