/**
 * `node test/bench/latency.ts`: what a caller waits for in five cities, with the Worker near the caller and near its databases.
 * Calculated, not measured: the round trips are those that tests count, the times between places are assumed.
 */
import { pathToFileURL } from 'node:url';

/**
 * Milliseconds of a round trip from a city to databases in eastern North America (`enam`). Assumed: what providers of clouds publish
 * for their regions in these cities and in Virginia, rounded (November 2026).
 */
const roundTripMs = { 'New York': 10, 'São Paulo': 115, London: 75, Frankfurt: 90, Singapore: 220 };

/** From a caller to the nearest data centre, within one data centre, and a batch in its database. Assumed. */
const [lastMileMs, besideMs, batchMs] = [10, 2, 4];

/** Batches one after the other, with a Worker of before and of now: those before kept the idempotency key apart. */
const requests = [
  { name: 'GET, known key', before: 1, now: 1 },
  { name: 'GET, unknown key', before: 2, now: 2 },
  { name: 'POST product', before: 2, now: 2 },
  { name: 'the same, with an idempotency key', before: 4, now: 2 },
];

/** One in twenty trips takes a third longer, so the 95th percentile has this share more. */
const slowShare = 1 / 3;

/** The median and the 95th percentile, for a request with so many batches. */
function waits(distanceMs: number, batches: number, isPlaced: boolean): [p50: number, p95: number] {
  const far = isPlaced ? distanceMs : distanceMs * batches;
  const near = batches * (batchMs + (isPlaced ? besideMs : 0));
  // Each far trip may be the slow one: with n of them, p95 has about the square root of n more.
  const trips = isPlaced ? 1 : batches;
  const slow = distanceMs * slowShare * Math.sqrt(trips);
  return [Math.round(lastMileMs + far + near), Math.round(lastMileMs + far + near + slow)];
}

/** The table of `src/platform/SCALE.md`. */
export function latencyTable(): string {
  const head = ['City', ...requests.map(({ name }) => name)];
  const rows = Object.entries(roundTripMs).map(([city, distance]) => [
    city,
    ...requests.map(({ before, now }) =>
      [waits(distance, before, false), waits(distance, now, true)]
        .map((pair) => pair.join('/'))
        .join(' → '),
    ),
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(latencyTable());
