import { recordShard } from '../../db/directory/placement.ts';
import { ResidentState } from '../../db/schema/store/residents.ts';
import { log } from '../../log.ts';
import type { SweepContext } from '../../sweep-task.ts';
import { alertOfSize } from './shard-size.ts';

const stateSql = `select (select number from shard_identity) as number,
  (select count(*) from residents where state = ${ResidentState.here}) as stores`;

/** The minutes between two records of a shard. Its size changes slowly, and its stores must be counted. */
const everyMinutes = 60;

/**
 * Records the size of the shard in the directory, which places new stores by it. Alerts when the binding leads to the
 * database of another shard, or when it is nearly full. Returns 0; two round trips an hour, at different minutes for each shard.
 */
export async function recordThisShard({ env, shard, db, now }: SweepContext): Promise<number> {
  const at = now();
  if (Math.floor(at / 60_000) % everyMinutes !== shard % everyMinutes) return 0;
  const { results, meta } = await db
    .prepare(stateSql)
    .all<{ number: number | null; stores: number }>();
  const [found] = results;
  if (!found || found.number !== shard) {
    log('error', 'shard_number_wrong', { alert: true, shard, number: found?.number ?? null });
    return 0;
  }
  const bytes = meta.size_after;
  const { stores } = found;
  const before = await recordShard(env.DIRECTORY, { number: shard, bytes, stores }, at);
  alertOfSize({ shard, bytes, before }, at);
  return 0;
}
