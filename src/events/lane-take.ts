import { leaseLanes, type LeaseOptions } from './lane-lease.ts';
import { join, type Call } from './lane-share.ts';
import type { Lane } from './lane.ts';

/** The endpoints of one shard that may have something due, and the calls for help on others. */
export interface Errand {
  shard: number;
  db: D1Database;
  endpoints: readonly number[];
  calls: readonly Call[];
}

/** What an errand came to; a failure of the database leaves out what it concerned. */
export interface Taken {
  lanes: Lane[];
  /** Endpoints whose lanes are long overdue. */
  overdue: number[];
  failures: unknown[];
}

/** Leases the lanes of an errand and follows its calls, side by side. Never rejects. */
export async function takeLanes(errand: Errand, options: LeaseOptions): Promise<Taken> {
  const { shard, db, endpoints, calls } = errand;
  // Once each: two of one lane in one run would be one for the database.
  const others = new Map(calls.map((call) => [call.endpoint, call]));
  for (const endpoint of endpoints) others.delete(endpoint);
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  const [leased, ...joined] = await Promise.all([
    endpoints.length > 0 ? leaseLanes(shard, db, endpoints, options).catch(failed) : undefined,
    ...[...others.values()].map((call) => join(shard, db, call, options).catch(failed)),
  ]);
  const helped = joined.flatMap((lane) => lane ?? []);
  return {
    lanes: [...(leased?.lanes ?? []), ...helped],
    overdue: leased?.overdue ?? [],
    failures,
  };
}
