import { and, eq, lt } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { shards, ShardState } from '../schema/directory/directory-tables.ts';

/** A shard with so many bytes gets no new stores: those that are there must have room to grow. */
export const maxBytesOfNewStores = 3_000_000_000;

/**
 * A shard with so many bytes gets no stores that move. The bytes from 3 GB on are a reserve for
 * them.
 */
export const maxBytesOfMoves = 6_000_000_000;

/**
 * A shard that was at work for so many thousandths of the last hour gets no new stores while
 * another has less to do.
 */
const busyLoad = 400;

/** How full or busy a shard is: the nearer of its two limits. */
const filling = ({ bytes, load }: { bytes: number; load: number }) =>
  Math.max(bytes / maxBytesOfNewStores, load / busyLoad);

/**
 * Chooses the shard of a new store: of two random shards, the one with more left of bytes and of
 * time. Both are open and have room, and are busy only if all are. It is `undefined` if there is
 * none. Two are enough to keep shards even, and requests at the same time do not all choose the
 * same one. One round trip.
 */
export async function chooseShard(
  directory: Database,
  random: () => number = Math.random,
): Promise<number | undefined> {
  const open = await directory
    .select({ number: shards.number, bytes: shards.bytes, load: shards.load })
    .from(shards)
    .where(and(eq(shards.state, ShardState.open), lt(shards.bytes, maxBytesOfNewStores)));
  const calm = open.filter(({ load }) => load < busyLoad);
  const candidates = calm.length > 0 ? calm : open;
  const draw = () => candidates.splice(Math.floor(random() * candidates.length), 1)[0];
  const [one, other] = [draw(), draw()];
  return one && other && filling(other) < filling(one) ? other.number : one?.number;
}
