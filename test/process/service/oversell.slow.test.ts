import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startReceiver,
  type DeliveryRequest,
  type WebhookReceiver,
} from '../../support/node/receivers/receiver.ts';
import { createCaller, seedSellableSku } from '../../support/node/runtime/api.ts';
import { startService, type RunningService } from '../../support/node/runtime/service.ts';
import { patience } from '../../support/patience.ts';

let service: RunningService;
let inbox: WebhookReceiver;

beforeAll(async () => {
  [service, inbox] = await Promise.all([startService(), startReceiver()]);
});

afterAll(async () => {
  await service.stop();
  inbox.server.close();
});

interface DeliveryBody {
  event: string;
  resource: {
    number: number;
    quantity: number;
    reserved: number;
    sku: { data: { total_in_stock: number } };
  };
}

/**
 * Deliveries of the webhook that have not ended, and by sequence number the attempts that got no
 * response.
 */
async function readLog(webhook: number) {
  const shard = await service.runtime.getD1Database('STORE_0');
  const open = await shard
    .prepare('select count(*) as count from webhook_deliveries where endpoint_id = ? and state = 0')
    .bind(webhook)
    .first<number>('count');
  const failed = await shard
    .prepare(
      `select seq, count(*) as count from webhook_attempts
       where endpoint_id = ? and response_status is null group by seq`,
    )
    .bind(webhook)
    .all();
  // Miniflare's types import an unpublished package.
  const rows = failed.results as { seq: number; count: number }[];
  const unanswered = new Map(rows.map(({ seq, count }) => [seq, count]));
  return { open, unanswered };
}

const seqOf = ({ headers }: DeliveryRequest) =>
  Number(headers['x-service-sequence']?.split('.')[1]);

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/**
 * Places an order as a client does: a 503, as from a busy database, is repeated with the same key.
 */
async function placeOrder(url: string, order: object) {
  const call = createCaller(url, [201, 409, 503]);
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  for (;;) {
    const response = await call('POST /orders', order, headers);
    if (response.status !== 503) return response;
    await setTimeout(1_000);
  }
}

/** The units in stock; twice as many orders are placed at once. */
const units = 100;

describe(`${2 * units} concurrent orders for ${units} units`, () => {
  it('sell exactly these units, reject the rest with out_of_stock, and publish every event', async () => {
    const { api, url } = service;
    const { skuId, order } = await seedSellableSku(api, units);
    const events = ['order.created', 'product.inventory.updated', 'order.paid'];
    const { body: webhook } = await api('POST /webhooks', {
      name: 'inbox',
      url: inbox.url,
      events,
    });

    const responses = await Promise.all(upTo(2 * units).map(() => placeOrder(url, order)));
    const rejected = responses.filter(({ status }) => status === 409);
    // Whose change had been made when the time of its first request ended.
    const late = rejected.filter(({ body }) => body.code === 'request_under_way');
    expect(rejected.length - late.length).toBe(units);
    const codes = new Set(rejected.map(({ body }) => body.code).concat('request_under_way'));
    expect(codes).toEqual(new Set(['out_of_stock', 'request_under_way']));
    const { body: list } = await api('GET /orders?limit=100');
    const sold = list.data as { id: number; number: number }[];
    expect(sold.map(({ number }) => number).toSorted((one, other) => one - other)).toEqual(
      upTo(units),
    );
    expect(list.meta.pagination.total).toBe(units);

    for (const { id } of sold) await api(`PUT /orders/${id}`, { status: 'paid' });
    const { body: stocks } = await api(`GET /catalog/skus/${skuId}/stocks`);
    expect(stocks.data).toMatchObject([{ quantity: 0, reserved: 0 }]);

    const arrived = () => new Map(inbox.received.map((delivery) => [seqOf(delivery), delivery]));
    await expect.poll(() => arrived().size, patience).toBe(4 * units);
    await expect.poll(async () => (await readLog(webhook.data.id)).open, patience).toBe(0);
    // At least once: a delivery is repeated only after an attempt that got no response, and the log
    // has each of these.
    const { unanswered } = await readLog(webhook.data.id);
    const repeated = [...Map.groupBy(inbox.received, seqOf)].filter(
      ([seq, requests]) => requests.length > 1 + (unanswered.get(seq) ?? 0),
    );
    expect(repeated).toEqual([]);
    expect(new Set(inbox.received.map(({ headers }) => headers['webhook-id'])).size).toBe(
      4 * units,
    );
    const bodies = [...arrived().values()].map(
      ({ body }) => JSON.parse(body.toString()) as DeliveryBody,
    );
    const bodiesOf = (name: string) => bodies.filter(({ event }) => event === name);
    const created = bodiesOf('order.created').map(({ resource }) => resource.number);
    expect(created.toSorted((one, other) => one - other)).toEqual(upTo(units));
    expect(bodiesOf('order.paid')).toHaveLength(units);
    // Each event holds a stock that existed: every step of the decrease appears exactly once.
    const steps = bodiesOf('product.inventory.updated').map(
      ({ resource: { quantity, reserved, sku } }) => {
        expect(sku.data.total_in_stock).toBe(quantity - reserved);
        return `${quantity} with ${reserved}`;
      },
    );
    expect(new Set(steps)).toEqual(
      new Set([
        ...upTo(units).map((reserved) => `${units} with ${reserved}`),
        ...upTo(units).map((paid) => `${units - paid} with ${units - paid}`),
      ]),
    );
  });
});
