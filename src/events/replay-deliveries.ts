import { sql, type SQL } from 'drizzle-orm';
import {
  DeliveryState,
  EndpointStatus,
  webhookDeliveries,
  webhookEndpoints,
} from '../db/schema/webhooks.ts';

/** An event to send again, and the number of the delivery that did it before, if that is known. */
export interface Resent {
  seq: number | null;
  event: string;
}

/**
 * Statements that give each of these events a new delivery, in the order of the list, with numbers that go on
 * from the endpoint's last one; held where the endpoint is not active. They wake the lane, and do nothing
 * for a deleted endpoint or unless `when` holds. The second one answers with whom to wake.
 */
export function resending(now: number, events: readonly Resent[], id: SQL, when: SQL): SQL[] {
  const { active, deleted } = EndpointStatus;
  return [
    sql`insert into ${webhookDeliveries}
        (endpoint_id, seq, event_id, state, due_at, trigger, replay_of, created_at)
      select e.id, e.last_seq + j.key + 1, j.value ->> 'event',
        case e.status when ${active} then ${DeliveryState.open} else ${DeliveryState.held} end,
        0, 'replay', j.value ->> 'seq', ${now}
      from json_each(${JSON.stringify(events)}) j join ${webhookEndpoints} e on e.id = ${id}
      where e.status <> ${deleted} and ${when}`,
    sql`update ${webhookEndpoints} set last_seq = last_seq + ${events.length},
        wake_at = case
          when status <> ${active} then wake_at
          when wake_at is null or (fail_streak = 0 and wake_at > ${now} and lease_until <= ${now})
            then ${now}
          else wake_at end
      where id = ${id} and status <> ${deleted} and ${when}`,
  ];
}
