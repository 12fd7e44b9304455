import { sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import { compileSql, parameter } from '../../data/core/raw.ts';
import { isAtWorkSql } from '../../data/schema/store/placement-tables.ts';
import { NoticeKind } from '../../data/schema/store/webhook-operations-tables.ts';
import {
  DeliveryState,
  EndpointStatus,
  movingLease,
} from '../../data/schema/store/webhooks-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import { logNotices, type WrittenNotice } from '../endpoints/endpoint-notices.ts';

const now = parameter('now');

// An endpoint in backoff only because it returned 429 or 503, a day or longer since its last
// success or change. An earlier notice since then means that the owner has been notified:
// `warning_level` is for failing endpoints.
const inBackoff = sql`
  next_attempt_at > ${now} and status = ${EndpointStatus.active} and consecutive_failures > 0 and first_failure_at is null
      and lease_until < ${movingLease}`;

const selectAnyInBackoff = compileSql<{ now: number }>(
  sql`select 1 from webhook_endpoints where ${inBackoff} limit 1`,
);

const insertNotices = compileSql<{ now: number }>(sql`
  insert into webhook_notices (store_id, endpoint_id, kind, at)
  select store_id, id, ${NoticeKind.throttled24h}, ${now} from (
    select *, max(updated_at, coalesce(last_success_at, 0)) as since from webhook_endpoints
    where ${inBackoff}
  ) as endpoint
  where ${isAtWorkSql('endpoint.store_id')} and exists (select 1 from webhook_attempts
      where webhook_attempts.endpoint_id = endpoint.id and webhook_attempts.at >= endpoint.since and webhook_attempts.at <= ${now} - ${dayMs} and webhook_attempts.response_status in (429, 503)
        and webhook_attempts.seq = (select seq from webhook_deliveries
          where webhook_deliveries.endpoint_id = endpoint.id and webhook_deliveries.state = ${DeliveryState.open} and webhook_deliveries.due_at = 0
          order by seq limit 1))
    and not exists (select 1 from webhook_notices
      where webhook_notices.endpoint_id = endpoint.id and webhook_notices.kind = ${NoticeKind.throttled24h} and webhook_notices.at >= endpoint.since)
  returning endpoint_id as endpoint, kind`);

/**
 * Notifies the owners of endpoints that have only throttled for 24 hours. Throttling never disables
 * an endpoint, so without a notice this could last unnoticed. Returns the number of notices. One
 * round trip, and one more if an endpoint is throttled.
 */
export async function notifyThrottled({ shard, db, now: clock }: SweepContext): Promise<number> {
  const values = { now: clock() };
  if ((await selectAnyInBackoff(db, values).first()) === null) return 0;
  const { results } = await insertNotices(db, values).all<WrittenNotice>();
  logNotices(shard, results);
  return results.length;
}
