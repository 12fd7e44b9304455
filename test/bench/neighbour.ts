import { setTimeout } from 'node:timers/promises';
import { createCaller } from '../support/node/runtime/api.ts';
import { seedStore } from '../support/node/runtime/seed-store.ts';
import type { RunningService } from '../support/node/runtime/service.ts';
import { p95 } from '../support/p95.ts';

/** Another store of the same shard, and one of its products. */
interface Neighbour {
  api: RunningService['api'];
  product: number;
}

/** Milliseconds between two requests of the other store, whose kinds take turns. */
const intervalMs = 20;

/** Requests of the other store before and after the work. */
const quietRequests = 400;

/** Sends requests of the other store one by one while `isActive`. Returns their times in milliseconds. */
async function measureNeighbour(
  { api, product }: Neighbour,
  isActive: (count: number) => boolean,
): Promise<number[]> {
  const times: number[] = [];
  while (isActive(times.length)) {
    const requests = [
      () => api(`GET /catalog/products/${product}`),
      () => api('GET /catalog/products?limit=10&include=skus'),
      () => api(`PUT /catalog/products/${product}`, { name: `Name ${times.length}` }),
    ];
    const startedAt = performance.now();
    await requests[times.length % requests.length]!();
    times.push(performance.now() - startedAt);
    await setTimeout(intervalMs);
  }
  return times;
}

/** Creates the other store with some products. Its code is compiled before it is measured. */
export async function createNeighbour({ runtime, url }: RunningService): Promise<Neighbour> {
  await seedStore(runtime, 'other');
  const api = createCaller(url, [200, 201], 'other');
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
  await measureNeighbour({ api, product }, (count) => count < 60);
  return { api, product };
}

/** Runs `work` beside the other store, and prints how long it takes and what the other store notices. */
export async function compare(
  title: string,
  neighbour: Neighbour,
  work: () => Promise<unknown>,
  aim?: number,
): Promise<void> {
  const quietly = () => measureNeighbour(neighbour, (count) => count < quietRequests);
  const before = await quietly();
  let isOver = false;
  const startedAt = performance.now();
  const working = work().finally(() => (isOver = true));
  const beside = await measureNeighbour(neighbour, () => !isOver);
  await working;
  const seconds = (performance.now() - startedAt) / 1000;
  const quiet = p95([...before, ...(await quietly())]);
  const ratio = p95(beside) / quiet;
  console.log(
    `${title}: ${seconds.toFixed(0)} s; the other store's p95 ${quiet.toFixed(1)} ms without, ${p95(beside).toFixed(1)} ms beside it (${beside.length} requests): ${ratio.toFixed(2)} times${aim === undefined ? '' : ` (aim: ${aim})`}`,
  );
}
