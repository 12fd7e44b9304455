import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../src/base/settings.ts';
import localWorker from '../../src/demo/worker.ts';
import { verifyAccessToken } from '../../src/http/access/access-token.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import {
  authorizeUrl,
  grantsOf,
  openConsentPage,
  redirectParams,
} from '../support/oauth/consent.ts';
import { contextOfTool } from '../support/oauth/mcp-request.ts';
import {
  approveConsent,
  bearerHeaders,
  connectApp,
  createTestApp,
  postToken,
  redemptionForm,
  refreshForm,
} from '../support/oauth/partner.ts';

const mcp = 'https://api.test/mcp';

const claimsOf = async (token: string) =>
  verifyAccessToken(settingsOf(env).tokenKeys, token, Date.now());

const send = async (request: Request, context = createExecutionContext()) => {
  const response = await localWorker.fetch(request, env, context);
  return { status: response.status, challenge: response.headers.get('WWW-Authenticate') };
};

describe('the resource metadata', () => {
  it.each([
    ['/mcp', mcp],
    ['/mcp/', `${mcp}/`],
    ['', mcp],
    ['/', mcp],
  ])(
    'names the tools for assistants and their authorization server at /.well-known/oauth-protected-resource%s',
    async (path, resource) => {
      const response = await exports.default.fetch(
        `https://api.test/.well-known/oauth-protected-resource${path}`,
      );
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(await response.json()).toMatchObject({
        resource,
        authorization_servers: ['https://api.test'],
        bearer_methods_supported: ['header'],
      });
    },
  );
});

describe('resource at /oauth/authorize', () => {
  it.each([
    'https://api.test',
    'https://evil.test/mcp',
    'https://api.test.evil.test/mcp',
    'https://api.test@evil.test/mcp',
    'https://user@api.test/mcp',
    'http://api.test/mcp',
    'https://api.test:444/mcp',
    'https://api.test/mcp//',
    'https://api.test/mcp/v2',
    'https://api.test/MCP',
    'https://api.test/mcp#x',
    'https://api.test/mcp#',
    'https://api.test/v2',
    'mcp',
  ])('reports %s as invalid_target to the app', async (resource) => {
    const app = await createTestApp();
    const response = await exports.default.fetch(
      `https://api.test${authorizeUrl(app, { resource })}`,
      { redirect: 'manual' },
    );
    const location = new URL(response.headers.get('Location')!);
    expect(response.status).toBe(302);
    expect(location.searchParams.get('error')).toBe('invalid_target');
    expect(location.searchParams.get('iss')).toBe('https://api.test');
  });

  it.each([
    'https://api.test/mcp/',
    'https://api.test/mcp/?store=demo',
    'https://api.test/mcp?toolsets=orders&read_only=1',
    'https://api.test/mcp?',
    'HTTPS://API.Test:443/mcp',
  ])('takes %s for the tools, also at /oauth/token', async (resource) => {
    const { app, store, decide } = await openConsentPage({ changed: { resource } });
    await decide('approve');
    expect(await grantsOf(app)).toMatchObject([{ resource: 'mcp' }]);
    const approved = await approveConsent(store, app, { resource: 'mcp' });
    const { status, body } = await postToken({ ...redemptionForm(approved), resource });
    expect(status).toBe(200);
    const again = await postToken({ ...refreshForm(app, body.refresh_token), resource });
    expect(await claimsOf(again.body.access_token)).toMatchObject({ resource: 'mcp' });
  });

  it('makes the grant of a partner app one for the tools, with the scopes of the app', async () => {
    const { app, decide } = await openConsentPage({ changed: { resource: mcp } });
    const code = redirectParams(await decide('approve')).get('code');
    expect(code).not.toBeNull();
    expect(await grantsOf(app)).toMatchObject([{ resource: 'mcp' }]);
  });

  it('leaves other grants as they were', async () => {
    const { app, decide } = await openConsentPage();
    await decide('approve');
    expect(await grantsOf(app)).toMatchObject([{ resource: null }]);
  });
});

describe('resource at /oauth/token', () => {
  it('keeps the resource of a code that is redeemed and refreshed without naming it', async () => {
    const { tokens, app } = await connectApp(await createTestStore(), { resource: 'mcp' });
    expect(await claimsOf(tokens.access_token)).toMatchObject({ resource: 'mcp' });
    const { body } = await postToken(refreshForm(app, tokens.refresh_token));
    expect(await claimsOf(body.access_token)).toMatchObject({ resource: 'mcp' });
    const named = { ...refreshForm(app, body.refresh_token), resource: mcp };
    const again = await postToken(named);
    expect(await claimsOf(again.body.access_token)).toMatchObject({ resource: 'mcp' });
  });

  it('returns 400 invalid_target for another resource, and the code stays usable', async () => {
    const app = await createTestApp();
    const approved = await approveConsent(await createTestStore(), app, { resource: 'mcp' });
    const form = redemptionForm(approved);
    for (const resource of ['https://api.test', 'https://evil.test/mcp']) {
      const { status, body } = await postToken({ ...form, resource });
      expect([status, body.error, body.hint]).toEqual([
        400,
        'invalid_target',
        'Check the resource parameter',
      ]);
    }
    expect((await postToken({ ...form, resource: mcp })).status).toBe(200);
  });

  it('returns 400 invalid_target when a code or token for the API is presented for the tools', async () => {
    const app = await createTestApp();
    const approved = await approveConsent(await createTestStore(), app);
    const form = redemptionForm(approved);
    expect((await postToken({ ...form, resource: mcp })).body.error).toBe('invalid_target');
    const { body: first } = await postToken(form);
    const refresh = refreshForm(app, first.refresh_token);
    expect((await postToken({ ...refresh, resource: mcp })).body.error).toBe('invalid_target');
    const { status, body } = await postToken(refresh);
    expect(status).toBe(200);
    // Neither a retry that names it gets the successor.
    expect((await postToken({ ...refresh, resource: mcp })).body.error).toBe('invalid_target');
    expect(await claimsOf(body.access_token)).not.toHaveProperty('resource', 'mcp');
  });
});

describe('a token for another resource', () => {
  const metadata = 'https://api.test/.well-known/oauth-protected-resource/mcp';
  const challenge = `Bearer error="invalid_token", resource_metadata="${metadata}"`;

  it('opens the tools and not the API (401), with and without the client id', async () => {
    const store = await createTestStore();
    const { headers, tokens } = await connectApp(store, { resource: 'mcp' });
    const url = `https://api.test/v2/${store.alias}/catalog/brands`;
    expect(await send(new Request(url, { headers }))).toEqual({ status: 401, challenge });
    const alone = { Authorization: `Bearer ${tokens.access_token}` };
    expect(await send(new Request(url, { headers: alone }), contextOfTool())).toMatchObject({
      status: 200,
    });
    expect(await send(new Request(url, { headers: headers }), contextOfTool())).toMatchObject({
      status: 200,
    });
    const other = { ...alone, 'X-Partner-Client-ID': 'demo-app' };
    expect(await send(new Request(url, { headers: other }), contextOfTool())).toMatchObject({
      status: 401,
    });
  });

  it('opens the API and not the tools (401)', async () => {
    const store = await createTestStore();
    const { headers } = await connectApp(store);
    const url = `https://api.test/v2/${store.alias}/catalog/brands`;
    expect(await send(new Request(url, { headers }))).toMatchObject({ status: 200 });
    expect(await send(new Request(url, { headers: headers }), contextOfTool())).toEqual({
      status: 401,
      challenge,
    });
  });

  it('leaves API keys and other refusals as they were', async () => {
    const store = await createTestStore();
    const url = `https://api.test/v2/${store.alias}/catalog/brands`;
    expect(await send(new Request(url, { headers: store.headers }), contextOfTool())).toMatchObject(
      { status: 200 },
    );
    const headers = bearerHeaders(await createTestApp(), 'oat_x');
    expect(await send(new Request(url, { headers }))).toEqual({ status: 401, challenge: 'Bearer' });
  });
});
