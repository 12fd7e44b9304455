/**
 * `npm run bench:bulk`: how long an import of 20,000 SKUs and 40 bulk changes of 500 take, and what another store of the same
 * shard notices. That is the 95th percentile of its requests beside the work, next to that without it, in turns.
 */
import { setTimeout } from 'node:timers/promises';
import { apiKeyHeadersOf } from '../support/node/runtime/seed-store.ts';
import { startService, type RunningService } from '../support/node/runtime/service.ts';
import { compare, createNeighbour } from './neighbour.ts';

const lines = Number(process.env.BENCH_LINES ?? 10_000);
const skusPerLine = 2;

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
const neighbour = await createNeighbour(service);
const { body: brand } = await service.api('POST /catalog/brands', { name: 'Sol', active: true });
const skuCount = lines * skusPerLine;
const file = fileOf(brand.id ?? brand.data.id);
await compare(`import of ${skuCount} SKUs`, neighbour, () => importAll(service, file), 1.5);
await compare(
  `import of the same ${skuCount} SKUs`,
  neighbour,
  () => importAll(service, file),
  1.5,
);
// As fast as one connection can, and as fast as the usual rate limit allows.
for (const [pauseMs, quantity] of [
  [0, 90],
  [2_000, 80],
] as const) {
  await compare(
    `40 calls of 500 stocks, ${pauseMs} ms apart`,
    neighbour,
    async () => {
      for (let call = 0; call < 40; call += 1) {
        const items = Array.from({ length: 500 }, (_, n) => {
          const sku = (call * 500 + n) % skuCount;
          return { sku: `CAM-${Math.floor(sku / skusPerLine)}-${sku % skusPerLine}`, quantity };
        });
        await service.api('PUT /catalog/stocks', { items });
        await setTimeout(pauseMs);
      }
    },
    1.5,
  );
}
await service.stop();
