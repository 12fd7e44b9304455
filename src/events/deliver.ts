import { log } from '../log.ts';
import type { Settings } from '../settings.ts';
import type { Ports } from './clock.ts';
import { attempt } from './deliver-attempt.ts';
import { Journal } from './deliver-journal.ts';
import { runPool } from './deliver-pool.ts';
import type { Wake } from './hints.ts';
import { healthAfter } from './lane-health.ts';
import { leaseLanes } from './lane-lease.ts';
import { hasWork, type Lane } from './lane.ts';

/** After this no send starts: with the longest timeout a drain ends within the 30 s of a runtime update. */
const budgetMs = 20_000;

const flushEveryMs = 1_000;
const flushEveryResults = 20;

/** The endpoints of one shard that may have something due. */
export interface Errand {
  shard: number;
  db: D1Database;
  endpoints: readonly number[];
}

/** What a drain came to. */
export interface Drained {
  /** When the drained lanes want to be woken next, by shard. */
  wakes: { shard: number; wakes: Wake[] }[];
  /** The first failure of a database. Nothing is lost by it: leases run out, and results are sent again. */
  failure: unknown;
}

/**
 * Delivers what is due on these lanes: leases them, sends, writes results each 20 completions, each second and
 * at the end, and releases each lane when it has nothing left to do here. Never rejects for a database that does
 * not answer.
 */
export async function drain(
  errands: readonly Errand[],
  settings: Settings,
  ports: Ports,
): Promise<Drained> {
  const startedAt = ports.now();
  // Half a lease at most, so that what is under way at the end is over before the lease is.
  const stopAt = startedAt + Math.min(budgetMs, settings.leaseMs / 2);
  const mayStart = () => ports.now() < stopAt;
  const isDone = (lane: Lane) => lane.inFlight === 0 && !(hasWork(lane) && mayStart());
  const failures: unknown[] = [];
  const shards = await Promise.all(
    errands.map(async ({ shard, db, endpoints }) => {
      const options = {
        now: startedAt,
        leaseMs: settings.leaseMs,
        sealingKey: settings.sealingKey,
      };
      const lanes = await leaseLanes(shard, db, endpoints, options).catch((error: unknown) => {
        failures.push(error);
        return [];
      });
      return { shard, lanes, journal: new Journal(db, lanes) };
    }),
  );
  const journals = new Map(shards.map(({ shard, journal }) => [shard, journal]));
  // What fails here is written by the last flush, whose failure counts.
  const writeAll = () => shards.map(({ journal }) => journal.write(isDone).catch(() => undefined));
  const timer = setInterval(writeAll, flushEveryMs);
  try {
    const lanes = shards.flatMap((shard) => shard.lanes);
    await runPool(lanes, mayStart, async (lane, delivery) => {
      const finished = await attempt(lane, delivery, settings, ports);
      const { outcome, sent } = finished;
      const known = { now: ports.now(), durationMs: sent.durationMs, random: ports.random };
      lane.health = healthAfter(lane.health, outcome, known);
      const journal = journals.get(lane.shard);
      journal?.add(finished);
      if (journal?.size === flushEveryResults) void journal.write(isDone).catch(() => undefined);
    });
  } finally {
    clearInterval(timer);
  }
  // Nothing is under way any more, so every lane is given back, those stopped by the clock included.
  await Promise.all(
    shards.map(({ journal }) =>
      journal.write(() => true).catch((error: unknown) => failures.push(error)),
    ),
  );
  tell(
    shards.flatMap((shard) => shard.lanes),
    ports.now() - startedAt,
  );
  return {
    wakes: shards.map(({ shard, journal }) => ({ shard, wakes: journal.wakes })),
    failure: failures[0],
  };
}

function tell(lanes: readonly Lane[], durationMs: number): void {
  if (lanes.length === 0) return;
  log('info', 'webhook_lanes_drained', {
    durationMs,
    lanes: lanes.map(({ id, next, health }) => ({
      endpoint: id,
      sends: next,
      failStreak: health.failStreak,
    })),
  });
}
