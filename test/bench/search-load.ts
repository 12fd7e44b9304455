/** Measures what searches in a store cost itself, and other requests to the same database. */
import autocannon from 'autocannon';
import { apiKeyHeaders } from '../support/node/runtime/seed-store.ts';
import { startService, type RunningService } from '../support/node/runtime/service.ts';
import { fillStore } from './fill.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 4);

/** Sizes of the store: the smaller one is the measure of the larger one. */
const sizes = [2_000, 100_000] as const;

/** Runs a load of one path, and returns its median latency in milliseconds. */
async function medianOf(
  service: RunningService,
  path: string,
  connections: number,
): Promise<number> {
  const result = await autocannon({
    url: `${service.url}v2/bench${path}`,
    headers: apiKeyHeaders,
    connections,
    duration: seconds,
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} responses of ${path} failed`);
  // Whole milliseconds are too coarse for the fastest ones.
  return connections === 1 ? 1_000 / result.requests.average : result.latency.p50;
}

/** Prints latencies of a record and of searches in a small and a large store. */
export async function compareSearches(): Promise<void> {
  const found: Record<string, number>[] = [];
  for (const size of sizes) {
    const service = await startService();
    const database = (await service.runtime.getD1Database('STORE_0')) as unknown as D1Database;
    await fillStore(database, 1, size);
    const one = '/catalog/products/1000001';
    const rare = `/catalog/products?q=produto+${Math.floor(size * 0.735_219)}`;
    const many = '/catalog/products?q=produto';
    const beside = async (path: string) => {
      const load = medianOf(service, path, 4);
      const [median] = await Promise.all([medianOf(service, one, 1), load]);
      return median;
    };
    found.push({
      'one product': await medianOf(service, one, 1),
      'beside four readers of one product': await beside(one),
      'beside four searches with one match': await beside(rare),
      'beside four searches with many matches': await beside(many),
      'search with one match, 8 connections': await medianOf(service, rare, 8),
      'search with many matches, 8 connections': await medianOf(service, many, 8),
    });
    await service.stop();
  }
  console.log(`latency in ms with ${sizes.join(' and ')} products`);
  for (const name of Object.keys(found[0] ?? {})) {
    const values = found.map((one) => (one[name] ?? Number.NaN).toFixed(1).padStart(9));
    console.log(`  ${name.padEnd(44)}${values.join('')}`);
  }
}
