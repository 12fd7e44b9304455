import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { buildWorker } from '../support/node/runtime/bundle.ts';
import { migrateRuntime, startRuntime } from '../support/node/runtime/runtime.ts';
import { apiKeyHeaders, seedStore } from '../support/node/runtime/seed-store.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const connections = 10;

const scratch = mkdtempSync(join(tmpdir(), 'store-api-bench-'));

interface RunningWorker {
  name: string;
  url: string;
}

interface Load {
  name: string;
  /** The wanted share of the throughput of the bare Worker. */
  aim: number;
  request: (n: number) => { method: 'GET' | 'POST'; path: string; body?: string };
}

const loads: Load[] = [
  {
    name: 'GET brands/{id}',
    aim: 0.7,
    request: (n) => ({ method: 'GET', path: `/v2/bench/catalog/brands/${(n % 200) + 1}` }),
  },
  {
    name: 'GET brands (10)',
    aim: 0.7,
    request: () => ({ method: 'GET', path: '/v2/bench/catalog/brands' }),
  },
  {
    name: 'POST brands',
    aim: 0.6,
    request: (n) => ({
      method: 'POST',
      path: '/v2/bench/catalog/brands',
      body: JSON.stringify({ name: `Marca ${n} ${process.hrtime.bigint()}`, active: true }),
    }),
  },
];

/** Returns the successful requests per second; any other response ends the bench. */
async function throughput({ url }: RunningWorker, load: Load, duration: number): Promise<number> {
  let sent = 0;
  const result = await autocannon({
    url,
    connections,
    duration,
    headers: { ...apiKeyHeaders, 'content-type': 'application/json' },
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

async function startWorker(
  name: string,
  script: string,
): Promise<RunningWorker & { stop: () => Promise<void> }> {
  const runtime = await startRuntime({ script, persist: join(scratch, name) });
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

/** Prints the throughput of three operations next to a bare Worker with the same SQL, in interleaved rounds. */
export async function compareRequests(): Promise<void> {
  const build = await buildWorker();
  const ours = await startWorker('ours', build.script);
  const bare = await startWorker('bare', buildBareWorker());
  console.log(`${rounds} interleaved rounds of ${seconds} s, ${connections} connections, medians`);
  for (const load of loads) {
    await throughput(ours, load, 1);
    await throughput(bare, load, 1);
    const results = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      results.bare.push(await throughput(bare, load, seconds));
      results.ours.push(await throughput(ours, load, seconds));
    }
    const ratio = median(
      results.ours.map((value, round) => value / (results.bare[round] ?? value)),
    );
    const [ourRate, bareRate] = [median(results.ours), median(results.bare)].map((value) =>
      value.toFixed(0).padStart(6),
    );
    console.log(
      `${load.name.padEnd(18)} ours ${ourRate}/s  bare ${bareRate}/s  ratio ${ratio.toFixed(2)} (aim ${load.aim})`,
    );
  }
  await Promise.all([ours.stop(), bare.stop()]);
  rmSync(scratch, { recursive: true });
  rmSync(build.folder, { recursive: true });
}
