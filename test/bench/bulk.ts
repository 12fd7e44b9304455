/**
 * `npm run bench:bulk`: how long imports of 10,000 and of 50,000 products and 40 bulk changes of
 * 500 take, and what another store of the same shard notices: the 95th percentile of its requests
 * beside the work, over that without it. The run fails if that is more than 1.5 times what a store
 * of another shard notices.
 */
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { apiKeyHeadersOf } from '../support/node/runtime/seed-store.ts';
import { startService, type RunningService } from '../support/node/runtime/service.ts';
import { compare, createNeighbours } from './neighbour.ts';

const lines = Number(process.env.BENCH_LINES ?? 10_000);
const products = Number(process.env.BENCH_PRODUCTS ?? 50_000);
const skusPerLine = 2;

/** Parts of each work, with times of quiet between them. */
const rounds = 5;

/** What another store of the shard notices of the work, over what one of another shard does. */
const atMost = 1.5;

/**
 * Ten times the 11 lines a second of a busy machine before chunks shared statements; and 50,000
 * products in two minutes, without their events, which would pass the budget of a day.
 */
const aims = [
  { count: lines, prefix: 'a-', aim: 110, query: '' },
  { count: products, prefix: 'b-', aim: 50_000 / 120, query: '?product_events=false' },
];

const fileOf = (brand: number, count: number, prefix = '', from = 0) =>
  Array.from({ length: count }, (_, index) => {
    const n = from + index;
    return JSON.stringify({
      name: `Camiseta ${n}`,
      slug: `${prefix}camiseta-${n}`,
      simple: false,
      active: true,
      brand_id: brand,
      description: 'Algodão penteado, gola redonda, costura dupla. '.repeat(8),
      skus: Array.from({ length: skusPerLine }, (_sku, size) => ({
        sku: `${prefix}CAM-${n}-${size}`,
        title: `Camiseta ${n} tamanho ${size}`,
        price_sale: 49.9,
        quantity: 100,
        variations: [{ name: 'Tamanho', value: `${size}` }],
      })),
    });
  }).join('\n');

/**
 * Prints whether an import is as fast as it should be, with the load of the machine, which a wall
 * clock depends on.
 */
async function timeImport(
  service: RunningService,
  file: string,
  { aim, query }: { aim: number; query: string },
): Promise<void> {
  const count = file.split('\n').length;
  const startedAt = performance.now();
  await importAll(service, file, query);
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  const outcome = perSecond >= aim ? 'met' : 'missed';
  console.log(
    `import of ${count} products: ${(count / perSecond).toFixed(0)} s, ${perSecond.toFixed(0)} lines a second, load average ${loadavg()[0]!.toFixed(1)} (aim: ${aim.toFixed(0)} lines a second, ${outcome})`,
  );
}

/** Imports the file and waits for its end. */
async function importAll(service: RunningService, file: string, query = ''): Promise<void> {
  const response = await fetch(`${service.url}v2/bench/catalog/imports${query}`, {
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
const neighbours = await createNeighbours(service);
const { body: brand } = await service.api('POST /catalog/brands', { name: 'Sol', active: true });
const skuCount = lines * skusPerLine;
const brandId = brand.id ?? brand.data.id;
for (const { count, prefix, ...how } of aims) {
  await timeImport(service, fileOf(brandId, count, prefix), how);
}
const imports = Array.from({ length: rounds }, (_, round) => {
  const count = Math.ceil(lines / rounds);
  const file = fileOf(brandId, count, '', round * count);
  return () => importAll(service, file);
});
for (const title of ['import', 'import of the same']) {
  await compare(`${title} of ${skuCount} SKUs`, neighbours, imports, atMost);
}
// As fast as one connection can, and as fast as the usual rate limit allows.
for (const [pauseMs, quantity] of [
  [0, 90],
  [2_000, 80],
] as const) {
  const change = async (call: number) => {
    const items = Array.from({ length: 500 }, (_, n) => {
      const sku = (call * 500 + n) % skuCount;
      return { sku: `CAM-${Math.floor(sku / skusPerLine)}-${sku % skusPerLine}`, quantity };
    });
    await service.api('PUT /catalog/stocks', { items });
    await setTimeout(pauseMs);
  };
  const changes = Array.from({ length: rounds }, (_, round) => async () => {
    for (let call = 0; call < 40 / rounds; call += 1) await change((round * 40) / rounds + call);
  });
  await compare(`40 calls of 500 stocks, ${pauseMs} ms apart`, neighbours, changes, atMost);
}
await service.stop();
