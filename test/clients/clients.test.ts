import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MerchantBrowser } from '../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../support/node/runtime/demo.ts';
import { arctic } from './arctic.ts';
import { badgateway } from './badgateway.ts';
import { clientOauth2 } from './client-oauth2.ts';
import type { Authorization } from './client.ts';
import { mcpSdk } from './mcp-sdk.ts';
import { oauth4webapi } from './oauth4webapi.ts';
import { oidcClientTs } from './oidc-client-ts.ts';
import { openidClient } from './openid-client.ts';
import { passportOauth2 } from './passport-oauth2.ts';
import { simpleOauth2 } from './simple-oauth2.ts';

const clients = {
  oauth4webapi,
  'openid-client': openidClient,
  arctic,
  'passport-oauth2': passportOauth2,
  'simple-oauth2': simpleOauth2,
  'oidc-client-ts': oidcClientTs,
  '@badgateway/oauth2-client': badgateway,
  'client-oauth2': clientOauth2,
  '@modelcontextprotocol/sdk': mcpSdk,
};

const clientId = 'demo-app';
let demo: RunningDemo;
/** Stays signed in over all clients: an account may hash ten passwords a minute. */
let merchant: MerchantBrowser;
const service = () => ({
  origin: demo.origin,
  clientId,
  redirectUri: 'http://127.0.0.1:51004/callback',
  scopes: ['catalog.read', 'customers.read'],
});

beforeAll(async () => {
  demo = await startDemo();
  merchant = new MerchantBrowser(demo.origin);
});
afterAll(() => demo.close());

/** Calls the API with an access token and returns the status. */
async function callBrands(accessToken: string) {
  const response = await fetch(`${demo.origin}/v2/demo/catalog/brands`, {
    headers: { Authorization: `Bearer ${accessToken}`, 'X-Partner-Client-ID': clientId },
  });
  await response.body?.cancel();
  return response.status;
}

/** Returns the server's `error` as the client reports it. */
const errorOf = ({ errorCode }: Authorization, attempt: Promise<unknown>) =>
  attempt.then(
    () => 'accepted',
    (thrown: unknown) => errorCode(thrown) ?? thrown,
  );

describe.each(Object.entries(clients))('%s, unmodified', (_name, begin) => {
  it('redeems, calls the API and refreshes; a replay throws its typed invalid_grant and revokes the grant', async () => {
    const authorization = await begin(service());
    const callback = await merchant.decide(authorization.link);
    const first = await authorization.redeem(callback);
    expect(await callBrands(first.accessToken)).toBe(200);

    const second = await authorization.refresh(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(await callBrands(second.accessToken)).toBe(200);

    expect(await errorOf(authorization, authorization.redeem(callback))).toBe('invalid_grant');
    expect(await errorOf(authorization, authorization.refresh(second.refreshToken))).toBe(
      'invalid_grant',
    );
    expect(await callBrands(second.accessToken)).toBe(401);
  });

  it('reports access_denied when the merchant denies', async () => {
    const authorization = await begin(service());
    const callback = await merchant.decide(authorization.link, {
      decision: 'deny',
    });
    expect(await errorOf(authorization, authorization.redeem(callback))).toBe('access_denied');
  });
});
