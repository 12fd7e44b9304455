import { databaseOfId } from '../fixtures/shards.ts';
import { findViolations, type WebhookArrival } from './invariants.ts';

/** Endpoints and requests of the current test, checked against the invariants after it. */
const tracked = {
  endpoints: new Map<number, string>(),
  arrivals: [] as WebhookArrival[],
  mayRepeat: new Set<string>(),
};

export const trackEndpoint = (id: number, secret: string) => void tracked.endpoints.set(id, secret);

export const trackRequest = (arrival: WebhookArrival) => void tracked.arrivals.push(arrival);

/**
 * Allows these deliveries (`endpoint-seq`) to arrive twice (see src/webhooks/README.md:
 * Invariants).
 */
export function allowDuplicates(...keys: string[]): void {
  for (const key of keys) tracked.mayRepeat.add(key);
}

/** For an endpoint whose rows the test changes in a way that breaks an invariant. */
export const untrackEndpoint = (id: number) => void tracked.endpoints.delete(id);

/** Returns the violations of the current test and starts over. */
export async function checkTracked(): Promise<string[]> {
  const { arrivals, mayRepeat } = tracked;
  const endpoints = Array.from(tracked.endpoints, ([id, secret]) => ({ id, secret }));
  Object.assign(tracked, { endpoints: new Map(), arrivals: [], mayRepeat: new Set() });
  if (endpoints.length === 0) return [];
  const byDatabase = Map.groupBy(endpoints, ({ id }) => databaseOfId(id));
  const found = [...byDatabase].map(([db, ofDatabase]) =>
    findViolations({ db, endpoints: ofDatabase, arrivals, mayRepeat }),
  );
  return (await Promise.all(found)).flat();
}
