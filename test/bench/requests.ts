import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { sampleAddress, sampleCustomer } from '../support/fixtures/sample-data.ts';
import { buildWorker } from '../support/node/runtime/bundle.ts';
import { migrateRuntime, startRuntime } from '../support/node/runtime/runtime.ts';
import { apiKeyHeaders, seedStore } from '../support/node/runtime/seed-store.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const connections = 10;

const headers = { ...apiKeyHeaders, 'content-type': 'application/json' };

const scratch = mkdtempSync(join(tmpdir(), 'store-api-bench-'));

interface RunningWorker {
  name: string;
  url: string;
}

interface Load {
  name: string;
  request: (n: number) => { method: 'GET' | 'POST'; path: string; body?: string };
}

/** A load that the bare Worker can answer, too, with the wanted share of its throughput. */
interface ComparedLoad extends Load {
  aim: number;
}

const loads: ComparedLoad[] = [
  {
    name: 'GET brands/{id}',
    aim: 0.9,
    request: (n) => ({ method: 'GET', path: `/v2/bench/catalog/brands/${(n % 200) + 1}` }),
  },
  {
    name: 'GET brands (10)',
    aim: 0.85,
    request: () => ({ method: 'GET', path: '/v2/bench/catalog/brands' }),
  },
  {
    name: 'POST brands',
    aim: 0.85,
    request: (n) => ({
      method: 'POST',
      path: '/v2/bench/catalog/brands',
      body: JSON.stringify({ name: `Marca ${n} ${process.hrtime.bigint()}`, active: true }),
    }),
  },
];

/** Returns the successful requests per second; any other response ends the bench. */
async function throughput(
  { url }: Pick<RunningWorker, 'url'>,
  load: Load,
  duration: number,
): Promise<number> {
  let sent = 0;
  const result = await autocannon({
    url,
    connections,
    duration,
    headers,
    requests: [
      {
        setupRequest: (request) => {
          sent += 1;
          return { ...request, ...load.request(sent) };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${load.name} at ${url}: ${result.non2xx} without 2xx, ${result.errors} failed`,
    );
  }
  return result['2xx'] / result.duration;
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** As a deployment logs. */
const bindings = { READS_PER_LOG_LINE: String(10), SUCCESSES_PER_ROW: String(100) };

async function startWorker(
  name: string,
  script: string,
): Promise<RunningWorker & { stop: () => Promise<void> }> {
  const runtime = await startRuntime({ script, persist: join(scratch, name), bindings });
  await migrateRuntime(runtime);
  await seedStore(runtime);
  const store = await runtime.getD1Database('STORE_0');
  await store.batch(
    Array.from({ length: 200 }, (_, n) =>
      store
        .prepare(
          'insert into brands (store_id, name, name_key, name_folded, active, featured, created_at, updated_at) values (1, ?1, ?1, ?1, 1, 0, ?2, ?2)',
        )
        .bind(`brand ${n}`, Date.now()),
    ),
  );
  const url = (await runtime.ready).href;
  return { name, url, stop: () => runtime.dispose() };
}

function buildBareWorker(): string {
  const out = join(scratch, 'bare.js');
  execFileSync('esbuild', ['test/bench/bare.ts', '--bundle', '--format=esm', `--outfile=${out}`], {
    stdio: 'ignore',
  });
  return out;
}

/** Two larger operations, which have no counterpart in the bare Worker: a product with its relations, and an order. */
async function prepareLargerLoads({ url }: RunningWorker): Promise<Load[]> {
  const create = async (path: string, body: object) => {
    const response = await fetch(`${url}v2/bench${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    const { data } = await response.json<{ data: { id: number } }>();
    return data.id;
  };
  const brandId = await create('/catalog/brands', { name: 'Marca', active: true });
  const product = { name: 'Camiseta', simple: true, active: true, brand_id: brandId };
  const productId = await create('/catalog/products', product);
  const sku = { sku: 'UM', price_sale: 2, quantity: 1, quantity_managed: false };
  const skuId = await create(`/catalog/products/${productId}/skus`, sku);
  const customerId = await create('/customers', sampleCustomer);
  const addressId = await create(`/customers/${customerId}/addresses`, sampleAddress);
  const order = {
    customer_id: customerId,
    shipping_address_id: addressId,
    items: [{ sku_id: skuId, quantity: 1 }],
  };
  return [
    {
      name: 'GET products/{id}, 4 includes',
      request: () => ({
        method: 'GET',
        path: `/v2/bench/catalog/products/${productId}?include=skus,brand,images,categories`,
      }),
    },
    {
      name: 'POST orders',
      request: () => ({ method: 'POST', path: '/v2/bench/orders', body: JSON.stringify(order) }),
    },
  ];
}

/** The same Worker without its log, which the local runtime writes line by line to the process of the load generator. */
function silence(script: string): string {
  const out = join(scratch, 'silent.js');
  writeFileSync(out, `console.log = () => {};\n${readFileSync(script, 'utf8')}`);
  return out;
}

const format = (rate: number) => `${rate.toFixed(0).padStart(6)}/s`;

/** Prints the throughput of three operations next to a bare Worker over the same rows, in interleaved rounds. */
export async function compareRequests(): Promise<void> {
  const build = await buildWorker();
  const bare = await startWorker('bare', buildBareWorker());
  const ours = await startWorker('ours', build.script);
  const silent = await startWorker('silent', silence(build.script));
  const contenders = [bare, ours, silent];
  console.log(`${rounds} interleaved rounds of ${seconds} s, ${connections} connections, medians`);
  for (const load of loads) {
    for (const contender of contenders) await throughput(contender, load, seconds);
    const results: Record<string, number[]> = { bare: [], ours: [], silent: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const contender of contenders) {
        results[contender.name]?.push(await throughput(contender, load, seconds));
      }
    }
    const { bare: bareRates = [], ours: ourRates = [], silent: silentRates = [] } = results;
    const ratioOf = (rates: number[]) =>
      median(rates.map((rate, round) => rate / (bareRates[round] ?? rate))).toFixed(2);
    console.log(
      `${load.name.padEnd(16)} ours ${format(median(ourRates))}  bare ${format(median(bareRates))}  ratio ${ratioOf(ourRates)} (aim ${load.aim}), without the log ${ratioOf(silentRates)}`,
    );
  }
  for (const load of await prepareLargerLoads(ours)) {
    await throughput(ours, load, 1);
    console.log(`${load.name} ${format(await throughput(ours, load, seconds))}`);
  }
  await Promise.all(contenders.map(({ stop }) => stop()));
  rmSync(scratch, { recursive: true });
  rmSync(build.folder, { recursive: true });
}
