import { findDatabaseFailure } from '../../db/core/database-failures.ts';
import { EndpointStatus } from '../../db/schema/store/webhooks.ts';
import { log } from '../../log.ts';
import { recordPoint } from '../../metrics.ts';
import type { SweepContext } from '../../sweep-task.ts';
import { waitingCte } from '../../webhooks/lease/waiting.ts';

/** Endpoints with open deliveries that are looked at, by id. */
const maxBacklog = 1_000;

const backlogSql = `${waitingCte('0', maxBacklog)}
  select min(e.next_attempt_at) as oldest, count(*) as backlog
  from waiting join webhook_endpoints e on e.id = waiting.id
  where e.next_attempt_at <= ?1 and e.lease_until <= ?1 and e.status = ${EndpointStatus.active}`;

/** What one sweep of a shard did. */
interface SweepOutcome {
  /** The sum of what its tasks did. */
  done: number;
  /** Tasks that reached their limit, so that another round follows. */
  unfinished: number;
  /** The errors of tasks that failed. */
  failures: readonly unknown[];
  ms: number;
}

/**
 * Records a data point of a shard after its sweep: its size, what is due and left, and failures by kind. Never rejects. One
 * call that reads two rows per endpoint with open deliveries.
 */
export async function recordSweep(
  { env, shard, db, now }: Omit<SweepContext, 'hasTime'>,
  { done, unfinished, failures, ms }: SweepOutcome,
): Promise<void> {
  const kinds = failures.map((error) =>
    error instanceof Error ? (findDatabaseFailure(error.message) ?? 'other') : 'other',
  );
  try {
    const at = now();
    const { results, meta } = await db
      .prepare(backlogSql)
      .bind(at)
      .all<{ oldest: number | null; backlog: number }>();
    const { oldest = null, backlog = 0 } = results[0] ?? {};
    recordPoint(env, 'sweep', {
      names: [String(shard), [...new Set(kinds)].join(' ')],
      values: [
        meta.size_after,
        oldest === null ? 0 : at - oldest,
        backlog,
        unfinished,
        failures.length,
        done,
        ms,
      ],
    });
  } catch (error) {
    log('warn', 'sweep_not_measured', { shard, message: String(error).slice(0, 200) });
  }
}
