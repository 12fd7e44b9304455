import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seal } from '../../../src/crypto/seal.ts';
import { slots } from '../../../src/events/deliver-pool.ts';
import { migrate, startRuntime, variables } from '../../support/node/runtime.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const publishers = 8;
/** After this, what has not arrived counts as late. */
const longestMs = 30_000;
/** Numbers of endpoints to measure with. */
const sizes = new Set((process.env.BENCH_ENDPOINTS ?? '1,40,1000').split(',').map(Number));

interface Case {
  endpoints: number;
  events: number;
  delayMs: number;
  isHalfHung: boolean;
}

const cases: Case[] = [
  [1, 400],
  [40, 40],
  [1_000, 2],
]
  .filter(([endpoints = 0]) => sizes.has(endpoints))
  .flatMap(([endpoints = 0, events = 0]) => [
    { endpoints, events, delayMs: 0, isHalfHung: false },
    { endpoints, events, delayMs: 50, isHalfHung: false },
    ...(endpoints > 1 ? [{ endpoints, events, delayMs: 0, isHalfHung: true }] : []),
  ]);

/** What one run of one contender came to. */
interface Measured {
  deliveriesPerSecond: number;
  publishesPerSecond: number;
  p50: number;
  p95: number;
  rowsWritten: number;
  rowsRead: number;
  late: number;
  repeated: number;
}

const scratch = mkdtempSync(join(tmpdir(), 'store-api-delivery-'));
const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function startReceivers() {
  const child = spawn(process.execPath, ['test/bench/delivery/receivers.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) =>
      resolve(chunk.toString().trim().split(' ')[1] ?? ''),
    );
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

function built(name: string): string {
  const outfile = join(scratch, `${name}.js`);
  const source = `test/bench/delivery/${name}.ts`;
  const options = [
    '--bundle',
    '--format=esm',
    '--external:cloudflare:*',
    '--external:node:*',
    '--minify',
  ];
  execFileSync('esbuild', [source, ...options, `--outfile=${outfile}`], { stdio: 'ignore' });
  return outfile;
}

/** One run on a fresh runtime: publishes as fast as it is taken, then waits for what can arrive. */
async function run(script: string, receivers: string, wanted: Case): Promise<Measured> {
  const persist = mkdtempSync(join(scratch, 'state-'));
  const runtime = await startRuntime({ script, persist });
  await migrate(runtime);
  const db = await runtime.getD1Database('STORE_0');
  const sealed = await seal(variables.SEALING_KEY, `whsec_${'A'.repeat(43)}=`, 'webhook-secret:1');
  // A queue is chosen by the id modulo 4, so whole groups of four hang: each queue has hung and healthy ones.
  const isHung = (n: number) => wanted.isHalfHung && Math.floor(n / 4) % 2 === 1;
  const path = (n: number) => (isHung(n) ? `/hung/${n}` : `/delay/${wanted.delayMs}/${n}`);
  await db.batch([
    db.prepare('create table bench_changes (n integer)'),
    db.prepare('create table bench_log (endpoint integer, event text, status integer)'),
    ...Array.from({ length: wanted.endpoints }, (_, n) =>
      db
        .prepare(
          `insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, secret_current,
             concurrency, created_at, updated_at) values (1, ?, '', '', '', ?, ?, 0, 0)`,
        )
        .bind(receivers + path(n), sealed, slots),
    ),
    db.prepare(
      `insert into webhook_subscriptions select 1, 'order.paid', id from webhook_endpoints`,
    ),
  ]);
  await fetch(`${receivers}/seen`, { method: 'DELETE' });
  const url = (await runtime.ready).href;
  const total = wanted.events * (wanted.isHalfHung ? wanted.endpoints / 2 : wanted.endpoints);
  const startedAt = Date.now();
  let next = 0;
  const publishing = async () => {
    while (next < wanted.events) {
      const body = JSON.stringify({ n: (next += 1), name: 'Camiseta Listrada', price: 59.9 });
      const { ok } = await fetch(url, { method: 'POST', body });
      if (!ok) throw new Error('a publish failed');
    }
  };
  await Promise.all(Array.from({ length: publishers }, publishing));
  const publishedAt = Date.now();
  let seen = { count: 0, repeated: 0, waits: [] as number[] };
  let endedAt = startedAt;
  while (seen.count < total && Date.now() - startedAt < longestMs) {
    await pause(20);
    seen = (await (await fetch(`${receivers}/seen`)).json()) as typeof seen;
    endedAt = Date.now();
  }
  // The last flush.
  await pause(wanted.isHalfHung ? 0 : 1_200);
  const cost = (await (await fetch(url)).json()) as { rowsRead: number; rowsWritten: number };
  await runtime.dispose();
  rmSync(persist, { recursive: true });
  const waits = seen.waits.toSorted((one, other) => one - other);
  return {
    deliveriesPerSecond: (seen.count * 1000) / (endedAt - startedAt),
    publishesPerSecond: (wanted.events * 1000) / (publishedAt - startedAt),
    p50: waits[Math.floor(waits.length * 0.5)] ?? Number.NaN,
    p95: waits[Math.floor(waits.length * 0.95)] ?? Number.NaN,
    rowsWritten: cost.rowsWritten / seen.count,
    rowsRead: cost.rowsRead / seen.count,
    late: total - seen.count,
    repeated: seen.repeated,
  };
}

/** Prints deliveries a second beside a plain Worker with one queue message per delivery, in interleaved rounds. */
export async function compareDeliveries(): Promise<void> {
  const receivers = await startReceivers();
  const scripts = { ours: built('lanes-worker'), plain: built('plain-worker') };
  console.log(
    `${rounds} interleaved rounds, ${publishers} publishers, medians; waits are under full load`,
  );
  try {
    for (const wanted of cases) {
      const results = { ours: [] as Measured[], plain: [] as Measured[] };
      for (let round = 0; round < rounds; round += 1) {
        for (const name of ['plain', 'ours'] as const) {
          results[name].push(await run(scripts[name], receivers.url, wanted));
        }
      }
      print(wanted, results);
    }
  } finally {
    receivers.stop();
    rmSync(scratch, { recursive: true });
  }
}

function print(wanted: Case, results: Record<'ours' | 'plain', Measured[]>): void {
  const { endpoints, delayMs, isHalfHung } = wanted;
  console.log(`${endpoints} endpoints, ${isHalfHung ? 'half of them hung' : `${delayMs} ms`}`);
  for (const [name, of] of Object.entries(results)) {
    const value = (key: keyof Measured, digits = 0) =>
      median(of.map((one) => one[key]))
        .toFixed(digits)
        .padStart(6);
    console.log(
      `  ${name.padEnd(6)}${value('deliveriesPerSecond')} deliveries/s ${value('publishesPerSecond')} publishes/s  p50 ${value('p50')} ms  p95 ${value('p95')} ms  rows written ${value('rowsWritten', 2)} read ${value('rowsRead', 1)} late ${value('late')} twice ${value('repeated')}`,
    );
  }
  const ratios = results.ours.map(
    (one, round) =>
      one.deliveriesPerSecond / (results.plain[round]?.deliveriesPerSecond ?? Number.NaN),
  );
  console.log(`  ratio ${median(ratios).toFixed(2)} (aim 1.0)`);
}
