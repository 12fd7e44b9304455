import { eq, sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import type { Database } from '../core/open-database.ts';
import { shards, ShardState } from '../schema/directory/directory-tables.ts';

/** The capacity of a D1 database, which no plan raises. Beyond it, every write fails. */
export const maxShardBytes = 10_000_000_000;

/**
 * A shard with so many bytes closes: it gets no store again, not by a move either, until an
 * operator opens it.
 */
const closingBytes = 7_000_000_000;

/** The days in which an old growth of a shard has faded, in milliseconds. */
const growthMs = 7 * dayMs;

/**
 * The days until a shard is full if it goes on growing as in the last days; `null` if it does not
 * grow.
 */
export const daysToFull = ({ bytes, growth }: { bytes: number; growth: number }): number | null =>
  growth > 0 ? Math.max(0, Math.floor((maxShardBytes - bytes) / growth)) : null;

/**
 * Records the size of a shard, its growth, its load and the number of its stores, and closes it
 * when it is nearly full. Returns the size and the growth that were recorded before, and those of
 * now; zeros for an unknown shard. One round trip.
 */
export async function recordShard(
  directory: Database,
  {
    number,
    bytes,
    stores,
    busyMs = 0,
  }: { number: number; bytes: number; stores: number; busyMs?: number },
  now: number,
) {
  const isShard = eq(shards.number, number);
  const elapsed = sql`max(1, ${now} - ${shards.seen_at})`;
  const share = sql`min(1.0, 1.0 * ${elapsed} / ${growthMs})`;
  const perDay = sql`(${bytes} - ${shards.bytes}) * 1.0 * ${dayMs} / ${elapsed}`;
  const [[before], [after]] = await directory.batch([
    directory
      .select({ bytes: shards.bytes, growth: shards.growth, seenAt: shards.seen_at })
      .from(shards)
      .where(isShard),
    directory
      .update(shards)
      .set({
        bytes,
        growth: sql`iif(${shards.seen_at} = 0, 0,
          cast(${shards.growth} * (1 - ${share}) + ${perDay} * ${share} as integer))`,
        load: sql`iif(${shards.seen_at} = 0, 0, min(1000, cast(${busyMs} * 1000.0 / ${elapsed} + 0.5 as integer)))`,
        stores,
        seen_at: now,
        ...(bytes >= closingBytes && { state: ShardState.closed }),
      })
      .where(isShard)
      .returning({ bytes: shards.bytes, growth: shards.growth }),
  ]);
  const unknown = { bytes: 0, growth: 0 };
  return { before: before ?? { ...unknown, seenAt: 0 }, after: after ?? unknown };
}
