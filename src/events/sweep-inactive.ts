import { DeliveryState, EndpointStatus } from '../db/schema/webhooks.ts';
import type { Shift } from './sweep-shift.ts';

/** What one statement moves. */
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
 * Holds what is still open on lanes of paused and disabled endpoints, and cancels it for deleted ones. Answers with how
 * many deliveries that were. One round trip for 5,000.
 */
export async function settleInactive({ db, now, mayGoOn }: Shift): Promise<number> {
  const at = now();
  let total = 0;
  let last = chunk;
  while (last === chunk && mayGoOn()) {
    const [settled] = await db.batch([
      db.prepare(settleSql).bind(at),
      db.prepare(restSql).bind(at),
    ]);
    last = settled?.meta.changes ?? 0;
    total += last;
  }
  return total;
}
