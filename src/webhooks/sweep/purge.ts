import { dayMs } from '../../base/durations.ts';
import { settingsOf } from '../../base/settings.ts';
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

/** Deletes the rows of a small table whose `at` is before `?1`. */
const deleteOlderSql = (table: string) =>
  `delete from ${table} where id in (select id from ${table} where at < ?1 limit ${purgeChunkSize})`;

/**
 * Deletes rows after their retention (see README: Retention), in statements of at most 5,000 rows while time remains.
 * Keeps everything that is still to be sent. Returns the number of rows.
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
    { sql: deleteOlderSql('webhook_notices'), values: [at - noticeDays * dayMs] },
  ];
  let total = 0;
  for (const { sql, values } of statements) {
    let last = purgeChunkSize;
    while (last === purgeChunkSize && hasTime()) {
      const { meta } = await db
        .prepare(sql)
        .bind(...values)
        .run();
      last = meta.changes;
      total += last;
    }
  }
  return total;
}
