import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, type Bundle } from '../support/node/bundle.ts';
import { migrate, startRuntime } from '../support/node/runtime.ts';
import { pair, seedStore } from '../support/node/store.ts';

const healthy = 19;
const events = 40;
const everyMs = 100;
/** Below this a difference is the machine's. */
const noiseMs = 100;

const scratch = mkdtempSync(join(tmpdir(), 'store-api-isolation-'));
let built: Bundle;
let runtime: Miniflare;
let server: Server;
let url: string;
let brand: number;

/** When the receiver at a path got the event of a product, epoch milliseconds. */
const arrivals = new Map<string, number>();
let requestsToHung = 0;
let hung = 0;

async function call(path: string, body: object): Promise<{ data: { id: number } }> {
  const answer = await fetch(`${url}v2/bench${path}`, {
    method: 'POST',
    headers: { ...pair, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { data: { id: number } };
}

/** Whether the endpoint that hangs gets anything at all; each time it begins as if it were well. */
async function switchHung(active: boolean): Promise<void> {
  const answer = await fetch(`${url}v2/bench/webhooks/${hung}`, {
    method: 'PUT',
    headers: { ...pair, 'Content-Type': 'application/json' },
    body: JSON.stringify({ active }),
  });
  expect(answer.status).toBe(200);
}

/** Publishes an event each tenth of a second, and answers with how long each took to each healthy receiver. */
async function waits(round: string): Promise<number[]> {
  const sent: { id: number; at: number }[] = [];
  for (let n = 0; n < events; n += 1) {
    const at = Date.now();
    const name = `${round} ${n}`;
    const { data } = await call('/catalog/products', {
      name,
      simple: true,
      active: true,
      brand_id: brand,
    });
    sent.push({ id: data.id, at });
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, at + everyMs - Date.now())));
  }
  const found = () =>
    sent.flatMap(({ id, at }) =>
      Array.from({ length: healthy }, (_, path) => (arrivals.get(`/${path} ${id}`) ?? 0) - at),
    );
  await expect.poll(() => found().every((wait) => wait >= 0), { timeout: 30_000 }).toBe(true);
  return found().toSorted((one, other) => one - other);
}

const p95 = (sorted: number[]) => sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;

beforeAll(async () => {
  built = bundle();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isHung = request.url === `/${healthy}`;
      if (isHung) requestsToHung += 1;
      if (isHung) return;
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { resource: { id: number } };
      arrivals.set(`${request.url} ${body.resource.id}`, Date.now());
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  runtime = await startRuntime({ script: join(built.folder, 'index.js'), persist: scratch });
  await migrate(runtime);
  await seedStore(runtime);
  url = (await runtime.ready).href;
  const { port } = server.address() as AddressInfo;
  for (let path = 0; path <= healthy; path += 1) {
    const made = await call('/webhooks', {
      url: `http://127.0.0.1:${port}/${path}`,
      name: `${path}`,
      events: ['product.created'],
    });
    hung = made.data.id;
  }
  brand = (await call('/catalog/brands', { name: 'Marca', active: true })).data.id;
});

afterAll(async () => {
  await runtime.dispose();
  server.closeAllConnections();
  server.close();
  rmSync(scratch, { recursive: true });
  rmSync(built.folder, { recursive: true });
});

describe('fault 37: one endpoint of twenty hangs', () => {
  it('the others hear within 1.5 times of what it takes without it, from its first second on', async () => {
    await waits('warm');
    const ratios: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      await switchHung(false);
      const without = p95(await waits(`${round} without`));
      requestsToHung = 0;
      await switchHung(true);
      const beside = p95(await waits(`${round} beside`));
      ratios.push(beside / Math.max(without, noiseMs));
      console.log(
        `p95 without ${without} ms, beside it ${beside} ms, ${requestsToHung} requests to it`,
      );
      // What it gets before the first time-out, and the first probes after that.
      expect(requestsToHung).toBeLessThanOrEqual(4);
    }
    expect(ratios.toSorted((one, other) => one - other)[1]).toBeLessThanOrEqual(1.5);
  });
});
