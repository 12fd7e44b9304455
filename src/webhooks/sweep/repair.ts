import { DeliveryState, EndpointStatus } from '../../db/schema/store/webhooks.ts';
import { log } from '../../log.ts';
import type { SweepContext } from '../sweep-context.ts';

const pageSize = 1_000;

// Jumps from endpoint to endpoint in the index of open deliveries, so it reads one row per endpoint.
const openEndpointsSql = `
  with recursive endpoint (id, number) as (
    select (select min(endpoint_id) from webhook_deliveries
      where state = ${DeliveryState.open} and endpoint_id > ?1), 1
    union all
    select (select min(endpoint_id) from webhook_deliveries
      where state = ${DeliveryState.open} and endpoint_id > endpoint.id), number + 1
    from endpoint where endpoint.id is not null and number < ${pageSize})
  select endpoint.id as endpoint, e.id is not null as isOrphaned
  from endpoint left join webhook_endpoints e
    on e.id = endpoint.id and e.next_attempt_at is null and e.status = ${EndpointStatus.active}
  where endpoint.id is not null order by endpoint.id`;

const repairSql = `
  update webhook_endpoints set next_attempt_at = ?1
  where id in (select value from json_each(?2)) and next_attempt_at is null
    and status = ${EndpointStatus.active}
  returning id`;

/**
 * Finds orphans: active endpoints with open deliveries and no next attempt. No path of the program leaves one behind.
 * Makes them due now and alerts the operator. Returns their number.
 */
export async function repairOrphaned({ shard, db, now, hasTime }: SweepContext): Promise<number> {
  const at = now();
  const repaired: number[] = [];
  let after: number | undefined = 0;
  while (after !== undefined && hasTime()) {
    const { results }: D1Result<{ endpoint: number; isOrphaned: number }> = await db
      .prepare(openEndpointsSql)
      .bind(after)
      .all();
    const ids = results.filter((row) => row.isOrphaned).map((row) => row.endpoint);
    if (ids.length > 0) {
      const rows = await db.prepare(repairSql).bind(at, JSON.stringify(ids)).all<{ id: number }>();
      repaired.push(...rows.results.map(({ id }) => id));
    }
    after = results.length === pageSize ? results.at(-1)?.endpoint : undefined;
  }
  if (repaired.length > 0) {
    log('error', 'webhook_endpoints_orphaned', { alert: true, shard, endpoints: repaired });
  }
  return repaired.length;
}
