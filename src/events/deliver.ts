import { NoticeKind } from '../db/schema/webhook-alarms.ts';
import { log } from '../log.ts';
import type { Settings } from '../settings.ts';
import type { Ports } from './clock.ts';
import { attempt } from './deliver-attempt.ts';
import { Journal } from './deliver-journal.ts';
import { runPool } from './deliver-pool.ts';
import { settle } from './deliver-settle.ts';
import type { Wake } from './hints.ts';
import { leaseLanes } from './lane-lease.ts';
import { hasWork, type Lane } from './lane.ts';
import type { Stall } from './stall.ts';

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
  /** Lanes that nobody came for, found on the way. */
  overdue: Errand[];
  /** When the drained lanes want to be woken next, by shard. */
  wakes: { shard: number; wakes: Wake[] }[];
  /** The first failure of a database. Nothing is lost by it: leases run out, and results are sent again. */
  failure: unknown;
}

export interface DrainOptions {
  /** From now on, in milliseconds; after it no send starts. */
  budgetMs: number;
  /** Whether the lanes belong to the slow queues. */
  isSlow: boolean;
  /** Is told when a send begins or ends, and when all have. */
  stall: Stall;
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
  { budgetMs, isSlow, stall }: DrainOptions,
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
        isSlow,
      };
      const leased = await leaseLanes(shard, db, endpoints, options).catch((error: unknown) => {
        failures.push(error);
        return { lanes: [], overdue: [] };
      });
      return { shard, db, ...leased, journal: new Journal(db, leased.lanes, ports.now) };
    }),
  );
  const journals = new Map(shards.map(({ shard, journal }) => [shard, journal]));
  // What fails here is written by the last flush, whose failure counts.
  const writeAll = () => shards.map(({ journal }) => journal.write(isDone).catch(() => undefined));
  const timer = setInterval(writeAll, flushEveryMs);
  try {
    const lanes = shards.flatMap((shard) => shard.lanes);
    await runPool(lanes, mayStart, async (lane, delivery) => {
      stall.moved();
      const tried = await attempt(lane, delivery, settings, ports);
      stall.moved();
      const journal = journals.get(lane.shard);
      journal?.add(settle(lane, delivery, tried, ports));
      if (journal?.size === flushEveryResults) void journal.write(isDone).catch(() => undefined);
    });
  } finally {
    clearInterval(timer);
    stall.end();
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
    overdue: shards.flatMap(({ shard, db, overdue }) =>
      overdue.length > 0 ? [{ shard, db, endpoints: overdue }] : [],
    ),
    failure: failures[0],
  };
}

function tell(lanes: readonly Lane[], durationMs: number): void {
  if (lanes.length === 0) return;
  for (const { shard, id, health } of lanes) {
    if (health.isGone)
      log('warn', 'webhook_notice', { shard, endpoint: id, kind: NoticeKind.gone });
  }
  log('info', 'webhook_lanes_drained', {
    durationMs,
    lanes: lanes.map(({ id, next, health }) => ({
      endpoint: id,
      sends: next,
      failStreak: health.failStreak,
    })),
  });
}
