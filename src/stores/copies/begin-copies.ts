import { sql } from 'drizzle-orm';
import { minuteMs } from '../../base/durations.ts';
import { settingsOf } from '../../base/settings.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';

/**
 * Makes the job that copies the stores of a shard, once an hour if there is none. A task of the
 * sweep. Without a bucket for copies it does nothing. One round trip an hour.
 */
export async function beginCopies({ env, shard, now }: SweepContext): Promise<number> {
  const at = now();
  if (Math.floor(at / minuteMs) % 60 !== shard % 60 || !settingsOf(env).copies) return 0;
  await openDatabase(env.DIRECTORY).run(
    sql`insert into ${jobs} (kind, shard, requested_by, created_at, due_at)
      select 'shard_copy', ${shard}, 0, ${at}, ${at} where not exists (select 1 from ${jobs}
        where shard = ${shard} and due_at is not null and kind = 'shard_copy')`,
  );
  return 0;
}
