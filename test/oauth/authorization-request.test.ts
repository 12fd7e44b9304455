import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { bitsOf } from '../../src/access/scopes.ts';
import { sha256 } from '../../src/crypto/sha256.ts';
import { checkAuthorizationRequest } from '../../src/oauth/authorization-request.ts';
import { disableApp } from '../../src/oauth/disable-app.ts';
import { knownApp } from '../../src/oauth/known-app.ts';
import { redirectBack } from '../../src/oauth/redirect-back.ts';
import { registeredUri } from '../../src/oauth/registered-uri.ts';
import { app, callback } from '../support/partner.ts';

const issuer = 'https://auth.test';
const challenge = await sha256('v'.repeat(43));
const now = Date.now();

type Change = Record<string, string | string[] | undefined>;

/** A good request of an app, with some parameters changed, left out or sent twice. */
async function ask(options: Parameters<typeof app>[0] = {}, change: Change = {}, userId?: number) {
  const of = await app(options);
  const good = {
    client_id: of.client_id,
    redirect_uri: options.redirectUris?.[0] ?? callback,
    response_type: 'code',
    state: 'xyz',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...good, ...change } as Change)) {
    for (const one of [value ?? []].flat()) query.append(name, one);
  }
  const url = new URL(`${issuer}/oauth/authorize?${query.toString()}`);
  const findApp = (clientId: string) => knownApp(env, clientId, now);
  const checked = await checkAuthorizationRequest(url, { findApp, issuer, userId });
  const back = 'redirect' in checked ? new URL(checked.redirect) : undefined;
  return { checked, back: back && Object.fromEntries(back.searchParams), app: of };
}

describe('the client', () => {
  it.each<[id: string, what: string, change: Change]>([
    ['A1', 'unknown', { client_id: 'nobody' }],
    ['A1', 'missing', { client_id: undefined }],
    ['A1', 'empty', { client_id: '' }],
    ['A3', 'sent twice', { client_id: ['a', 'b'] }],
    ['A20', 'markup', { client_id: '<script>alert(1)</script>' }],
  ])(
    '%s: refused when it is %s, with a reason that repeats nothing',
    async (_id, _what, change) => {
      expect((await ask({}, change)).checked).toEqual({ refused: 'client is wrong' });
    },
  );

  it('A2: refused when it is disabled', async () => {
    const of = await app();
    await disableApp(env, of.client_id, now);
    const { checked } = await ask({}, { client_id: of.client_id });
    expect(checked).toEqual({ refused: 'client is wrong' });
  });

  it('A2: a draft works for its own partner alone', async () => {
    const draft = await app({ state: 'draft' });
    const change = { client_id: draft.client_id };
    expect((await ask({}, change)).checked).toEqual({ refused: 'client is wrong' });
    expect((await ask({}, change, draft.owner_id + 1)).checked).toEqual({
      refused: 'client is wrong',
    });
    expect((await ask({}, change, draft.owner_id)).checked).toHaveProperty('request');
  });

  it('A21: an address over 8 KiB is refused', async () => {
    const { checked } = await ask({}, { nonsense: 'x'.repeat(8_192) });
    expect(checked).toEqual({ refused: 'url is too long' });
  });
});

describe('the redirect URI', () => {
  const app1 = 'https://app.example/cb';
  it.each<[id: string, registered: string, sent: string | string[] | undefined]>([
    ['A4', app1, undefined],
    ['A4', app1, [app1, app1]],
    ['A5', app1, 'https://other.example/cb'],
    ['A6', app1, 'https://app.example/cb/'],
    ['A7', app1, 'https://app.example/cb?x=1'],
    ['A8', app1, 'https://app.example/cb#f'],
    ['A9', app1, 'https://APP.example/cb'],
    ['A9', app1, 'HTTPS://app.example/cb'],
    ['A10', app1, 'https://app.example:443/cb'],
    ['A11', app1, 'https://app.example/%63b'],
    ['A11', app1, 'https://app.example/x/../cb'],
    ['A11', app1, 'https://app.example//cb'],
    ['A12', app1, 'https://app.example@evil.tld/cb'],
    ['A12', app1, 'https://app.example\\@evil.tld/cb'],
    ['A12', app1, 'https://app.example.evil.tld/cb'],
    ['A13', app1, 'http://app.example/cb'],
    ['A14', app1, 'javascript:alert(1)'],
    ['A14', app1, 'data:text/html,x'],
    ['A14', app1, 'vbscript:x'],
    ['A14', app1, 'file:///etc/passwd'],
    ['A14', app1, 'blob:https://app.example/1'],
    ['A15', app1, 'https://app.example/cb\r\nSet-Cookie:x=1'],
    ['A16', 'http://localhost/cb', 'http://localhost:51004/cb'],
    ['A16', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004/other'],
    ['A16', 'http://127.0.0.1/cb', 'http://127.0.0.2:51004/cb'],
    ['A16', 'http://127.0.0.1/cb', 'https://127.0.0.1:51004/cb'],
    ['A16', 'http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb'],
    ['A16', 'http://127.0.0.1/cb', 'http://127.0.0.1:80@evil.tld/cb'],
    ['A16', 'http://[::1]/cb', 'http://127.0.0.1/cb'],
  ])('%s: with %s registered, %s is refused', async (_id, registered, sent) => {
    const { checked } = await ask({ redirectUris: [registered] }, { redirect_uri: sent });
    expect(checked).toEqual({ refused: 'redirect_uri is wrong' });
  });

  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb'],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1/cb'],
    ['http://[::1]/cb', 'http://[::1]:51004/cb'],
    ['http://localhost/cb', 'http://localhost/cb'],
    ['https://app.example/cb?own=1', 'https://app.example/cb?own=1'],
  ])('A16, A18: with %s registered, %s is taken as it was sent', async (registered, sent) => {
    const { checked } = await ask({ redirectUris: [registered] }, { redirect_uri: sent });
    expect(checked).toHaveProperty('request.redirectUri', sent);
  });

  it('A18: its own query stays, and what we add follows', () => {
    const to = (redirectUri: string) =>
      redirectBack({ redirectUri }, { code: 'c', state: undefined });
    expect(to('https://a.b/cb')).toBe('https://a.b/cb?code=c');
    expect(to('https://a.b/cb?own=%20x')).toBe('https://a.b/cb?own=%20x&code=c');
    expect(to('https://a.b/cb?')).toBe('https://a.b/cb?code=c');
  });

  it('A15: a state with a line break goes back encoded', async () => {
    const { checked } = await ask({}, { response_type: 'token', state: 'a\r\nSet-Cookie:x=1' });
    expect('redirect' in checked && checked.redirect).toContain('state=a%0D%0ASet-Cookie%3Ax%3D1');
  });
});

describe('registering a redirect URI', () => {
  it.each([
    ['https://*.app.example/cb', 'wildcard'],
    ['https://app.example/cb#f', 'fragment'],
    ['https://user@app.example/cb', 'userInfo'],
    ['https://10.1.2.3/cb', 'privateAddress'],
    ['https://192.168.0.1/cb', 'privateAddress'],
    ['https://0x7f.1/cb/../', 'privateAddress'],
    ['https://[fd00::1]/cb', 'privateAddress'],
    ['https://[::ffff:10.0.0.1]/cb', 'privateAddress'],
    ['http://app.example/cb', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['vbscript:x', 'scheme'],
    ['file:///x', 'scheme'],
    ['blob:https://app.example/1', 'scheme'],
    ['/cb', 'notUrl'],
    ['https://app.example/c b', 'characters'],
    ['https://app.example\\@evil.tld/cb', 'characters'],
  ])('A14, A19: %s is refused: %s', (text, problem) => {
    expect(registeredUri(text)).toEqual({ problem });
  });

  it('A19: one of more than 2,048 characters is refused', () => {
    expect(registeredUri(`https://app.example/${'x'.repeat(2_029)}`)).toEqual({
      problem: 'tooLong',
    });
  });

  it.each([
    ['https://app.example/cb?x=1', 'https://app.example/cb?x=1'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1/cb'],
    ['http://[::1]/cb', 'http://[::1]/cb'],
    ['http://localhost:3000/cb', 'http://localhost:3000/cb'],
    ['https://açaí.example/cb', 'https://xn--aa-4iaz.example/cb'],
  ])('A19: %s is stored as %s', (text, uri) => {
    expect(registeredUri(text)).toEqual({ uri });
  });
});

describe('the rest of the request', () => {
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
  ])('%s: %j goes back as invalid_request with state and iss', async (_id, change) => {
    const { back } = await ask({}, change);
    expect(back).toMatchObject({ error: 'invalid_request', iss: issuer });
    expect(back?.state).toBe(change.state ?? 'xyz');
    expect(back).not.toHaveProperty('code');
  });

  it('B8: a state sent twice goes back as invalid_request, without one', async () => {
    const { back } = await ask({}, { state: ['a', 'b'] });
    expect(back).toEqual({
      error: 'invalid_request',
      error_description: expect.any(String),
      iss: issuer,
    });
  });

  it('B6: works without a state', async () => {
    const { checked } = await ask({}, { state: undefined });
    expect(checked).toHaveProperty('request.state', undefined);
  });

  it('B7: a state that looks like parameters stays one', async () => {
    const { back } = await ask({}, { state: 'a&code=evil', scope: 'nonsense' });
    expect(back).toMatchObject({ state: 'a&code=evil', error: 'invalid_scope' });
    expect(back).not.toHaveProperty('code');
  });

  it('B10: scopes beyond the panel or unknown are invalid_scope', async () => {
    for (const scope of ['catalog.write', 'catalog.read orders.read', 'admin', 'catalog']) {
      expect((await ask({ scopes: ['catalog.read'] }, { scope })).back?.error).toBe(
        'invalid_scope',
      );
    }
  });

  it('asks for all that the panel has when no scope is named, else for what is named', async () => {
    const options = { scopes: ['catalog.write', 'orders.read'] as const };
    const all = await ask(options);
    expect(all.checked).toHaveProperty('request.scopes', all.app.scopes);
    const some = await ask(options, { scope: 'catalog.read' });
    expect(some.checked).toHaveProperty('request.scopes', bitsOf(new Set(['catalog.read'])));
  });

  it('B11: request, request_uri and prompt are ignored', async () => {
    const change = { request_uri: 'http://169.254.169.254/', request: 'x', prompt: 'none' };
    expect((await ask({}, change)).checked).toHaveProperty('request');
  });
});
