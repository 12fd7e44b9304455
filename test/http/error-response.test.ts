import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../src/base/errors.ts';
import type { AppEnv } from '../../src/http/app-env.ts';
import { addDefaults, mountRouteGroups } from '../../src/http/mount.ts';
import { callApi } from '../support/api/client.ts';
import { expectRefusal } from '../support/api/expect-refusal.ts';
import { callWithBindings, measureRequest } from '../support/api/measure.ts';
import { refusal } from '../support/api/refusal.ts';
import { createTestStore } from '../support/fixtures/store.ts';

async function fetchFrom(app: Hono<AppEnv>, url: string, bindings: object = env) {
  const response = await app.request(url, {}, bindings);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

describe('an error body', () => {
  it('has the request id that the caller sent, and links to the guide of the same address', async () => {
    const { alias, headers } = await createTestStore();
    const { status, body } = await callApi('GET', `/v2/${alias}/catalog/brands/1`, {
      headers: { ...headers, 'X-Request-Id': 'order-sync-4711' },
    });
    expect([status, body]).toEqual([
      404,
      {
        message: '404 Not Found',
        status_code: 404,
        code: 'not_found',
        hint: 'Check the ids in the path: this store has no such record, or it was deleted.',
        request_id: 'order-sync-4711',
        documentation_url: 'https://api.test/docs/guides/errors#not_found',
      },
    ]);
  });

  it('links to AUTH_URL, whatever host the request names', async () => {
    const bindings = { AUTH_URL: 'https://shop-api.example/' } as unknown as Partial<Env>;
    const store = await createTestStore();
    const { body } = await callWithBindings(store, 'GET /catalog/brands/1', undefined, bindings);
    expect(body.documentation_url).toBe('https://shop-api.example/docs/guides/errors#not_found');
  });

  it('is complete with 500 when a group of operations cannot be loaded', async () => {
    const app = new Hono<AppEnv>();
    const group = { tag: 'Broken', pathPrefixes: ['/{alias}/broken'] };
    const load = () => Promise.reject(new Error('no such module'));
    mountRouteGroups(app, '/v2', [{ ...group, load }], () => addDefaults(new Hono()));
    const response = await fetchFrom(addDefaults(app), 'http://localhost/v2/demo/broken');
    expect(response.body).toEqual(refusal(500, 'internal_error'));
    expectRefusal(response);
  });

  it('is complete with 421, and with 404 for an unknown path of an app that loads nothing', async () => {
    const app = addDefaults(new Hono<AppEnv>());
    const misdirected = await fetchFrom(app, 'http://rebound.example/v2/demo');
    expect(misdirected.status).toBe(421);
    expectRefusal(misdirected);
    expectRefusal(await fetchFrom(app, 'http://localhost/nothing'));
  });

  it('keeps a hint of its own, and lists at most 100 messages', async () => {
    const app = addDefaults(new Hono<AppEnv>());
    const errors = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`field${index}`, ['Required.']]),
    );
    app.get('/many', () => {
      throw new HttpError('invalid_body', { hint: 'Send less.', errors });
    });
    const { body } = await fetchFrom(app, 'http://localhost/many');
    expect(body).toMatchObject({
      hint: 'Send less.',
      errors: { '*': ['Leaves out 20 more errors.'] },
    });
  });

  it('costs no round trip of its own', async () => {
    const shop = await createTestStore();
    const unknown = await measureRequest(shop, 'GET /catalog/brands/1');
    expect([unknown.response.status, unknown.data.roundTrips]).toEqual([404, 1]);
    const invalid = await measureRequest(shop, 'POST /catalog/brands', {});
    expect([invalid.response.status, invalid.data.roundTrips]).toEqual([422, 0]);
    const malformed = await measureRequest(shop, 'GET /catalog/brands?limit=0');
    expect([malformed.response.status, malformed.data.roundTrips]).toEqual([400, 0]);
  });
});
