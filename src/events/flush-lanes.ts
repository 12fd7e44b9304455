import { NoticeKind } from '../db/schema/webhook-alarms.ts';
import { DeliveryState, EndpointStatus } from '../db/schema/webhooks.ts';
import type { Lane } from './lane.ts';
import { slowLane } from './slow-lane.ts';

// What its owner has changed since, a new URL or an end of the pause, is not gone for what was sent before. Told before
// the status changes, so that a repetition finds nothing to tell.
const noticesSql = `
  insert into webhook_notices (store_id, endpoint_id, kind, at)
  select e.store_id, e.id, '${NoticeKind.gone}', j.value ->> 'goneAt'
  from json_each(?1) j join webhook_endpoints e on e.id = j.value ->> 'id'
  where e.updated_at <= j.value ->> 'goneAt' and e.lease_gen = j.value ->> 'generation'
    and e.status = ${EndpointStatus.active}
  returning endpoint_id as endpoint, kind`;

// What one consumer on a lane finds well does not overrule another that found a reason to rest.
const knows = '(lease_rest = 0 or j.backoff is not null)';
const isGone = `(updated_at <= j.gone_at and status = ${EndpointStatus.active})`;
// Whoever leaves last gives the lane back.
const isBack = '(j.release and lease_workers & ~j.worker = 0)';

// Publishing and this are one after the other in D1: either the new delivery is seen here, or it finds the lane
// asleep and wakes it. What is open on a lane whose endpoint was switched off is held by cron, which `wake_at` calls.
const lanesSql = `
  update webhook_endpoints set fail_streak = iif(${knows}, j.streak, fail_streak),
    fail_count = iif(${knows}, j.failures, fail_count),
    first_fail_at = iif(${knows}, j.since, first_fail_at),
    last_ok_at = iif(${knows}, j.ok_at, last_ok_at), latency_ms = j.latency,
    warn_level = iif(${knows} and j.since is null, 0, warn_level),
    updated_at = iif(${isGone}, j.gone_at, updated_at),
    status = iif(${isGone}, ${EndpointStatus.autoDisabled}, status),
    lease_rest = max(lease_rest, coalesce(j.backoff, 0)),
    lease_workers = iif(j.release, lease_workers & ~j.worker, lease_workers),
    lease_until = iif(${isBack}, 0, lease_until),
    wake_at = iif(${isBack}, (
      select max(due_at, j.not_before, webhook_endpoints.lease_rest) from webhook_deliveries
      where endpoint_id = j.id and state = ${DeliveryState.open} order by due_at limit 1
    ), wake_at)
  from (select value ->> 'id' as id, value ->> 'generation' as generation, value ->> 'worker' as worker,
      value ->> 'streak' as streak, value ->> 'failCount' as failures, value ->> 'firstFailAt' as since,
      value ->> 'lastOkAt' as ok_at, value ->> 'latency' as latency, value ->> 'notBefore' as not_before,
      value ->> 'backoff' as backoff, value ->> 'goneAt' as gone_at, value ->> 'release' as release
    from json_each(?1)) j
  where webhook_endpoints.id = j.id and webhook_endpoints.lease_gen = j.generation
  returning id as endpoint, ${slowLane} as isSlow,
    status <> ${EndpointStatus.active} or lease_rest > 0 as isStopped,
    case when lease_until = 0 and status = ${EndpointStatus.active} then wake_at end as wakeAt`;

/**
 * The statements that write the health of lanes, give back those in `released`, and switch off the endpoints that are
 * gone. `now` is epoch milliseconds. The last one answers with when each released lane wants to be woken; the one before
 * it, where somebody is gone, with the notices that it wrote.
 */
export function laneStatements(
  db: D1Database,
  lanes: readonly Lane[],
  released: ReadonlySet<Lane>,
  now: number,
): D1PreparedStatement[] {
  const rows = JSON.stringify(lanes.map((lane) => laneRow(lane, released.has(lane), now)));
  const update = db.prepare(lanesSql).bind(rows);
  return lanes.some(({ health }) => health.goneAt !== null)
    ? [db.prepare(noticesSql).bind(rows), update]
    : [update];
}

function laneRow({ id, generation, worker, health }: Lane, release: boolean, now: number) {
  return {
    id,
    generation,
    worker: 1 << worker,
    release: release ? 1 : 0,
    streak: health.failStreak,
    failCount: health.failCount,
    firstFailAt: health.firstFailAt,
    lastOkAt: health.lastOkAt,
    latency: health.latencyMs,
    backoff: health.backoffUntil,
    notBefore: health.backoffUntil ?? now,
    goneAt: health.goneAt,
  };
}
