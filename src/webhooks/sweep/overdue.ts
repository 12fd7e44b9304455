import { EndpointStatus } from '../../db/schema/store/webhooks.ts';
import { isSlowSql } from '../../events/publish.ts';
import { lookAheadMs, sendWakeups, type Wakeup } from '../queue/message.ts';
import type { SweepContext } from '../sweep-context.ts';

const pageSize = 1_000;

// Reads one row per endpoint, however many deliveries it has. Leased endpoints are left to their workers.
const overdueSql = `
  select id as endpoint, next_attempt_at as nextAttemptAt, ${isSlowSql} as isSlow from webhook_endpoints
  where next_attempt_at <= ?1 and (next_attempt_at, id) > (?2, ?3)
    and lease_until <= ?4 and status = ${EndpointStatus.active}
  order by next_attempt_at, id limit ${pageSize}`;

/**
 * Sends a wake-up for every endpoint that is due or will be within a minute, which replaces every lost wake-up. Goes on
 * page by page while time remains. Returns the number of endpoints.
 */
export async function enqueueDue({ env, shard, db, now, hasTime }: SweepContext): Promise<number> {
  const startedAt = now();
  let last: Pick<Wakeup, 'endpoint' | 'nextAttemptAt'> | undefined = {
    endpoint: 0,
    nextAttemptAt: -1,
  };
  let woken = 0;
  while (last && hasTime()) {
    const { results }: D1Result<Wakeup> = await db
      .prepare(overdueSql)
      .bind(startedAt + lookAheadMs, last.nextAttemptAt, last.endpoint, startedAt)
      .all<Wakeup>();
    await sendWakeups(env, shard, results, now());
    woken += results.length;
    last = results.length === pageSize ? results.at(-1) : undefined;
  }
  return woken;
}
