import { transferTasks } from '../catalog/transfers/sweep.ts';
import type { SweepTask } from '../data/sweep-task.ts';
import { maintainGrants } from '../oauth/grant-maintenance.ts';
import { keepInstalls } from '../oauth/installed-apps.ts';
import { endWithdrawnGrants, maxWithdrawals } from '../oauth/withdraw-app.ts';
import { beginCopies } from '../stores/copies/begin-copies.ts';
import { tidyLimit, tidyMoves } from '../stores/move/tidy.ts';
import { webhookTasks } from '../webhooks/sweep/webhook-tasks.ts';
import { beginChanges } from './changes/begin-changes.ts';
import { jobLimit, runJobs } from './jobs/run-jobs.ts';
import { noticeTasks } from './mail-notices.ts';
import { resealSecrets } from './reseal-secrets.ts';
import { recordThisShard } from './shard-record.ts';
import { maxTimedRecords, runTimers } from './shard-timers.ts';

const timerTasks: readonly SweepTask[] = [
  { name: 'timers', run: runTimers, untilMs: 20_000, limit: maxTimedRecords },
];

const moveTasks: readonly SweepTask[] = [
  { name: 'moves', run: tidyMoves, untilMs: 20_000, limit: tidyLimit },
  { name: 'shard', run: recordThisShard, untilMs: 20_000 },
];

const jobTasks: readonly SweepTask[] = [
  { name: 'copies', run: beginCopies, untilMs: 20_000 },
  { name: 'changes', run: (context) => beginChanges(context), untilMs: 20_000 },
  { name: 'jobs', run: runJobs, untilMs: 20_000, limit: jobLimit },
];

const [followed, notices] = noticeTasks;

/** Work that no request waits for. Add new tasks here. */
const upkeepTasks: readonly SweepTask[] = [
  // These two first: members who left and apps that were disabled lose access within a minute.
  followed,
  { name: 'withdrawals', run: endWithdrawnGrants, untilMs: 20_000, limit: maxWithdrawals },
  notices,
  { name: 'grants', run: maintainGrants, untilMs: 20_000, restsDuringMoves: true },
  { name: 'installs', run: keepInstalls, untilMs: 20_000 },
  { name: 'resealed', run: resealSecrets, untilMs: 20_000, restsDuringMoves: true },
];

/**
 * The tasks of the sweep of one shard. The lists run side by side, so that no kind of work delays
 * another. The tasks of a list run one after the other, most urgent first.
 */
export const sweepTasks: readonly (readonly SweepTask[])[] = [
  webhookTasks,
  timerTasks,
  upkeepTasks,
  moveTasks,
  transferTasks,
  jobTasks,
];
