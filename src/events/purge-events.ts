import { DeliveryState } from '../db/schema/webhooks.ts';
import type { Settings } from '../settings.ts';
import { orderDigits, orderedLength } from './event-id.ts';
import { purgeChunk, type Purge } from './purge-chunk.ts';

/** What an id has before its order: the same for all events of a store. */
const prefixOf = (id: string) => `substr(${id}, 1, length(${id}) - ${orderedLength})`;

/**
 * Where the events of each store begin in an index of their ids, as `store (first)`: a step from store to store, over
 * all that lies between. Old ones are those from `first` to its prefix with the order `?1`.
 */
const stores = (id: string, source: string) => `
  with recursive store (first) as (
    select (select min(${id}) from ${source})
    union all
    select (select min(${id}) from ${source} and ${id} > ${prefixOf('first')} || 'g')
    from store where first is not null)`;

const isOld = (id: string) => `${id} >= first and ${id} < ${prefixOf('first')} || ?1`;

const heldSource = `webhook_deliveries where state = ${DeliveryState.held}`;

const cancelSql = `
  update webhook_deliveries set state = ${DeliveryState.cancelled}, done_at = ?2
  where (endpoint_id, seq) in (${stores('event_id', heldSource)}
    select endpoint_id, seq from store cross join webhook_deliveries
    where state = ${DeliveryState.held} and ${isOld('event_id')} limit ${purgeChunk})`;

const openSql = `
  select event_id from webhook_deliveries
  where state = ${DeliveryState.open} and substr(event_id, -${orderedLength}, ${orderDigits(0).length}) < ?1`;

// What is still wanted comes from partial indexes.
const deleteSql = `
  delete from webhook_events where id in (${stores('id', 'webhook_events where true')}
    select id from store cross join webhook_events
    where ${isOld('id')} and id not in (${openSql})
      and not exists (select 1 from ${heldSource} and event_id = id)
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
    { sql: cancelSql, values: [orderDigits(now - eventMs), now] },
    { sql: deleteSql, values: [orderDigits(now - deliveredEventMs)] },
  ];
}
