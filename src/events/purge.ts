import { settingsOf } from '../settings.ts';
import { attemptPurges } from './purge-attempts.ts';
import { purgeChunk } from './purge-chunk.ts';
import { deliveryPurges } from './purge-deliveries.ts';
import { eventPurges } from './purge-events.ts';
import { idempotencyPurges } from './purge-idempotency.ts';
import { upkeepPurges } from './purge-upkeep.ts';
import type { Shift } from './sweep-shift.ts';

const day = 86_400_000;
const deadHintDays = 30;
const noticeDays = 365;

/** Deletes the rows of a small table whose `at` is before `?1`. */
const olderSql = (table: string) =>
  `delete from ${table} where id in (select id from ${table} where at < ?1 limit ${purgeChunk})`;

/**
 * Forgets what has been kept for its time (webhooks 3.10), in statements of at most 5,000 rows while there is time, and
 * nothing that is still to be sent. Answers with how many rows that were.
 */
export async function purge({ env, db, now, mayGoOn }: Shift): Promise<number> {
  const at = now();
  const purges = [
    // They may hold what their callers know alone, so they go first.
    ...idempotencyPurges(at),
    ...eventPurges(at, settingsOf(env).retention),
    ...attemptPurges(at),
    ...deliveryPurges(at),
    ...upkeepPurges(at),
    { sql: olderSql('webhook_dead_hints'), values: [at - deadHintDays * day] },
    { sql: olderSql('webhook_notices'), values: [at - noticeDays * day] },
  ];
  let total = 0;
  for (const { sql, values } of purges) {
    let last = purgeChunk;
    while (last === purgeChunk && mayGoOn()) {
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
