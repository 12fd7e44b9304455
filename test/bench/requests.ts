import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../support/node/runtime/free-port.ts';
import {
  buildVersion,
  comparePairs,
  measure,
  quantile,
  startContender,
  type Load,
  type RunningContender,
} from './compare/compare.ts';
import { findWorkerPid } from './compare/worker-pid.ts';

/** `BENCH_ROUNDS`: pairs of each load and number of connections. */
const pairs = Number(process.env.BENCH_ROUNDS ?? 12);
/** With fewer, the compiler of the runtime still works on the larger of two Workers. */
const warmUpRequests = 3_000;
const requestsPerSide = 100;

interface ComparedLoad extends Load {
  /**
   * The share of the bare Worker's speed, by CPU time and eight connections, below which the
   * benchmark fails.
   */
  least: number;
}

const loads: ComparedLoad[] = [
  {
    name: 'one brand',
    least: 0.8,
    request: (n) => ({ method: 'GET', path: `/catalog/brands/${(n % 200) + 1}` }),
  },
  {
    name: 'ten brands',
    least: 0.75,
    request: () => ({ method: 'GET', path: '/catalog/brands' }),
  },
  {
    name: 'a new brand',
    least: 0.75,
    request: (n) => ({
      method: 'POST',
      path: '/catalog/brands',
      body: JSON.stringify({ name: `Marca ${n} ${process.hrtime.bigint()}`, active: true }),
    }),
  },
  {
    name: 'ten products with SKUs and brand',
    least: 0.75,
    request: () => ({
      method: 'GET',
      path: '/catalog/products?include=skus,brand&orderBy=id&sortedBy=desc',
    }),
  },
];

const scratch = mkdtempSync(join(tmpdir(), 'store-api-requests-'));

function buildBare(): string {
  const script = join(scratch, 'bare.js');
  const options = ['--bundle', '--format=esm', `--outfile=${script}`];
  execFileSync('esbuild', ['test/bench/bare.ts', ...options], { stdio: 'ignore' });
  return script;
}

/** Creates brands and the products that are listed. */
async function fill({ url, headers }: RunningContender, brands: number): Promise<void> {
  const create = async (path: string, body: object) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json<{ data: { id: number } }>()).data.id;
  };
  const brandId = await create('/catalog/brands', { name: 'Marca', active: true });
  for (let n = 0; n < brands; n += 1) {
    await create('/catalog/brands', { name: `brand ${n}`, active: true });
  }
  for (let n = 0; n < 10; n += 1) {
    await create('/catalog/products', {
      name: `Camiseta ${n}`,
      simple: true,
      active: true,
      brand_id: brandId,
      skus: [{ sku: `UM-${n}`, price_sale: 2, quantity: 1, quantity_managed: false }],
    });
  }
}

/**
 * `npm start` on a fresh state, as a contender: the first store and API key that its banner names.
 */
async function startLocal(): Promise<RunningContender> {
  const port = await freePort();
  const options = ['--port', `${port}`, '--state', join(scratch, 'local')];
  const child = spawn(process.execPath, ['src/demo/start.ts', ...options], { detached: true });
  let output = '';
  child.stderr.pipe(process.stderr);
  await new Promise<void>((ready, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (output.length < 100_000) output += chunk.toString();
      if (output.includes('Ctrl-C stops')) ready();
    });
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}`)));
  });
  const field = (name: string) => new RegExp(`${name}: (\\S+)`).exec(output)?.[1] ?? '';
  const headers = {
    'User-Token': field('User-Token'),
    'User-Secret-Key': field('User-Secret-Key'),
  };
  const contender = {
    url: `http://localhost:${port}/v2/demo`,
    headers,
    workerPid: findWorkerPid(child.pid ?? 0),
    stop: () => void process.kill(-(child.pid ?? 0), 'SIGKILL'),
  };
  await fill(contender, 200);
  return contender;
}

const under = (contender: RunningContender, path: string): RunningContender => ({
  ...contender,
  url: new URL(path, contender.url).href,
});

/**
 * Prints the speed of four operations over that of a bare Worker on the same rows, through the
 * bundle and through `npm start`, by CPU time of the runtime, in interleaved pairs. Fails the
 * process below the least share of the bundle.
 */
export async function compareRequests(): Promise<void> {
  const running: RunningContender[] = [];
  const start = async (starting: Promise<RunningContender>) => {
    const contender = await starting;
    running.push(contender);
    return contender;
  };
  try {
    const state = join(scratch, 'state');
    const script = await buildVersion(resolve('.'), join(scratch, 'out'));
    const filling = under(await start(startContender(resolve('.'), script, state)), '/v2/bench');
    await fill(filling, 0);
    running.pop()?.stop();
    await filling.ended;
    cpSync(state, `${state}-bare`, { recursive: true });
    const [bundle, bare] = [
      await start(startContender(resolve('.'), script, state, 'filled')),
      await start(startContender(resolve('.'), buildBare(), `${state}-bare`, 'filled')),
    ].map((contender) => under(contender, '/v2/bench'));
    const contenders = { bundle: bundle!, 'npm start': await start(startLocal()) };
    console.log(
      `Speed over that of a bare Worker by CPU time (in brackets: half of ${pairs} interleaved pairs)`,
    );
    for (const load of loads) {
      for (const contender of [bare!, ...Object.values(contenders)]) {
        await measure(contender, load, warmUpRequests);
      }
      for (const connections of [8, 1]) {
        const texts: string[] = [];
        for (const [name, contender] of Object.entries(contenders)) {
          const milliseconds: number[] = [];
          const ratios = await comparePairs(load.name, pairs, async (isReversed) => {
            const sides = isReversed ? [contender, bare!] : [bare!, contender];
            const costs = new Map<RunningContender, number>();
            for (const side of sides) {
              costs.set(side, (await measure(side, load, requestsPerSide, connections)).cpu);
            }
            milliseconds.push(costs.get(contender)! / requestsPerSide);
            return costs.get(bare!)! / costs.get(contender)!;
          });
          const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share));
          texts.push(
            `${name} ${middle?.toFixed(2)} (${low?.toFixed(2)} to ${high?.toFixed(2)}; ${quantile(milliseconds, 0.5).toFixed(2)} ms)`,
          );
          if (name === 'bundle' && connections === 8 && (middle ?? 0) < load.least) {
            texts.push(`too slow: the least is ${load.least}`);
            process.exitCode = 1;
          }
        }
        console.log(`  ${load.name}, ${connections} at a time: ${texts.join(', ')}`);
      }
    }
  } finally {
    for (const { stop } of running) stop();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
