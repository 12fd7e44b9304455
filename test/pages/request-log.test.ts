import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { purgeRequests } from '../../src/ops/purge-directory.ts';
import { leaveTombstone } from '../../src/stores/erasure/erase-directory.ts';
import {
  callPathWithBindings,
  countingDatabase,
  noCost,
  type StatementCost,
} from '../support/api/measure.ts';
import { Browser } from '../support/browser/browser.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { connectApp, createTestApp } from '../support/oauth/partner.ts';
import { partner } from './partners/support.ts';
import '../support/fixtures/first-shard.ts';

const day = 86_400_000;

// An isolate stores a number of failures in a minute; this minute has none yet, and does not end.
let minutes = 0;
beforeEach(() => {
  minutes += 1;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
});
afterEach(() => void vi.useRealTimers());

interface Call {
  headers: Record<string, string>;
  body?: unknown;
  bindings?: Partial<Env>;
}

/** Calls an operation of a store; `/catalog/brands` without a path. */
const call = (
  { alias }: Pick<TestStore, 'alias'>,
  request: string,
  { headers, body, bindings = {} }: Call,
) => {
  const [method = '', path = ''] = request.split(/ (.*)/s);
  return callPathWithBindings(method, `/v2/${alias}${path}`, { headers, body, bindings });
};

const everySuccess = { SUCCESSES_PER_ROW: '1' } as unknown as Partial<Env>;

async function connected() {
  const { ownerId, browser } = await partner();
  const app = await createTestApp({ ownerId, scopes: ['catalog.write'] });
  const { store, headers } = await connectApp(await createTestStore(), { app });
  const rows = async () =>
    (
      await env.DIRECTORY.prepare('select * from request_log where caller = ? order by id')
        .bind(`app:${app.client_id}`)
        .all()
    ).results;
  const path = `/partners/${app.client_id}/requests`;
  return { ownerId, browser, app, store, headers, rows, path };
}

describe('GET /partners/{client id}/requests', () => {
  it('shows failures with operation, status, code and X-Request-Id, and of what was sent declared names only', async () => {
    const { browser, store, headers, path } = await connected();
    const named = (id: string) => ({ ...headers, 'X-Request-Id': id });
    expect((await call(store, 'GET /catalog/brands?name=secret', { headers })).status).toBe(200);
    const customers = 'GET /customers?search=secret';
    expect((await call(store, customers, { headers: named('request-403-a') })).status).toBe(403);
    const brand = 'GET /catalog/brands/999999999?secret=1';
    expect((await call(store, brand, { headers: named('request-404-b') })).status).toBe(404);
    const body = { name: 5, active: true, secret_field: 'secret' };
    const created = { headers: named('request-422-c'), body };
    expect((await call(store, 'POST /catalog/brands', created)).status).toBe(422);
    const { text } = await browser.get(path);
    expect(text).toMatch(/Show brand GET 404 not_found [\d.,]+\sms Details .* request-404-b/);
    expect(text).toMatch(/List customers GET 403 insufficient_scope .* request-403-a/);
    expect(text).toMatch(
      /Create brand POST 422 invalid_body .* Sent name active X-Request-Id request-422-c/,
    );
    expect(text).not.toContain('secret');
    expect(text).not.toContain(store.alias);
    expect(text).not.toContain('listBrands');
  });

  it('says QUERY of a list that was asked by it', async () => {
    const { browser, store, headers, path } = await connected();
    const ask = { headers: { ...headers, 'Content-Type': 'application/json' }, body: { limit: 0 } };
    expect((await call(store, 'QUERY /catalog/brands', ask)).status).toBe(400);
    const { text } = await browser.get(path);
    expect(text).toMatch(/List brands QUERY 400 invalid_query .* Sent ?\?limit/);
  });

  it('filters by operation, and by a status or its first digit', async () => {
    const { browser, store, headers, path } = await connected();
    await call(store, 'GET /catalog/brands/999999999', { headers });
    await call(store, 'GET /customers', { headers });
    const shown = async (query: string) => {
      const { text } = await browser.get(`${path}?${query}`);
      return ['showBrand', 'listCustomers'].filter((id) => text.includes(id));
    };
    expect(await shown('')).toEqual(['showBrand', 'listCustomers']);
    expect(await shown('operation=showBrand')).toEqual(['showBrand']);
    expect(await shown('status=403')).toEqual(['listCustomers']);
    expect(await shown('status=4')).toEqual(['showBrand', 'listCustomers']);
    expect(await shown('status=4xx')).toEqual(['showBrand', 'listCustomers']);
    const empty = await browser.get(`${path}?status=5`);
    expect(empty.text).toContain('No request of the past');
    expect(empty.html).toContain(`<a href="${path}">Show everything</a>`);
  });

  it('stores nothing for a token that we did not sign, 60 failures of a minute whole, and one in 100 of a flood', async () => {
    const { browser, store, headers, rows, path } = await connected();
    const fail = (authorization = headers['Authorization'] ?? '') =>
      call(store, 'GET /catalog/brands/999999999', {
        headers: { ...headers, Authorization: authorization },
      });
    expect((await fail(`${headers['Authorization']}x`)).status).toBe(401);
    expect(await rows()).toEqual([]);
    for (let sent = 0; sent < 165; sent += 1) await fail();
    expect((await rows()).map((row) => row['one_in'])).toEqual([
      ...Array.from({ length: 60 }, () => 1),
      100,
      100,
    ]);
    const page = await browser.get(path);
    expect(page.text.match(/showBrand/g)).toHaveLength(50);
    expect(page.text).toContain('one in 100');
    const next = /href="([^"]*before=\d+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await browser.get(next)).text.match(/showBrand/g)).toHaveLength(12);
  });

  it('stores a success in two written rows where each is stored, and none where none is', async () => {
    const { store, headers, rows, path, browser } = await connected();
    const statements: StatementCost[] = [];
    const DIRECTORY = countingDatabase(env.DIRECTORY, noCost(), statements);
    const read = (bindings: Partial<Env>) =>
      call(store, 'GET /catalog/brands?limit=1', { headers, bindings: { DIRECTORY, ...bindings } });
    expect((await read({})).status).toBe(200);
    expect(await rows()).toEqual([]);
    expect((await read(everySuccess)).status).toBe(200);
    expect((await browser.get(path)).text).toMatch(/List brands GET 200 .* Sent ?\?limit/);
    const written = statements.filter(({ sql }) => sql.includes('request_log'));
    expect(written.map(({ rowsWritten }) => rowsWritten)).toEqual([2]);
  });

  it('stores one in so many successes, and says so', async () => {
    const { store, headers, rows } = await connected();
    const random = vi.spyOn(Math, 'random');
    const bindings = { SUCCESSES_PER_ROW: '100' } as unknown as Partial<Env>;
    for (const value of [0.0099, 0.0101, 0.5]) {
      random.mockReturnValue(value);
      await call(store, 'GET /catalog/brands', { headers, bindings });
    }
    random.mockRestore();
    expect((await rows()).map((row) => row['one_in'])).toEqual([100]);
  });

  it('keeps them for seven days, and none of an erased store', async () => {
    const { app, browser, store, rows, path } = await connected();
    const now = Math.floor(Date.now() / 3_600_000) * 3_600_000 + 29 * 60_000;
    const insert = (at: number, id: string, storeId: number) =>
      env.DIRECTORY.prepare(
        `insert into request_log (caller, store_id, at, method, operation, status, code, ms, request_id, sent, one_in)
          values (?, ?, ?, 'GET', 'showMe', 401, '', 1, ?, '', 1)`,
      )
        .bind(`app:${app.client_id}`, storeId, at, id)
        .run();
    // The purge reads the oldest rows.
    await env.DIRECTORY.prepare('delete from request_log').run();
    await insert(now - 8 * day, 'request-old', store.id);
    await insert(now - 6 * day, 'request-new', store.id);
    await insert(now - 5 * day, 'request-other', store.id + 1_000_000);
    await purgeRequests(env.DIRECTORY, now);
    expect((await rows()).map((row) => row['request_id'])).toEqual([
      'request-new',
      'request-other',
    ]);
    expect((await browser.get(path)).text).toContain('request-new');
    await leaveTombstone(env.DIRECTORY, { id: 1, store_id: store.id, reason: 'Closed.' }, now);
    expect((await rows()).map((row) => row['request_id'])).toEqual(['request-other']);
  });

  it('returns 404 to another partner', async () => {
    const { path } = await connected();
    const { browser } = await partner();
    expect((await browser.get(path)).status).toBe(404);
  });
});

describe('GET /account/keys/{id}/requests', () => {
  it('shows the requests of a key to its user, and is 404 for others', async () => {
    const store = await createTestStore();
    const { headers } = store;
    expect((await call(store, 'GET /catalog/brands/999999999', { headers })).status).toBe(404);
    const browser = await new Browser().signIn(store.userId);
    const keys = await browser.get('/account/keys');
    const path = /href="(\/account\/keys\/\d+\/requests)"/.exec(keys.html)?.[1] ?? '';
    expect((await browser.get(path)).text).toMatch(/Show brand GET 404 not_found/);
    const stranger = await new Browser().signIn((await createTestStore()).userId);
    expect((await stranger.get(path)).status).toBe(404);
  });

  it('has the refusal of a store that the key cannot reach, and of a wrong pair nothing', async () => {
    const [store, other] = [await createTestStore(), await createTestStore()];
    const { headers } = store;
    expect((await call(other, 'GET /catalog/brands', { headers })).status).toBe(403);
    const wrong = { ...headers, 'User-Secret-Key': 'sk_wrong' };
    expect((await call(store, 'GET /catalog/brands', { headers: wrong })).status).toBe(401);
    const { results } = await env.DIRECTORY.prepare(
      `select status, store_id from request_log where caller in (
        select 'key:' || id from api_keys where user_id = ?)`,
    )
      .bind(store.userId)
      .all();
    expect(results).toEqual([{ status: 403, store_id: null }]);
  });
});

describe('GET /{alias}/requests', () => {
  it('returns 200 with the requests of the own app to this store, filtered and a page at a time', async () => {
    const { app, store, headers } = await connected();
    const elsewhere = await connectApp(await createTestStore(), { app });
    await call(elsewhere.store, 'GET /customers', { headers: elsewhere.headers });
    await call(store, 'GET /customers', { headers: store.headers });
    await call(store, 'GET /catalog/brands/999999999', { headers });
    const body = { name: 5, secret: 'secret' };
    await call(store, 'POST /catalog/brands', { headers, body });
    const list = async (query = '') =>
      (await call(store, `GET /requests${query}`, { headers, bindings: everySuccess })).body;
    const { data } = await list();
    expect(data).toMatchObject([
      {
        method: 'POST',
        operation: 'createBrand',
        status: 422,
        code: 'invalid_body',
        sent: ['name'],
      },
      { method: 'GET', operation: 'showBrand', status: 404, code: 'not_found', one_in: 1 },
    ]);
    expect((await list('?operation=showBrand')).data).toEqual([data[1]]);
    expect((await list('?status=422')).data).toEqual([data[0]]);
    expect((await list('?status=5')).data).toEqual([]);
    const first = await list('?limit=1');
    expect(first.data).toEqual([data[0]]);
    expect((await list(`?limit=1&cursor=${first.meta.cursor.next}`)).data).toEqual([data[1]]);
  });

  it('returns 400 for a status that is none', async () => {
    const { store, headers } = await connected();
    expect((await call(store, 'GET /requests?status=9', { headers })).status).toBe(400);
  });
});
