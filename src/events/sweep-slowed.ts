import { NoticeKind } from '../db/schema/webhook-alarms.ts';
import { DeliveryState, EndpointStatus } from '../db/schema/webhooks.ts';
import { tellNotices, type Notice } from './notices.ts';
import type { Shift } from './sweep-shift.ts';

const dayMs = 86_400_000;

// A lane that backs off, and that nobody blames. Since its last success or change its oldest delivery was asked to wait
// a day ago or earlier; the notice itself says that it was told, since a lane that is not failing has no level of warning.
const slowedSql = `
  insert into webhook_notices (store_id, endpoint_id, kind, at)
  select store_id, id, '${NoticeKind.slowed24h}', ?1 from (
    select *, max(updated_at, coalesce(last_ok_at, 0)) as since from webhook_endpoints
    where wake_at > ?1 and status = ${EndpointStatus.active} and fail_streak > 0 and first_fail_at is null
  ) as e
  where exists (select 1 from webhook_attempts a
      where a.endpoint_id = e.id and a.at >= e.since and a.at <= ?1 - ${dayMs} and a.code in (429, 503)
        and a.seq = (select seq from webhook_deliveries d
          where d.endpoint_id = e.id and d.state = ${DeliveryState.open} and d.due_at = 0
          order by seq limit 1))
    and not exists (select 1 from webhook_notices n
      where n.endpoint_id = e.id and n.kind = '${NoticeKind.slowed24h}' and n.at >= e.since)
  returning endpoint_id as endpoint, kind`;

/**
 * Tells the owners of endpoints that for 24 hours have answered nothing but to wait. Those are never switched off for
 * it (webhooks 3.4), so without a word they would be silent for ever. Answers with how many were told. One round trip.
 */
export async function tellSlowed({ shard, db, now }: Shift): Promise<number> {
  const { results } = await db.prepare(slowedSql).bind(now()).all<Notice>();
  tellNotices(shard, results);
  return results.length;
}
