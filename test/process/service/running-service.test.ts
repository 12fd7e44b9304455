import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Validator } from '@seriousme/openapi-schema-validator';
import { checkWebhookHmacValidity } from 'shopify-hmac-validation';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { CallApi } from '../../../src/client/cli/store-steps.ts';
import { specifiedEventNames } from '../../../src/data/grants/event-catalogue.ts';
import { runWalk, expectedWalkEvents, type WalkResult } from '../../../src/demo/walk-steps.ts';
import { closeSchema } from '../../support/api/json-schema.ts';
import {
  issueSeededCode,
  postTokenForm,
  seedApp,
  seededClientId,
  seededRedirectUri,
} from '../../support/node/oauth/authorization.ts';
import {
  startReceiver,
  type DeliveryRequest,
  type WebhookReceiver,
} from '../../support/node/receivers/receiver.ts';
import { createCaller } from '../../support/node/runtime/api.ts';
import { fireCron } from '../../support/node/runtime/runtime.ts';
import { apiKeyHeadersOf, seedStore } from '../../support/node/runtime/seed-store.ts';
import { startService, type RunningService } from '../../support/node/runtime/service.ts';
import { patience } from '../../support/patience.ts';
import { isSlow } from '../../support/slow.ts';

const hourMs = 3_600_000;

/** A Worker of the platform: it forwards request bodies to its service binding. */
const neighbour = `export default {
  async fetch(request, env) {
    return Response.json(await env.REPORTS.report(await request.json()));
  },
};`;

let service: RunningService;
let inbox: WebhookReceiver;
let walked: WalkResult;
/** The received deliveries, ordered by sequence. */
let deliveries: DeliveryRequest[];
/** The receiver of another store, with the secret of its webhook. */
let linked: WebhookReceiver & { secret: string };

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

/** Creates a second store with a webhook, and waits for its first event. */
async function linkReceiver() {
  await seedStore(service.runtime, 'linked');
  const api = createCaller(service.url, undefined, 'linked');
  const receiver = await startReceiver();
  const events = ['product.created'];
  const webhook = await api('POST /webhooks', { url: receiver.url, name: 'report', events });
  const brand = await api('POST /catalog/brands', { name: 'Marca', active: true });
  const name = 'Pão de açúcar / "doce" \u2028 😀';
  const product = { name, simple: true, active: true, brand_id: brand.body.data.id };
  await api('POST /catalog/products', product);
  await vi.waitUntil(() => receiver.received.length > 0, patience);
  return { ...receiver, secret: webhook.body.data.secret_key as string };
}

beforeAll(async () => {
  [service, inbox] = await Promise.all([
    startService({ neighbour, hasTwin: true }),
    startReceiver(),
  ]);
  // No cron has run yet, so no sweep finds what a wake-up missed.
  linked = await linkReceiver();
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
  linked.server.close();
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

describe('a delivery to a real receiver', () => {
  it('arrives by its wake-up alone, once, and describes itself in its headers', () => {
    expect(linked.received).toHaveLength(1);
    const [{ headers }] = linked.received as [DeliveryRequest];
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-topic': 'product.created',
      'x-service-shop-domain': 'linked',
      'x-service-attempt': '1',
      'x-service-sequence': '1.1',
    });
    expect(headers['webhook-id']).toMatch(/^evt_[0-9a-f]{46}$/);
  });

  it('has a signature that openssl reproduces, and bytes that JavaScript keeps', () => {
    const [{ headers, body }] = linked.received as [DeliveryRequest];
    const command = ['dgst', '-sha256', '-hmac', linked.secret, '-binary'];
    const digest = execFileSync('openssl', command, { input: body });
    expect(digest.toString('base64')).toBe(headers['x-service-hmac-sha256']);
    expect(JSON.stringify(JSON.parse(body.toString()))).toBe(body.toString());
  });
});

/** The result of a report. */
interface ReportResult {
  ok: boolean;
  event_id: string;
  errors: Record<string, string[]>;
}

/** A Worker of the runtime; Miniflare's types import an unpublished package. */
const workerOf = async (name: string) =>
  (await service.runtime.getWorker(name)) as unknown as { fetch: typeof fetch };

async function report(input: object): Promise<ReportResult> {
  const { fetch: ask } = await workerOf('neighbour');
  const body = JSON.stringify(input);
  const response = await ask('http://neighbour.test/', { method: 'POST', body });
  return (await response.json()) as ReportResult;
}

/** Waits until the receiver of the other store has `count` requests. */
const waitForReceived = (count: number) =>
  vi.waitUntil(() => linked.received.length >= count, patience);

describe('a report of another Worker through a service binding', () => {
  it('is delivered once, however often it is repeated', async () => {
    const { resource } = JSON.parse(linked.received[0]!.body.toString()) as { resource: object };
    const input = { alias: 'linked', event: 'product.created', resource, idempotency_key: 'k' };
    const results = await Promise.all([report(input), report(input)]);
    results.push(await report(input));
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(new Set(results.map(({ event_id }) => event_id)).size).toBe(1);
    await waitForReceived(2);
    await report({ ...input, idempotency_key: 'other' });
    await waitForReceived(3);
    expect(linked.received).toHaveLength(3);
    const [published, reported] = linked.received;
    expect(JSON.parse(reported!.body.toString()).resource).toEqual(resource);
    expect(reported!.headers['webhook-id']).toBe(results[0]?.event_id);
    expect(published!.headers['webhook-id']).not.toBe(results[0]?.event_id);
  });

  it('returns the errors of invalid fields', async () => {
    const input = { alias: 'linked', event: 'product.created', resource: {}, idempotency_key: 'x' };
    const result = await report(input);
    expect(result.ok).toBe(false);
    expect(Object.keys(result.errors)).toContain('resource.name');
    expect(await report({ ...input, alias: 'unknown' })).toMatchObject({ ok: false });
  });
});

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document for a third-party validator', async () => {
    const response = await fetch(`${service.url}openapi.json`);
    const result = await new Validator().validate(await response.json());
    expect(result).toEqual({ valid: true });
  });
});

const requestsPerCaller = isSlow ? 100 : 8;

async function run(binding: string, sql: string) {
  await (await service.runtime.getD1Database(binding)).prepare(sql).run();
}

interface Answer {
  data?: { id: number };
  meta: { pagination: { total: number } };
}

const callOf =
  (headers: Record<string, string>, ask = fetch) =>
  async (request: string, body?: object, more: Record<string, string> = {}) => {
    const [method = '', path = ''] = request.split(/ (.*)/s);
    const response = await ask(`${service.url}v2${path}`, {
      method,
      headers: { ...headers, ...more, 'Content-Type': 'application/json', Connection: 'close' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer;
    return { status: response.status, headers: response.headers, body: answer };
  };

it('a renaming under load loses no request of those who go on with the old alias, and nobody else gets it', async () => {
  for (const [alias, shard] of [
    ['lisbon', 1],
    ['rival', 0],
    ['staff', 0],
  ] as const) {
    await seedStore(service.runtime, alias, shard);
  }
  /** Another isolate, which does not run the operations of operators. */
  const twin = await workerOf('twin');
  await run('DIRECTORY', `update users set super_user = 1, mfa_enabled = 1 where name = 'staff'`);
  await run(
    'DIRECTORY',
    `update api_keys set for_operator = 1
      where user_id = (select id from users where name = 'staff')`,
  );
  await seedApp(service.runtime);
  const { code, verifier } = await issueSeededCode(service.runtime);
  const redeemed = await postTokenForm(service.url, {
    grant_type: 'authorization_code',
    redirect_uri: seededRedirectUri,
    code,
    code_verifier: verifier,
  });
  const byToken = callOf({
    Authorization: `Bearer ${redeemed.body.access_token}`,
    'X-Partner-Client-ID': seededClientId,
  });
  const operator = callOf(apiKeyHeadersOf('staff'));

  const sent = { bench: 0, lisbon: 0 };
  let announced = 0;
  const failures: unknown[] = [];
  /**
   * Creates brands under the old alias, some twice with one key, as a caller does who lost the
   * answer.
   */
  const goOn = async (alias: 'bench' | 'lisbon', call: ReturnType<typeof callOf>) => {
    for (let index = 0; index < requestsPerCaller; index += 1) {
      const key = { 'Idempotency-Key': randomUUID() };
      const brand = { name: randomUUID(), active: true };
      const path = `POST /${alias}/catalog/brands`;
      const answers = [await call(path, brand, key), await call(path, brand, key)];
      sent[alias] += 1;
      for (const { status, body, headers } of answers) {
        if (status !== 201) failures.push([alias, status, body]);
        if (headers.get('Link')?.includes('rel="canonical"')) announced += 1;
      }
      if (answers[0]?.body.data?.id !== answers[1]?.body.data?.id) failures.push('made twice');
    }
  };
  const directory = await service.runtime.getD1Database('DIRECTORY');
  const stores = await directory.prepare('select alias, id from stores').raw<[string, number]>();
  const ids = Object.fromEntries(stores);
  const rename = (store: 'bench' | 'lisbon' | 'rival', alias: string) =>
    operator(`POST /operator/stores/${ids[store]}/rename`, { alias, reason: 'Under load' });
  const takes: number[] = [];
  /** Renames both stores again and again, while others ask for the aliases that they leave. */
  const renameAll = async () => {
    for (let round = 0; Math.min(sent.bench, sent.lisbon) < requestsPerCaller; round += 1) {
      const results = await Promise.all([
        rename('bench', `bench-${round}`),
        rename('lisbon', `lisbon-${round}`),
        rename('rival', 'bench'),
        rename('rival', 'lisbon'),
        operator('POST /operator/stores', {
          alias: 'bench',
          name: 'Thief',
          timezone: 'UTC',
          owner_email: 'rival@store.test',
          reason: 'Under load',
        }),
      ]);
      const [one, two, ...others] = results.map(({ status }) => status);
      if (one !== 200 || two !== 200) failures.push(results.slice(0, 2).map(({ body }) => body));
      takes.push(...others);
    }
  };
  await Promise.all([
    goOn('bench', callOf(apiKeyHeadersOf('bench'))),
    goOn('bench', byToken),
    goOn('lisbon', callOf(apiKeyHeadersOf('lisbon'), twin.fetch)),
    renameAll(),
  ]);

  expect(failures).toEqual([]);
  expect(new Set(takes)).toEqual(new Set([409]));
  expect(announced).toBeGreaterThan(0);
  for (const [alias, count] of Object.entries(sent)) {
    const { body } = await callOf(apiKeyHeadersOf(alias))(`GET /${alias}/catalog/brands?limit=1`);
    expect(body.meta.pagination.total).toBe(count);
  }
});
