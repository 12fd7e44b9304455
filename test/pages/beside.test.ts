import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../src/base/settings.ts';
import { createSecret, importSigningKey, signRequest } from '../../src/webhooks/signature.ts';
import { Browser } from '../support/browser/browser.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { createTestApp } from '../support/oauth/partner.ts';

const codeIn = (html: string) =>
  (/<aside>.*?<code>(.*?)<\/code>/s.exec(html)?.[1] ?? '').replaceAll('&quot;', '"');

describe('what stands beside a form', () => {
  it('is a delivery of the store, with headers that deliveries have', async () => {
    const store = await createTestStore();
    const browser = await new Browser().signIn(store.userId);
    const { html } = await browser.get(`/account/webhooks/${store.alias}/new`);
    const [head = '', body = ''] = codeIn(html).split('\n\n');
    expect(JSON.parse(body)).toMatchObject({
      event: 'order.paid',
      merchant: { id: store.id, alias: store.alias },
    });
    const { headers } = await signRequest({
      serviceName: settingsOf(env).serviceName,
      secrets: { primary: await importSigningKey(createSecret()) },
      endpoint: 1,
      epoch: 1,
      seq: 1,
      eventId: 'event-1',
      event: 'order.paid',
      changed: null,
      apiVersion: '2',
      attempt: 1,
      triggeredAt: 1,
      at: 1,
      body,
    });
    const shown = head.split('\n').slice(1);
    expect(shown).toHaveLength(3);
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(shown.map((line) => line.replace(/:.*/, ''))),
    );
  });

  it('is the first call of a key, and what merchants see of an app', async () => {
    const { userId } = await createTestStore();
    const browser = await new Browser().signIn(userId);
    expect(codeIn((await browser.get('/account/keys/new')).html)).toContain('/v2/auth/me');
    const { client_id: clientId, name } = await createTestApp({ ownerId: userId });
    const { text } = await browser.get(`/partners/${clientId}/edit`);
    expect(text).toContain(`What merchants see T Connect ${name}?`);
  });
});
