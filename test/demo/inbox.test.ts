import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { app } from '../../src/app.ts';
import { seal } from '../../src/crypto/seal.ts';
import type { Entry } from '../../src/demo/inbox-entries.ts';
import { signingKey } from '../../src/events/signing-keys.ts';
import { signedRequest } from '../../src/events/send-headers.ts';
import { newSecret } from '../../src/events/signature.ts';
import { settingsOf } from '../../src/settings.ts';
import { store, type TestStore } from '../support/store.ts';
import { deployed } from '../support/deployed.ts';

const origin = 'http://localhost:8787';
const url = `${origin}/demo/inbox`;
const call = (path: string, init?: RequestInit) => exports.default.fetch(`${url}${path}`, init);

/** A store with a webhook, and what a delivery to it looks like. */
async function subscriber() {
  const owner = await store();
  const webhook = { url, name: 'Demo inbox', events: ['product.created'] };
  const { body } = await owner.api('POST /webhooks', webhook);
  return { owner, endpoint: body.data.id as number, secret: body.data.secret_key as string };
}

async function delivery(from: { owner: TestStore; endpoint: number; secret: string }, attempt = 1) {
  const { owner, endpoint, secret } = from;
  const event = 'product.created';
  const merchant = { id: owner.id, alias: owner.alias };
  return signedRequest({
    serviceName: 'Service',
    secrets: { primary: await signingKey(secret) },
    endpoint,
    epoch: 1,
    seq: 1,
    eventId: `evt_${owner.alias}`,
    event,
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

async function inboxOf(alias: string): Promise<Entry[]> {
  const all = await (await call('.json')).json<Entry[]>();
  return all.filter((entry) => entry.store === alias);
}

describe('POST /demo/inbox', () => {
  it('200 for a delivery, kept with its raw body, headers and a valid verdict', async () => {
    const from = await subscriber();
    const { headers, bytes } = await delivery(from);
    const answer = await call('', { method: 'POST', headers, body: bytes });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ verdict: 'valid' });
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

  it('keeps a byte order mark, which is a part of what was signed', async () => {
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
  ])('says invalid for %s', async (_, forged: { body?: string; signature?: string }) => {
    const { headers, bytes } = await delivery(await subscriber());
    if (forged.signature !== undefined) headers['X-Service-Hmac-SHA256'] = forged.signature;
    const answer = await call('', { method: 'POST', headers, body: forged.body ?? bytes });
    expect(await answer.json()).toEqual({ verdict: 'invalid' });
  });

  it('says invalid for the secret of another webhook', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    const { headers, bytes } = await delivery({ ...one, secret: other.secret });
    const answer = await call('', { method: 'POST', headers, body: bytes });
    expect(await answer.json()).toEqual({ verdict: 'invalid' });
  });

  it('says valid for the old secret while a new one takes its place', async () => {
    const from = await subscriber();
    const renewed = newSecret();
    const sealed = await seal(
      settingsOf(env).sealingKey,
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
      const answer = await call('', { method: 'POST', headers, body: bytes });
      expect(await answer.json()).toEqual({ verdict: 'valid' });
    }
  });

  it('says unknown for a webhook of another store, and for anything that is no delivery', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    const { headers, bytes } = await delivery({ ...one, owner: other.owner });
    for (const init of [{ headers, body: bytes }, { body: 'hello' }, { body: 'null' }]) {
      const answer = await call('', { method: 'POST', ...init });
      expect(await answer.json()).toEqual({ verdict: 'unknown' });
    }
  });

  it('answers the status that is asked for, and keeps the request all the same', async () => {
    const from = await subscriber();
    const { headers, bytes } = await delivery(from);
    for (const status of [500, 204]) {
      const answer = await call(`?status=${status}`, { method: 'POST', headers, body: bytes });
      expect(answer.status).toBe(status);
    }
    const kept = await inboxOf(from.owner.alias);
    expect(kept.map(({ answered }) => answered).toSorted((one, other) => one - other)).toEqual([
      204, 500,
    ]);
  });

  it('400 for a status that none may answer', async () => {
    for (const status of ['99', '600', 'ok', '']) {
      const answer = await call(`?status=${status}`, { method: 'POST', body: '{}' });
      expect(answer.status).toBe(400);
    }
  });
});

describe('GET /demo/inbox', () => {
  it('200 with the newest first, everything of a delivery escaped', async () => {
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

  it('200 with the next step when nothing has arrived, as after DELETE', async () => {
    await call('', { method: 'POST', body: '{}' });
    expect((await call('', { method: 'DELETE' })).status).toBe(200);
    expect(await (await call('.json')).json()).toEqual([]);
    const html = await (await call('')).text();
    expect(html).toContain('Nothing has arrived yet');
    expect(html).toContain(`curl -X POST ${origin}/v2/demo/webhooks`);
  });

  it.each(['GET', 'POST', 'DELETE'])('404 for %s in a deployed configuration', async (method) => {
    const answer = await app.request(url, { method }, deployed, createExecutionContext());
    expect(answer.status).toBe(404);
    const json = await app.request(`${url}.json`, {}, deployed, createExecutionContext());
    expect(json.status).toBe(404);
  });
});
