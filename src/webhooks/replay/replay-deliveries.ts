import { sql, type SQL } from 'drizzle-orm';
import {
  EndpointStatus,
  webhookDeliveries,
  webhookEndpoints,
} from '../../data/schema/store/webhooks-tables.ts';
import { holdsNewSql, newDeliveryState } from '../events/fan-out.ts';

/** An event to send again, with the sequence number of its former delivery, if known. */
export interface ReplayedEvent {
  seq: number | null;
  event: string;
}

/**
 * Statements that create a new delivery for each event, in the order of the list, with the next
 * sequence numbers of the endpoint. They are open and make it due, or held as those of new events
 * ({@link holdsNewSql}). They do nothing for a deleted endpoint, or if the condition `when` does
 * not hold.
 */
export function redeliverStatements(
  now: number,
  events: readonly ReplayedEvent[],
  id: SQL,
  when: SQL,
): SQL[] {
  const { deleted } = EndpointStatus;
  return [
    sql`insert into ${webhookDeliveries}
        (endpoint_id, seq, event_id, state, due_at, trigger, replay_of, created_at)
      select endpoint.id, endpoint.last_seq + chosen.key + 1, chosen.value ->> 'event',
        ${newDeliveryState}, 0, 'replay', chosen.value ->> 'seq', ${now}
      from json_each(${JSON.stringify(events)}) chosen join ${webhookEndpoints} endpoint on endpoint.id = ${id}
      where endpoint.status <> ${deleted} and ${when}`,
    sql`update ${webhookEndpoints} set last_seq = last_seq + ${events.length},
        next_attempt_at = case
          when ${holdsNewSql} then next_attempt_at
          when next_attempt_at is null or (consecutive_failures = 0 and next_attempt_at > ${now} and lease_until <= ${now})
            then ${now}
          else next_attempt_at end
      where id = ${id} and status <> ${deleted} and ${when}`,
  ];
}
