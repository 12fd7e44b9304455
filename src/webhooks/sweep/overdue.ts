import { sql } from 'drizzle-orm';
import { log } from '../../base/log.ts';
import { compileSql, parameter } from '../../data/core/raw.ts';
import { isAtWorkSql } from '../../data/schema/store/placement-tables.ts';
import { EndpointStatus } from '../../data/schema/store/webhooks-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import { waitingCte } from '../delivery/acquire.ts';
import { isSlowSql } from '../events/fan-out.ts';
import { lookAheadMs, sendWakeups, type Wakeup } from '../wake-endpoints.ts';

/** Endpoints with open deliveries that one query reads. */
const pageSize = 1_000;

// Leased endpoints are left to their workers, and those of deactivated stores wait.
const selectDue = compileSql<{
  after: number;
  now: number;
  until: number;
}>(sql`${waitingCte(parameter('after'), pageSize)}
  select waiting.id, endpoint.id as endpoint, endpoint.next_attempt_at as nextAttemptAt, ${isSlowSql} as isSlow
  from waiting left join webhook_endpoints endpoint on endpoint.id = waiting.id
    and endpoint.status = ${EndpointStatus.active} and endpoint.lease_until <= ${parameter('now')}
    and (endpoint.next_attempt_at <= ${parameter('until')} or endpoint.next_attempt_at is null) and ${isAtWorkSql('endpoint.store_id')}
  where waiting.id is not null order by waiting.id`);

/**
 * An endpoint with open deliveries; `endpoint` is null if it is not due, and `nextAttemptAt` if it
 * is orphaned.
 */
interface WaitingEndpoint {
  id: number;
  endpoint: number | null;
  nextAttemptAt: number | null;
  isSlow: 0 | 1;
}

/**
 * Sends a wake-up for every endpoint that is due or will be within a minute, which replaces every
 * lost wake-up. Goes on page by page while time remains. Returns the number of endpoints.
 *
 * It also repairs orphans: active endpoints with open deliveries and no next attempt. No path of
 * the program leaves one behind, so the operator is alerted.
 */
export async function enqueueDue({ env, shard, db, now, hasTime }: SweepContext): Promise<number> {
  const startedAt = now();
  const orphans: number[] = [];
  let woken = 0;
  let after: number | undefined = 0;
  while (after !== undefined && hasTime()) {
    const { results }: D1Result<WaitingEndpoint> = await selectDue(db, {
      after,
      now: startedAt,
      until: startedAt + lookAheadMs,
    }).all<WaitingEndpoint>();
    const due = results.flatMap(({ endpoint, nextAttemptAt, isSlow }): Wakeup[] =>
      endpoint === null ? [] : [{ endpoint, nextAttemptAt: nextAttemptAt ?? startedAt, isSlow }],
    );
    const found = results.flatMap(({ endpoint, nextAttemptAt }) =>
      endpoint !== null && nextAttemptAt === null ? [endpoint] : [],
    );
    if (found.length > 0) orphans.push(...(await repairOrphans(db, found, startedAt)));
    if (due.length > 0) await sendWakeups(env, shard, due, now());
    woken += due.length;
    after = results.length === pageSize ? results.at(-1)?.id : undefined;
  }
  if (orphans.length > 0) {
    log('error', 'webhook_endpoints_orphaned', { alert: true, shard, endpoints: orphans });
  }
  return woken;
}

const repair = compileSql<{ at: number; endpoints: string }>(sql`
  update webhook_endpoints set next_attempt_at = ${parameter('at')}
  where id in (select value from json_each(${parameter('endpoints')})) and next_attempt_at is null
    and status = ${EndpointStatus.active}
  returning id`);

/** Makes orphaned endpoints due. Returns those that still were orphaned. */
async function repairOrphans(
  db: D1Database,
  endpoints: readonly number[],
  at: number,
): Promise<number[]> {
  const { results } = await repair(db, { at, endpoints: JSON.stringify(endpoints) }).all<{
    id: number;
  }>();
  return results.map(({ id }) => id);
}
