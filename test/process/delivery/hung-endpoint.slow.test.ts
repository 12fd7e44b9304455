import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type RunningService } from '../../support/node/runtime/service.ts';
import { p95 } from '../../support/p95.ts';
import { patience } from '../../support/patience.ts';

const healthyEndpoints = 19;
const eventsPerRound = 80;
/**
 * Pause between two events. A busy machine also publishes more slowly, so a wait in events does not
 * depend on its speed.
 */
const pauseMs = 20;
/** Differences below this are noise: some 100 ms on a free machine. */
const noiseEvents = 3;

let service: RunningService;
let server: Server;
let brandId: number;

/** Events published so far. */
let published = 0;
/** `published` at each arrival, by `<path> <product id>`. */
const arrivals = new Map<string, number>();
let requestsToHung = 0;
/**
 * At first it responds: an endpoint that never has gets one request a step of the schedule of its
 * host.
 */
let isHanging = false;
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

/**
 * Publishes events, one after the other. Returns how many events were published between each event
 * and its delivery to each healthy receiver.
 */
async function measureWaits(round: string): Promise<number[]> {
  const sent: { id: number; number: number }[] = [];
  for (let n = 0; n < eventsPerRound; n += 1) {
    const product = { name: `${round} ${n}`, simple: true, active: true, brand_id: brandId };
    const id = await create('/catalog/products', product);
    published += 1;
    sent.push({ id, number: published });
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  const keys = sent.flatMap(({ id, number }) =>
    Array.from({ length: healthyEndpoints }, (_, path) => ({ key: `/${path} ${id}`, number })),
  );
  await expect.poll(() => keys.every(({ key }) => arrivals.has(key)), patience).toBe(true);
  // A delivery may arrive before the response to the request that caused it.
  return keys.map(({ key, number }) => Math.max(0, (arrivals.get(key) ?? 0) - number));
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isHung = isHanging && request.url === `/${healthyEndpoints}`;
      if (isHung) requestsToHung += 1;
      if (isHung) return;
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { resource: { id: number } };
      arrivals.set(`${request.url} ${body.resource.id}`, published);
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
  it(
    'delays deliveries to the other endpoints at most 1.5 times, from its first second on',
    { timeout: 900_000 },
    async () => {
      await measureWaits('warm');
      isHanging = true;
      const ratios: number[] = [];
      for (let round = 1; round <= 3; round += 1) {
        await setHungActive(false);
        const without = p95(await measureWaits(`${round} without`));
        requestsToHung = 0;
        await setHungActive(true);
        const withHung = p95(await measureWaits(`${round} with`));
        ratios.push(withHung / Math.max(without, noiseEvents));
        console.log(
          `p95 without ${without} events, with it ${withHung}, ${requestsToHung} requests to it`,
        );
        expect(requestsToHung).toBeGreaterThan(0);
        // The requests before the first timeout, and the first probes after it.
        expect(requestsToHung).toBeLessThanOrEqual(4);
      }
      expect(ratios.toSorted((one, other) => one - other)[1]).toBeLessThanOrEqual(1.5);
    },
  );
});
