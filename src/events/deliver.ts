import type { Settings } from '../settings.ts';
import type { Ports } from './clock.ts';
import { attempt } from './deliver-attempt.ts';
import { Journal } from './deliver-journal.ts';
import { runPool, slots } from './deliver-pool.ts';
import { settle } from './deliver-settle.ts';
import { tellDrained } from './deliver-told.ts';
import type { Wake } from './hints.ts';
import { takeLanes, type Errand } from './lane-take.ts';
import { offer, takeMore } from './lane-share.ts';
import { hasWork, type Lane } from './lane.ts';
import { look, sighting } from './lane-watch.ts';
import type { Standstill } from './standstill.ts';

const flushEveryMs = 1_000;
const flushEveryResults = 20;

/** A lane that is shared calls for help no more often: who left may come back. */
const callEveryMs = 1_000;

/** What a drain came to. */
export interface Drained {
  /** Lanes that nobody came for, found on the way. */
  overdue: Errand[];
  /** The first failure of a database. Nothing is lost by it: leases run out, and results are sent again. */
  failure: unknown;
}

export interface DrainOptions {
  /** From now on, in milliseconds; after it no send starts. */
  budgetMs: number;
  /** Whether the lanes belong to the slow queues. */
  isSlow: boolean;
  /** Is told when a send begins or ends, and when all have. */
  standstill: Standstill;
  /** Is told at once when lanes that are given back want to be woken. Never rejects. */
  wake: (shard: number, wakes: readonly Wake[]) => Promise<void>;
  /** Calls others to help with a lane, as many as there are pages. Never rejects. */
  callHelpers: (lane: Lane, count: number) => Promise<void>;
}

/**
 * Delivers what is due on these lanes: leases them or comes to help, sends, writes results each 20 completions, each
 * second and at the end, and gives each lane back when it has nothing left to do here. A lane with more than a page,
 * whose receiver takes what it gets, is shared with others, and once nobody waits for this run, it takes page after page.
 * Never rejects for a database that does not answer.
 */
export async function drain(
  errands: readonly Errand[],
  settings: Settings,
  ports: Ports,
  { budgetMs, isSlow, standstill, wake, callHelpers }: DrainOptions,
): Promise<Drained> {
  const startedAt = ports.now();
  const stopAt = startedAt + budgetMs;
  const mayStart = ({ until }: Lane) => ports.now() < Math.min(stopAt, until);
  const isDone = (lane: Lane) =>
    lane.inFlight === 0 && !lane.isTaking && !(hasWork(lane) && mayStart(lane));
  const failures: unknown[] = [];
  const shards = await Promise.all(
    errands.map(async (errand) => {
      const { shard, db } = errand;
      const taken = await takeLanes(errand, { now: startedAt, isSlow, ...settings });
      failures.push(...taken.failures);
      const outside = { now: ports.now, wake: (wakes: Wake[]) => wake(shard, wakes) };
      return { ...errand, ...taken, journal: new Journal(db, taken.lanes, outside) };
    }),
  );
  const lanes = shards.flatMap((shard) => shard.lanes);
  for (const { deliveries } of lanes) {
    for (const { content } of deliveries) standstill.bytes += content?.body.length ?? 0;
  }
  const of = new Map(shards.map((shard) => [shard.shard, shard]));
  // What fails here is written by the last flush, whose failure counts.
  const writeAll = () => shards.map(({ journal }) => journal.write(isDone).catch(() => undefined));
  const timer = setInterval(writeAll, flushEveryMs);
  // Those that could not begin are for another run; this one's receivers take all it has.
  const giveBack = () => {
    for (const lane of lanes)
      lane.isStopped ||= lane.inFlight === 0 && !lane.isTaking && lane.worker === 0;
    void Promise.all(writeAll());
  };
  void standstill.reached.then((why) => why === 'stalled' && giveBack());
  const take = async (lane: Lane) => {
    const db = of.get(lane.shard)?.db;
    if (!db) return;
    const now = ports.now();
    const { pageSize } = settings;
    const seen = sighting([lane]);
    const more = await (lane.isShareable ? offer(db, lane) : takeMore(db, lane, { now, pageSize }))
      // What nobody has then waits for the end of the lease.
      .catch(() => undefined);
    // Only of an endpoint that is active there is more to take.
    if (more && !lane.isShareable) seen(() => false);
    lane.isShareable = false;
    lane.mayTakeMore = more !== undefined;
    lane.deliveries.push(...(more?.deliveries ?? []));
    const pages = Math.ceil((more?.behind ?? 0) / pageSize);
    if (pages === 0 || now < lane.calledAt + callEveryMs) return;
    lane.calledAt = now;
    await callHelpers(lane, pages);
  };
  try {
    await runPool(lanes, {
      mayStart,
      deliver: async (lane, delivery) => {
        standstill.moved();
        const tried = await attempt(lane, delivery, settings, ports);
        standstill.moved();
        const journal = of.get(lane.shard)?.journal;
        journal?.add(settle(lane, delivery, tried, ports));
        if (journal?.unasked === flushEveryResults)
          void journal.write(isDone).catch(() => undefined);
      },
      mayTake: (lane) =>
        lane.health.backoffUntil === null &&
        mayStart(lane) &&
        (lane.isShareable
          ? lane.hasArrived
          : lane.mayTakeMore && standstill.isLeft && lane.deliveries.length - lane.next <= slots),
      take,
      look: async () => void (await Promise.all(shards.map(({ db, lanes: own }) => look(db, own)))),
      // Otherwise the queue is to hear of it.
      onIdle: () => failures.length === 0 && standstill.idle(),
    });
  } finally {
    clearInterval(timer);
    standstill.end();
  }
  // Nothing is under way any more, so every lane is given back, those stopped by the clock included.
  await Promise.all(
    shards.map(({ journal }) =>
      journal.write(() => true).catch((error: unknown) => failures.push(error)),
    ),
  );
  tellDrained(lanes, ports.now() - startedAt);
  return {
    overdue: shards.flatMap(({ shard, db, overdue }) =>
      overdue.length > 0 ? [{ shard, db, endpoints: overdue, calls: [] }] : [],
    ),
    failure: failures[0],
  };
}
