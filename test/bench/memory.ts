/**
 * `npm run bench:memory`: the heap of the Worker's isolate before and after 100,000 mixed requests,
 * and the resident memory of `npm start` when it is idle, after an hour of cron, after the same
 * requests, and some time later.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { insertStores, MixedLoad } from '../support/node/load/mixed-load.ts';
import { startDemo } from '../support/node/runtime/demo.ts';
import { freePort } from '../support/node/runtime/free-port.ts';
import { readIsolateHeap } from '../support/node/runtime/isolate-heap.ts';
import { residentMiBByName } from '../support/node/runtime/memory.ts';

const requests = Number(process.env.BENCH_REQUESTS ?? 100_000);

/** More than the caches of an isolate hold. */
const storeCount = 6_000;

/** So long a service is left alone before it counts as idle. */
const idleMs = 60_000;

const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1).padStart(6);

async function measureIsolate() {
  const inspectorPort = await freePort('127.0.0.1');
  const demo = await startDemo({ inspectorPort });
  const print = async (name: string) => {
    const heap = await readIsolateHeap(inspectorPort, () => fetch(`${demo.origin}/health`));
    console.log(
      `  ${name.padEnd(30)}${mib(heap.used)} MiB used of ${mib(heap.total)}, ${mib(heap.buffers)} in buffers`,
    );
  };
  console.log('heap of the isolate (aim: at most 64 MiB after the load)');
  await print('after the first request');
  const load = await MixedLoad.prepare(demo.origin, await insertStores(demo.env, storeCount));
  for (let quarter = 1; quarter <= 4; quarter += 1) {
    await load.send(requests / 4);
    // The log of the Worker.
    demo.lines.length = 0;
    await print(`after ${(requests / 4) * quarter} requests`);
  }
  console.log(`  statuses: ${JSON.stringify(load.statuses)}`);
  load.close();
  await demo.close();
}

async function measureProcesses() {
  const state = mkdtempSync(join(tmpdir(), 'store-api-memory-'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const child = spawn(
    process.execPath,
    ['src/demo/start.ts', '--port', `${port}`, '--state', state],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  child.stdout.resume();
  while (!(await fetch(`${origin}/health`).catch(() => undefined))?.ok) await setTimeout(500);
  const print = (name: string) => {
    const found = residentMiBByName(child.pid ?? 0);
    const workerd = found.find(([program]) => program === 'workerd')?.[1] ?? 0;
    const all = found.reduce((sum, [, one]) => sum + one, 0);
    const text = [all - workerd, workerd, all].map((one) => one.toFixed(0).padStart(4));
    console.log(
      `  ${name.padEnd(30)}Node ${text[0]} MiB, workerd ${text[1]} MiB, both ${text[2]} MiB`,
    );
  };
  console.log('resident memory of npm start (aim: at most 600 MiB idle)');
  print('first answer');
  await setTimeout(idleMs);
  print('idle');
  for (let minute = 0; minute < 60; minute += 1) {
    const fired = await fetch(`${origin}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`);
    if (!fired.ok) throw new Error(`cron: ${fired.status}`);
    await setTimeout(300);
  }
  print('after an hour of cron');
  const load = await MixedLoad.prepare(origin);
  await load.send(requests);
  print(`after ${requests} requests`);
  await setTimeout(idleMs);
  print('idle again');
  load.close();
  child.kill('SIGTERM');
  await ended;
  rmSync(state, { recursive: true });
}

const cases = (process.env.BENCH_CASES ?? 'heap,start').split(',');
if (cases.includes('heap')) await measureIsolate();
if (cases.includes('start')) await measureProcesses();
