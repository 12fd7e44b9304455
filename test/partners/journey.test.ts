import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/crypto/sha256.ts';
import { apiOf, call } from '../support/api.ts';
import { Browser } from '../support/browser.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { requestOf, returned } from '../support/consent.ts';
import { callback, post } from '../support/partner.ts';
import { store } from '../support/store.ts';
import { partner, right } from './support.ts';

const verifier = 'v'.repeat(43);

describe('from registering an app to being disconnected', () => {
  it('a draft reaches no merchant; published it connects, works, and ends when the merchant says so', async () => {
    const { browser: paula } = await partner();
    const registered = await paula.submit('/partners/new', {
      ...right,
      redirect_uris: callback,
      scopes: ['catalog.read', 'webhooks.write'],
    });
    const client_id = registered.location?.match(/^\/partners\/([\w-]{24})\?/)?.[1] ?? '';

    const shop = await store();
    const ana = await new Browser().signedIn(shop.userId);
    const asking = requestOf({ client_id }, { code_challenge: await sha256(verifier) });
    expect((await ana.get(asking)).text).toContain('This link does not work');

    await paula.submit(`/partners/${client_id}/publish`);
    const consent = await ana.get(asking);
    expect(consent.text).toContain('Connect Estoque Fácil?');
    const decision = { ...fieldsOf(consent, '/oauth/authorize'), decision: 'approve' };
    const code = returned(await ana.post('/oauth/authorize', decision)).get('code') ?? '';
    const { status, body: tokens } = await post({
      grant_type: 'authorization_code',
      client_id,
      code,
      code_verifier: verifier,
      redirect_uri: callback,
    });
    expect([status, tokens.merchant]).toEqual([200, shop.alias]);
    const headers = {
      Authorization: `Bearer ${tokens.access_token}`,
      'X-Partner-Client-ID': client_id,
    };
    const api = apiOf(shop.alias, headers);
    expect((await api('GET /catalog/brands')).status).toBe(200);
    const webhook = { name: 'News', url: 'https://partner.test/hook', events: ['product.created'] };
    expect((await api('POST /webhooks', webhook)).status).toBe(201);
    expect((await paula.get('/partners')).text).toContain(`Published 1 ${client_id}`);

    expect((await ana.get('/account/apps')).text).toContain('Estoque Fácil Made by Paula Prado');
    await ana.submit(`/account/apps/${shop.alias}/${client_id}/disconnect`);
    const refused = { message: 'Unauthenticated.', status_code: 401 };
    const answer = await call('GET', `/v2/${shop.alias}/catalog/brands`, { headers });
    expect([answer.status, answer.body]).toEqual([401, refused]);
    const retry = await post({
      grant_type: 'refresh_token',
      client_id,
      refresh_token: tokens.refresh_token,
    });
    expect(retry.body).toMatchObject({ error: 'invalid_grant', hint: 'Token has been revoked' });
    expect((await shop.api('GET /webhooks')).body.data).toMatchObject([
      { name: 'News', active: false },
    ]);
    const { text } = await paula.get(`/partners/${client_id}`);
    expect(text).toContain(`The merchant disconnected the app. ${shop.alias}`);
    expect((await paula.get('/partners')).text).toContain(`Published 0 ${client_id}`);
  });
});
