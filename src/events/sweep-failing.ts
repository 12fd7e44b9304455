import { NoticeKind } from '../db/schema/webhook-alarms.ts';
import { EndpointStatus } from '../db/schema/webhooks.ts';
import { tellNotices, type Notice } from './notices.ts';
import type { Shift } from './sweep-shift.ts';

const hour = 3_600_000;

/** Failures that an endpoint is blamed for before it is switched off. */
const probesToDisable = 10;

/** What happens to an endpoint that nothing has reached for so long (webhooks 3.11); the last step first. */
const transitions = [
  {
    kind: NoticeKind.disabled,
    afterMs: 120 * hour,
    guard: `fail_count >= ${probesToDisable}`,
    change: `status = ${EndpointStatus.autoDisabled}, updated_at = ?1`,
  },
  {
    kind: NoticeKind.failing72h,
    afterMs: 72 * hour,
    guard: 'warn_level < 2',
    change: 'warn_level = 2',
  },
  {
    kind: NoticeKind.failing24h,
    afterMs: 24 * hour,
    guard: 'warn_level < 1',
    change: 'warn_level = 1',
  },
] as const;

/**
 * Warns the owners of endpoints that have been failing for 24 and for 72 hours, and switches them off after 120. Each
 * step is a guarded change with its notice in the same transaction, so however many do this at once, each is told
 * once. Answers with how many steps there were. One round trip.
 */
export async function judgeFailing({ shard, db, now }: Shift): Promise<number> {
  const at = now();
  const statements = transitions.flatMap(({ kind, afterMs, guard, change }) => {
    const where = `first_fail_at <= ?1 - ${afterMs} and status = ${EndpointStatus.active} and ${guard}`;
    return [
      `insert into webhook_notices (store_id, endpoint_id, kind, at)
       select store_id, id, '${kind}', ?1 from webhook_endpoints where ${where}
       returning endpoint_id as endpoint, kind`,
      `update webhook_endpoints set ${change} where ${where}`,
    ];
  });
  const results = await db.batch<Notice>(
    statements.map((statement) => db.prepare(statement).bind(at)),
  );
  const notices = results.flatMap((result) => result.results);
  tellNotices(shard, notices);
  return notices.length;
}
