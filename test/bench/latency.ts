/**
 * `npm run bench:latency`: what a caller waits for in five cities, with the Worker near the caller and near its databases, in one
 * region and in two.
 * Calculated, not measured: the round trips are those that tests count, the times between places are assumed.
 */
import { pathToFileURL } from 'node:url';
import { roundTrips } from '../support/api/round-trips.ts';

/**
 * Milliseconds of a round trip from a city to databases in eastern North America (`enam`), where the directory is, and in western
 * Europe (`weur`). Assumed: what providers of clouds publish for their regions in these cities and in Virginia, rounded (November 2026).
 */
const cities = {
  'New York': { enam: 10, weur: 80 },
  'São Paulo': { enam: 115, weur: 195 },
  London: { enam: 75, weur: 10 },
  Frankfurt: { enam: 90, weur: 10 },
  Singapore: { enam: 220, weur: 160 },
};

type Distance = (typeof cities)['London'];
type Region = keyof Distance;

/** From a caller to the nearest data centre, within one data centre, and a batch in its database. Assumed. */
const [lastMileMs, besideMs, batchMs] = [10, 2, 4];

/** Two round trips that a key had of its own until it was looked for in the first batch, and stored after the response. */
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

/** One in twenty long trips takes a third longer. So the 95th percentile of one to four of them has one that does. */
const slowShare = 1 / 3;

/** From one of the two regions to the other. Assumed, as the cities. */
const betweenMs = 90;

const total = (far: number, rest: number): string =>
  [0, slowShare]
    .map((share, index) => Math.round(lastMileMs + far + rest + (index && share * far)))
    .join('/');

/** Near the caller each batch is a long trip. */
function nearCaller(distance: Distance, region: Region, batches: number, lookups: number) {
  const far = distance[region];
  const rest = far * (batches - 1) + distance.enam * lookups + batchMs * (batches + lookups);
  return total(far, rest);
}

/** Near the databases one long trip is all. */
const nearDatabases = ({ enam }: Distance, batches: number) =>
  total(enam, (batchMs + besideMs) * batches);

/** The table of `src/platform/SCALE.md`. */
export function latencyTable(): string {
  const head = ['City', ...requests.map(({ name }) => name)];
  const rows = Object.entries(cities).map(([city, distance]) => [
    city,
    ...requests.map(
      ({ before, now, directory }) =>
        `${nearCaller(distance, 'enam', before, directory)} → ${nearDatabases(distance, now + directory)}`,
    ),
  ]);
  return tableOf(head, rows);
}

/** The requests of the second table. The region is known after the first request of a key, and of an access token at once. */
const regionRequests = [
  { name: 'GET, known key', batches: roundTrips.simple, lookups: 0, isFirst: false },
  {
    name: 'GET, key unknown to the isolate',
    batches: roundTrips.simple,
    lookups: roundTrips.unknownKey,
    isFirst: false,
  },
  { name: 'POST product', batches: roundTrips.product, lookups: 0, isFirst: false },
  {
    name: 'POST product as the first request of a key',
    batches: roundTrips.product,
    lookups: roundTrips.unknownKey,
    isFirst: true,
  },
] as const;

/** By the Worker of the region of the store, or of the directory (`enam`) for a first request. A handed-on request costs a step. */
function byRegion(
  { enam, weur }: Distance,
  region: Region,
  { batches, lookups, isFirst }: (typeof regionRequests)[number],
) {
  const isOfDirectory = region === 'enam' || isFirst;
  const batch = batchMs + (region === 'enam' || !isFirst ? besideMs : betweenMs);
  const lookup = batchMs + (isOfDirectory ? besideMs : betweenMs);
  return total(isOfDirectory ? enam : weur, besideMs + batch * batches + lookup * lookups);
}

/** The table of two regions in `src/platform/SCALE.md`. */
export function regionsTable(): string {
  const head = ['City', 'Store in', ...regionRequests.map(({ name }) => name)];
  const rows = Object.entries(cities).flatMap(([city, distance]) =>
    (['enam', 'weur'] as const).map((region) => [
      city,
      `\`${region}\``,
      ...regionRequests.map((request) => {
        const before = nearCaller(distance, region, request.batches, request.lookups);
        return `${before} → ${byRegion(distance, region, request)}`;
      }),
    ]),
  );
  return tableOf(head, rows);
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(`${latencyTable()}\n\n${regionsTable()}`);
}
