import type { SweepTask } from '../../sweep-task.ts';
import { archiveBodies, maxTurnsPerRun } from '../archive/archive-bodies.ts';
import { deleteObjects, objectsPerRun } from '../archive/delete-objects.ts';
import { continueReleases } from '../endpoints/release.ts';
import { continueReplays } from '../replay/run.ts';
import { disableFailing } from './failing.ts';
import { closeInactiveDeliveries } from './inactive.ts';
import { enqueueDue } from './overdue.ts';
import { purgeExpired } from './purge.ts';
import { expireSecrets } from './secrets.ts';
import { notifyThrottled } from './throttled.ts';

/**
 * The tasks of webhooks, most urgent first. A task with much to do leaves time for those behind it, so that a store with
 * many replays or deleted webhooks never keeps the webhooks of another from being woken.
 */
export const webhookTasks: readonly SweepTask[] = [
  // Before the wake-ups, which then include the endpoints that these make due.
  { name: 'replayed', run: continueReplays, untilMs: 5_000 },
  { name: 'released', run: continueReleases, untilMs: 8_000 },
  { name: 'woken', run: enqueueDue, untilMs: 13_000 },
  { name: 'closed', run: closeInactiveDeliveries, untilMs: 15_000 },
  { name: 'secrets', run: expireSecrets, untilMs: 20_000 },
  { name: 'failing', run: disableFailing, untilMs: 20_000 },
  { name: 'throttled', run: notifyThrottled, untilMs: 20_000 },
  { name: 'purged', run: purgeExpired, untilMs: 20_000, restsDuringMoves: true },
  // After the purge: an object goes when its events have gone.
  { name: 'unarchived', run: deleteObjects, untilMs: 20_000, limit: objectsPerRun },
  { name: 'archived', run: archiveBodies, untilMs: 20_000, limit: maxTurnsPerRun },
];
