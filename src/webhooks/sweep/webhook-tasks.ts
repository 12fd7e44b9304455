import { sql } from 'drizzle-orm';
import { compileSql, parameter } from '../../data/core/raw.ts';
import { movingLease, SecretMode } from '../../data/schema/store/webhooks-tables.ts';
import type { SweepTask, SweepContext } from '../../data/sweep-task.ts';
import { archiveBodies, maxStepsPerRun } from '../archive/archive-store.ts';
import { deleteObjects, objectsPerRun } from '../archive/delete-objects.ts';
import { continueReleases } from '../endpoints/release-deliveries.ts';
import { continueReplays } from '../replay/replay-run.ts';
import { disableFailing } from './failing.ts';
import { closeInactiveDeliveries } from './inactive.ts';
import { enqueueDue } from './overdue.ts';
import { purgeExpired } from './purge.ts';
import { notifyThrottled } from './throttled.ts';

// The same rule as `rotationAt`: an overlap that ended long ago is committed and expired in one
// run.
const ended = sql`from webhook_endpoints where secret_previous_until <= ${parameter('at')} and lease_until < ${movingLease}`;

const commitRotations = compileSql<{ at: number }>(sql`
  update webhook_endpoints set secret_mode = ${SecretMode.committed},
    secret_previous_until = secret_previous_until + secret_overlap_ms
  where id in (select id ${ended}) and secret_mode = ${SecretMode.overlap}`);

const expirePrevious = compileSql<{ at: number }>(sql`
  update webhook_endpoints set secret_mode = ${SecretMode.single}, secret_previous = null,
    secret_previous_until = null
  where id in (select id ${ended}) and secret_mode <> ${SecretMode.overlap}`);

/**
 * Commits rotations whose overlap has ended, and deletes replaced secrets. Returns the number of
 * endpoints changed.
 */
export async function expireSecrets({ db, now }: SweepContext): Promise<number> {
  const at = now();
  const results = await db.batch([commitRotations(db, { at }), expirePrevious(db, { at })]);
  return results.reduce((sum, { meta }) => sum + meta.changes, 0);
}

/**
 * The tasks of webhooks, most urgent first. A task with much to do leaves time for those behind it.
 * So a store with many replays or deleted webhooks never delays the wake-ups of another.
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
  { name: 'archived', run: archiveBodies, untilMs: 20_000, limit: maxStepsPerRun },
];
