import { DeliveryState } from '../db/schema/webhooks.ts';
import { purgeChunk, type Purge } from './purge-chunk.ts';

const minute = 60_000;
const keptMs = 30 * 24 * 60 * minute;

// Within a lane later numbers were made later, so this walks from the first one and stops where the old ones end. An
// index by time would make every delivery cost one row more. Each lane is looked at once an hour.
const deleteSql = `
  delete from webhook_deliveries where (endpoint_id, seq) in (
    with recursive old (endpoint_id, seq, state, done_at) as (
      select d.endpoint_id, d.seq, d.state, d.done_at
      from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
        and d.seq = (select min(seq) from webhook_deliveries where endpoint_id = e.id)
      where e.id % 60 = ?2 and d.created_at < ?1
      union all
      select d.endpoint_id, d.seq, d.state, d.done_at
      from old join webhook_deliveries d on d.endpoint_id = old.endpoint_id
        and d.seq = (select min(seq) from webhook_deliveries
          where endpoint_id = old.endpoint_id and seq > old.seq)
      where d.created_at < ?1)
    select endpoint_id, seq from old
    where state not in (${DeliveryState.open}, ${DeliveryState.held}) and done_at < ?1
    limit ${purgeChunk})`;

/** Deliveries go 30 days after they were over. `now` is epoch milliseconds; its minute says whose lanes are seen. */
export const deliveryPurges = (now: number): Purge[] => [
  { sql: deleteSql, values: [now - keptMs, Math.floor(now / minute) % 60] },
];
