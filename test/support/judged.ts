import { env } from 'cloudflare:workers';
import { violations, type Arrival } from './invariants.ts';

/** What the test under way made and sent; its end judges it by the invariants. */
const seen = {
  lanes: new Map<number, string>(),
  arrivals: [] as Arrival[],
  mayRepeat: new Set<string>(),
};

/** A lane that the end of the test judges. */
export const judgeLane = (id: number, secret: string) => void seen.lanes.set(id, secret);

/** A request that a receiver of such a lane got. */
export const judgeArrival = (arrival: Arrival) => void seen.arrivals.push(arrival);

/** The test shows a case in which these deliveries (`endpoint-seq`) may arrive twice (webhooks 3.17). */
export function mayRepeat(...keys: string[]): void {
  for (const key of keys) seen.mayRepeat.add(key);
}

/** The test spoils this lane on purpose, behind the back of the program. */
export const leaveUnjudged = (id: number) => void seen.lanes.delete(id);

/** What breaks the invariants; the next test begins anew. */
export async function judgement(): Promise<string[]> {
  const { lanes, arrivals, mayRepeat: repeatable } = seen;
  const endpoints = Array.from(lanes, ([id, secret]) => ({ id, secret }));
  Object.assign(seen, { lanes: new Map(), arrivals: [], mayRepeat: new Set() });
  if (endpoints.length === 0) return [];
  return violations({ db: env.STORE_0, endpoints, arrivals, mayRepeat: repeatable });
}
