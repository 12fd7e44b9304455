import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  startReceiver,
  type DeliveryRequest,
  type WebhookReceiver,
} from '../../support/node/receivers/receiver.ts';
import { startService, type RunningService } from '../../support/node/runtime/service.ts';
import { patience } from '../../support/patience.ts';

let service: RunningService;
let inbox: WebhookReceiver;
let secret: string;
let delivery: DeliveryRequest;

beforeAll(async () => {
  [service, inbox] = await Promise.all([startService(), startReceiver()]);
  const create = async (path: string, body: object) =>
    (await service.api(`POST ${path}`, body)).body.data;
  const events = ['product.created'];
  const webhook = await create('/webhooks', { url: inbox.url, name: 'verify', events });
  secret = webhook.secret_key;
  const brand = await create('/catalog/brands', { name: 'Marca', active: true });
  const name = 'Pão de açúcar / "doce" \u2028 😀';
  await create('/catalog/products', { name, simple: true, active: true, brand_id: brand.id });
  await vi.waitUntil(() => inbox.received.length > 0, patience);
  delivery = inbox.received[0]!;
});

afterAll(async () => {
  await service.stop();
  inbox.server.close();
});

describe('a delivery to a real receiver', () => {
  // No cron runs here, so no sweep finds what a wake-up missed.
  it('arrives by its wake-up alone, once', () => {
    expect(inbox.received).toHaveLength(1);
  });

  it('has a signature that openssl reproduces', () => {
    const digest = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret, '-binary'], {
      input: delivery.body,
    });
    expect(digest.toString('base64')).toBe(delivery.headers['x-service-hmac-sha256']);
  });

  it('describes itself in its headers', () => {
    expect(delivery.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-topic': 'product.created',
      'x-service-shop-domain': 'bench',
      'x-service-attempt': '1',
      'x-service-sequence': '1.1',
    });
    expect(delivery.headers['webhook-id']).toMatch(/^evt_[0-9a-f]{46}$/);
  });

  it('keeps its bytes when JavaScript parses and serializes it', () => {
    const text = delivery.body.toString();
    expect(JSON.stringify(JSON.parse(text))).toBe(text);
  });
});
