import type { Finished } from './deliver-settle.ts';
import { deliveryStatements } from './flush-deliveries.ts';
import { laneStatements } from './flush-lanes.ts';
import type { Wake } from './hints.ts';
import { sighting } from './lane-watch.ts';
import type { Lane } from './lane.ts';
import { tellNotices, type Notice } from './notices.ts';

/**
 * Writes results, and the health of their lanes; lanes in `released` are given back, and those are stopped whose endpoint
 * is active no longer. Answers with when the released ones want to be woken, which is `now` (epoch milliseconds) at the earliest. One round trip; a repetition changes nothing. Rejects when the database does.
 */
export async function flush(
  db: D1Database,
  finished: readonly Finished[],
  released: readonly Lane[],
  now: number,
): Promise<Wake[]> {
  const lanes = [...new Set([...finished.map(({ lane }) => lane), ...released])];
  const seen = sighting(lanes);
  const results = await db.batch<Flushed | Notice>([
    ...deliveryStatements(db, finished),
    ...laneStatements(db, lanes, new Set(released), now),
  ]);
  const flushed = (results.at(-1)?.results ?? []) as Flushed[];
  // A statement that writes no notices answers with nothing.
  const notices = (results.at(-2)?.results ?? []) as Notice[];
  if (lanes[0]) tellNotices(lanes[0].shard, notices);
  seen(({ id }) => flushed.some((one) => one.endpoint === id && one.isStopped === 1));
  return flushed.flatMap(({ endpoint, wakeAt, isSlow }) =>
    wakeAt === null ? [] : [{ endpoint, wakeAt, isSlow }],
  );
}

type Flushed = Omit<Wake, 'wakeAt'> & { wakeAt: number | null; isStopped: 0 | 1 };
