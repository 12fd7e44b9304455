import { isAtWorkSql } from '../data/schema/store/placement-tables.ts';
import { EndpointStatus } from '../data/schema/store/webhooks-tables.ts';
import { waitingCte } from '../webhooks/lease/acquire.ts';

/** Endpoints with open deliveries that are looked at, by id. */
const maxBacklog = 1_000;

/**
 * The endpoints of a shard whose deliveries are due, and since when. `?1` is the time. Reads two rows per endpoint with open
 * deliveries.
 */
export const backlogSql = `${waitingCte('0', maxBacklog)}
  select min(e.next_attempt_at) as oldest, count(*) as backlog
  from waiting join webhook_endpoints e on e.id = waiting.id
  where e.next_attempt_at <= ?1 and e.lease_until <= ?1 and e.status = ${EndpointStatus.active}
    and ${isAtWorkSql('e.store_id')}`;
