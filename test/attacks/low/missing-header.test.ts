import { describe, expect, it } from 'vitest';
import { callApi } from '../../support/api/client.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp } from '../../support/oauth/partner.ts';

const store = await createTestStore();
const app = await connectApp(store);
const key = store.headers;
const neither = ['Required, unless Authorization: Bearer is sent.'];
const bearer = { Authorization: app.headers.Authorization! };
const both = ['Must not be sent with User-Token or User-Secret-Key.'];

const cases: [what: string, headers: Record<string, string>, errors: object | undefined][] = [
  ['no header', {}, { 'User-Token': neither, 'User-Secret-Key': neither }],
  ['Basic', { Authorization: 'Basic YTpi' }, { 'User-Token': neither, 'User-Secret-Key': neither }],
  [
    'only the token of an API key',
    { 'User-Token': key['User-Token']! },
    { 'User-Secret-Key': ['Required.'] },
  ],
  [
    'only the secret of an API key',
    { 'User-Secret-Key': key['User-Secret-Key']! },
    { 'User-Token': ['Required.'] },
  ],
  ['an empty secret', { ...key, 'User-Secret-Key': '' }, { 'User-Secret-Key': ['Required.'] }],
  ['a bearer token without the client id', bearer, { 'X-Partner-Client-ID': ['Required.'] }],
  ['both kinds', { ...key, ...bearer }, { Authorization: both }],
  ['a wrong secret', { ...key, 'User-Secret-Key': 'sk-wrong' }, undefined],
  ['the client id of another app', { ...bearer, 'X-Partner-Client-ID': 'demo-app' }, undefined],
  ['a made-up token', { ...app.headers, Authorization: 'Bearer made-up' }, undefined],
];

describe('a request with incomplete credentials', () => {
  it.each(cases)(
    'returns 401 and names the missing header, but nothing wrong: %s',
    async (_what, headers, errors) => {
      for (const [method, path] of [
        ['GET', `/v2/${store.alias}/catalog/brands`],
        ['POST', '/v2/auth/me'],
      ] as const) {
        const { status, body } = await callApi(method, path, { headers });
        expect([status, body]).toEqual([
          401,
          { message: 'Unauthenticated.', status_code: 401, ...(errors && { errors }) },
        ]);
      }
    },
  );
});
