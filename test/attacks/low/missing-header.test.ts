import { describe, expect, it } from 'vitest';
import { callApi } from '../../support/api/client.ts';
import { refusal } from '../../support/api/refusal.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp } from '../../support/oauth/partner.ts';

const store = await createTestStore();
const app = await connectApp(store);
const key = store.headers;
const neither = ['Required, unless Authorization: Bearer is sent.'];
const bearer = { Authorization: app.headers.Authorization! };
const both = ['Must not be sent with User-Token or User-Secret-Key.'];

const incomplete = (errors: Record<string, string[]>) =>
  refusal(401, 'credentials_incomplete', errors);
const wrong = refusal(401, 'unauthenticated');
const noKey = incomplete({ 'User-Token': neither, 'User-Secret-Key': neither });

/** `named` are the headers that the hint must name. */
const cases: [what: string, headers: Record<string, string>, body: object, named: string[]][] = [
  ['no header', {}, noKey, ['User-Token', 'X-Partner-Client-ID']],
  ['Basic', { Authorization: 'Basic YTpi' }, noKey, ['User-Token', 'Bearer']],
  [
    'only the token of an API key',
    { 'User-Token': key['User-Token']! },
    incomplete({ 'User-Secret-Key': ['Required.'] }),
    ['User-Secret-Key is missing'],
  ],
  [
    'only the secret of an API key',
    { 'User-Secret-Key': key['User-Secret-Key']! },
    incomplete({ 'User-Token': ['Required.'] }),
    ['User-Token is missing'],
  ],
  [
    'an empty secret',
    { ...key, 'User-Secret-Key': '' },
    incomplete({ 'User-Secret-Key': ['Required.'] }),
    ['User-Secret-Key is missing'],
  ],
  [
    'a bearer token without the client id',
    bearer,
    incomplete({ 'X-Partner-Client-ID': ['Required.'] }),
    ['X-Partner-Client-ID is missing'],
  ],
  [
    'both kinds',
    { ...key, ...bearer },
    refusal(401, 'credentials_ambiguous', { Authorization: both }),
    ['API key', 'Bearer'],
  ],
  [
    'a wrong secret',
    { ...key, 'User-Secret-Key': 'sk-wrong' },
    wrong,
    ['User-Token', 'User-Secret-Key'],
  ],
  [
    'the client id of another app',
    { ...bearer, 'X-Partner-Client-ID': 'demo-app' },
    wrong,
    ['X-Partner-Client-ID'],
  ],
  ['a made-up token', { ...app.headers, Authorization: 'Bearer made-up' }, wrong, ['token']],
];

describe('a request with incomplete credentials', () => {
  it.each(cases)(
    'returns 401 and names the missing header, but nothing wrong: %s',
    async (_what, headers, expected, named) => {
      for (const [method, path] of [
        ['GET', `/v2/${store.alias}/catalog/brands`],
        ['POST', '/v2/auth/me'],
      ] as const) {
        const { status, body } = await callApi(method, path, { headers });
        expect([status, body]).toEqual([401, expected]);
        for (const header of named) expect(body.hint).toContain(header);
      }
    },
  );

  it('gives a 401 that is the same for a wrong token and for a wrong secret of an API key', async () => {
    const path = `/v2/${store.alias}/catalog/brands`;
    const [one, other] = await Promise.all(
      [{ 'User-Token': 'nobody' }, { 'User-Secret-Key': 'sk-wrong' }].map((change) =>
        callApi('GET', path, { headers: { ...key, 'X-Request-Id': 'same-request', ...change } }),
      ),
    );
    expect(one!.status).toBe(401);
    expect(one!.body).toEqual(other!.body);
  });
});
