import { sql } from 'drizzle-orm';
import { hourMs } from '../../base/durations.ts';
import { compileSql, parameter } from '../../data/core/raw.ts';
import { isAtWorkSql } from '../../data/schema/store/placement-tables.ts';
import { NoticeKind } from '../../data/schema/store/webhook-operations-tables.ts';
import { EndpointStatus, movingLease } from '../../data/schema/store/webhooks-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import { logNotices, type WrittenNotice } from '../endpoints/endpoint-notices.ts';

/** Counted failures before an endpoint is disabled. */
const minFailuresToDisable = 10;

const at = parameter('at');

/** The steps for an endpoint that has been failing for `afterMs`, the last step first. */
const transitions = [
  {
    kind: NoticeKind.disabled,
    afterMs: 120 * hourMs,
    guard: sql`failure_count >= ${minFailuresToDisable}`,
    change: sql`status = ${EndpointStatus.autoDisabled}, updated_at = ${at}`,
  },
  {
    kind: NoticeKind.failing72h,
    afterMs: 72 * hourMs,
    guard: sql`warning_level < 2`,
    change: sql`warning_level = 2`,
  },
  {
    kind: NoticeKind.failing24h,
    afterMs: 24 * hourMs,
    guard: sql`warning_level < 1`,
    change: sql`warning_level = 1`,
  },
].flatMap(({ kind, afterMs, guard, change }) => {
  const where = sql`first_failure_at <= ${at} - ${afterMs} and status = ${EndpointStatus.active}
    and lease_until < ${movingLease} and ${isAtWorkSql('webhook_endpoints.store_id')} and ${guard}`;
  return [
    compileSql<{ at: number }>(sql`insert into webhook_notices (store_id, endpoint_id, kind, at)
      select store_id, id, ${kind}, ${at} from webhook_endpoints where ${where}
      returning endpoint_id as endpoint, kind`),
    compileSql<{ at: number }>(sql`update webhook_endpoints set ${change} where ${where}`),
  ];
});

// An insert reads the counters of all tables with ids, even if it inserts nothing.
const selectAnyFailing = compileSql<{ at: number }>(sql`
  select 1 from webhook_endpoints
  where first_failure_at <= ${at} - ${24 * hourMs} and status = ${EndpointStatus.active} limit 1`);

/**
 * Warns owners when an endpoint has been failing for 24 and for 72 hours, and disables it after
 * 120. Each step is a guarded update with its notice in one transaction, so concurrent sweeps write
 * each notice once. Returns the number of notices. One round trip, and one more if an endpoint has
 * been failing for so long.
 */
export async function disableFailing({ shard, db, now }: SweepContext): Promise<number> {
  const values = { at: now() };
  if ((await selectAnyFailing(db, values).first()) === null) return 0;
  const results = await db.batch<WrittenNotice>(transitions.map((prepare) => prepare(db, values)));
  const notices = results.flatMap((result) => result.results);
  logNotices(shard, notices);
  return notices.length;
}
