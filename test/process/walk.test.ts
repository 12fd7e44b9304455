import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { checkWebhookHmacValidity } from 'shopify-hmac-validation';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { walk, walkedEvents, type Call, type Walked } from '../../src/demo/walk-steps.ts';
import { eventNames } from '../../src/events/catalogue.ts';
import { closed } from '../support/closed.ts';
import { bundle, type Bundle } from '../support/node/bundle.ts';
import { receiver, type Received, type Receiver } from '../support/node/receiver.ts';
import { fireCron, migrate, startRuntime } from '../support/node/runtime.ts';
import { caller } from '../support/node/selling.ts';
import { seedStore } from '../support/node/store.ts';

const hour = 3_600_000;
const scratch = mkdtempSync(join(tmpdir(), 'store-api-walk-'));
let built: Bundle;
let runtime: Miniflare;
let inbox: Receiver;
let api: ReturnType<typeof caller>;
let walked: Walked;
/** What arrived, in the order of its sequence. */
let deliveries: Received[];

/** A test store whose customers may pay with everything. */
async function openCheckout() {
  const directory = await runtime.getD1Database('DIRECTORY');
  await directory.prepare('update stores set test = 1').run();
  await api('GET /checkout/payments');
  const shard = await runtime.getD1Database('STORE_0');
  await shard.prepare('update payment_configurations set active = 1').run();
}

/** Lets an hour go by for a cart: what its timer goes by is moved back, then cron comes as always. */
async function leaveIdle(cartId: number) {
  const shard = await runtime.getD1Database('STORE_0');
  const status = async () => (await api(`GET /checkout/carts/${cartId}`)).body.data.status;
  await fireCron(runtime);
  expect(await status()).toBe('open');
  await shard
    .prepare('update carts set edited_at = edited_at - ?2, due_at = due_at - ?2 where id = ?1')
    .bind(cartId, hour)
    .run();
  await fireCron(runtime);
  expect(await status()).toBe('abandoned');
}

const sequenceOf = ({ headers }: Received) =>
  Number(headers['x-service-sequence']?.split('.')[1] ?? Number.NaN);

interface Told {
  event: string;
  resource: Record<string, unknown>;
}

const told = ({ body }: Received) => JSON.parse(body.toString()) as Told;

beforeAll(async () => {
  built = bundle();
  inbox = await receiver();
  runtime = await startRuntime({ script: join(built.folder, 'index.js'), persist: scratch });
  await migrate(runtime);
  await seedStore(runtime);
  api = caller((await runtime.ready).href);
  await openCheckout();
  const call: Call = async (request, body) => (await api(request, body)).body;
  const say = () => undefined;
  walked = await walk(call, 'um', { inbox: inbox.url, leaveIdle, say });
  const isThere = () => inbox.received.length >= walkedEvents.length;
  for (const end = Date.now() + 20_000; !isThere() && Date.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  deliveries = inbox.received.toSorted((one, other) => sequenceOf(one) - sequenceOf(other));
});

afterAll(async () => {
  await runtime.dispose();
  inbox.server.close();
  rmSync(scratch, { recursive: true });
  rmSync(built.folder, { recursive: true });
});

describe('one walk through a store', () => {
  it('fires each of the 13 events, in the order in which things happen', () => {
    expect(deliveries.map((one) => told(one).event)).toEqual(walkedEvents);
    expect(new Set(walkedEvents)).toEqual(new Set(eventNames));
    expect(eventNames).toHaveLength(13);
  });

  it('is delivered under signatures that verifiers which are not ours accept', () => {
    const { secret_key: secret } = walked.webhook;
    const standard = new Webhook(secret);
    for (const { headers, body } of deliveries) {
      const text = body.toString();
      expect(checkWebhookHmacValidity(secret, text, headers['x-service-hmac-sha256'] ?? '')).toBe(
        true,
      );
      expect(standard.verify(text, headers)).toEqual(JSON.parse(text));
      expect(() => standard.verify(`${text} `, headers)).toThrow();
    }
  });

  it('sends bodies as their published schemas say, with nothing besides', async () => {
    const answer = await fetch(`${(await runtime.ready).href}openapi.json`);
    const text = (await answer.text()).replaceAll('#/components/schemas/', '#/$defs/');
    const document = JSON.parse(text);
    const $defs = closed(document.components.schemas);
    for (const delivery of deliveries) {
      const { event } = told(delivery);
      const media = document.webhooks[event].post.requestBody.content['application/json'];
      const schema = z.fromJSONSchema({ ...(closed(media.schema) as object), $defs } as never);
      const shown = schema.safeParse(told(delivery));
      expect(shown.error?.issues, event).toBeUndefined();
      const more = { ...told(delivery), resource: { ...told(delivery).resource, surplus: 1 } };
      expect(schema.safeParse(more).success, event).toBe(false);
    }
  });

  it('sends bodies that survive a JavaScript round trip to the byte', () => {
    for (const { body } of deliveries) {
      expect(JSON.stringify(JSON.parse(body.toString()))).toBe(body.toString());
    }
  });

  it('is read from the feed in the same order, under the same ids', async () => {
    const { body } = await api('GET /events?limit=100');
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(deliveries.map(({ headers }) => headers['webhook-id']));
    expect(body.data.map(({ event }: Told) => event)).toEqual(walkedEvents);
  });

  it('tells what became of the order, its cart, its stock and its product', async () => {
    const of = (name: string) =>
      deliveries.filter((one) => told(one).event === name).map((one) => told(one).resource);
    const aliases = of('order.status.updated').map(
      ({ status }) => (status as { data: { alias: string } }).data.alias,
    );
    expect(aliases).toEqual([
      'refused',
      'waiting_payment',
      'paid',
      'invoiced',
      'ready_for_shipping',
      'on_carriage',
      'delivered',
    ]);
    const stock = of('product.inventory.updated').map((one) => [one.quantity, one.reserved]);
    expect(stock).toEqual([
      [12, 0],
      [12, 2],
      [12, 0],
      [12, 2],
      [10, 0],
    ]);
    const [reminder] = of('cart.reminder');
    const [refused] = of('transaction.payment.refused');
    expect(reminder).toMatchObject({ status: 'abandoned', items: { data: [{ quantity: 2 }] } });
    expect(refused).toMatchObject({
      order_id: walked.orderId,
      cart: {
        data: {
          id: reminder?.id,
          status: 'converted',
          order_id: walked.orderId,
          items: { data: [{ quantity: 2 }] },
        },
      },
      customer: { data: { first_name: 'Clara' } },
    });
    expect(of('order.invoice.updated')).toMatchObject([{ series: 2, status: 'corrected' }]);
    expect(of('product.deleted')).toMatchObject([{ id: walked.productId }]);
  });
});
