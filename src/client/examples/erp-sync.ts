/**
 * An ERP that brings its catalogue into a store and keeps the stock right. It imports all products
 * once, as jobs of up to 10,000 lines, then sends the counted stock, 500 SKUs a call. It remembers
 * what is done in a file, so that it goes on where it was stopped; whatever is sent twice changes
 * nothing.
 *
 * STORE_API_URL=http://localhost:8787 STORE_API_STORE=demo STORE_API_TOKEN=... STORE_API_SECRET=...
 * \
 *     node erp-sync.ts --skus 20000 --progress progress.json
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ApiError, client, type Shop } from 'online-store-administration-client';

const { values } = parseArgs({
  options: {
    skus: { type: 'string', default: '20000' },
    progress: { type: 'string', default: 'erp-progress.json' },
  },
});
const skuCount = Number(values.skus);
const skusPerProduct = 4;
const linesPerImport = 10_000;
const itemsPerCall = 500;

/** The progress so far. A real ERP keeps this in its own database. */
interface Progress {
  /** Distinguishes this run from earlier ones in the idempotency keys. */
  run: string;
  brandId?: number;
  /** Ids of the imports that were begun, by number. */
  imports: number[];
  importsDone: number;
  stockSent: number;
}

const progress: Progress = existsSync(values.progress)
  ? (JSON.parse(readFileSync(values.progress, 'utf8')) as Progress)
  : { run: crypto.randomUUID(), imports: [], importsDone: 0, stockSent: 0 };

/** Replaces the file at once, so that a stop leaves the old progress or the new one. */
function save(change: Partial<Progress>) {
  Object.assign(progress, change);
  writeFileSync(`${values.progress}.new`, JSON.stringify(progress));
  renameSync(`${values.progress}.new`, values.progress);
}

/** Stands for the table of products of an ERP: yields one product with its SKUs at a time. */
function* readProducts(brandId: number, from: number, to: number) {
  for (let product = from; product < to; product++) {
    const code = String(product).padStart(6, '0');
    yield {
      slug: `erp-${code}`,
      erp_id: code,
      name: `Camiseta ${code}`,
      simple: false,
      active: true,
      brand_id: brandId,
      skus: ['P', 'M', 'G', 'GG'].slice(0, skusPerProduct).map((size) => ({
        sku: `ERP-${code}-${size}`,
        price_sale: 49.9,
        quantity: 0,
        quantity_managed: true,
        variations: [{ name: 'Tamanho', value: size }],
      })),
    };
  }
}

/** Stands for the stock table: the counted units of a SKU. */
function readStock(index: number) {
  const code = String(Math.floor(index / skusPerProduct)).padStart(6, '0');
  const size = ['P', 'M', 'G', 'GG'][index % skusPerProduct];
  return { sku: `ERP-${code}-${size}`, quantity: (index * 7) % 50 };
}

/** Finds the brand of the products, or creates it. */
async function findBrand(shop: Shop): Promise<number> {
  const [known] = await shop.brands.list({ name: 'ERP' }).all({ limit: 1 });
  if (known) return known.id;
  const brand = await shop.brands.create({ name: 'ERP', active: true });
  return brand.id;
}

/** Imports all products. A file that was sent already is waited for, not sent again. */
async function importProducts(shop: Shop, brandId: number) {
  const products = Math.ceil(skuCount / skusPerProduct);
  for (
    let start = progress.importsDone * linesPerImport;
    start < products;
    start += linesPerImport
  ) {
    const number = start / linesPerImport;
    const end = Math.min(start + linesPerImport, products);
    if (progress.imports[number] === undefined) {
      const idempotencyKey = `${progress.run} import ${number}`;
      const begun = await shop.imports.create(readProducts(brandId, start, end), {
        idempotencyKey,
      });
      save({ imports: [...progress.imports, begun.id] });
    }
    const job = await shop.imports.wait(progress.imports[number] ?? 0, {
      onProgress: ({ state, done, total }) =>
        console.log(`import ${number}: ${state}, ${done} of ${total} products`),
    });
    for await (const { line, field, message } of shop.imports.listErrors(job.id)) {
      console.error(`import ${number}, line ${line}, ${field}: ${message}`);
    }
    if (job.state !== 'done') throw new Error(`Import ${job.id} is ${job.state}: ${job.reason}`);
    save({ importsDone: number + 1 });
    console.log(
      `import ${number}: ${job.created} created, ${job.updated} updated, ${job.failed} failed`,
    );
  }
}

/** Sends the counted stock of all SKUs. */
async function sendStock(shop: Shop) {
  let failed = 0;
  for (let start = progress.stockSent; start < skuCount; start += itemsPerCall) {
    const end = Math.min(start + itemsPerCall, skuCount);
    const items = Array.from({ length: end - start }, (_, index) => readStock(start + index));
    const results = await shop.bulkChanges.changeStocks({ items });
    for (const { index, status, errors } of results) {
      if (status !== 'failed') continue;
      failed += 1;
      console.error(`${items[index]?.sku}: ${JSON.stringify(errors)}`);
    }
    save({ stockSent: end });
    console.log(`stock: ${end} of ${skuCount} SKUs`);
  }
  return failed;
}

const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('Stopped. Start again to go on from here.')));

const shop = client({
  baseUrl: process.env['STORE_API_URL'] ?? 'http://localhost:8787',
  store: process.env['STORE_API_STORE'] ?? 'demo',
  apiKey: {
    token: process.env['STORE_API_TOKEN'] ?? '',
    secret: process.env['STORE_API_SECRET'] ?? '',
  },
  signal: stop.signal,
});

try {
  save({ brandId: progress.brandId ?? (await findBrand(shop)) });
  const begin = Date.now();
  await importProducts(shop, progress.brandId ?? 0);
  const imported = Date.now();
  const failed = await sendStock(shop);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  console.log(
    `done: ${skuCount} SKUs, import ${seconds(imported - begin)}, stock ${seconds(Date.now() - imported)}`,
  );
  process.exitCode = failed > 0 ? 1 : 0;
} catch (error) {
  // An ApiError says how to continue, and names the request for the support.
  if (error instanceof ApiError) console.error(`${error.message}\nRequest ${error.requestId}`);
  else console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
