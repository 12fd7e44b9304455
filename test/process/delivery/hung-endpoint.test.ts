import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type RunningService } from '../../support/node/runtime/service.ts';
import { p95 } from '../../support/p95.ts';

const healthyEndpoints = 19;
const eventsPerRound = 40;
const intervalMs = 100;
/** Differences below this are noise. */
const noiseMs = 100;

let service: RunningService;
let server: Server;
let brandId: number;

/** Arrival times by `<path> <product id>`, in epoch milliseconds. */
const arrivals = new Map<string, number>();
let requestsToHung = 0;
let hungWebhookId = 0;

async function create(path: string, body: object): Promise<number> {
  const { status, body: created } = await service.api(`POST ${path}`, body);
  expect(status).toBe(201);
  return created.data.id;
}

/** Pauses or resumes the webhook whose receiver hangs; a resumed webhook starts healthy. */
async function setHungActive(active: boolean): Promise<void> {
  const { status } = await service.api(`PUT /webhooks/${hungWebhookId}`, { active });
  expect(status).toBe(200);
}

/** Publishes events at a fixed rate. Returns the sorted latencies to all healthy receivers, in milliseconds. */
async function measureLatencies(round: string): Promise<number[]> {
  const sent: { id: number; at: number }[] = [];
  for (let n = 0; n < eventsPerRound; n += 1) {
    const at = Date.now();
    const name = `${round} ${n}`;
    const id = await create('/catalog/products', {
      name,
      simple: true,
      active: true,
      brand_id: brandId,
    });
    sent.push({ id, at });
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, at + intervalMs - Date.now())));
  }
  const latencies = () =>
    sent.flatMap(({ id, at }) =>
      Array.from(
        { length: healthyEndpoints },
        (_, path) => (arrivals.get(`/${path} ${id}`) ?? 0) - at,
      ),
    );
  await expect
    .poll(() => latencies().every((latency) => latency >= 0), { timeout: 30_000 })
    .toBe(true);
  return latencies().toSorted((one, other) => one - other);
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isHung = request.url === `/${healthyEndpoints}`;
      if (isHung) requestsToHung += 1;
      if (isHung) return;
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { resource: { id: number } };
      arrivals.set(`${request.url} ${body.resource.id}`, Date.now());
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service = await startService();
  const { port } = server.address() as AddressInfo;
  for (let path = 0; path <= healthyEndpoints; path += 1) {
    hungWebhookId = await create('/webhooks', {
      url: `http://127.0.0.1:${port}/${path}`,
      name: `${path}`,
      events: ['product.created'],
    });
  }
  brandId = await create('/catalog/brands', { name: 'Marca', active: true });
});

afterAll(async () => {
  await service.stop();
  server.closeAllConnections();
  server.close();
});

describe('fault 37: one of twenty endpoints hangs', () => {
  it('delays deliveries to the other endpoints at most 1.5 times, from its first second on', async () => {
    await measureLatencies('warm');
    const ratios: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      await setHungActive(false);
      const without = p95(await measureLatencies(`${round} without`));
      requestsToHung = 0;
      await setHungActive(true);
      const withHung = p95(await measureLatencies(`${round} with`));
      ratios.push(withHung / Math.max(without, noiseMs));
      console.log(
        `p95 without ${without} ms, with it ${withHung} ms, ${requestsToHung} requests to it`,
      );
      // The requests before the first timeout, and the first probes after it.
      expect(requestsToHung).toBeLessThanOrEqual(4);
    }
    expect(ratios.toSorted((one, other) => one - other)[1]).toBeLessThanOrEqual(1.5);
  });
});
