import { hourMs } from '../../base/durations.ts';
import { isAtWorkSql } from '../../data/schema/store/placement-tables.ts';
import { NoticeKind } from '../../data/schema/store/webhook-operations-tables.ts';
import { EndpointStatus, movingLease } from '../../data/schema/store/webhooks-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import { logNotices, type WrittenNotice } from '../endpoints/endpoint-notices.ts';

/** Counted failures before an endpoint is disabled. */
const minFailuresToDisable = 10;

/** The steps for an endpoint that has been failing for `afterMs`, the last step first. */
const transitions = [
  {
    kind: NoticeKind.disabled,
    afterMs: 120 * hourMs,
    guard: `failure_count >= ${minFailuresToDisable}`,
    change: `status = ${EndpointStatus.autoDisabled}, updated_at = ?1`,
  },
  {
    kind: NoticeKind.failing72h,
    afterMs: 72 * hourMs,
    guard: 'warning_level < 2',
    change: 'warning_level = 2',
  },
  {
    kind: NoticeKind.failing24h,
    afterMs: 24 * hourMs,
    guard: 'warning_level < 1',
    change: 'warning_level = 1',
  },
] as const;

// An insert reads the counters of all tables with ids, even if it inserts nothing.
const anyFailingSql = `
  select 1 from webhook_endpoints
  where first_failure_at <= ?1 - ${24 * hourMs} and status = ${EndpointStatus.active} limit 1`;

/**
 * Warns owners when an endpoint has been failing for 24 and for 72 hours, and disables it after 120. Each step is a
 * guarded update with its notice in one transaction, so concurrent sweeps write each notice once. Returns the number of
 * notices. One round trip, and one more if an endpoint has been failing for so long.
 */
export async function disableFailing({ shard, db, now }: SweepContext): Promise<number> {
  const at = now();
  if ((await db.prepare(anyFailingSql).bind(at).first()) === null) return 0;
  const statements = transitions.flatMap(({ kind, afterMs, guard, change }) => {
    const where = `first_failure_at <= ?1 - ${afterMs} and status = ${EndpointStatus.active}
      and lease_until < ${movingLease} and ${isAtWorkSql('webhook_endpoints.store_id')} and ${guard}`;
    return [
      `insert into webhook_notices (store_id, endpoint_id, kind, at)
       select store_id, id, '${kind}', ?1 from webhook_endpoints where ${where}
       returning endpoint_id as endpoint, kind`,
      `update webhook_endpoints set ${change} where ${where}`,
    ];
  });
  const results = await db.batch<WrittenNotice>(
    statements.map((statement) => db.prepare(statement).bind(at)),
  );
  const notices = results.flatMap((result) => result.results);
  logNotices(shard, notices);
  return notices.length;
}
