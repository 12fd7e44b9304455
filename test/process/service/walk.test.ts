import { checkWebhookHmacValidity } from 'shopify-hmac-validation';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { CallApi } from '../../../src/client/cli/store-steps.ts';
import { specifiedEventNames } from '../../../src/data/grants/event-catalogue.ts';
import { runWalk, expectedWalkEvents, type WalkResult } from '../../../src/demo/walk-steps.ts';
import { closeSchema } from '../../support/api/json-schema.ts';
import {
  startReceiver,
  type DeliveryRequest,
  type WebhookReceiver,
} from '../../support/node/receivers/receiver.ts';
import { fireCron } from '../../support/node/runtime/runtime.ts';
import { startService, type RunningService } from '../../support/node/runtime/service.ts';
import { patience } from '../../support/patience.ts';

const hourMs = 3_600_000;
let service: RunningService;
let inbox: WebhookReceiver;
let walked: WalkResult;
/** The received deliveries, ordered by sequence. */
let deliveries: DeliveryRequest[];

/** Turns the store into a test store with all payment types active. */
async function openCheckout() {
  const { runtime, api } = service;
  const directory = await runtime.getD1Database('DIRECTORY');
  await directory.prepare('update stores set test = 1').run();
  await api('GET /checkout/payments');
  const shard = await runtime.getD1Database('STORE_0');
  await shard.prepare('update payment_configurations set active = 1').run();
}

/** Lets a cart idle for an hour: moves its times back, then triggers cron. */
async function leaveIdle(cartId: number) {
  const { runtime, api } = service;
  const shard = await runtime.getD1Database('STORE_0');
  const status = async () => (await api(`GET /checkout/carts/${cartId}`)).body.data.status;
  await fireCron(runtime);
  expect(await status()).toBe('open');
  await shard
    .prepare('update carts set edited_at = edited_at - ?2, due_at = due_at - ?2 where id = ?1')
    .bind(cartId, hourMs)
    .run();
  await fireCron(runtime);
  // Cron starts the sweep of the shard by a message.
  await vi.waitFor(async () => expect(await status()).toBe('abandoned'), patience);
}

const sequenceOf = ({ headers }: DeliveryRequest) =>
  Number(headers['x-service-sequence']?.split('.')[1] ?? Number.NaN);

interface DeliveryBody {
  event: string;
  resource: Record<string, unknown>;
}

const bodyOf = ({ body }: DeliveryRequest) => JSON.parse(body.toString()) as DeliveryBody;

beforeAll(async () => {
  [service, inbox] = await Promise.all([startService(), startReceiver()]);
  await openCheckout();
  const call: CallApi = async (request, body) => (await service.api(request, body)).body;
  const say = () => undefined;
  walked = await runWalk(call, 'um', { inboxUrl: inbox.url, awaitReminder: leaveIdle, log: say });
  await vi.waitUntil(() => inbox.received.length >= expectedWalkEvents.length, patience);
  deliveries = inbox.received.toSorted((one, other) => sequenceOf(one) - sequenceOf(other));
});

afterAll(async () => {
  await service.stop();
  inbox.server.close();
});

describe('the deliveries of the demo walk', () => {
  it('contain each of the 13 events, in the order of the changes', () => {
    expect(deliveries.map((one) => bodyOf(one).event)).toEqual(expectedWalkEvents);
    expect(new Set(expectedWalkEvents)).toEqual(new Set(specifiedEventNames));
    expect(specifiedEventNames).toHaveLength(13);
  });

  it('have signatures that third-party verifiers accept', () => {
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

  it('have exactly the fields of their published schemas', async () => {
    const response = await fetch(`${service.url}openapi.json`);
    const text = (await response.text()).replaceAll('#/components/schemas/', '#/$defs/');
    const document = JSON.parse(text);
    const $defs = closeSchema(document.components.schemas);
    for (const delivery of deliveries) {
      const { event } = bodyOf(delivery);
      const media = document.webhooks[event].post.requestBody.content['application/json'];
      const schema = z.fromJSONSchema({ ...(closeSchema(media.schema) as object), $defs } as never);
      const result = schema.safeParse(bodyOf(delivery));
      expect(result.error?.issues, event).toBeUndefined();
      const extended = {
        ...bodyOf(delivery),
        resource: { ...bodyOf(delivery).resource, surplus: 1 },
      };
      expect(schema.safeParse(extended).success, event).toBe(false);
    }
  });

  it('keep their bytes when JavaScript parses and serializes them', () => {
    for (const { body } of deliveries) {
      expect(JSON.stringify(JSON.parse(body.toString()))).toBe(body.toString());
    }
  });

  it('are in the feed in the same order, with the same ids', async () => {
    const { body } = await service.api('GET /events?limit=100');
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(deliveries.map(({ headers }) => headers['webhook-id']));
    expect(body.data.map(({ event }: DeliveryBody) => event)).toEqual(expectedWalkEvents);
  });

  it('describe the order, its cart, its stock and its product', async () => {
    const resourcesOf = (name: string) =>
      deliveries.filter((one) => bodyOf(one).event === name).map((one) => bodyOf(one).resource);
    const aliases = resourcesOf('order.status.updated').map(
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
    const stock = resourcesOf('product.inventory.updated').map((one) => [
      one.quantity,
      one.reserved,
    ]);
    expect(stock).toEqual([
      [12, 0],
      [12, 2],
      [12, 0],
      [12, 2],
      [10, 0],
    ]);
    const [reminder] = resourcesOf('cart.reminder');
    const [refused] = resourcesOf('transaction.payment.refused');
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
    expect(resourcesOf('order.invoice.updated')).toMatchObject([
      { series: 2, status: 'corrected' },
    ]);
    expect(resourcesOf('product.deleted')).toMatchObject([{ id: walked.productId }]);
  });
});
