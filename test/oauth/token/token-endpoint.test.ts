import { env, exports } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { toBase64url } from '../../../src/base/crypto/base64.ts';
import { randomBase64url, randomBytes } from '../../../src/base/crypto/random.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  createTestApp,
  approveConsent,
  partnerRedirectUri,
  postToken,
  redemptionForm,
} from '../../support/oauth/partner.ts';
import { runsOf } from '../../support/slow.ts';
import '../../support/fixtures/first-shard.ts';

const tokenUrl = 'https://api.test/oauth/token';
const formMediaType = 'application/x-www-form-urlencoded';

async function send(init: RequestInit, url = tokenUrl) {
  const response = await exports.default.fetch(url, { method: 'POST', ...init });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

const sendForm = (body: string, type = formMediaType, headers: Record<string, string> = {}) =>
  send({ body, headers: { 'Content-Type': type, ...headers } });

/** Returns a form that redeems a code. */
async function validForm() {
  const approved = await approveConsent(await createTestStore(), await createTestApp());
  return new URLSearchParams(redemptionForm(approved) as Record<string, string>).toString();
}

afterEach(() => {
  vi.useRealTimers();
});

describe('POST /oauth/token: parsing', () => {
  it.each(['GET', 'PUT', 'DELETE'])('attack D1: returns 405 with Allow for %s', async (method) => {
    const { status, headers, body } = await send({ method });
    expect([status, headers.get('Allow'), body.error]).toEqual([405, 'POST', 'invalid_request']);
  });

  it.each([
    ['D2', 'application/json'],
    ['D3', 'application/json, application/x-www-form-urlencoded'],
    ['D5', 'multipart/form-data; boundary=x'],
    ['D5', ''],
  ])('attack %s: returns 400 for the media type "%s"', async (_id, type) => {
    const { status, body } = await send({
      body: new TextEncoder().encode(await validForm()),
      headers: type ? { 'Content-Type': type } : {},
    });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  it.each([`${formMediaType}; charset=UTF-8`, 'Application/X-WWW-Form-Urlencoded'])(
    'attack D4: returns 200 for the media type %s',
    async (type) => {
      expect((await sendForm(await validForm(), type)).status).toBe(200);
    },
  );

  it.each(['code', 'client_id', 'grant_type', 'code_verifier', 'redirect_uri'])(
    'attack D6: returns 400 for a repeated %s and names it',
    async (name) => {
      const { status, body } = await sendForm(`${await validForm()}&${name}=x`);
      expect([status, body.error, body.hint]).toEqual([
        400,
        'invalid_request',
        `Check the ${name} parameter`,
      ]);
    },
  );

  it('attack D7: never reads the query of the URL', async () => {
    const init = { headers: { 'Content-Type': formMediaType }, body: '' };
    const { status, body } = await send(init, `${tokenUrl}?${await validForm()}`);
    expect([status, body.hint]).toEqual([400, 'Check the grant_type parameter']);
    expect(body.error_uri).toBe('https://api.test/docs/guides/oauth#oauth-invalid_request');
  });

  it.each([
    ['', 'invalid_request', 'Check the grant_type parameter'],
    ...['password', 'client_credentials', '__proto__', 'constructor'].map((type) => [
      type,
      'unsupported_grant_type',
      'Check that all required parameters have been provided',
    ]),
  ])('attack D8: returns 400 for the grant type "%s"', async (type, error, hint) => {
    const { status, body } = await sendForm(`grant_type=${type}`);
    expect([status, body.error, body.hint]).toEqual([400, error, hint]);
  });

  it('attack D9: returns 413 beyond 16 KiB, with or without Content-Length', async () => {
    const long = `grant_type=${'x'.repeat(1_048_576)}`;
    expect((await sendForm(long)).body.error).toBe('invalid_request');
    const stream = new Blob([long]).stream();
    const { status } = await send({ body: stream, headers: { 'Content-Type': formMediaType } });
    expect(status).toBe(413);
    expect((await sendForm(`x=${'y'.repeat(16_382)}`)).status).toBe(400);
    expect((await sendForm(`x=${'y'.repeat(16_383)}`)).status).toBe(413);
  });

  it.each(['%zz', '%', '%ED%A0%80', '%FF', '%00'])(
    'attack D9: returns 400 for %s in a value',
    async (value) => {
      const { status, body } = await sendForm(`grant_type=authorization_code&state=${value}`);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
    },
  );

  it('attack D9: returns 400 for bytes that are not UTF-8', async () => {
    const bytes = new Uint8Array([0x61, 0x3d, 0xff]);
    const { status } = await send({ body: bytes, headers: { 'Content-Type': formMediaType } });
    expect(status).toBe(400);
  });

  it('attack D10: ignores a client_secret, empty or not', async () => {
    expect((await sendForm(`${await validForm()}&client_secret=`)).status).toBe(200);
    expect((await sendForm(`${await validForm()}&client_secret=abc`)).status).toBe(200);
  });

  it('attack D11: returns 401 for Basic credentials', async () => {
    const { status, headers, body } = await sendForm(await validForm(), formMediaType, {
      Authorization: 'Basic YTpi',
    });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect(headers.get('WWW-Authenticate')).toMatch(/^Basic\b/);
  });

  it('attack D12: returns 401 without a hint for a client that is missing, unknown or deleted', async () => {
    const deletedApp = await createTestApp();
    await env.DIRECTORY.prepare('delete from apps where id = ?').bind(deletedApp.id).run();
    for (const client of [undefined, 'nobody', randomBase64url(18), deletedApp.client_id]) {
      const { status, body } = await postToken({ grant_type: 'refresh_token', client_id: client });
      expect([status, body.error, 'hint' in body]).toEqual([401, 'invalid_client', false]);
    }
  });

  it('attack D13: every response is JSON, is not cached and sets no cookie', async () => {
    for (const response of [
      await sendForm(await validForm()),
      await sendForm(''),
      await send({ method: 'GET' }),
    ]) {
      expect(response.headers.get('Content-Type')).toBe('application/json; charset=UTF-8');
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(response.headers.get('Pragma')).toBe('no-cache');
      expect(response.headers.get('Set-Cookie')).toBeNull();
    }
  });

  it('attack D14: allows any origin, without credentials', async () => {
    const origin = { Origin: 'https://spa.example' };
    const preflight = await send({
      method: 'OPTIONS',
      headers: { ...origin, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toBe('POST');
    for (const { headers } of [
      preflight,
      await sendForm(await validForm(), formMediaType, origin),
    ]) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
    }
  });

  it('accepts a form from another site, because no cookie is read', async () => {
    const headers = { Origin: 'https://spa.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await sendForm(await validForm(), formMediaType, headers)).status).toBe(200);
  });

  const invented = runsOf(5_000, 100);

  it(`attack D15: ${invented} invented codes, tokens and client ids cost no call to a database or KV`, async () => {
    const knownApp = await createTestApp();
    // The isolate knows an app for half a minute, which so many requests may take.
    vi.useFakeTimers({ toFake: ['Date'] });
    await postToken({ grant_type: 'refresh_token', client_id: knownApp.client_id });
    const cost = noCost();
    let kvCalls = 0;
    const GRANTS = new Proxy(env.GRANTS, {
      get: () => () => {
        kvCalls += 1;
        return Promise.resolve(null);
      },
    });
    const bindings = {
      DIRECTORY: countingDatabase(env.DIRECTORY, cost),
      STORE_0: countingDatabase(env.STORE_0, cost),
      GRANTS,
    };
    for (let round = 0; round < invented; round += 1) {
      const junk = toBase64url(randomBytes(78));
      const code = { grant_type: 'authorization_code', code: `oac_${junk}`, code_verifier: 'v' };
      const refresh = { grant_type: 'refresh_token', refresh_token: `ort_${junk}` };
      const client_id = round % 2 === 0 ? knownApp.client_id : randomBase64url(18);
      const responses = [
        await postToken({ ...code, redirect_uri: partnerRedirectUri, client_id }, { bindings }),
        await postToken({ ...refresh, client_id }, { bindings }),
      ];
      const hints = responses.map(({ body }) => body.hint);
      expect(hints).toEqual(
        round % 2 === 0
          ? ['Cannot decrypt the authorization code', 'Cannot decrypt the refresh token']
          : [undefined, undefined],
      );
    }
    expect([cost.roundTrips, kvCalls]).toEqual([0, 0]);
  });
});
