import { log } from '../../log.ts';

/** What a D1 database holds. Beyond it, every write fails. */
const maxShardBytes = 10_000_000_000;

/** The shares of it that alert, in percent. */
const alertPercents = [70, 85];

const levelOf = (bytes: number) =>
  alertPercents.filter((percent) => bytes * 100 >= maxShardBytes * percent).length;

/**
 * Alerts when a shard has grown beyond 70 or 85 % of what a database holds since it had `before` bytes, and again in the
 * first hour of each day. Called once an hour; `now` is epoch milliseconds.
 */
export function alertOfSize(
  { shard, bytes, before }: { shard: number; bytes: number; before: number },
  now: number,
): void {
  const level = levelOf(bytes);
  const isNewDay = new Date(now).getUTCHours() === 0;
  if (level === 0 || (level <= levelOf(before) && !isNewDay)) return;
  const percent = Math.floor((bytes * 100) / maxShardBytes);
  log('error', 'shard_nearly_full', { alert: true, shard, bytes, percent });
}
