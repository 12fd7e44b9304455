import { DeliveryState, EndpointStatus } from '../db/schema/webhooks.ts';

/** What one sweep moves in one shard; the rest waits for the next minute. */
const chunk = 5_000;

// `wake_at` marks the lanes to look at: it is taken away once nothing is open. The lease must be free, so that
// what is under way is still recorded as what became of it.
const inactive = `
  select id from webhook_endpoints where wake_at is not null and status <> ${EndpointStatus.active}
    and lease_until <= ?1 order by wake_at limit 100`;

const settleSql = `
  update webhook_deliveries set
    state = case when (select status from webhook_endpoints where id = endpoint_id) = ${EndpointStatus.deleted}
      then ${DeliveryState.cancelled} else ${DeliveryState.held} end,
    done_at = case when (select status from webhook_endpoints where id = endpoint_id) = ${EndpointStatus.deleted}
      then ?1 end
  where state = ${DeliveryState.open} and (endpoint_id, seq) in (
    select endpoint_id, seq from webhook_deliveries
    where state = ${DeliveryState.open} and endpoint_id in (${inactive}) limit ${chunk})`;

const restSql = `
  update webhook_endpoints set wake_at = null where id in (${inactive}) and not exists (
    select 1 from webhook_deliveries
    where endpoint_id = webhook_endpoints.id and state = ${DeliveryState.open})`;

/**
 * Holds what is still open on lanes of paused and disabled endpoints, and cancels it for deleted ones. `now` is
 * epoch milliseconds. Answers with how many deliveries that were. One round trip.
 */
export async function settleInactive(db: D1Database, now: number): Promise<number> {
  const [settled] = await db.batch([
    db.prepare(settleSql).bind(now),
    db.prepare(restSql).bind(now),
  ]);
  return settled?.meta.changes ?? 0;
}
