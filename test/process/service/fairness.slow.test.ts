import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { insertMissingPaymentTypes } from '../../../src/sales/payments/payment-type-queries.ts';
import { createSeedDb } from '../../../src/stores/test-stores/insert-missing.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { MerchantBrowser } from '../../support/node/oauth/merchant.ts';
import { createCaller, seedSellableSku } from '../../support/node/runtime/api.ts';
import { fireCron } from '../../support/node/runtime/runtime.ts';
import { seedStore } from '../../support/node/runtime/seed-store.ts';
import { startService, type RunningService } from '../../support/node/runtime/service.ts';
import { p95 } from '../../support/p95.ts';
import { patience } from '../../support/patience.ts';

const rounds = 2;
const eventsPerRound = 20;
const intervalMs = 50;
/**
 * How many deliveries of the flood may come between an event of the quiet store and its delivery.
 * It is one run for an endpoint (60) of each of the queues that take turns. A count does not depend
 * on how busy the machine is.
 */
const maxOvertaking = 120;
/** More than a run did of each kind when it served the oldest records of a shard first. */
const floodedOrders = 110;
const floodedCarts = 400;

let service: RunningService;
let server: Server;
let flood: ReturnType<typeof createCaller>;
let data: Awaited<ReturnType<RunningService['runtime']['getD1Database']>>;
let brandId: number;
let floodedWebhooks: number[];
let floodedProduct: number;
let floodedItems: object[];

/** A moment: epoch milliseconds, and the deliveries of the flood so far. */
interface Moment {
  at: number;
  flooded: number;
}

let floodArrivals = 0;
const thisMoment = (): Moment => ({ at: Date.now(), flooded: floodArrivals });

/** When the events of the quiet store arrived, by product id. */
const arrivals = new Map<number, Moment>();

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Calls `work` again and again while `isActive`, with a pause between the calls. */
async function repeat(isActive: () => boolean, pauseMs: number, work: () => Promise<unknown>) {
  while (isActive()) {
    await work();
    await setTimeout(pauseMs);
  }
}

/** Prepares a store to sell with pix. Returns the body of an order. */
async function prepareSale(id: number, api: ReturnType<typeof createCaller>) {
  const store = { id, alias: '', shard: 0, zone: 'UTC', base_url: '', active: true, test: false };
  await insertMissingPaymentTypes(createSeedDb(store, openDatabase(data), Date.now()));
  await data.prepare('update payment_configurations set active = 1').run();
  const { order } = await seedSellableSku(api, 1_000);
  const payments = await api('GET /checkout/payments?limit=100');
  const pix = payments.body.data.find(({ alias }: { alias: string }) => alias === 'pix');
  return { ...order, payment_id: pix.id };
}

/** Makes the unpaid orders of a store and so many expired carts due, the oldest `agoMs` ago. */
async function makeDue(storeId: number, carts: number, agoMs: number): Promise<void> {
  const due = Date.now() - agoMs;
  await data.batch([
    data
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
         insert into carts (id, store_id, token, value_shipment, edited_at, due_at, created_at, updated_at)
         select -(abs(random()) >> 12), ?1, 'due-' || ?3 || '-' || i, 0, 0, ?3 + i, 0, 0 from n`,
      )
      .bind(storeId, carts, due),
    data
      .prepare(
        `update transactions set due_at = ?2 + id where store_id = ?1 and status = 'waiting_payment'`,
      )
      .bind(storeId, due),
  ]);
}

/** The number of carts and transactions of a store that are still due. */
const stillDue = (storeId: number) =>
  data
    .prepare(
      `select (select count(*) from carts where store_id = ?1 and due_at < ?2)
         + (select count(*) from transactions where store_id = ?1 and due_at < ?2) as n`,
    )
    .bind(storeId, Date.now())
    .first<number>('n');

/** The wait between an event and its delivery: milliseconds, and deliveries of the flood. */
interface Wait {
  ms: number;
  overtaking: number;
}

/**
 * Publishes events of the quiet store at a fixed rate. Returns how long each waited for its
 * delivery.
 */
async function measureWaits(): Promise<Wait[]> {
  const sent: (Moment & { id: number })[] = [];
  for (const n of upTo(eventsPerRound)) {
    const before = thisMoment();
    const product = { name: `Product ${n}`, simple: true, active: true, brand_id: brandId };
    const { body } = await service.api('POST /catalog/products', product);
    sent.push({ id: body.data.id, ...before });
    await setTimeout(Math.max(0, before.at + intervalMs - Date.now()));
  }
  await expect.poll(() => sent.every(({ id }) => arrivals.has(id)), patience).toBe(true);
  return sent.map(({ id, at, flooded }) => {
    const arrival = arrivals.get(id)!;
    return { ms: arrival.at - at, overtaking: arrival.flooded - flooded };
  });
}

/** Everything that one store can do at once, until the returned function is called. */
function startFlood(): () => Promise<void> {
  let isActive = true;
  const while_ = () => isActive;
  const browser = new MerchantBrowser(service.url);
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: 'none',
    client_id: 'none',
  });
  const iso = (at: number) => new Date(at).toISOString();
  // 409 while the last one is in progress.
  const replay = createCaller(service.url, [201, 202, 409], 'flood');
  const work = Promise.allSettled([
    repeat(while_, 50, () =>
      flood(`PUT /catalog/products/${floodedProduct}`, { name: `${Math.random()}` }),
    ),
    repeat(while_, 50, () => flood('POST /checkout/carts', { items: floodedItems })),
    repeat(while_, 500, () => {
      const range = { from: iso(Date.now() - 3_600_000), to: iso(Date.now()) };
      return replay(`POST /webhooks/${floodedWebhooks[0]}/replays`, range);
    }),
    repeat(while_, 50, () => fetch(`${service.url}oauth/token`, { method: 'POST', body: form })),
    repeat(while_, 400, async () => {
      const hidden = hiddenFieldsOf(await browser.send('/session'), '/session');
      await browser.send('/session', { ...hidden, email: 'flood@store.test', password: 'wrong' });
    }),
  ]);
  return async () => {
    isActive = false;
    const failures = (await work).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(failures).toEqual([]);
  };
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/quiet') {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as { resource: { id: number } };
        arrivals.set(body.resource.id, thisMoment());
      } else floodArrivals += 1;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service = await startService();
  await seedStore(service.runtime, 'flood');
  data = await service.runtime.getD1Database('STORE_0');
  flood = createCaller(service.url, [200, 201, 204], 'flood');
  const { port } = server.address() as AddressInfo;
  const quiet = {
    name: 'quiet',
    url: `http://127.0.0.1:${port}/quiet`,
    events: ['product.created'],
  };
  await service.api('POST /webhooks', quiet);
  const floodedEvents = ['product.updated', 'order.created'];
  floodedWebhooks = await Promise.all(
    upTo(4).map(async (n) => {
      const url = `http://127.0.0.1:${port}/flood/${n}`;
      const { body } = await flood('POST /webhooks', { name: `${n}`, url, events: floodedEvents });
      return body.data.id as number;
    }),
  );
  const order = await prepareSale(1, service.api);
  const floodedOrder = await prepareSale(2, flood);
  floodedItems = floodedOrder.items;
  const products = await flood('GET /catalog/products');
  floodedProduct = products.body.data[0].id;
  brandId = (await service.api('GET /catalog/brands')).body.data[0].id;
  await service.api('POST /orders', order);
  const numbers = upTo(floodedOrders).values();
  const placeOrders = async () => {
    for (const _ of numbers) await flood('POST /orders', floodedOrder);
  };
  await Promise.all([placeOrders(), placeOrders(), placeOrders()]);
  await makeDue(2, floodedCarts, 3_600_000);
});

afterAll(async () => {
  await service.stop();
  server.closeAllConnections();
  server.close();
});

describe('a store beside the flood of another', () => {
  it('has its timers done by the next run of cron, and its deliveries do not wait for those of the flood', async () => {
    await measureWaits();
    const quiet: Wait[] = [];
    const flooded: Wait[] = [];
    for (const _ of upTo(rounds)) {
      quiet.push(...(await measureWaits()));
      // The records of the quiet store are the last that became due.
      await makeDue(1, 1, 60_000);
      const endFlood = startFlood();
      try {
        // One run of cron, and no other: what it leaves due stays due.
        const cron = fireCron(service.runtime);
        flooded.push(...(await measureWaits()));
        await expect.poll(() => stillDue(1), patience).toBe(0);
        await cron;
      } finally {
        await endFlood();
      }
    }
    const msOf = (waits: readonly Wait[]) => p95(waits.map(({ ms }) => ms));
    const overtaking = p95(flooded.map((wait) => wait.overtaking));
    console.log(
      `p95 without ${msOf(quiet)} ms, with the flood ${msOf(flooded)} ms and ${overtaking} of its deliveries in between; ${floodArrivals} flooded deliveries`,
    );
    expect(overtaking).toBeLessThanOrEqual(maxOvertaking);
    expect(floodArrivals).toBeGreaterThan(2 * maxOvertaking);
  });
});
