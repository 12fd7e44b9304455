import { sql } from 'drizzle-orm';
import { minuteMs } from '../base/durations.ts';
import { log } from '../base/log.ts';
import { openDatabase } from '../data/core/open-database.ts';
import { compileSql } from '../data/core/raw.ts';
import { daysToFull, maxShardBytes, recordShard } from '../data/directory/shard-sizes.ts';
import { PlacementState } from '../data/schema/store/placement-tables.ts';
import { takeStoreLoads, type BusiestStore } from '../data/shards/store-loads.ts';
import type { SweepContext } from '../data/sweep-task.ts';

/** The number of a shard and of its stores. */
interface ShardRow {
  number: number | null;
  stores: number;
}

/** The shares of the capacity that alert, in percent. */
const alertPercents = [70, 85];

const levelOf = (bytes: number) =>
  alertPercents.filter((percent) => bytes * 100 >= maxShardBytes * percent).length;

/**
 * Alerts when a shard has grown beyond 70 or 85 % of the capacity of a database since it had
 * `before` bytes. Alerts again in the first hour of each day. Called once an hour; `now` is epoch
 * milliseconds.
 */
function alertOfSize(
  { shard, bytes, before }: { shard: number; bytes: number; before: number },
  now: number,
): void {
  const level = levelOf(bytes);
  const isNewDay = new Date(now).getUTCHours() === 0;
  if (level === 0 || (level <= levelOf(before) && !isNewDay)) return;
  const percent = Math.floor((bytes * 100) / maxShardBytes);
  log('error', 'shard_nearly_full', { alert: true, shard, bytes, percent });
}

/**
 * A shard that would be full in so many days alerts: moving its stores away frees nothing for 30.
 */
export const alertDays = 45;

/**
 * Alerts when a shard would be full in 45 days; again in the first hour of each day. Called once an
 * hour.
 */
function alertOfGrowth(
  { shard, before, after }: { shard: number } & Awaited<ReturnType<typeof recordShard>>,
  now: number,
): void {
  const isSoon = (days: number | null) => days !== null && days <= alertDays;
  const days = daysToFull(after);
  const isNewDay = new Date(now).getUTCHours() === 0;
  if (!isSoon(days) || (isSoon(daysToFull(before)) && !isNewDay)) return;
  const { bytes, growth } = after;
  log('error', 'shard_full_soon', { alert: true, shard, bytes, growth, days });
}

const selectState = compileSql(sql`select (select number from shard_identity) as number,
  (select count(*) from placements where state = ${PlacementState.here}) as stores`);

/**
 * The share of the time of a shard, in percent, from which a store alerts: it may need a shard of
 * its own.
 */
const busyPercent = 30;

/**
 * Alerts when one store kept the database at work for much of the time since the last record.
 * Called once an hour.
 */
function alertOfBusyStore(
  { shard, busiest, since }: { shard: number; busiest: BusiestStore | undefined; since: number },
  now: number,
): void {
  if (!busiest || since === 0 || now <= since) return;
  const percent = Math.min(100, Math.floor((busiest.ms * 100) / (now - since)));
  if (percent < busyPercent) return;
  log('error', 'store_busy', { alert: true, store: busiest.store, shard, percent });
}

/**
 * The minutes between two records of a shard. Its size changes slowly, and its stores must be
 * counted.
 */
const everyMinutes = 60;

/**
 * Records the size and the load of the shard in the directory, which places new stores by them.
 * Alerts when the binding leads to the database of another shard, or when it is or will soon be
 * full. Returns 0; two round trips an hour, at different minutes for each shard.
 */
export async function recordThisShard({ env, shard, db, now }: SweepContext): Promise<number> {
  const at = now();
  if (Math.floor(at / minuteMs) % everyMinutes !== shard % everyMinutes) return 0;
  const [state, loads] = await db.batch<Partial<ShardRow & BusiestStore>>([
    selectState(db),
    ...takeStoreLoads(db),
  ]);
  const [found] = (state?.results ?? []) as ShardRow[];
  if (!found || found.number !== shard) {
    log('error', 'shard_number_wrong', { alert: true, shard, number: found?.number ?? null });
    return 0;
  }
  const bytes = state?.meta.size_after ?? 0;
  const [busiest] = (loads?.results ?? []) as BusiestStore[];
  const busyMs = busiest?.total ?? 0;
  const { stores } = found;
  const directory = openDatabase(env.DIRECTORY);
  const recorded = await recordShard(directory, { number: shard, bytes, stores, busyMs }, at);
  alertOfSize({ shard, bytes, before: recorded.before.bytes }, at);
  alertOfGrowth({ shard, ...recorded }, at);
  alertOfBusyStore({ shard, busiest, since: recorded.before.seenAt }, at);
  return 0;
}
