import { log } from '../../base/log.ts';
import { recordPoint } from '../../base/metrics.ts';
import { failureOf } from '../../data/core/data-errors.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import { backlogSql } from './backlog.ts';

/** The outcome of one sweep of a shard. */
interface SweepOutcome {
  /** The sum of the numbers that its tasks returned. */
  done: number;
  /** Tasks that reached their limit, so that another round follows. */
  unfinished: number;
  /** The errors of tasks that failed. */
  failures: readonly unknown[];
  ms: number;
}

/**
 * Records a data point of a shard after its sweep: its size, the work that is due and unfinished, and failures by
 * kind. Never rejects. One call that reads two rows per endpoint with open deliveries.
 */
export async function recordSweep(
  { env, shard, db, now }: Omit<SweepContext, 'hasTime'>,
  { done, unfinished, failures, ms }: SweepOutcome,
): Promise<void> {
  const kinds = failures.map((error) => failureOf(error) ?? 'other');
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
