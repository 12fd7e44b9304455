import { log } from '../../base/log.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { JobLost, type Job, type JobOutcome, type JobRun } from '../../data/directory/job.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import { exportPrefix } from '../../stores/export/kept-exports.ts';
import { claimJob, endStep, failStep, forgetFiles, saveProgress } from '../../stores/job-steps.ts';

/** A run that did so much has more to do; another round of the sweep follows at once. */
export const jobLimit = 1;

/** Loads the code of a kind only when there is such a job. */
const works: Readonly<Record<Job['kind'], () => Promise<(run: JobRun) => Promise<JobOutcome>>>> = {
  store_export: async () => (await import('../../stores/export/run-export.ts')).runExport,
  store_erasure: async () => (await import('../../stores/erasure/run-erasure.ts')).runErasure,
  immediate_erasure: async () => (await import('../../stores/erasure/run-erasure.ts')).runErasure,
  store_move: async () => (await import('../../stores/move/run-move.ts')).runMove,
  shard_drain: async () => (await import('../../stores/move/run-drain.ts')).runDrain,
  test_store_fill: async () => (await import('../../stores/test-stores/rebuild.ts')).runRebuild,
  shard_copy: async () => (await import('../../stores/copies/run-copies.ts')).runCopies,
  shard_change: async () => (await import('../changes/run-changes.ts')).runChanges,
  store_restore: async () => (await import('../../stores/restore/run-restore.ts')).runRestore,
  second_factor_removal: async () => (await import('./run-factor-removal.ts')).runFactorRemoval,
};

/**
 * Works on the jobs of a shard, one after the other, while time remains. A task of the sweep. One
 * call of the directory, which reads no row if nothing is due. Returns 1 if more can be done at
 * once.
 */
export async function runJobs(context: SweepContext): Promise<number> {
  const { env, shard, now, hasTime } = context;
  let isUnfinished = false;
  while (hasTime()) {
    const job = await claimJob(openDatabase(env.DIRECTORY), shard, now());
    if (!job) return isUnfinished ? jobLimit : 0;
    isUnfinished = (await takeStep(context, job)) || isUnfinished;
    // A job that needs another step now runs it after the others, in the next round.
    if (isUnfinished) break;
  }
  return jobLimit;
}

/** Deletes the files of an export a week after its end, or of one that was cancelled or failed. */
async function dropFiles({ env, job, hasTime }: JobRun): Promise<boolean> {
  const { deleteFiles } = await import('../../stores/erasure/erase-files.ts');
  const prefix = exportPrefix(job);
  const isDone = prefix === undefined || (await deleteFiles(env.ARCHIVE, prefix, hasTime));
  if (isDone) await forgetFiles(openDatabase(env.DIRECTORY), job);
  return !isDone;
}

/**
 * Runs one step of a job. Returns whether another one is needed now. Never rejects: a failure is
 * tried again later.
 */
async function takeStep({ env, now, hasTime }: SweepContext, job: Job): Promise<boolean> {
  const directory = openDatabase(env.DIRECTORY);
  const run: JobRun = {
    env,
    job,
    now,
    hasTime,
    save: (progress) => saveProgress(directory, job, progress),
  };
  try {
    if (job.finished_at !== null) return await dropFiles(run);
    const work = await works[job.kind]();
    const outcome = await work(run);
    await endStep(directory, job, outcome, now());
    return outcome.state === 'waits' && outcome.dueAt <= now();
  } catch (error) {
    if (error instanceof JobLost) return false;
    const reason = error instanceof Error ? error.name : typeof error;
    log('error', 'job_failed', {
      alert: true,
      job: job.id,
      kind: job.kind,
      store: job.store_id,
      reason,
    });
    await failStep(directory, job, now()).catch(() => undefined);
    return false;
  }
}
