import { DeliveryState } from '../db/schema/webhooks.ts';
import type { Settings } from '../settings.ts';
import { eventIdAt } from './event-id.ts';
import { purgeChunk, type Purge } from './purge-chunk.ts';

const cancelSql = `
  update webhook_deliveries set state = ${DeliveryState.cancelled}, done_at = ?2
  where (endpoint_id, seq) in (select endpoint_id, seq from webhook_deliveries
    where state = ${DeliveryState.held} and event_id < ?1 limit ${purgeChunk})`;

// Ids sort by time, so the key finds the old ones; both lists of what is still wanted come from partial indexes.
const deleteSql = `
  delete from webhook_events where id in (
    select id from webhook_events where id < ?1
      and id not in (select event_id from webhook_deliveries
        where state = ${DeliveryState.open} and event_id < ?1)
      and id not in (select event_id from webhook_deliveries
        where state = ${DeliveryState.held} and event_id < ?1)
    limit ${purgeChunk})`;

/**
 * Events go 15 days after they happened, once every delivery is over; one that is held keeps its event for 30 days and
 * is cancelled then; one that is open keeps it. The days are the deployment's.
 */
export function eventPurges(
  now: number,
  { eventMs, deliveredEventMs }: Settings['retention'],
): Purge[] {
  return [
    { sql: cancelSql, values: [eventIdAt(now - eventMs), now] },
    { sql: deleteSql, values: [eventIdAt(now - deliveredEventMs)] },
  ];
}
