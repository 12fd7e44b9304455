import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, type Bundle } from '../support/node/bundle.ts';
import { receiver, type Receiver } from '../support/node/receiver.ts';
import { migrate, startRuntime } from '../support/node/runtime.ts';
import { caller, readyToSell } from '../support/node/selling.ts';
import { seedStore } from '../support/node/store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'store-api-oversell-'));
let built: Bundle;
let runtime: Miniflare;
let inbox: Receiver;

beforeAll(async () => {
  built = bundle();
  inbox = await receiver();
  runtime = await startRuntime({ script: join(built.folder, 'index.js'), persist: scratch });
  await migrate(runtime);
  await seedStore(runtime);
});

afterAll(async () => {
  await runtime.dispose();
  inbox.server.close();
  rmSync(scratch, { recursive: true });
  rmSync(built.folder, { recursive: true });
});

interface Told {
  event: string;
  resource: {
    number: number;
    quantity: number;
    reserved: number;
    sku: { data: { total_in_stock: number } };
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('200 orders at once for 100 units', () => {
  it('sell exactly 100, refuse the others with out_of_stock, and tell of each', async () => {
    const base = (await runtime.ready).href;
    const api = caller(base);
    const { skuId, order } = await readyToSell(api, 100);
    const events = ['order.created', 'product.inventory.updated', 'order.paid'];
    await api('POST /webhooks', { name: 'inbox', url: inbox.url, events });

    const order409 = caller(base, [201, 409]);
    const answers = await Promise.all(upTo(200).map(() => order409('POST /orders', order)));
    const sold = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    expect([sold.length, refused.length]).toEqual([100, 100]);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['out_of_stock']));
    const numbers = sold.map(({ body }) => body.data.number as number);
    expect(numbers.toSorted((one, other) => one - other)).toEqual(upTo(100));

    for (const { body } of sold) await api(`PUT /orders/${body.data.id}`, { status: 'paid' });
    const { body: stocks } = await api(`GET /catalog/skus/${skuId}/stocks`);
    expect(stocks.data).toMatchObject([{ quantity: 0, reserved: 0 }]);

    await expect
      .poll(() => inbox.received.length, { timeout: 60_000, interval: 200 })
      .toBe(4 * 100);
    const told = inbox.received.map(({ body }) => JSON.parse(body.toString()) as Told);
    const of = (name: string) => told.filter(({ event }) => event === name);
    const created = of('order.created').map(({ resource }) => resource.number);
    expect(created.toSorted((one, other) => one - other)).toEqual(upTo(100));
    expect(of('order.paid')).toHaveLength(100);
    // Each event tells of a stock that was there: every step down, and every one once.
    const steps = of('product.inventory.updated').map(
      ({ resource: { quantity, reserved, sku } }) => {
        expect(sku.data.total_in_stock).toBe(quantity - reserved);
        return `${quantity} with ${reserved}`;
      },
    );
    expect(new Set(steps)).toEqual(
      new Set([
        ...upTo(100).map((reserved) => `100 with ${reserved}`),
        ...upTo(100).map((paid) => `${100 - paid} with ${100 - paid}`),
      ]),
    );
  });
});
