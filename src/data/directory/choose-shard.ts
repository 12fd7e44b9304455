import { and, eq, lt } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { shards, ShardState } from '../schema/directory/directory-tables.ts';

/** A shard with so many bytes gets no new stores. A D1 database holds 10 GB, and its stores must have room to grow. */
export const maxBytesOfNewStores = 6_000_000_000;

/** A shard with so many bytes closes: it gets no store again until an operator opens it. */
const closingBytes = 7_000_000_000;

/**
 * Chooses the shard of a new store: the emptier of two random shards of the region that are open and have room;
 * `undefined` if there is none. Two are enough to keep shards even, and requests at the same time do not all choose the
 * same one. One round trip.
 */
export async function placeStore(
  directory: Database,
  region: string,
  random: () => number = Math.random,
): Promise<number | undefined> {
  const candidates = await directory
    .select({ number: shards.number, bytes: shards.bytes })
    .from(shards)
    .where(
      and(
        eq(shards.region, region),
        eq(shards.state, ShardState.open),
        lt(shards.bytes, maxBytesOfNewStores),
      ),
    );
  const draw = () => candidates.splice(Math.floor(random() * candidates.length), 1)[0];
  const [one, other] = [draw(), draw()];
  return one && other && other.bytes < one.bytes ? other.number : one?.number;
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
 * Records the size of a shard and the number of its stores, and closes it when it is nearly full. Returns the size that was
 * recorded before; 0 for an unknown shard. One round trip.
 */
export async function recordShard(
  directory: Database,
  { number, bytes, stores }: { number: number; bytes: number; stores: number },
  now: number,
): Promise<number> {
  const isShard = eq(shards.number, number);
  const [[before]] = await directory.batch([
    directory.select({ bytes: shards.bytes }).from(shards).where(isShard),
    directory
      .update(shards)
      .set({
        bytes,
        stores,
        seen_at: now,
        ...(bytes >= closingBytes && { state: ShardState.closed }),
      })
      .where(isShard),
  ]);
  return before?.bytes ?? 0;
}
