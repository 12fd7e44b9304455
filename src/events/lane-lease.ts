import { sha256 } from '../crypto/sha256.ts';
import { unseal } from '../crypto/seal.ts';
import { DeliveryState, EndpointStatus } from '../db/schema/webhooks.ts';
import { log } from '../log.ts';
import type { Lane } from './lane.ts';

/** Deliveries that one lease takes on. */
export const maxPerLane = 60;

/** Bytes of bodies that are in memory for one batch of lanes. */
const maxBytes = 4_000_000;

/** No send outlives the time that a runtime update leaves to work under way. */
const longestTimeoutMs = 10_000;

/** How long a lane rests whose secret cannot be read: a matter for us, not for the endpoint. */
const brokenRestMs = 600_000;

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
      limit (select case when fail_streak > 0 then 1 else ${maxPerLane} end
        from webhook_endpoints where id = ?1)
    ) d left join webhook_events e on e.id = d.event_id
  ) where before < ?4 order by due_at, seq`;

interface EndpointRow {
  id: number;
  store_id: number;
  url: string;
  api_version: string;
  epoch: number;
  secret_current: string;
  lease_gen: number;
  fail_streak: number;
  first_fail_at: number | null;
  last_ok_at: number | null;
  latency_ms: number;
  ordered: number;
  concurrency: number;
  timeout_ms: number;
}

interface DueRow {
  seq: number;
  event_id: string;
  attempts: number;
  event: string | null;
  body: string | null;
  triggered_at: number | null;
}

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

async function laneOf(
  shard: number,
  row: EndpointRow,
  due: DueRow[],
  { now, sealingKey }: LeaseOptions,
): Promise<Lane> {
  const secret = await openSecret(row, sealingKey);
  return {
    shard,
    id: row.id,
    generation: row.lease_gen,
    url: row.url,
    apiVersion: row.api_version,
    epoch: row.epoch,
    secret,
    keyId: secret === undefined ? null : (await sha256(secret)).slice(0, 8),
    concurrency: row.ordered ? 1 : Math.max(1, row.concurrency),
    timeoutMs: Math.min(row.timeout_ms, longestTimeoutMs),
    deliveries: due.map(deliveryOf),
    health: {
      failStreak: row.fail_streak,
      firstFailAt: row.first_fail_at,
      lastOkAt: row.last_ok_at,
      latencyMs: row.latency_ms,
      backoffUntil: secret === undefined ? now + brokenRestMs : null,
    },
    next: 0,
    inFlight: 0,
    isReleased: false,
  };
}

async function openSecret(row: EndpointRow, sealingKey: string): Promise<string | undefined> {
  try {
    return await unseal(sealingKey, row.secret_current, `webhook-secret:${row.store_id}`);
  } catch {
    log('error', 'webhook_secret_unreadable', { alert: true, endpoint: row.id });
    return undefined;
  }
}

function deliveryOf(row: DueRow): Lane['deliveries'][number] {
  const { event, body, triggered_at: triggeredAt } = row;
  const isThere = event !== null && body !== null && triggeredAt !== null;
  return {
    seq: row.seq,
    eventId: row.event_id,
    content: isThere ? { event, body, triggeredAt } : null,
    attempts: row.attempts,
  };
}
