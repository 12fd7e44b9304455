import { sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import { settingsOf } from '../../base/settings.ts';
import { compileSql, parameter } from '../../data/core/raw.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import {
  attemptPurgeStatements,
  purgeChunkSize,
  deliveryPurgeStatements,
  eventPurgeStatements,
  idempotencyPurgeStatements,
  maintenancePurgeStatements,
} from './purge-statements.ts';

const noticeDays = 365;

const deleteNotices = compileSql<{ before: number }>(sql`
  delete from webhook_notices where id in (
    select id from webhook_notices where at < ${parameter('before')} limit ${purgeChunkSize})`);

/**
 * Deletes rows after their retention (see README: Retention), in statements of at most 5,000 rows
 * while time remains. Keeps everything that is still to be sent. Returns the number of rows.
 */
export async function purgeExpired({ env, db, now, hasTime }: SweepContext): Promise<number> {
  const at = now();
  const statements = [
    // First, because stored responses may hold secrets.
    ...idempotencyPurgeStatements(at),
    ...eventPurgeStatements(at, settingsOf(env).retention),
    ...attemptPurgeStatements(at),
    ...deliveryPurgeStatements(at),
    ...maintenancePurgeStatements(at),
    (binding: D1Database) => deleteNotices(binding, { before: at - noticeDays * dayMs }),
  ];
  let total = 0;
  for (const prepare of statements) {
    let last = purgeChunkSize;
    while (last === purgeChunkSize && hasTime()) {
      const { meta } = await prepare(db).run();
      last = meta.changes;
      total += last;
    }
  }
  return total;
}
