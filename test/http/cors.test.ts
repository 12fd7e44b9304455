import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { exposedHeaders } from '../../src/http/cors.ts';
import { callPathWithBindings } from '../support/api/measure.ts';
import { fakeDatabase } from '../support/fakes/fake-database.ts';
import { createTestStore } from '../support/fixtures/store.ts';

const origin = { Origin: 'https://spa.example' };
const preflightHeaders = {
  ...origin,
  'Access-Control-Request-Method': 'PUT',
  'Access-Control-Request-Headers': 'authorization,if-match,x-partner-client-id',
};

const send = (method: string, path: string, headers: Record<string, string>) =>
  exports.default.fetch(`https://api.test${path}`, { method, headers });

describe('pages of other origins', () => {
  it('get a preflight answered (204) without credentials, before any database is asked', async () => {
    const silent = fakeDatabase({ prepare: () => expect.unreachable() });
    const bindings = { ...env, DIRECTORY: silent, STORE_0: silent, STORE_1: silent };
    for (const path of ['/v2/demo/catalog/brands/1', '/v2/auth/me', '/v2/nothing']) {
      const request = new Request(`https://api.test${path}`, {
        method: 'OPTIONS',
        headers: preflightHeaders,
      });
      const { status, headers } = await createApp().fetch(
        request,
        bindings,
        createExecutionContext(),
      );
      expect([status, headers.get('Access-Control-Allow-Origin')], path).toEqual([204, '*']);
      expect(headers.get('Access-Control-Max-Age')).toBe('86400');
      expect(headers.get('Access-Control-Allow-Methods')).toBe('GET,HEAD,QUERY,POST,PUT,DELETE');
      const allowed = headers.get('Access-Control-Allow-Headers')!.toLowerCase().split(',');
      const named = [
        'user-token',
        'user-secret-key',
        'content-type',
        'idempotency-key',
        'prefer',
        'if-none-match',
        'x-request-id',
      ];
      expect(allowed).toEqual(
        expect.arrayContaining([
          ...named,
          ...preflightHeaders['Access-Control-Request-Headers'].split(','),
        ]),
      );
      expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
    }
  });

  it('may read successes (200) and errors (401, 404, 429) with their headers', async () => {
    const store = await createTestStore();
    const path = `/v2/${store.alias}/catalog/brands`;
    const limiter: RateLimit = { limit: () => Promise.resolve({ success: false }) };
    const responses = [
      await send('GET', path, { ...origin, ...store.headers }),
      await send('GET', path, origin),
      await send('GET', '/v2/nothing', origin),
      await callPathWithBindings('GET', path, {
        headers: { ...origin, ...store.headers },
        bindings: { API_LIMIT: limiter, API_PER_MINUTE: '1' } as unknown as Partial<Env>,
      }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 401, 404, 429]);
    for (const { headers } of responses) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(headers.get('Access-Control-Expose-Headers')!.split(', ')).toEqual(exposedHeaders);
      expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
    }
  });

  it('get 405 for OPTIONS that is no preflight', async () => {
    const response = await send('OPTIONS', '/v2/demo/catalog/brands', origin);
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, POST, QUERY']);
  });

  it('may revoke a token and read the metadata, but see no page', async () => {
    for (const [method, path] of [
      ['POST', '/oauth/revoke'],
      ['GET', '/.well-known/oauth-authorization-server'],
      ['GET', '/openapi.json'],
    ] as const) {
      const { headers } = await send(method, path, origin);
      expect(headers.get('Access-Control-Allow-Origin'), path).toBe('*');
    }
    for (const path of ['/account', '/session/sign-in', '/oauth/authorize', '/docs']) {
      const { headers } = await send('GET', path, origin);
      expect(headers.get('Access-Control-Allow-Origin'), path).toBeNull();
    }
  });
});
