import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, type Bundle } from '../support/node/bundle.ts';
import { receiver, type Received, type Receiver } from '../support/node/receiver.ts';
import { migrate, startRuntime } from '../support/node/runtime.ts';
import { pair, seedStore } from '../support/node/store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'store-api-verify-'));
let built: Bundle;
let runtime: Miniflare;
let inbox: Receiver;
let secret: string;
let delivery: Received;
let latencyMs: number;

async function call(path: string, body: object) {
  const answer = await fetch(`${(await runtime.ready).href}v2/bench${path}`, {
    method: 'POST',
    headers: { ...pair, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as { data: { id: number; secret_key: string } };
}

beforeAll(async () => {
  built = bundle();
  runtime = await startRuntime({ script: join(built.folder, 'index.js'), persist: scratch });
  await migrate(runtime);
  await seedStore(runtime);
  inbox = await receiver();
  const events = ['product.created'];
  const { data: webhook } = await call('/webhooks', { url: inbox.url, name: 'verify', events });
  secret = webhook.secret_key;
  const { data: brand } = await call('/catalog/brands', { name: 'Marca', active: true });
  const name = 'Pão de açúcar / "doce" \u2028 😀';
  const start = Date.now();
  await call('/catalog/products', { name, simple: true, active: true, brand_id: brand.id });
  while (inbox.received.length === 0 && Date.now() - start < 10_000) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  latencyMs = Date.now() - start;
  delivery = inbox.received[0]!;
});

afterAll(async () => {
  await runtime.dispose();
  inbox.server.close();
  rmSync(scratch, { recursive: true });
  rmSync(built.folder, { recursive: true });
});

describe('a delivery at a real receiver', () => {
  it('comes within three seconds, once', () => {
    expect(latencyMs).toBeLessThan(3_000);
    expect(inbox.received).toHaveLength(1);
  });

  it('is signed so that openssl makes the same', () => {
    const digest = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret, '-binary'], {
      input: delivery.body,
    });
    expect(digest.toString('base64')).toBe(delivery.headers['x-service-hmac-sha256']);
  });

  it('says what it is in its headers', () => {
    expect(delivery.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-topic': 'product.created',
      'x-service-shop-domain': 'bench',
      'x-service-attempt': '1',
      'x-service-sequence': '1.1',
    });
    expect(delivery.headers['webhook-id']).toMatch(/^evt_[0-9a-f]{46}$/);
  });

  it('survives a JavaScript round trip to the byte', () => {
    const text = delivery.body.toString();
    expect(JSON.stringify(JSON.parse(text))).toBe(text);
  });
});
