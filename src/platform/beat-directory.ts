import { withDbErrors } from '../db/core/errors.ts';
import { openDatabase } from '../db/core/open.ts';
import { beatStatement } from '../db/shards/pulse.ts';
import { log } from '../log.ts';

/**
 * Sets the pulse of the directory, so that its replicas may answer look-ups. Cron calls it each minute. Never rejects: without
 * a pulse the primary answers.
 */
export async function beatDirectory(binding: D1Database, now: number): Promise<void> {
  const directory = openDatabase(binding);
  try {
    await withDbErrors(directory.batch([beatStatement(directory, now)]));
  } catch (error) {
    const reason = error instanceof Error ? error.name : typeof error;
    log('error', 'directory_pulse_failed', { alert: true, reason });
  }
}
