import { findDatabaseFailure } from '../../db/core/database-failures.ts';
import { log } from '../../log.ts';
import { recordPoint } from '../../metrics.ts';
import type { SweepContext } from '../../sweep-task.ts';
import { backlogSql } from './backlog.ts';

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
