import { setTimeout } from 'node:timers/promises';
import { createCaller } from '../support/node/runtime/api.ts';
import { seedStore } from '../support/node/runtime/seed-store.ts';
import type { RunningService } from '../support/node/runtime/service.ts';
import { p95 } from '../support/p95.ts';

/** Another store, and one of its products. */
interface Store {
  api: RunningService['api'];
  product: number;
}

/**
 * A store of the same shard, and one of another shard: what the second one notices is the machine,
 * not the shard.
 */
interface Neighbours {
  same: Store;
  other: Store;
}

/** Milliseconds of requests to both. */
type Times = Record<keyof Neighbours, number[]>;

/** Milliseconds between two requests to each store, whose kinds take turns. */
const intervalMs = 20;

/** Requests to each store before and after each round of work. */
const quietRequests = 120;

/** Sends requests to both stores one by one while `isActive`. */
async function measureBoth(
  neighbours: Neighbours,
  isActive: (count: number) => boolean,
): Promise<Times> {
  const times: Times = { same: [], other: [] };
  for (let count = 0; isActive(count); count += 1) {
    for (const place of ['same', 'other'] as const) {
      const { api, product } = neighbours[place];
      const requests = [
        () => api(`GET /catalog/products/${product}`),
        () => api('GET /catalog/products?limit=10&include=skus'),
        () => api(`PUT /catalog/products/${product}`, { name: `Name ${count}` }),
      ];
      const startedAt = performance.now();
      await requests[count % requests.length]!();
      times[place].push(performance.now() - startedAt);
      await setTimeout(intervalMs / 2);
    }
  }
  return times;
}

/** Creates a store with some products. */
async function createStore(
  { runtime, url }: RunningService,
  alias: string,
  shard: number,
): Promise<Store> {
  await seedStore(runtime, alias, shard);
  const api = createCaller(url, [200, 201], alias);
  const { body: brand } = await api('POST /catalog/brands', { name: 'Sol', active: true });
  let product = 0;
  for (let n = 0; n < 50; n += 1) {
    const { body } = await api('POST /catalog/products', {
      name: 'Sample',
      simple: true,
      active: true,
      brand_id: brand.data.id,
      skus: [{ sku: `OTHER-${n}`, price_sale: 1 }],
    });
    product = body.data.id;
  }
  return { api, product };
}

/** Creates the other stores. Their code is compiled before it is measured. */
export async function createNeighbours(service: RunningService): Promise<Neighbours> {
  const neighbours = {
    same: await createStore(service, 'other', 0),
    other: await createStore(service, 'elsewhere', 1),
  };
  await measureBoth(neighbours, (count) => count < 60);
  return neighbours;
}

/**
 * Runs the rounds of a work beside the other stores, with times of quiet between them. Prints what
 * they notice: the 95th percentile of their requests beside all rounds, over that of all quiet
 * ones. The store of another shard notices the Worker and the other databases, which share its
 * thread here; fails the run if that of the same shard notices more than `atMost` times as much.
 */
export async function compare(
  title: string,
  neighbours: Neighbours,
  rounds: readonly (() => Promise<unknown>)[],
  atMost = Infinity,
): Promise<void> {
  const quiet: Times = { same: [], other: [] };
  const beside: Times = { same: [], other: [] };
  const add = (all: Times, times: Times) => {
    all.same.push(...times.same);
    all.other.push(...times.other);
  };
  const wait = async () => add(quiet, await measureBoth(neighbours, (n) => n < quietRequests));
  let seconds = 0;
  for (const work of rounds) {
    await wait();
    let isOver = false;
    const startedAt = performance.now();
    const working = work().finally(() => (isOver = true));
    add(beside, await measureBoth(neighbours, () => !isOver));
    await working;
    seconds += (performance.now() - startedAt) / 1000;
  }
  await wait();
  const ratioOf = (place: keyof Neighbours) => p95(beside[place]) / p95(quiet[place]);
  const ratio = ratioOf('same') / ratioOf('other');
  const isAbove = !(ratio <= atMost);
  if (isAbove) process.exitCode = 1;
  const verdict = atMost === Infinity ? '' : `, at most ${atMost}${isAbove ? ': ABOVE' : ''}`;
  const count = beside.same.length;
  console.log(
    `${title}: ${seconds.toFixed(0)} s in ${rounds.length} rounds; p95 of a store of the shard ${p95(quiet.same).toFixed(1)} ms without, ${p95(beside.same).toFixed(1)} ms beside it (${count} requests): ${ratioOf('same').toFixed(2)} times; of one of another shard ${ratioOf('other').toFixed(2)} times; by the shard ${ratio.toFixed(2)} times${verdict}`,
  );
}
