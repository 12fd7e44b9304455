/**
 * `npm run bench:bulk`: how long an import of 20,000 SKUs and 40 bulk changes of 500 take, and what another store of the same
 * shard notices. That is the 95th percentile of its requests beside the work, next to that without it, in turns.
 */
import { setTimeout } from 'node:timers/promises';
import { createCaller } from '../support/node/runtime/api.ts';
import { apiKeyHeadersOf, seedStore } from '../support/node/runtime/seed-store.ts';
import { startService, type RunningService } from '../support/node/runtime/service.ts';
import { p95 } from '../support/p95.ts';

const lines = Number(process.env.BENCH_LINES ?? 10_000);
const skusPerLine = 2;

/** Milliseconds between two requests of the other store, whose kinds take turns. */
const intervalMs = 20;

/** Requests of the other store before and after the work. */
const quietRequests = 400;

/** Sends requests of the other store one by one while `isActive`. Returns their times in milliseconds. */
async function measureNeighbour(
  api: RunningService['api'],
  product: number,
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

const fileOf = (brand: number) =>
  Array.from({ length: lines }, (_, n) =>
    JSON.stringify({
      name: `Camiseta ${n}`,
      slug: `camiseta-${n}`,
      simple: false,
      active: true,
      brand_id: brand,
      description: 'Algodão penteado, gola redonda, costura dupla. '.repeat(8),
      skus: Array.from({ length: skusPerLine }, (_sku, index) => ({
        sku: `CAM-${n}-${index}`,
        title: `Camiseta ${n} tamanho ${index}`,
        price_sale: 49.9,
        quantity: 100,
        variations: [{ name: 'Tamanho', value: `${index}` }],
      })),
    }),
  ).join('\n');

/** Runs `work` beside the other store, and prints how long it takes and what the other store notices. */
async function compare(
  title: string,
  neighbour: { api: RunningService['api']; product: number },
  work: () => Promise<unknown>,
): Promise<void> {
  const quietly = () =>
    measureNeighbour(neighbour.api, neighbour.product, (count) => count < quietRequests);
  const before = await quietly();
  let isOver = false;
  const startedAt = performance.now();
  const working = work().finally(() => (isOver = true));
  const beside = await measureNeighbour(neighbour.api, neighbour.product, () => !isOver);
  await working;
  const seconds = (performance.now() - startedAt) / 1000;
  const quiet = p95([...before, ...(await quietly())]);
  const ratio = p95(beside) / quiet;
  console.log(
    `${title}: ${seconds.toFixed(0)} s; the other store's p95 ${quiet.toFixed(1)} ms without, ${p95(beside).toFixed(1)} ms beside it (${beside.length} requests): ${ratio.toFixed(2)} times (aim: 1.5)`,
  );
}

/** Imports the file and waits for its end. */
async function importAll(service: RunningService, file: string): Promise<void> {
  const response = await fetch(`${service.url}v2/bench/catalog/imports`, {
    method: 'POST',
    headers: { ...apiKeyHeadersOf('bench'), 'Content-Type': 'application/x-ndjson' },
    body: file,
  });
  const { data } = (await response.json()) as { data: { id: number } };
  for (;;) {
    await setTimeout(1_000);
    const { body } = await service.api(`GET /catalog/imports/${data.id}`);
    if (body.data.state === 'done' && body.data.failed === 0) return;
    if (!['waiting', 'running'].includes(body.data.state as string)) {
      throw new Error(JSON.stringify(body));
    }
  }
}

const service = await startService();
await seedStore(service.runtime, 'other');
const api = createCaller(service.url, [200, 201], 'other');
const newBrand = { name: 'Sol', active: true };
const { body: otherBrand } = await api('POST /catalog/brands', newBrand);
const { body: brand } = await service.api('POST /catalog/brands', newBrand);
const sample = { name: 'Sample', simple: true, active: true };
let product = 0;
for (let n = 0; n < 50; n += 1) {
  const { body } = await api('POST /catalog/products', {
    ...sample,
    brand_id: otherBrand.id ?? otherBrand.data.id,
    skus: [{ sku: `OTHER-${n}`, price_sale: 1 }],
  });
  product = body.data.id;
}
const neighbour = { api, product };
const skuCount = lines * skusPerLine;
// Without the time that code takes until it is compiled.
await measureNeighbour(api, product, (count) => count < 60);
const file = fileOf(brand.id ?? brand.data.id);
await compare(`import of ${skuCount} SKUs`, neighbour, () => importAll(service, file));
await compare(`import of the same ${skuCount} SKUs`, neighbour, () => importAll(service, file));
// As fast as one connection can, and as fast as the usual rate limit allows.
for (const [pauseMs, quantity] of [
  [0, 90],
  [2_000, 80],
] as const) {
  await compare(`40 calls of 500 stocks, ${pauseMs} ms apart`, neighbour, async () => {
    for (let call = 0; call < 40; call += 1) {
      const items = Array.from({ length: 500 }, (_, n) => {
        const sku = (call * 500 + n) % skuCount;
        return { sku: `CAM-${Math.floor(sku / skusPerLine)}-${sku % skusPerLine}`, quantity };
      });
      await service.api('PUT /catalog/stocks', { items });
      await setTimeout(pauseMs);
    }
  });
}
await service.stop();
