import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/oauth/partner.ts';
import { appDeliveryHeaders } from '../../webhooks/app-webhook-support.ts';
import { partner } from './support.ts';

const url = 'https://hooks.partner.test/app';

describe('/partners/{client id}/webhook', () => {
  it('returns 303, shows the secret once, and a save keeps it', async () => {
    const { ownerId, browser } = await partner();
    const { client_id: clientId } = await createTestApp({ ownerId });
    const path = `/partners/${clientId}/webhook`;
    expect((await browser.get(path)).text).toContain('Set up the webhook');
    const made = await browser.submit(path, { url });
    expect([made.status, made.location]).toEqual([303, `${path}/secret`]);
    const shown = await browser.get(`${path}/secret`);
    const [secret = ''] = /whsec_[\w+/=]+/.exec(shown.html) ?? [];
    expect(secret).toHaveLength(50);
    expect((await browser.get(`${path}/secret`)).html).not.toContain('whsec_');
    expect((await browser.get(path)).text).toContain('disconnect a test store to cause one');
    const saved = await browser.submit(path, { url: `${url}/2` });
    expect([saved.status, saved.location]).toEqual([303, `${path}?done=saved`]);
    const stored = await env.DIRECTORY.prepare('select * from app_webhooks where client_id = ?')
      .bind(clientId)
      .first();
    expect(stored?.['url']).toBe(`${url}/2`);
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6));
  });

  it('returns 422 with the form for an address that cannot be used', async () => {
    const { ownerId, browser } = await partner();
    const { client_id: clientId } = await createTestApp({ ownerId });
    const path = `/partners/${clientId}/webhook`;
    for (const [wrong, text] of [
      ['', 'Enter the address.'],
      ['nonsense', 'not a complete address'],
      ['https://10.0.0.1/x', 'We cannot send to this address'],
    ] as const) {
      const page = await browser.submit(path, { url: wrong });
      expect([page.status, page.text.includes(text)]).toEqual([422, true]);
    }
  });

  it('replaces the secret for two days, once at a time, and removes the webhook', async () => {
    const { ownerId, browser } = await partner();
    const { client_id: clientId } = await createTestApp({ ownerId });
    const path = `/partners/${clientId}/webhook`;
    await browser.submit(path, { url });
    const rotated = await browser.submit(`${path}/rotate`);
    expect(rotated.location).toBe(`${path}/secret`);
    expect((await browser.get(path)).text).toContain('Two secrets are valid until');
    expect((await browser.get(`${path}/rotate`)).location).toBe(path);
    expect(await appDeliveryHeaders(clientId)).toEqual({ signatures: 2, hasNext: true });
    const removed = await browser.submit(`${path}/remove`);
    expect(removed.location).toBe(`${path}?done=removed`);
    expect((await browser.get(path)).text).toContain('Set up the webhook');
    const { results } = await env.DIRECTORY.prepare(
      `select action from audit where target_id = ? order by id`,
    )
      .bind(clientId)
      .all<{ action: string }>();
    expect(results.map(({ action }) => action)).toEqual([
      'app.webhook_set',
      'app.webhook_secret_rotated',
      'app.webhook_removed',
    ]);
  });

  it("returns 404 for another partner's app, whatever is asked", async () => {
    const [{ ownerId }, { browser: other }] = [await partner(), await partner()];
    const { client_id: clientId } = await createTestApp({ ownerId });
    const path = `/partners/${clientId}/webhook`;
    for (const page of [path, `${path}/secret`, `${path}/rotate`, `${path}/remove`]) {
      expect((await other.get(page)).status).toBe(404);
      expect((await other.post(page, { url })).status).toBeGreaterThanOrEqual(400);
    }
  });
});
