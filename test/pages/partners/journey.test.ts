import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { createApiClient, callApi } from '../../support/api/client.ts';
import { refusal } from '../../support/api/refusal.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { authorizeUrl, redirectParams } from '../../support/oauth/consent.ts';
import { partnerRedirectUri, postToken } from '../../support/oauth/partner.ts';
import { partner, right } from './support.ts';

const verifier = 'v'.repeat(43);

describe('an app from its registration to its disconnection', () => {
  it('cannot connect as a draft; once published it connects, calls the API and is disconnected by the merchant', async () => {
    const { browser: paula } = await partner();
    const registered = await paula.submit('/partners/new', {
      ...right,
      redirect_uris: partnerRedirectUri,
      area_payments: 'none',
      area_webhooks: 'write',
    });
    const client_id = registered.location?.match(/^\/partners\/([\w-]{24})\?/)?.[1] ?? '';

    const shop = await createTestStore();
    const ana = await new Browser().signIn(shop.userId);
    const asking = authorizeUrl({ client_id }, { code_challenge: await sha256(verifier) });
    expect((await ana.get(asking)).text).toContain('This app is a draft');

    await paula.submit(`/partners/${client_id}/publish`);
    const consent = await ana.get(asking);
    expect(consent.text).toContain('Connect Estoque Fácil?');
    const decision = { ...hiddenFieldsOf(consent, '/oauth/authorize'), decision: 'approve' };
    const code = redirectParams(await ana.post('/oauth/authorize', decision)).get('code') ?? '';
    const { status, body: tokens } = await postToken({
      grant_type: 'authorization_code',
      client_id,
      code,
      code_verifier: verifier,
      redirect_uri: partnerRedirectUri,
    });
    expect([status, tokens.merchant]).toEqual([200, shop.alias]);
    const headers = {
      Authorization: `Bearer ${tokens.access_token}`,
      'X-Partner-Client-ID': client_id,
    };
    const api = createApiClient(shop.alias, headers);
    expect((await api('GET /catalog/brands')).status).toBe(200);
    const webhook = { name: 'News', url: 'https://partner.test/hook', events: ['product.created'] };
    expect((await api('POST /webhooks', webhook)).status).toBe(201);
    expect((await paula.get('/partners')).text).toContain(`Published 1 ${client_id}`);

    expect((await ana.get('/account/apps')).text).toContain('Estoque Fácil Publisher Paula Prado');
    await ana.submit(`/account/apps/${shop.alias}/${client_id}/disconnect`);
    const refused = refusal(401, 'unauthenticated');
    const response = await callApi('GET', `/v2/${shop.alias}/catalog/brands`, { headers });
    expect([response.status, response.body]).toEqual([401, refused]);
    const retry = await postToken({
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
