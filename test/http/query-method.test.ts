import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { answersQuery } from '../../src/http/query-method.ts';
import { operations } from '../support/api/operations.ts';
import {
  createCompleteStore,
  pathWithIds,
  type CompleteStore,
} from '../support/fixtures/complete-store.ts';
import { headersFor } from '../support/fixtures/operator.ts';

interface Answer {
  data: { name: string }[];
  meta: { pagination: { links: { next: string } } };
}

const formats = 'application/json, application/x-www-form-urlencoded';
const form = 'application/x-www-form-urlencoded';
const lists = operations.filter(answersQuery);

let shop: CompleteStore;
beforeAll(async () => {
  shop = await createCompleteStore('asked');
  for (const name of ['Sol', 'Lua; cheia', 'Mar']) {
    await shop.api('POST /catalog/brands', { name, active: name !== 'Mar' });
  }
});

const send = (method: string, path: string, body?: string, type?: string, headers = shop.headers) =>
  exports.default.fetch(`https://api.test/v2/${path}`, {
    method,
    headers: { ...headers, ...(type !== undefined && { 'Content-Type': type }) },
    ...(body !== undefined && { body }),
  });
const ask = async (body: unknown, path = 'catalog/brands') => {
  const type = typeof body === 'string' ? form : 'application/json';
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await send('QUERY', `${shop.alias}/${path}`, text, type);
  const json = (await response.json()) as Answer;
  return { status: response.status, headers: response.headers, json };
};
const namesOf = ({ json }: Awaited<ReturnType<typeof ask>>) => json.data.map(({ name }) => name);

describe('QUERY', () => {
  it.each(lists.map((operation) => [operation.id, operation] as const))(
    'answers %s as GET does',
    async (_id, operation) => {
      const path = pathWithIds(operation, (kind) => shop.ids[kind] ?? 1);
      const address = (operation.isStoreScoped ? shop.alias : '') + path;
      const headers = await headersFor(operation, shop.headers);
      const url = address.replace(/^\//, '');
      const get = await send('GET', `${url}?limit=2`, undefined, undefined, headers);
      const query = await send('QUERY', url, '{"limit":2}', 'application/json', headers);
      expect([query.status, query.headers.get('Accept-Query')]).toEqual([
        get.status,
        get.status === 200 ? formats : null,
      ]);
      // Other files add records of the service meanwhile, and each request is one of the log.
      const isSteady = operation.isStoreScoped && operation.id !== 'listRequests';
      const data = async (response: Response) =>
        isSteady ? (await response.json<{ data?: unknown }>()).data : undefined;
      expect(await data(query)).toEqual(await data(get));
    },
  );

  it.each([
    [{ name: 'sol' }, ['Sol']],
    ['name=sol', ['Sol']],
    [{ active: false }, ['Mar']],
    ['active=false', ['Mar']],
    [{ search: { name: 'Lua; cheia' } }, ['Lua; cheia']],
    [{ search: String.raw`lua\; ch` }, ['Lua; cheia']],
    [
      { orderBy: ['active', 'name'], active: true, limit: 3, name: null },
      ['Brand', 'Lua; cheia', 'Name asked'],
    ],
  ])('takes %j', async (body, names) => {
    const answer = await ask(body);
    expect([answer.status, answer.headers.get('X-Warning')]).toEqual([200, null]);
    expect(namesOf(answer)).toEqual(names);
  });

  it('replaces parameters of its address, and goes on by links and by a cursor', async () => {
    const first = await ask({ limit: 1, orderBy: 'name' }, 'catalog/brands?limit=50');
    expect(namesOf(first)).toEqual(['Brand']);
    const { next } = first.json.meta.pagination.links;
    const followed: Answer = await (
      await exports.default.fetch(next, { headers: shop.headers })
    ).json();
    expect(followed.data.map(({ name }) => name)).toEqual(['Lua; cheia']);
    const cursor = new URL(next).searchParams.get('cursor');
    expect(namesOf(await ask({ limit: 1, orderBy: 'name', cursor }))).toEqual(['Lua; cheia']);
    expect((await ask({ limit: 1, orderBy: 'id', cursor })).status).toBe(400);
  });

  it('takes the filters of the body of GET /catalog/categories', async () => {
    expect(namesOf(await ask({ active: true, banners_ids: [] }, 'catalog/categories'))).toEqual([
      'Name asked',
    ]);
    expect(namesOf(await ask({ active: false }, 'catalog/categories'))).toEqual([]);
  });

  it('is 304 for a tag that GET gave', async () => {
    const url = `${shop.alias}/catalog/brands`;
    const tag = (await send('QUERY', url, 'limit=2', form)).headers.get('ETag')!;
    const again = { ...shop.headers, 'If-None-Match': tag };
    expect((await send('QUERY', url, 'limit=2', form, again)).status).toBe(304);
    expect((await send('QUERY', url, 'limit=3', form, again)).status).toBe(200);
    expect((await send('GET', `${url}?limit=2`, undefined, undefined, again)).status).toBe(304);
  });

  it.each([
    ['{"limit":2}', 'text/plain', 415],
    ['{"limit":2}', undefined, 415],
    ['{"limit":', 'application/json', 400],
    ['[]', 'application/json', 400],
    ['{"name":{"a":{"b":1}}}', 'application/json', 400],
    [String.raw`{"name":"\u0000"}`, 'application/json', 400],
    [String.raw`{"name":"\ud800"}`, 'application/json', 400],
    ['name=caf%E9', form, 400],
    ['description=x', form, 400],
    [`name=${'x'.repeat(65_536)}`, form, 413],
  ])('refuses %.30s as %s with %i', async (body, type, status) => {
    const bytes = new TextEncoder().encode(body);
    const response = await exports.default.fetch(
      `https://api.test/v2/${shop.alias}/catalog/brands`,
      {
        method: 'QUERY',
        headers: { ...shop.headers, ...(type !== undefined && { 'Content-Type': type }) },
        body: bytes,
      },
    );
    expect([response.status, response.headers.get('Accept-Query')]).toEqual([
      status,
      status === 415 ? formats : null,
    ]);
  });

  it('needs the credentials of GET first, and is no method of other paths', async () => {
    const list = `${shop.alias}/catalog/brands`;
    expect((await send('QUERY', list, 'x', 'text/plain', {})).status).toBe(401);
    const options = await send('OPTIONS', list);
    expect([options.headers.get('Allow'), options.headers.get('Accept-Query')]).toEqual([
      'GET, POST, QUERY',
      formats,
    ]);
    const record = await send('QUERY', `${list}/${shop.ids.brands}`, '', form);
    expect([record.status, record.headers.get('Allow')]).toEqual([405, 'GET, PUT, DELETE']);
  });
});
