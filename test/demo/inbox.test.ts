import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { seal } from '../../src/base/crypto/seal.ts';
import { settingsOf } from '../../src/base/settings.ts';
import type { InboxEntry } from '../../src/demo/inbox/entries.ts';
import localWorker from '../../src/demo/worker.ts';
import productionWorker from '../../src/index.ts';
import { signRequest, importSigningKey, createSecret } from '../../src/webhooks/signature.ts';
import { deployedEnv } from '../support/fixtures/deployed-env.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import '../support/fixtures/first-shard.ts';

const origin = 'http://localhost:8787';
const url = `${origin}/demo/inbox`;
const call = (path: string, init?: RequestInit) => exports.default.fetch(`${url}${path}`, init);

/** Creates a store with a webhook to the inbox. */
async function subscriber() {
  const owner = await createTestStore();
  const webhook = { url, name: 'Demo inbox', events: ['product.created'] };
  const { body } = await owner.api('POST /webhooks', webhook);
  return { owner, endpoint: body.data.id as number, secret: body.data.secret_key as string };
}

async function delivery(from: { owner: TestStore; endpoint: number; secret: string }, attempt = 1) {
  const { owner, endpoint, secret } = from;
  const event = 'product.created';
  const merchant = { id: owner.id, alias: owner.alias };
  return signRequest({
    serviceName: 'Service',
    secrets: { primary: await importSigningKey(secret) },
    endpoint,
    epoch: 1,
    seq: 1,
    eventId: `evt_${owner.alias}`,
    event,
    changed: null,
    apiVersion: '2.0',
    attempt,
    triggeredAt: Date.now(),
    at: Date.now(),
    body: JSON.stringify({
      event,
      time: '2026-11-21 09:00:00',
      merchant,
      resource: { name: 'Açaí' },
    }),
  });
}

async function inboxOf(alias: string): Promise<InboxEntry[]> {
  const all = await (await call('.json')).json<InboxEntry[]>();
  return all.filter((entry) => entry.store === alias);
}

describe('POST /demo/inbox', () => {
  it('returns 200 for a delivery and stores its raw body, headers and the verdict valid', async () => {
    const from = await subscriber();
    const { headers, bytes } = await delivery(from);
    const response = await call('', { method: 'POST', headers, body: bytes });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ verdict: 'valid' });
    const [entry, ...others] = await inboxOf(from.owner.alias);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      verdict: 'valid',
      event: 'product.created',
      attempt: 1,
      answered: 200,
      body: new TextDecoder().decode(bytes),
    });
    expect(entry?.headers['x-service-hmac-sha256']).toBe(headers['X-Service-Hmac-SHA256']);
    expect(Date.parse(entry?.received_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  it('keeps a byte order mark, which is part of the signed body', async () => {
    const from = await subscriber();
    const { headers } = await delivery(from);
    await call('', { method: 'POST', headers, body: '\uFEFF{}' });
    expect((await inboxOf(from.owner.alias))[0]).toMatchObject({
      verdict: 'invalid',
      body: '\uFEFF{}',
    });
  });

  it.each([
    ['another body', { body: '{}' }],
    ['another signature', { signature: 'AAAA' }],
    ['no signature', { signature: '' }],
  ])(
    'returns the verdict invalid for %s',
    async (_, forged: { body?: string; signature?: string }) => {
      const { headers, bytes } = await delivery(await subscriber());
      if (forged.signature !== undefined) headers['X-Service-Hmac-SHA256'] = forged.signature;
      const response = await call('', { method: 'POST', headers, body: forged.body ?? bytes });
      expect(await response.json()).toEqual({ verdict: 'invalid' });
    },
  );

  it('returns the verdict invalid for the secret of another webhook', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    const { headers, bytes } = await delivery({ ...one, secret: other.secret });
    const response = await call('', { method: 'POST', headers, body: bytes });
    expect(await response.json()).toEqual({ verdict: 'invalid' });
  });

  it('returns the verdict valid for both secrets during a rotation', async () => {
    const from = await subscriber();
    const renewed = createSecret();
    const sealed = await seal(
      settingsOf(env).sealingKeys,
      renewed,
      `webhook-secret:${from.owner.id}`,
    );
    await env.STORE_0.prepare(
      `update webhook_endpoints set secret_previous = secret_current, secret_mode = 1, secret_current = ?
       where id = ?`,
    )
      .bind(sealed, from.endpoint)
      .run();
    for (const secret of [from.secret, renewed]) {
      const { headers, bytes } = await delivery({ ...from, secret });
      const response = await call('', { method: 'POST', headers, body: bytes });
      expect(await response.json()).toEqual({ verdict: 'valid' });
    }
  });

  it('returns the verdict unknown for a webhook of another store and for other requests', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    const { headers, bytes } = await delivery({ ...one, owner: other.owner });
    for (const init of [{ headers, body: bytes }, { body: 'hello' }, { body: 'null' }]) {
      const response = await call('', { method: 'POST', ...init });
      expect(await response.json()).toEqual({ verdict: 'unknown' });
    }
  });

  it('returns the requested status and stores the request', async () => {
    const from = await subscriber();
    const { headers, bytes } = await delivery(from);
    for (const status of [500, 204]) {
      const response = await call(`?status=${status}`, { method: 'POST', headers, body: bytes });
      expect(response.status).toBe(status);
    }
    const kept = await inboxOf(from.owner.alias);
    expect(kept.map(({ answered }) => answered).toSorted((one, other) => one - other)).toEqual([
      204, 500,
    ]);
  });

  it('returns 400 for an invalid status', async () => {
    for (const status of ['99', '600', 'ok', '']) {
      const response = await call(`?status=${status}`, { method: 'POST', body: '{}' });
      expect(response.status).toBe(400);
    }
  });
});

describe('GET /demo/inbox', () => {
  it('returns 200 with the newest request first and all values escaped', async () => {
    const from = await subscriber();
    for (const attempt of [1, 2]) {
      const { headers, bytes } = await delivery(from, attempt);
      await call('', { method: 'POST', headers, body: bytes });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await call('', { method: 'POST', body: '{"event":"<script>alert(1)</script>"}' });
    expect((await inboxOf(from.owner.alias)).map(({ attempt }) => attempt)).toEqual([2, 1]);
    const page = await call('');
    const html = await page.text();
    expect(page.headers.get('Refresh')).toBe('5');
    expect(html).toContain('Signature valid');
    expect(html.indexOf('attempt 2')).toBeLessThan(html.indexOf('attempt 1'));
    expect(html).not.toContain('<script>alert');
    expect((await call('?refresh=off')).headers.has('Refresh')).toBe(false);
  });

  it('returns 200 with the next step when the inbox is empty, as after DELETE', async () => {
    await call('', { method: 'POST', body: '{}' });
    expect((await call('', { method: 'DELETE' })).status).toBe(200);
    expect(await (await call('.json')).json()).toEqual([]);
    const html = await (await call('')).text();
    expect(html).toContain('Nothing has arrived yet');
    expect(html).toContain(`curl -X POST ${origin}/v2/demo/webhooks`);
  });

  it.each([
    ['GET', '', 'the local entry point in a deployed configuration', localWorker, deployedEnv],
    ['POST', '', 'the local entry point in a deployed configuration', localWorker, deployedEnv],
    ['DELETE', '', 'the local entry point in a deployed configuration', localWorker, deployedEnv],
    ['GET', '.json', 'the local entry point in a deployed configuration', localWorker, deployedEnv],
    ['GET', '', "production's entry point in any configuration", productionWorker, env],
    ['POST', '', "production's entry point in any configuration", productionWorker, env],
    ['GET', '.json', "production's entry point in any configuration", productionWorker, env],
  ] as const)(
    'returns 404 for %s /demo/inbox%s from %s',
    async (method, suffix, _which, worker, bindings) => {
      const request = new Request(`${url}${suffix}`, { method });
      const response = await worker.fetch(request, bindings, createExecutionContext());
      expect(response.status).toBe(404);
    },
  );
});
