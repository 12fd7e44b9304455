/**
 * `npm run bench:latency`: what a caller waits for in five cities, with the Worker near the caller
 * and near its databases. Calculated, not measured: the round trips are those that tests count, the
 * times between places are assumed.
 */
import { pathToFileURL } from 'node:url';
import { roundTrips } from '../support/api/round-trips.ts';

/**
 * Milliseconds of a round trip from a city to databases in eastern North America. Assumed: what
 * providers of clouds publish for their regions in these cities and in Virginia, rounded (November
 * 2026).
 */
const cities = {
  'New York': 10,
  'São Paulo': 115,
  London: 75,
  Frankfurt: 90,
  Singapore: 220,
};

/**
 * From a caller to the nearest data centre, within one data centre, and a batch in its database.
 * Assumed.
 */
const [lastMileMs, besideMs, batchMs] = [10, 2, 4];

/**
 * Two round trips that a key had of its own until it was looked for in the first batch, and stored
 * after the response.
 */
const ofKeyBefore = 2;

/** Batches one after the other: in the store before and now, and in the directory. */
const requests = [
  { name: 'GET, known key', before: roundTrips.simple, now: roundTrips.simple, directory: 0 },
  {
    name: 'GET, unknown key',
    before: roundTrips.simple,
    now: roundTrips.simple,
    directory: roundTrips.unknownKey,
  },
  { name: 'POST product', before: roundTrips.product, now: roundTrips.product, directory: 0 },
  {
    name: 'the same, with an idempotency key',
    before: roundTrips.product + ofKeyBefore,
    now: roundTrips.product,
    directory: 0,
  },
];

/**
 * One in twenty long trips takes a third longer. So the 95th percentile of one to four of them has
 * one that does.
 */
const slowShare = 1 / 3;

const total = (far: number, rest: number): string =>
  [0, slowShare]
    .map((share, index) => Math.round(lastMileMs + far + rest + (index && share * far)))
    .join('/');

/** Near the caller each batch is a long trip. */
const nearCaller = (far: number, batches: number) =>
  total(far, far * (batches - 1) + batchMs * batches);

/** Near the databases one long trip is all. */
const nearDatabases = (far: number, batches: number) => total(far, (batchMs + besideMs) * batches);

/** The table of `src/ops/SCALE.md`. */
export function latencyTable(): string {
  const head = ['City', ...requests.map(({ name }) => name)];
  const rows = Object.entries(cities).map(([city, distance]) => [
    city,
    ...requests.map(
      ({ before, now, directory }) =>
        `${nearCaller(distance, before + directory)} → ${nearDatabases(distance, now + directory)}`,
    ),
  ]);
  return tableOf(head, rows);
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(latencyTable());
}
