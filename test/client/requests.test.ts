import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, client } from '../../src/client/index.ts';
import { fakeClient, jsonResponse, refusedResponse } from './support.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Lets all waits of a call pass at once. */
async function settle<T>(call: PromiseLike<T>): Promise<T | ApiError> {
  const outcome = Promise.resolve(call).catch((error: unknown) => error as ApiError);
  await vi.runAllTimersAsync();
  return outcome;
}

describe('a call', () => {
  it('keeps its idempotency key over repetitions, and has one of its own', async () => {
    const { shop, sent } = fakeClient((_request, count) =>
      count === 1 ? new Error('reset') : jsonResponse({}),
    );
    await settle(shop.request('POST', '/catalog/brands', { body: { name: 'Sol' } }));
    await settle(shop.request('POST', '/catalog/brands', { body: { name: 'Sol' } }));
    const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it.each([
    ['network', () => new Error('reset'), 0],
    ['rate_limited', () => refusedResponse(429, 'rate_limited', { 'Retry-After': '2' }), 429],
    ['unavailable', () => refusedResponse(503, 'unavailable'), 503],
    [
      'request_under_way',
      () => refusedResponse(409, 'request_under_way', { 'Retry-After': '1' }),
      409,
    ],
    ['unexpected_answer', () => new Response('<html>', { status: 502 }), 502],
    ['network', () => new Response('{"da', { headers: { 'Content-Type': 'application/json' } }), 0],
  ])('is repeated after %s, at most as often as retries says', async (code, respond, status) => {
    const { shop, sent } = fakeClient(respond, { retries: 2 });
    const failure = await settle(shop.request('GET', '/catalog/brands'));
    expect(failure).toMatchObject({ name: 'ApiError', code, status });
    expect(sent).toHaveLength(3);
  });

  it.each([
    ['not_found', () => refusedResponse(404, 'not_found')],
    ['answer_lost', () => refusedResponse(409, 'answer_lost')],
    ['internal_error', () => refusedResponse(500, 'internal_error')],
    ['event_budget', () => refusedResponse(429, 'event_budget', { 'Retry-After': '3600' })],
  ])('is not repeated after %s', async (code, respond) => {
    const { shop, sent } = fakeClient(respond);
    expect(await settle(shop.request('DELETE', '/catalog/brands/1'))).toMatchObject({ code });
    expect(sent).toHaveLength(1);
  });

  it('waits as long as Retry-After says', async () => {
    const times: number[] = [];
    const { shop } = fakeClient((_request, count) => {
      times.push(Date.now());
      return count === 1
        ? refusedResponse(429, 'rate_limited', { 'Retry-After': '7' })
        : jsonResponse({});
    });
    await settle(shop.request('GET', '/x'));
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(7_000);
    expect(times[1]! - times[0]!).toBeLessThan(8_000);
  });

  it('times out, and says so', async () => {
    const { shop, sent } = fakeClient(() => new Promise<Response>(() => undefined), {
      timeoutMs: 5_000,
      retries: 1,
    });
    expect(await settle(shop.request('GET', '/x'))).toMatchObject({ code: 'timeout', status: 0 });
    expect(sent).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends with the reason of its signal, also while it waits', async () => {
    const controller = new AbortController();
    const { shop, sent } = fakeClient(() =>
      refusedResponse(503, 'unavailable', { 'Retry-After': '50' }),
    );
    const call = shop.request('GET', '/x', { signal: controller.signal });
    const outcome = call.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    await vi.runAllTimersAsync();
    expect(sent).toHaveLength(1);
    await expect(shop.request('GET', '/x', { signal: controller.signal })).rejects.toBe(reason);
  });

  it('sends lists joined by commas, dates as ISO 8601, and the conditions', async () => {
    const { shop, sent } = fakeClient(() => jsonResponse({ data: [] }));
    const date = new Date('2031-03-05T12:04:07Z');
    const options = {
      query: { status: ['paid', 'sent'], since: date, q: undefined },
      ifNoneMatch: '"a"',
    };
    await settle(shop.request('GET', '/orders', options));
    await settle(
      shop.request('PUT', '/orders/1', { body: { at: date, none: undefined }, ifMatch: '"a"' }),
    );
    expect(sent[0]?.path).toBe(
      '/v2/demo/orders?status=paid%2Csent&since=2031-03-05T12%3A04%3A07.000Z',
    );
    expect(sent[0]?.headers.get('If-None-Match')).toBe('"a"');
    expect(sent[0]?.headers.has('Idempotency-Key')).toBe(false);
    expect(sent[1]?.body).toBe('{"at":"2031-03-05T12:04:07.000Z"}');
    expect(sent[1]?.headers.get('If-Match')).toBe('"a"');
  });

  it('skips the holes of lists, in queries and bodies, and what has no value', async () => {
    const { shop, sent } = fakeClient(() => jsonResponse({ data: [] }));
    const date = new Date('2031-03-05T12:04:07Z');
    const query = {
      status: ['paid', undefined, null, 'sent'],
      ids: [undefined, 4],
      days: [date, null],
      new: true,
      price: 9.9,
      include: [undefined],
      name: undefined,
      q: '',
    };
    await settle(shop.request('GET', '/orders', { query }));
    await settle(shop.walk('/orders', { query: { include: [], status: [null, 'paid'] } }).page());
    const holes: unknown[] = [4, undefined, { at: date, none: undefined, none2: null }];
    holes.length = 5;
    await settle(
      shop.request('PUT', '/x', { body: { ids: holes, nested: { list: [undefined] } } }),
    );
    expect(sent.map(({ path }) => decodeURIComponent(path))).toEqual([
      '/v2/demo/orders?status=paid,sent&ids=4&days=2031-03-05T12:04:07.000Z&new=true&price=9.9&q=',
      '/v2/demo/orders?status=paid',
      '/v2/demo/x',
    ]);
    expect(sent[2]?.body).toBe(
      '{"ids":[4,{"at":"2031-03-05T12:04:07.000Z","none2":null}],"nested":{"list":[]}}',
    );
  });

  it.each<[why: string, query: object | undefined, body: unknown, message: string]>([
    ['a list without values', { status: [] }, undefined, 'status is a list without values'],
    ['a list of holes', { status: [undefined, null] }, undefined, 'status is a list'],
    ['a list of an empty text', { status: [''] }, undefined, 'status is a list'],
    ['an object in a query', { status: { a: 1 } }, undefined, 'status must be a value or a list'],
    ['an invalid date in a query', { since: new Date('x') }, undefined, 'Invalid time value'],
    ['NaN', undefined, { price: Number.NaN }, 'price is NaN, which cannot be sent'],
    ['infinity', undefined, { all: [{ price: Infinity }] }, 'price is Infinity'],
    ['an invalid date', undefined, { end_at: new Date('x') }, 'end_at is Invalid Date'],
  ])('sends nothing for %s, which would mean another request', async (_why, query, body, text) => {
    const { shop, sent } = fakeClient(() => jsonResponse({ data: [] }));
    const call = async () =>
      await (query
        ? shop.walk('/orders', { query: query as Record<string, never> }).all()
        : shop.request('PUT', '/x', { body: body as object }));
    await expect(call()).rejects.toThrow(text);
    expect(sent).toEqual([]);
  });

  it('never follows a link to another host, nor a redirect', async () => {
    const { shop, sent } = fakeClient((_request, count) =>
      count < 2
        ? jsonResponse({
            data: [1],
            meta: { pagination: { links: { next: 'https://evil.test/v2/demo/x?cursor=2' } } },
          })
        : jsonResponse({ data: [2], meta: { pagination: { links: { next: '' } } } }),
    );
    expect(await settle(shop.walk('/x').all())).toEqual([1, 2]);
    expect(sent.map(({ path }) => path)).toEqual(['/v2/demo/x?limit=100', '/v2/demo/x?cursor=2']);
    const redirecting = fakeClient(
      () => new Response(null, { status: 302, headers: { Location: 'https://evil.test' } }),
    );
    expect(await settle(redirecting.shop.request('GET', '/x'))).toMatchObject({ status: 302 });
  });

  it('sends a GET with a body, or with an address of more than 4,000 characters, as QUERY', async () => {
    const { shop, sent } = fakeClient(() => jsonResponse({ data: [1], meta: {} }));
    const address = '/v2/demo/x?name=';
    const name = 'x'.repeat(4_000 - address.length);
    await settle(shop.walk('/x', { query: { name } }).page());
    await settle(shop.walk('/x', { query: { name: `${name}é?` } }).page());
    await settle(shop.request('GET', '/catalog/categories', { body: { active: true } }));
    expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', address + name, ''],
      ['QUERY', '/v2/demo/x', `name=${name}%C3%A9%3F`],
      ['QUERY', '/v2/demo/catalog/categories', '{"active":true}'],
    ]);
    const of = (header: string) => sent.map(({ headers }) => headers.get(header));
    expect(of('Content-Type')).toEqual([
      null,
      'application/x-www-form-urlencoded',
      'application/json',
    ]);
    expect(of('Idempotency-Key')).toEqual([null, null, null]);
  });

  it('walks a list with smaller pages when an answer would be too large', async () => {
    const { shop, sent } = fakeClient(({ path }) =>
      path.includes('limit=100')
        ? refusedResponse(400, 'answer_too_large')
        : jsonResponse({ data: [1], meta: {} }),
    );
    expect(await settle(shop.walk('/x', { query: { include: ['skus'] } }).all())).toEqual([1]);
    expect(sent.map(({ path }) => path)).toEqual([
      '/v2/demo/x?limit=100&include=skus',
      '/v2/demo/x?limit=25&include=skus',
    ]);
  });
});

describe('an error', () => {
  it('says what to do, and holds no credentials', async () => {
    const body = {
      message: '422 Unprocessable Entity',
      status_code: 422,
      code: 'invalid_body',
      errors: { name: ['Must not be empty.'] },
      hint: 'Correct the fields.',
      request_id: 'r1',
      documentation_url: 'https://api.test/docs/guides/errors#invalid_body',
    };
    const { shop } = fakeClient(() => jsonResponse(body, 422));
    const failure = await settle(shop.request('POST', '/x', { body: {} }));
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({
      message: '422 invalid_body: Correct the fields.\n  name: Must not be empty.',
      status: 422,
      code: 'invalid_body',
      errors: body.errors,
      requestId: 'r1',
      documentationUrl: body.documentation_url,
    });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toMatch(
      /token|secret/,
    );
  });

  it('names the headers of a wrong key', async () => {
    const { shop } = fakeClient(() => refusedResponse(401, 'unauthenticated'));
    const failure = await settle(shop.request('GET', '/x'));
    expect(String(failure)).toMatch(/User-Token.*User-Secret-Key/);
  });

  it.each([
    [{ apiKey: { token: '', secret: 'b' } }, 'apiKey.token is missing. It is sent as User-Token.'],
    [{ apiKey: { token: 'a', secret: 'b\nc' } }, 'apiKey.secret must be a text without spaces.'],
    [{ store: 'a b' }, 'store must be the alias'],
    [{ baseUrl: 'api.example.com' }, 'baseUrl must be an address'],
    [{ apiKey: undefined }, 'Pass either apiKey or oauth.'],
  ])('is thrown at once for a configuration that cannot work: %o', (change, message) => {
    const config = { store: 'demo', apiKey: { token: 'a', secret: 'b' }, ...change };
    expect(() => client(config as Parameters<typeof client>[0])).toThrow(message);
  });
});
