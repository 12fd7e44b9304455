import { log } from '../base/log.ts';
import { abortCauseOf } from '../data/core/data-errors.ts';
import type { SweepContext, SweepTask } from '../data/sweep-task.ts';
import { atRest, hasMoves } from '../stores/move/at-rest.ts';

export type SweptShard = Omit<SweepContext, 'hasTime'>;

/** The outcome of one sweep of a shard. */
export interface SweepOutcome {
  /** The sum of the numbers that its tasks returned. */
  done: number;
  /** Tasks that reached their limit, so that another round follows. */
  unfinished: number;
  /** The errors of tasks that failed. */
  failures: readonly unknown[];
  ms: number;
}

/** Runs lists of tasks for one shard, side by side. Never rejects. */
export async function runTasks(
  swept: SweptShard,
  lists: readonly (readonly SweepTask[])[],
): Promise<SweepOutcome> {
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
  return { done: sum, unfinished, failures, ms: swept.now() - startedAt };
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
