import { minuteMs } from '../base/durations.ts';
import { log } from '../base/log.ts';
import { recordPoint } from '../base/metrics.ts';
import { failureOf } from '../data/core/data-errors.ts';
import type { SweepTask } from '../data/sweep-task.ts';
import { runTasks, type SweepOutcome, type SweptShard } from './run-tasks.ts';
import { selectBacklog } from './service-health.ts';
import { sweepTasks } from './sweep-tasks.ts';

/**
 * Runs the tasks for one shard, for 20 s at most; the rest waits for the next minute. Returns
 * whether a task reached its limit, so that another round is useful now. Never rejects: a failed
 * task is logged and does not stop the others.
 */
export async function sweepShard(
  swept: SweptShard,
  lists: readonly (readonly SweepTask[])[] = sweepTasks,
): Promise<boolean> {
  const outcome = await runTasks(swept, lists);
  await recordSweep(swept, outcome);
  return outcome.unfinished > 0;
}

/**
 * Endpoints that are due for so long were woken by the sweep before, and nothing has sent for them;
 * milliseconds.
 */
const lateMs = 2 * minuteMs;

/**
 * Records a data point of a shard after its sweep: its size, the work that is due and unfinished,
 * and failures by kind. Alerts when deliveries are late though it wakes them. Never rejects. One
 * call that reads two rows per endpoint with open deliveries.
 */
async function recordSweep(
  { env, shard, db, now }: SweptShard,
  { done, unfinished, failures, ms }: SweepOutcome,
): Promise<void> {
  const kinds = failures.map((error) => failureOf(error) ?? 'other');
  try {
    const at = now();
    const { results, meta } = await selectBacklog(db, { now: at }).all<{
      oldest: number | null;
      backlog: number;
    }>();
    const { oldest = null, backlog = 0 } = results[0] ?? {};
    const late = oldest === null ? 0 : at - oldest;
    if (late >= lateMs) {
      const seconds = Math.floor(late / 1_000);
      log('error', 'webhook_deliveries_late', { alert: true, shard, seconds, endpoints: backlog });
    }
    recordPoint(env, 'sweep', {
      names: [String(shard), [...new Set(kinds)].join(' ')],
      values: [meta.size_after, late, backlog, unfinished, failures.length, done, ms],
    });
  } catch (error) {
    log('warn', 'sweep_not_measured', { shard, message: String(error).slice(0, 200) });
  }
}
