import { NoticeKind } from '../db/schema/webhook-alarms.ts';
import { DeliveryState, EndpointStatus } from '../db/schema/webhooks.ts';
import type { Lane } from './lane.ts';
import { slowLane } from './slow-lane.ts';

// Before the status changes, so that a repetition finds nothing to tell.
const noticesSql = `
  insert into webhook_notices (store_id, endpoint_id, kind, at)
  select e.store_id, e.id, '${NoticeKind.gone}', j.value ->> 'goneAt'
  from json_each(?1) j join webhook_endpoints e on e.id = j.value ->> 'id'
  where j.value ->> 'goneAt' is not null and e.lease_gen = j.value ->> 'generation'
    and e.status = ${EndpointStatus.active}`;

// Publishing and this are one after the other in D1: either the new delivery is seen here, or it finds the lane
// asleep and wakes it. What is open on a lane whose endpoint was switched off is held by cron, which `wake_at` calls.
const lanesSql = `
  update webhook_endpoints set fail_streak = j.streak, fail_count = j.fail_count,
    first_fail_at = j.first_fail_at, last_ok_at = j.last_ok_at, latency_ms = j.latency,
    warn_level = case when j.first_fail_at is null then 0 else warn_level end,
    updated_at = case when j.gone_at is not null and status = ${EndpointStatus.active}
      then j.gone_at else updated_at end,
    status = case when j.gone_at is not null and status = ${EndpointStatus.active}
      then ${EndpointStatus.autoDisabled} else status end,
    lease_until = case when j.release then 0 else lease_until end,
    wake_at = case when j.release then (
      select max(due_at, j.not_before) from webhook_deliveries
      where endpoint_id = j.id and state = ${DeliveryState.open} order by due_at limit 1
    ) else wake_at end
  from (select value ->> 'id' as id, value ->> 'generation' as generation, value ->> 'streak' as streak,
      value ->> 'failCount' as fail_count, value ->> 'firstFailAt' as first_fail_at,
      value ->> 'lastOkAt' as last_ok_at, value ->> 'latency' as latency, value ->> 'notBefore' as not_before,
      value ->> 'goneAt' as gone_at, value ->> 'release' as release from json_each(?1)) j
  where webhook_endpoints.id = j.id and webhook_endpoints.lease_gen = j.generation
  returning id as endpoint, ${slowLane} as isSlow, status <> ${EndpointStatus.active} as isStopped,
    case when lease_until = 0 and status = ${EndpointStatus.active} then wake_at end as wakeAt`;

/**
 * The statements that write the health of lanes, give back those in `released`, and switch off the endpoints that are
 * gone, with one notice each. `now` is epoch milliseconds. The last one answers with when each released lane wants to be woken.
 */
export function laneStatements(
  db: D1Database,
  lanes: readonly Lane[],
  released: ReadonlySet<Lane>,
  now: number,
): D1PreparedStatement[] {
  const rows = JSON.stringify(lanes.map((lane) => laneRow(lane, released.has(lane), now)));
  const update = db.prepare(lanesSql).bind(rows);
  return lanes.some(({ health }) => health.isGone)
    ? [db.prepare(noticesSql).bind(rows), update]
    : [update];
}

function laneRow({ id, generation, health }: Lane, release: boolean, now: number) {
  return {
    id,
    generation,
    release: release ? 1 : 0,
    streak: health.failStreak,
    failCount: health.failCount,
    firstFailAt: health.firstFailAt,
    lastOkAt: health.lastOkAt,
    latency: health.latencyMs,
    notBefore: health.backoffUntil ?? now,
    goneAt: health.isGone ? health.backoffUntil : null,
  };
}
