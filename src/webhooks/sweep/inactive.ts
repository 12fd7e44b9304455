import { sql } from 'drizzle-orm';
import { compileSql, parameter } from '../../data/core/raw.ts';
import { DeliveryState, EndpointStatus } from '../../data/schema/store/webhooks-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import { isClaimedSql } from '../events/fan-out.ts';

/** Deliveries that one statement closes, and endpoints that it checks. */
const chunkSize = 5_000;
const endpointsPerChunk = 100;

const at = parameter('at');

// `next_attempt_at` marks the endpoints to close; it is cleared once nothing is open. The endpoint
// must not be leased, so that attempts in flight are still recorded with their results. A delivery
// that a request may be sending waits.
const inactive = sql`
  select id from webhook_endpoints where next_attempt_at is not null and status <> ${EndpointStatus.active}
    and lease_until <= ${at} order by next_attempt_at limit ${endpointsPerChunk}`;

const closeDeliveries = compileSql<{ at: number }>(sql`
  update webhook_deliveries set
    state = case when (select status from webhook_endpoints where id = endpoint_id) = ${EndpointStatus.deleted}
      then ${DeliveryState.cancelled} else ${DeliveryState.held} end,
    due_at = 0, done_at = case when (select status from webhook_endpoints where id = endpoint_id) = ${EndpointStatus.deleted}
      then ${at} end
  where state = ${DeliveryState.open} and (endpoint_id, seq) in (
    select endpoint_id, seq from webhook_deliveries
    where state = ${DeliveryState.open} and endpoint_id in (${inactive}) and not ${isClaimedSql(at)} limit ${chunkSize})`);

const clearEndpoints = compileSql<{ at: number }>(sql`
  update webhook_endpoints set next_attempt_at = null where id in (${inactive}) and not exists (
    select 1 from webhook_deliveries
    where endpoint_id = webhook_endpoints.id and state = ${DeliveryState.open})`);

/**
 * Holds the open deliveries of paused and disabled endpoints, and cancels those of deleted ones.
 * Returns the number of deliveries. One round trip for 5,000.
 */
export async function closeInactiveDeliveries({ db, now, hasTime }: SweepContext): Promise<number> {
  const values = { at: now() };
  let total = 0;
  let mayHaveMore = true;
  while (mayHaveMore && hasTime()) {
    const [closed, cleared] = (
      await db.batch([closeDeliveries(db, values), clearEndpoints(db, values)])
    ).map(({ meta }) => meta.changes);
    mayHaveMore = closed === chunkSize || cleared === endpointsPerChunk;
    total += closed ?? 0;
  }
  return total;
}
