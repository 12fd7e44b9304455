import { and, eq, lt, sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import type { Database } from '../core/open-database.ts';
import { shards, ShardState } from '../schema/directory/directory-tables.ts';

/** The capacity of a D1 database, which no plan raises. Beyond it, every write fails. */
export const maxShardBytes = 10_000_000_000;

/** A shard with so many bytes gets no new stores: those that are there must have room to grow. */
export const maxBytesOfNewStores = 3_000_000_000;

/** A shard with so many bytes gets no stores that move. The bytes from 3 GB on are a reserve for them. */
export const maxBytesOfMoves = 6_000_000_000;

/** The days in which an old growth of a shard has faded, in milliseconds. */
const growthMs = 7 * dayMs;

/**
 * The days until a shard is full if it goes on growing as in the last days; `null` if it does not grow.
 */
export const daysToFull = ({ bytes, growth }: { bytes: number; growth: number }): number | null =>
  growth > 0 ? Math.max(0, Math.floor((maxShardBytes - bytes) / growth)) : null;

/** A shard with so many bytes closes: it gets no store again, not by a move either, until an operator opens it. */
const closingBytes = 7_000_000_000;

/** A shard that was at work for so many thousandths of the last hour gets no new stores while another has less to do. */
const busyLoad = 400;

/** How full or busy a shard is: the nearer of its two limits. */
const filling = ({ bytes, load }: { bytes: number; load: number }) =>
  Math.max(bytes / maxBytesOfNewStores, load / busyLoad);

/**
 * Chooses the shard of a new store: of two random shards of the region, the one with more left of bytes and of time. Both are
 * open and have room, and are busy only if all are. It is `undefined` if there is none. Two are enough to keep shards even, and
 * requests at the same time do not all choose the same one. One round trip.
 */
export async function chooseShard(
  directory: Database,
  region: string,
  random: () => number = Math.random,
): Promise<number | undefined> {
  const open = await directory
    .select({ number: shards.number, bytes: shards.bytes, load: shards.load })
    .from(shards)
    .where(
      and(
        eq(shards.region, region),
        eq(shards.state, ShardState.open),
        lt(shards.bytes, maxBytesOfNewStores),
      ),
    );
  const calm = open.filter(({ load }) => load < busyLoad);
  const candidates = calm.length > 0 ? calm : open;
  const draw = () => candidates.splice(Math.floor(random() * candidates.length), 1)[0];
  const [one, other] = [draw(), draw()];
  return one && other && filling(other) < filling(one) ? other.number : one?.number;
}

/** Lists the regions of all shards, by name. One round trip. */
export async function listRegions(directory: Database): Promise<string[]> {
  const rows = await directory
    .selectDistinct({ region: shards.region })
    .from(shards)
    .orderBy(shards.region);
  return rows.map(({ region }) => region);
}

/**
 * Records the size of a shard, its growth, its load and the number of its stores, and closes it when it is nearly full. Returns the
 * size and the growth that were recorded before, and those of now; zeros for an unknown shard. One round trip.
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
