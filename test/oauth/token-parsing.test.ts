import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { toBase64url } from '../../src/crypto/base64.ts';
import { randomBase64url, randomBytes } from '../../src/crypto/random.ts';
import { counting } from '../support/counted.ts';
import { app, approve, callback, post, redemption } from '../support/partner.ts';
import { store } from '../support/store.ts';

const address = 'https://api.test/oauth/token';
const form = 'application/x-www-form-urlencoded';

async function send(init: RequestInit, url = address) {
  const response = await exports.default.fetch(url, { method: 'POST', ...init });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

const sendForm = (body: string, type = form, headers: Record<string, string> = {}) =>
  send({ body, headers: { 'Content-Type': type, ...headers } });

/** A form that would redeem a code. */
async function good() {
  const approved = await approve(await store(), await app());
  return new URLSearchParams(redemption(approved) as Record<string, string>).toString();
}

describe('POST /oauth/token reads its form strictly', () => {
  it.each(['GET', 'PUT', 'DELETE'])('D1: 405 for %s, with Allow', async (method) => {
    const { status, headers, body } = await send({ method });
    expect([status, headers.get('Allow'), body.error]).toEqual([405, 'POST', 'invalid_request']);
  });

  it.each([
    ['D2', 'application/json'],
    ['D3', 'application/json, application/x-www-form-urlencoded'],
    ['D5', 'multipart/form-data; boundary=x'],
    ['D5', ''],
  ])('%s: 400 for the media type "%s"', async (_id, type) => {
    const { status, body } = await send({
      body: new TextEncoder().encode(await good()),
      headers: type ? { 'Content-Type': type } : {},
    });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  it.each([`${form}; charset=UTF-8`, 'Application/X-WWW-Form-Urlencoded'])(
    'D4: 200 for the media type %s',
    async (type) => {
      expect((await sendForm(await good(), type)).status).toBe(200);
    },
  );

  it.each(['code', 'client_id', 'grant_type', 'code_verifier', 'redirect_uri'])(
    'D6: 400 for %s sent twice, naming it',
    async (name) => {
      const { status, body } = await sendForm(`${await good()}&${name}=x`);
      expect([status, body.error, body.hint]).toEqual([
        400,
        'invalid_request',
        `Check the ${name} parameter`,
      ]);
    },
  );

  it('D7: the query of the address is never read', async () => {
    const init = { headers: { 'Content-Type': form }, body: '' };
    const { status, body } = await send(init, `${address}?${await good()}`);
    expect([status, body.hint]).toEqual([400, 'Check the grant_type parameter']);
  });

  it.each([
    ['', 'invalid_request', 'Check the grant_type parameter'],
    ...['password', 'client_credentials', '__proto__', 'constructor'].map((type) => [
      type,
      'unsupported_grant_type',
      'Check that all required parameters have been provided',
    ]),
  ])('D8: 400 for the grant type "%s"', async (type, error, hint) => {
    const { status, body } = await sendForm(`grant_type=${type}`);
    expect([status, body.error, body.hint]).toEqual([400, error, hint]);
  });

  it('D9: 413 for more than 16 KiB, whether it is declared or not', async () => {
    const long = `grant_type=${'x'.repeat(1_048_576)}`;
    expect((await sendForm(long)).body.error).toBe('invalid_request');
    const stream = new Blob([long]).stream();
    const { status } = await send({ body: stream, headers: { 'Content-Type': form } });
    expect(status).toBe(413);
    expect((await sendForm(`x=${'y'.repeat(16_382)}`)).status).toBe(400);
    expect((await sendForm(`x=${'y'.repeat(16_383)}`)).status).toBe(413);
  });

  it.each(['%zz', '%', '%ED%A0%80', '%FF', '%00'])('D9: 400 for %s in a value', async (value) => {
    const { status, body } = await sendForm(`grant_type=authorization_code&state=${value}`);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  it('D9: 400 for bytes that are no UTF-8', async () => {
    const bytes = new Uint8Array([0x61, 0x3d, 0xff]);
    const { status } = await send({ body: bytes, headers: { 'Content-Type': form } });
    expect(status).toBe(400);
  });

  it('D10: a client_secret, empty or not, does nothing', async () => {
    expect((await sendForm(`${await good()}&client_secret=`)).status).toBe(200);
    expect((await sendForm(`${await good()}&client_secret=abc`)).status).toBe(200);
  });

  it('D11: 401 for Basic credentials, which no app has', async () => {
    const { status, headers, body } = await sendForm(await good(), form, {
      Authorization: 'Basic YTpi',
    });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect(headers.get('WWW-Authenticate')).toMatch(/^Basic\b/);
  });

  it('D12: 401 without a hint for a client that is missing, unknown or deleted', async () => {
    const gone = await app();
    await env.DIRECTORY.prepare('delete from apps where id = ?').bind(gone.id).run();
    for (const client of [undefined, 'nobody', randomBase64url(18), gone.client_id]) {
      const { status, body } = await post({ grant_type: 'refresh_token', client_id: client });
      expect([status, body.error, 'hint' in body]).toEqual([401, 'invalid_client', false]);
    }
  });

  it('D13: every answer is JSON, is not stored and sets no cookie', async () => {
    for (const answer of [
      await sendForm(await good()),
      await sendForm(''),
      await send({ method: 'GET' }),
    ]) {
      expect(answer.headers.get('Content-Type')).toBe('application/json; charset=UTF-8');
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      expect(answer.headers.get('Pragma')).toBe('no-cache');
      expect(answer.headers.get('Set-Cookie')).toBeNull();
    }
  });

  it('D14: any origin may read, without credentials', async () => {
    const origin = { Origin: 'https://spa.example' };
    const preflight = await send({
      method: 'OPTIONS',
      headers: { ...origin, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toBe('POST');
    for (const { headers } of [preflight, await sendForm(await good(), form, origin)]) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
    }
  });

  it('takes a form from another site: no check against forged requests is in its way', async () => {
    const headers = { Origin: 'https://spa.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await sendForm(await good(), form, headers)).status).toBe(200);
  });

  it('D15: 10,000 made-up codes, tokens and clients cost no database and no KV call', async () => {
    const known = await app();
    await post({ grant_type: 'refresh_token', client_id: known.client_id });
    const cost = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
    let kvCalls = 0;
    const GRANTS = new Proxy(env.GRANTS, {
      get: () => () => {
        kvCalls += 1;
        return Promise.resolve(null);
      },
    });
    const bindings = {
      DIRECTORY: counting(env.DIRECTORY, cost),
      STORE_0: counting(env.STORE_0, cost),
      GRANTS,
    };
    for (let round = 0; round < 5_000; round += 1) {
      const junk = toBase64url(randomBytes(78));
      const code = { grant_type: 'authorization_code', code: `oac_${junk}`, code_verifier: 'v' };
      const refresh = { grant_type: 'refresh_token', refresh_token: `ort_${junk}` };
      const client_id = round % 2 === 0 ? known.client_id : randomBase64url(18);
      const answers = [
        await post({ ...code, redirect_uri: callback, client_id }, { bindings }),
        await post({ ...refresh, client_id }, { bindings }),
      ];
      const hints = answers.map(({ body }) => body.hint);
      expect(hints).toEqual(
        round % 2 === 0
          ? ['Cannot decrypt the authorization code', 'Cannot decrypt the refresh token']
          : [undefined, undefined],
      );
    }
    expect([cost.trips, kvCalls]).toEqual([0, 0]);
  }, 60_000);
});
