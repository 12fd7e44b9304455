import { log } from '../base/log.ts';
import { recordPoint } from '../base/metrics.ts';
import { abortCauseOf, failureOf } from '../data/core/data-errors.ts';
import type { SweepContext, SweepTask } from '../data/sweep-task.ts';
import { atRest, hasMoves } from './move/at-rest.ts';
import { selectBacklog } from './service-health.ts';
import { sweepTasks } from './sweep-tasks.ts';

type SweptShard = Omit<SweepContext, 'hasTime'>;

/**
 * Runs the tasks for one shard, for 20 s at most; the rest waits for the next minute. Returns whether a task reached its
 * limit, so that another round is useful now. Never rejects: a failed task is logged and does not stop the others.
 */
export async function sweepShard(
  swept: SweptShard,
  lists: readonly (readonly SweepTask[])[] = sweepTasks,
): Promise<boolean> {
  const startedAt = swept.now();
  const done: Record<string, number> = {};
  const failures: unknown[] = [];
  let unfinished = 0;
  let moving: Promise<boolean> | undefined;
  const rests = async ({ restsDuringMoves }: SweepTask) =>
    restsDuringMoves === true && (await (moving ??= hasMoves(swept.db)));
  await Promise.all(
    lists.map(async (tasks) => {
      for (const task of tasks) {
        const count = await runTask(task, swept, startedAt, rests, failures);
        if (count > 0) done[task.name] = count;
        if (task.limit !== undefined && count >= task.limit) unfinished += 1;
      }
    }),
  );
  if (Object.keys(done).length > 0) log('info', 'shard_swept', { shard: swept.shard, ...done });
  const sum = Object.values(done).reduce((all, count) => all + count, 0);
  const ms = swept.now() - startedAt;
  await recordSweep(swept, { done: sum, unfinished, failures, ms });
  return unfinished > 0;
}

async function runTask(
  task: SweepTask,
  swept: SweptShard,
  startedAt: number,
  rests: (task: SweepTask) => Promise<boolean>,
  failures: unknown[],
): Promise<number> {
  const { name, run, untilMs } = task;
  const hasTime = () => swept.now() < startedAt + untilMs;
  if (!hasTime()) return 0;
  try {
    if (await rests(task)) return 0;
    const db = task.restsDuringMoves ? atRest(swept.db) : swept.db;
    return await run({ ...swept, db, hasTime });
  } catch (error) {
    // A move has begun meanwhile: the task runs again after it.
    if (abortCauseOf(error) === 'moving') return 0;
    failures.push(error);
    const message = error instanceof Error ? error.message : '';
    log('error', 'sweep_failed', { alert: true, shard: swept.shard, task: name, message });
    return 0;
  }
}

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
async function recordSweep(
  { env, shard, db, now }: Omit<SweepContext, 'hasTime'>,
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
