import { sql } from 'drizzle-orm';
import { isMinuteOfHour, minuteMs } from '../../base/durations.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import {
  declaredChanges,
  finishedChanges,
  isEmptyShard,
  type LongChange,
} from '../../data/shards/long-changes.ts';
import type { SweepContext } from '../../data/sweep-task.ts';

/** A version that does not know a change may write old rows for so long after the new one has the traffic. */
export const rolloutMs = 10 * minuteMs;

/** The shards in which this isolate found nothing left to do. */
const doneShards = new Set<number>();

/**
 * Makes the job of the long changes that a shard has not finished, if there is none. A task of the sweep. One call until an isolate
 * has seen that all are finished, then one an hour. A store or a restore may bring rows back that have not had them.
 */
export async function beginChanges(
  { env, shard, db, now }: SweepContext,
  changes: readonly LongChange[] = declaredChanges,
): Promise<number> {
  const at = now();
  if (doneShards.has(shard) && !isMinuteOfHour(at, shard % 60)) return 0;
  const found = await openDatabase(db).get<{ finished: string; is_empty: number }>(
    sql`select ${finishedChanges} as finished, ${isEmptyShard} as is_empty`,
  );
  const finished = new Set(JSON.parse(found.finished) as string[]);
  if (changes.every(({ name }) => finished.has(name))) {
    doneShards.add(shard);
    return 0;
  }
  doneShards.delete(shard);
  const dueAt = found.is_empty === 1 ? at : at + rolloutMs;
  await openDatabase(env.DIRECTORY).run(
    sql`insert into ${jobs} (kind, shard, requested_by, created_at, due_at)
      select 'shard_change', ${shard}, 0, ${at}, ${dueAt} where not exists (select 1 from ${jobs}
        where shard = ${shard} and due_at is not null and kind = 'shard_change')`,
  );
  return 0;
}
