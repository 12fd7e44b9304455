/**
 * Measures what a search in a large store costs beside the same in a small one, and what a record
 * costs beside searches. `node test/bench/search-load.ts` runs only this part.
 */
import autocannon from 'autocannon';
import { apiKeyHeaders } from '../support/node/runtime/seed-store.ts';
import { startService, type RunningService } from '../support/node/runtime/service.ts';
import { fillStore } from './fill.ts';

const pairs = Number(process.env.BENCH_PAIRS ?? 200);

/** Sizes of the store: the smaller one is the measure of the larger one. */
const sizes = [1_000, 100_000] as const;

/**
 * The path of a list in a store of a size, and how many times as long the larger store may take.
 */
interface Load {
  name: string;
  path: (size: number) => string;
  atMost?: number;
}

const onePath = '/catalog/products/1000001';

const tenthPath = '/catalog/products?q=listrado';

const loads: Load[] = [
  { name: 'one product', path: () => onePath },
  {
    name: 'search with one match',
    path: (size) => `/catalog/products?q=produto+${Math.floor(size * 0.735_219)}`,
  },
  {
    name: 'search that a tenth matches',
    path: () => tenthPath,
    atMost: 1.5,
  },
  { name: 'search that all match', path: () => '/catalog/products?q=produto' },
];

const addressOf = (service: RunningService, path: string) => `${service.url}v2/bench${path}`;

/** Milliseconds until the whole response is there. */
async function time(address: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(address, { headers: apiKeyHeaders });
  await response.text();
  if (!response.ok) throw new Error(`${response.status} from ${address}`);
  return performance.now() - startedAt;
}

/** Throws unless the search finds a tenth of the store, or as much of it as a search counts. */
async function checkMatches(address: string, size: number): Promise<void> {
  const response = await fetch(address, { headers: apiKeyHeaders });
  const { meta } = (await response.json()) as { meta: { pagination: { total: number } } };
  const { total } = meta.pagination;
  if (total !== Math.min(size / 10, 1_000)) throw new Error(`${total} matches of ${size} products`);
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * Times of both addresses in turns, of which the first one changes. The first tenth warms them up.
 */
async function timeInTurns(addresses: readonly [string, string]): Promise<[number, number][]> {
  const times: [number, number][] = [];
  for (let turn = 0; turn < pairs * 1.1; turn += 1) {
    const isForward = turn % 2 === 0;
    const one = await time(addresses[isForward ? 0 : 1]);
    const other = await time(addresses[isForward ? 1 : 0]);
    times.push(isForward ? [one, other] : [other, one]);
  }
  return times.slice(-pairs);
}

/**
 * Prints both medians and the median of the ratios of pairs. A ratio above its line fails the run.
 */
function printPairs(name: string, times: readonly [number, number][], atMost = Infinity): void {
  const ratio = median(times.map(([small, large]) => large / small));
  const isAbove = !(ratio <= atMost);
  if (isAbove) process.exitCode = 1;
  const medians = sizes.map((_, index) => median(times.map((pair) => pair[index]!)));
  const verdict = atMost === Infinity ? '' : `   at most ${atMost}${isAbove ? ': ABOVE' : ''}`;
  console.log(
    `  ${name.padEnd(54)}${medians.map((ms) => ms.toFixed(1).padStart(9)).join('')}   ${ratio.toFixed(2)} times${verdict}`,
  );
}

/** Reads an address over four connections until it is stopped. */
function startReaders(url: string): { stop: () => Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<number>();
  const options = { url, headers: apiKeyHeaders, connections: 4, duration: 600 };
  const readers = autocannon(options, (_error, { non2xx, errors }) => resolve(non2xx + errors));
  return {
    stop: async () => {
      readers.stop();
      const failed = await promise;
      if (failed > 0) throw new Error(`${failed} responses failed beside: ${url}`);
    },
  };
}

/** Prints latencies of a record and of searches in a small and a large store. */
export async function compareSearches(): Promise<void> {
  const services = [await startService(), await startService()] as const;
  for (const [index, service] of services.entries()) {
    const database = (await service.runtime.getD1Database('STORE_0')) as unknown as D1Database;
    await fillStore(database, 1, sizes[index]!);
  }
  const addresses = (path: Load['path']) =>
    [addressOf(services[0], path(sizes[0])), addressOf(services[1], path(sizes[1]))] as const;
  const tenths = addresses(() => tenthPath);
  for (const [index, size] of sizes.entries()) await checkMatches(tenths[index]!, size);
  console.log(`latency in ms with ${sizes.join(' and ')} products, median of ${pairs} pairs`);
  for (const { name, path, atMost } of loads) {
    printPairs(name, await timeInTurns(addresses(path)), atMost);
  }
  for (const { name, path } of loads) {
    const readers = addresses(path).map(startReaders);
    const times = await timeInTurns(addresses(() => onePath));
    printPairs(`one product beside four: ${name}`, times);
    for (const { stop } of readers) await stop();
  }
  for (const service of services) await service.stop();
}

if (import.meta.main) await compareSearches();
