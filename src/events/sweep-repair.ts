import { DeliveryState, EndpointStatus } from '../db/schema/webhooks.ts';
import { log } from '../log.ts';
import type { Shift } from './sweep-shift.ts';

const pageSize = 1_000;

// Jumps from endpoint to endpoint in the index of open deliveries, so a lane costs the same with one as with
// ten thousand.
const openLanesSql = `
  with recursive lane (id, number) as (
    select (select min(endpoint_id) from webhook_deliveries
      where state = ${DeliveryState.open} and endpoint_id > ?1), 1
    union all
    select (select min(endpoint_id) from webhook_deliveries
      where state = ${DeliveryState.open} and endpoint_id > lane.id), number + 1
    from lane where lane.id is not null and number < ${pageSize})
  select lane.id as endpoint, e.id is not null as isForgotten
  from lane left join webhook_endpoints e
    on e.id = lane.id and e.wake_at is null and e.status = ${EndpointStatus.active}
  where lane.id is not null order by lane.id`;

const repairSql = `
  update webhook_endpoints set wake_at = ?1
  where id in (select value from json_each(?2)) and wake_at is null
    and status = ${EndpointStatus.active}
  returning id`;

/**
 * Finds active lanes with open deliveries that nothing will ever wake, which no path of the program leaves behind,
 * makes them due now and calls the operator. Answers with how many there were.
 */
export async function repairForgotten({ shard, db, now, mayGoOn }: Shift): Promise<number> {
  const at = now();
  const repaired: number[] = [];
  let after: number | undefined = 0;
  while (after !== undefined && mayGoOn()) {
    const { results }: D1Result<{ endpoint: number; isForgotten: number }> = await db
      .prepare(openLanesSql)
      .bind(after)
      .all();
    const ids = results.filter((lane) => lane.isForgotten).map((lane) => lane.endpoint);
    if (ids.length > 0) {
      const rows = await db.prepare(repairSql).bind(at, JSON.stringify(ids)).all<{ id: number }>();
      repaired.push(...rows.results.map(({ id }) => id));
    }
    after = results.length === pageSize ? results.at(-1)?.endpoint : undefined;
  }
  if (repaired.length > 0) {
    log('error', 'webhook_lanes_forgotten', { alert: true, shard, endpoints: repaired });
  }
  return repaired.length;
}
