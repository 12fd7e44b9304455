import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/crypto/digest.ts';
import { scopesToBits } from '../../src/data/grants/scopes.ts';
import {
  checkAuthorizationRequest,
  buildRedirectUrl,
} from '../../src/oauth/authorization-request.ts';
import { findActiveApp, teamCheck } from '../../src/oauth/client.ts';
import { withdrawAppEverywhere } from '../../src/oauth/withdraw-app.ts';
import { createTestApp, partnerRedirectUri } from '../support/oauth/partner.ts';

const issuer = 'https://auth.test';
const challenge = await sha256('v'.repeat(43));
const now = Date.now();

type Change = Record<string, string | string[] | undefined>;

/** Checks a valid request of an app with some parameters changed, omitted or repeated. */
async function checkRequest(
  options: Parameters<typeof createTestApp>[0] = {},
  change: Change = {},
  userId?: number,
  rawQuery = '',
) {
  const app = await createTestApp(options);
  const validParameters = {
    client_id: app.client_id,
    redirect_uri: options.redirectUris?.[0] ?? partnerRedirectUri,
    response_type: 'code',
    state: 'xyz',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...validParameters, ...change } as Change)) {
    for (const one of [value ?? []].flat()) query.append(name, one);
  }
  const url = new URL(`${issuer}/oauth/authorize?${query.toString()}${rawQuery}`);
  const findApp = (clientId: string) => findActiveApp(env, clientId, now);
  const isOfTeam = teamCheck(env);
  const checked = await checkAuthorizationRequest(url, { findApp, issuer, userId, isOfTeam });
  const redirect = 'redirect' in checked ? new URL(checked.redirect) : undefined;
  return { checked, params: redirect && Object.fromEntries(redirect.searchParams), app };
}

/** The refusal of a parameter that must be sent once, by the value that was sent. */
function refused(parameter: string, sent: string | string[] | undefined, unknown: string) {
  if (Array.isArray(sent)) return { rejected: 'parameter_repeated', parameter };
  return sent
    ? { rejected: unknown, parameter, sent }
    : { rejected: 'parameter_missing', parameter };
}

describe('checkAuthorizationRequest: client', () => {
  it.each<[id: string, problem: string, change: Change]>([
    ['A1', 'unknown', { client_id: 'nobody' }],
    ['A1', 'missing', { client_id: undefined }],
    ['A1', 'empty', { client_id: '' }],
    ['A3', 'sent twice', { client_id: ['a', 'b'] }],
    ['A20', 'markup', { client_id: '<script>alert(1)</script>' }],
  ])('attack %s: rejects a client_id that is %s', async (_id, _what, change) => {
    expect((await checkRequest({}, change)).checked).toEqual(
      refused('client_id', change.client_id, 'client_unknown'),
    );
  });

  it('attack A2: rejects a disabled app', async () => {
    const app = await createTestApp();
    await withdrawAppEverywhere(env, app.client_id, now);
    const { checked } = await checkRequest({}, { client_id: app.client_id });
    expect(checked).toEqual(refused('client_id', app.client_id, 'client_unknown'));
  });

  it('attack A2: accepts a draft app only for the partner who owns it', async () => {
    const draft = await createTestApp({ state: 'draft' });
    const change = { client_id: draft.client_id };
    expect((await checkRequest({}, change)).checked).toEqual({ rejected: 'draft_of_another' });
    expect((await checkRequest({}, change, draft.owner_id! + 1)).checked).toEqual({
      rejected: 'draft_of_another',
    });
    expect((await checkRequest({}, change, draft.owner_id!)).checked).toHaveProperty('request');
  });

  it('attack A21: rejects a URL of more than 8 KiB', async () => {
    const { checked } = await checkRequest({}, { nonsense: 'x'.repeat(8_192) });
    expect(checked).toEqual({ rejected: 'url_too_long' });
  });
});

describe('checkAuthorizationRequest: redirect URI', () => {
  const registeredUri = 'https://app.example/cb';
  it.each<[id: string, registered: string, sent: string | string[] | undefined]>([
    ['A4', registeredUri, undefined],
    ['A4', registeredUri, [registeredUri, registeredUri]],
    ['A5', registeredUri, 'https://other.example/cb'],
    ['A6', registeredUri, 'https://app.example/cb/'],
    ['A7', registeredUri, 'https://app.example/cb?x=1'],
    ['A8', registeredUri, 'https://app.example/cb#f'],
    ['A9', registeredUri, 'https://APP.example/cb'],
    ['A9', registeredUri, 'HTTPS://app.example/cb'],
    ['A10', registeredUri, 'https://app.example:443/cb'],
    ['A11', registeredUri, 'https://app.example/%63b'],
    ['A11', registeredUri, 'https://app.example/x/../cb'],
    ['A11', registeredUri, 'https://app.example//cb'],
    ['A12', registeredUri, 'https://app.example@evil.tld/cb'],
    ['A12', registeredUri, 'https://app.example\\@evil.tld/cb'],
    ['A12', registeredUri, 'https://app.example.evil.tld/cb'],
    ['A13', registeredUri, 'http://app.example/cb'],
    ['A14', registeredUri, 'javascript:alert(1)'],
    ['A14', registeredUri, 'data:text/html,x'],
    ['A14', registeredUri, 'vbscript:x'],
    ['A14', registeredUri, 'file:///etc/passwd'],
    ['A14', registeredUri, 'blob:https://app.example/1'],
    ['A15', registeredUri, 'https://app.example/cb\r\nSet-Cookie:x=1'],
    ['A16', 'http://localhost/cb', 'http://localhost:51004/cb'],
    ['A16', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004/other'],
    ['A16', 'http://127.0.0.1/cb', 'http://127.0.0.2:51004/cb'],
    ['A16', 'http://127.0.0.1/cb', 'https://127.0.0.1:51004/cb'],
    ['A16', 'http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb'],
    ['A16', 'http://127.0.0.1/cb', 'http://127.0.0.1:80@evil.tld/cb'],
    ['A16', 'http://[::1]/cb', 'http://127.0.0.1/cb'],
  ])(
    'attack %s: rejects a redirect URI that is not registered (registered: %s, sent: %s)',
    async (_id, registered, sent) => {
      const { checked } = await checkRequest(
        { redirectUris: [registered] },
        { redirect_uri: sent },
      );
      expect(checked).toEqual({
        ...refused('redirect_uri', sent, 'redirect_uri_unknown'),
        app: expect.objectContaining({ redirect_uris: [registered] }),
      });
    },
  );

  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb'],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1/cb'],
    ['http://[::1]/cb', 'http://[::1]:51004/cb'],
    ['http://localhost/cb', 'http://localhost/cb'],
    ['https://app.example/cb?own=1', 'https://app.example/cb?own=1'],
  ])(
    'attack A16, A18: accepts a registered redirect URI as it was sent (registered: %s, sent: %s)',
    async (registered, sent) => {
      const { checked } = await checkRequest(
        { redirectUris: [registered] },
        { redirect_uri: sent },
      );
      expect(checked).toHaveProperty('request.redirectUri', sent);
    },
  );

  it('attack A18: appends parameters after the own query of the redirect URI', () => {
    const redirectTo = (redirectUri: string) =>
      buildRedirectUrl({ redirectUri }, { code: 'c', state: undefined });
    expect(redirectTo('https://a.b/cb')).toBe('https://a.b/cb?code=c');
    expect(redirectTo('https://a.b/cb?own=%20x')).toBe('https://a.b/cb?own=%20x&code=c');
    expect(redirectTo('https://a.b/cb?')).toBe('https://a.b/cb?code=c');
  });

  it('attack A15: returns a state with a line break encoded', async () => {
    const { checked } = await checkRequest(
      {},
      { response_type: 'token', state: 'a\r\nSet-Cookie:x=1' },
    );
    expect('redirect' in checked && checked.redirect).toContain('state=a%0D%0ASet-Cookie%3Ax%3D1');
  });
});

describe('checkAuthorizationRequest: other parameters', () => {
  it.each<[id: string, change: Change]>([
    ['B1', { response_type: undefined }],
    ['B1', { response_type: 'token' }],
    ['B1', { response_type: 'code token' }],
    ['B1', { response_type: 'none' }],
    ['B2', { code_challenge: undefined }],
    ['B3', { code_challenge: challenge.slice(1) }],
    ['B3', { code_challenge: `${challenge}a` }],
    ['B3', { code_challenge: `${challenge.slice(1)}=` }],
    ['B3', { code_challenge: `${challenge.slice(1)}+` }],
    ['B4', { code_challenge_method: undefined }],
    ['B4', { code_challenge_method: 'plain' }],
    ['B4', { code_challenge_method: 's256' }],
    ['B4', { code_challenge_method: 'S512' }],
    ['B9', { state: 'x'.repeat(5_000) }],
    ['B12', { response_mode: 'fragment' }],
    ['B12', { response_mode: 'form_post' }],
    ['A3', { code_challenge: [challenge, challenge] }],
    ['A3', { scope: ['catalog.read', 'catalog.read'] }],
  ])(
    'attack %s: reports %j to the app as invalid_request, with state and iss',
    async (_id, change) => {
      const { params } = await checkRequest({}, change);
      expect(params).toMatchObject({ error: 'invalid_request', iss: issuer });
      expect(params?.state).toBe(change.state ?? 'xyz');
      expect(params).not.toHaveProperty('code');
    },
  );

  it('attack B8: reports a repeated state as invalid_request, without a state', async () => {
    const { params } = await checkRequest({}, { state: ['a', 'b'] });
    expect(params).toEqual({
      error: 'invalid_request',
      error_description: expect.any(String),
      iss: issuer,
    });
  });

  it.each(['state=caf%E9', 'state=%', 'scope=%E0%A4%A'])(
    'reports the malformed %s as invalid_request, and repairs no state',
    async (raw) => {
      const name = raw.split('=')[0]!;
      const { params } = await checkRequest({}, { [name]: undefined }, undefined, `&${raw}`);
      expect(params?.error).toBe('invalid_request');
      expect(params?.state).toBe(name === 'state' ? undefined : 'xyz');
      const other = await checkRequest({}, {}, undefined, '&utm=caf%E9');
      expect(other.checked).toHaveProperty('request.state', 'xyz');
    },
  );

  it('attack B6: accepts a request without a state', async () => {
    const { checked } = await checkRequest({}, { state: undefined });
    expect(checked).toHaveProperty('request.state', undefined);
  });

  it('attack B7: returns a state that looks like parameters as one value', async () => {
    const { params } = await checkRequest({}, { state: 'a&code=evil', scope: 'nonsense' });
    expect(params).toMatchObject({ state: 'a&code=evil', error: 'invalid_scope' });
    expect(params).not.toHaveProperty('code');
  });

  it('attack B10: reports scopes that are unknown or beyond those of the app as invalid_scope', async () => {
    for (const scope of ['catalog.write', 'catalog.read orders.read', 'admin', 'catalog']) {
      expect((await checkRequest({ scopes: ['catalog.read'] }, { scope })).params?.error).toBe(
        'invalid_scope',
      );
    }
  });

  it('requests all scopes of the app when it names none, else the named ones', async () => {
    const options = { scopes: ['catalog.write', 'orders.read'] as const };
    const all = await checkRequest(options);
    expect(all.checked).toHaveProperty('request.scopes', all.app.scopes);
    const some = await checkRequest(options, { scope: 'catalog.read' });
    expect(some.checked).toHaveProperty('request.scopes', scopesToBits(new Set(['catalog.read'])));
  });

  it('attack B11: ignores request, request_uri and prompt', async () => {
    const change = { request_uri: 'http://169.254.169.254/', request: 'x', prompt: 'none' };
    expect((await checkRequest({}, change)).checked).toHaveProperty('request');
  });
});
