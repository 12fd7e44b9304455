import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { versionedTables } from '../../src/data/schema/store/placement-tables.ts';
import type { Operation } from '../../src/http/operation.ts';
import {
  callWithBindings,
  countingDatabase,
  measureRequest,
  noCost,
  type StatementCost,
} from '../support/api/measure.ts';
import { storeOperations } from '../support/api/operations.ts';
import { fakeDatabase } from '../support/fakes/fake-database.ts';
import {
  createCompleteStore,
  pathWithIds,
  type CompleteStore,
} from '../support/fixtures/complete-store.ts';
import '../support/fixtures/first-shard.ts';
import { orderBody } from '../support/fixtures/selling-store.ts';
import { connectApp } from '../support/oauth/partner.ts';

const lists = storeOperations.filter(({ listed }) => listed !== undefined);

let shop: CompleteStore;
beforeAll(async () => {
  shop = await createCompleteStore('tagged', 0);
});

/** The path of a list with all its relations. */
const pathOf = (operation: Operation) => {
  const path = pathWithIds(operation, (kind) => shop.ids[kind] ?? 1);
  const includes = operation.query?.includes ?? [];
  return includes.length === 0 ? path : `${path}?include=${includes.join()}`;
};

const cases = lists.map((operation) => [operation.id, operation] as const);
const tagOf = async (path: string) => (await shop.api(`GET ${path}`)).headers.get('ETag')!;
const poll = (path: string, tag: string) =>
  measureRequest({ ...shop, headers: { ...shop.headers, 'If-None-Match': tag } }, `GET ${path}`);
const statusOf = async (path: string, tag: string) =>
  (await shop.api(`GET ${path}`, undefined, { 'If-None-Match': tag })).status;
const rename = (name: string) =>
  shop.api(`PUT /catalog/brands/${shop.ids.brands}`, { name, active: true });

/** Runs a statement on the shard of the store. */
const run = (sql: string, ...values: unknown[]) =>
  env.STORE_0.prepare(sql)
    .bind(...values)
    .run();

describe('a list of the catalogue', () => {
  it('is each list of catalog.read but those of files', () => {
    const others = storeOperations.filter(
      ({ access, reply, listed }) => access === 'catalog.read' && reply.isPage && !listed,
    );
    expect(others.map(({ id }) => id).toSorted()).toEqual([
      'listExports',
      'listImportErrors',
      'listImports',
    ]);
  });

  it.each(cases)('%s is 304 for one row read in one round trip', async (_id, operation) => {
    const path = pathOf(operation);
    const tag = await tagOf(path);
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    const { response, data } = await poll(path, tag);
    expect([response.status, response.headers.get('ETag')]).toEqual([304, tag]);
    expect(data).toEqual({ roundTrips: 1, statements: 1, rowsRead: 1, rowsWritten: 0 });
    await rename(`Brand ${operation.id}`);
    const changed = await poll(path, tag);
    expect([changed.response.status, changed.data.roundTrips]).toEqual([200, 2]);
    const next = changed.response.headers.get('ETag')!;
    expect(next).not.toBe(tag);
    expect((await poll(path, next)).response.status).toBe(304);
  });

  it.each(cases)('%s reads only tables whose changes raise its version', async (_id, operation) => {
    const statements: StatementCost[] = [];
    const path = pathOf(operation);
    const search = operation.query?.names.includes('search') ? '&search=name:a' : '';
    for (const query of ['', '&sort=-id', search]) {
      const bindings = { STORE_0: countingDatabase(env.STORE_0, noCost(), statements) };
      const request = `GET ${path}${path.includes('?') ? '' : '?'}${query}`;
      await callWithBindings(shop, request, undefined, bindings);
    }
    const { results } = await env.STORE_0.prepare(
      `select name from sqlite_master where type = 'table' and name not like 'text_index_%'`,
    ).all<{ name: string }>();
    const text = statements.map(({ sql }) => sql).join('\n');
    const read = results.flatMap(({ name }) =>
      new RegExp(`\\b(?:from|join|update|into|,)\\s+\\(?"?${name}"?\\b`).test(text) ? [name] : [],
    );
    const { catalog_version: catalog, stock_version: stock } = versionedTables;
    const showsStock = operation.listed === 'stock' || operation.query?.includes?.includes('skus');
    // Those of the guard; totals and the text index follow the rows of the others.
    const known = ['heartbeats', 'placements', 'text_index', 'totals', ...Object.keys(catalog)];
    expect(read).not.toEqual([]);
    expect(
      read.filter((name) => ![...known, ...Object.keys(showsStock ? stock : {})].includes(name)),
    ).toEqual([]);
  });

  it('of products is also 304 with stocks, until one changes, which others do not show', async () => {
    const plain = '/catalog/products';
    const withSkus = `${plain}?include=skus`;
    const skus = `/catalog/products/${shop.ids.products}/skus`;
    const paths = [plain, withSkus, skus];
    const tags = await Promise.all(paths.map(tagOf));
    expect(await Promise.all(paths.map((path, at) => statusOf(path, tags[at]!)))).toEqual([
      304, 304, 304,
    ]);
    const order = await shop.api('POST /orders', orderBody(shop));
    expect(order.status).toBe(201);
    expect(await Promise.all(paths.map((path, at) => statusOf(path, tags[at]!)))).toEqual([
      304, 200, 200,
    ]);
  });

  it('takes * for any list, several tags, and names If-Match as ignored', async () => {
    const tag = await tagOf('/catalog/brands');
    expect(await statusOf('/catalog/brands', '*')).toBe(304);
    expect(await statusOf('/catalog/brands', `"a", ${tag.slice(2)}`)).toBe(304);
    expect(await statusOf('/catalog/brands', '"a"')).toBe(200);
    const matched = await shop.api('GET /catalog/brands', undefined, { 'If-Match': tag });
    expect([matched.status, matched.headers.get('X-Warning')]).toEqual([
      200,
      expect.stringContaining('If-Match'),
    ]);
    expect(await statusOf('/catalog/brands', 'a')).toBe(400);
  });

  it('has another tag for another query, body, caller and zone', async () => {
    const tag = await tagOf('/catalog/categories');
    expect(await statusOf('/catalog/categories?page=2', tag)).toBe(200);
    const filtered = await shop.api(
      'GET /catalog/categories',
      { active: true },
      { 'If-None-Match': tag },
    );
    expect(filtered.status).toBe(200);
    const { api: other } = await connectApp(shop, { scopes: ['catalog.read'] });
    const theirs = await other('GET /catalog/categories', undefined, { 'If-None-Match': tag });
    expect([theirs.status, theirs.headers.get('ETag') === tag]).toEqual([200, false]);
  });
});

describe('the version of a catalogue', () => {
  it('has a trigger of each change of each of its tables', async () => {
    const { results } = await env.STORE_0.prepare(
      `select name from sqlite_master where type = 'trigger' and name like '%_version_%'`,
    ).all<{ name: string }>();
    const tables = Object.values(versionedTables).flatMap((each) => Object.keys(each));
    expect(results.map(({ name }) => name).toSorted()).toEqual(
      tables
        .flatMap((name) => ['delete', 'insert', 'update'].map((verb) => `${name}_version_${verb}`))
        .toSorted(),
    );
  });

  it('costs the first change after a list one row, and the next ones none', async () => {
    const cost = async (name: string) =>
      (await measureRequest(shop, `PUT /catalog/brands/${shop.ids.brands}`, { name, active: true }))
        .data.rowsWritten;
    await rename('Cost 0');
    const [plain, again] = [await cost('Cost 1'), await cost('Cost 2')];
    await tagOf('/catalog/brands');
    const [first, second] = [await cost('Cost 3'), await cost('Cost 4')];
    expect([again, first, second]).toEqual([plain, plain + 1, plain]);
  });

  it('is raised by rows of each table', async () => {
    await shop.api(`PUT /catalog/categories/${shop.ids.categories}/products`, [shop.ids.products]);
    for (const [table, parent] of Object.entries(versionedTables.catalog_version)) {
      const path = '/catalog/brands';
      const tag = await tagOf(path);
      const column = parent ? parent[0] : 'store_id';
      const where = parent
        ? `${column} in (select id from ${parent[1]} where store_id = ?)`
        : 'store_id = ?';
      const { meta } = await run(
        `update ${table} set ${column} = ${column} where ${where}`,
        shop.id,
      );
      expect([table, await statusOf(path, tag)]).toEqual([table, meta.changes > 0 ? 200 : 304]);
    }
  });
});

describe('a tag is never stale', () => {
  /** Calls with a shard where `work` commits before the batch that has this number in the request. */
  const pollWhile = async (tag: string | undefined, at: number, work: () => Promise<unknown>) => {
    let batches = 0;
    const shard = fakeDatabase({
      prepare: (sql: string) => env.STORE_0.prepare(sql),
      batch: async (statements: D1PreparedStatement[]) => {
        batches += 1;
        if (batches === at) await work();
        return env.STORE_0.batch(statements);
      },
    });
    const headers = { ...shop.headers, ...(tag !== undefined && { 'If-None-Match': tag }) };
    return callWithBindings({ ...shop, headers }, 'GET /catalog/brands', undefined, {
      STORE_0: shard,
    });
  };
  const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);

  beforeEach(async () => void (await rename(`Before ${crypto.randomUUID()}`)));

  it.each([
    ['before a comparison', 1],
    ['between the comparison and the list', 2],
  ] as const)('after a change %s', async (_when, at) => {
    const old = await tagOf('/catalog/brands');
    await rename('Between');
    const answer = await pollWhile(old, at, () => rename('Now'));
    expect([answer.status, names(answer.body).includes('Now')]).toEqual([200, true]);
    const tag = answer.headers.get('ETag')!;
    expect(await statusOf('/catalog/brands', tag)).toBe(304);
    await rename('Later');
    expect(await statusOf('/catalog/brands', tag)).toBe(200);
  });

  it('while changes and polls run at once: each writer sees its change with every earlier tag', async () => {
    const writers = Array.from({ length: 6 }, async (_, n) => {
      const created = await shop.api('POST /catalog/brands', { name: `Racer ${n}`, active: true });
      for (let round = 0; round < 3; round += 1) {
        const tag = await tagOf('/catalog/brands?limit=100');
        const name = `Racer ${n}.${round}`;
        await shop.api(`PUT /catalog/brands/${created.body.data?.id ?? created.body.id}`, {
          name,
          active: true,
        });
        const answer = await shop.api('GET /catalog/brands?limit=100', undefined, {
          'If-None-Match': tag ?? '"none"',
        });
        expect(answer.status).toBe(200);
        expect(names(answer.body)).toContain(name);
      }
    });
    await Promise.all(writers);
  });

  it('of a store that is leaving its shard: without a tag until one is out, and nothing is written', async () => {
    await run('update placements set state = 1 where store_id = ?', shop.id);
    const first = await measureRequest(shop, 'GET /catalog/brands');
    expect([first.response.status, first.response.headers.get('ETag')]).toEqual([200, null]);
    expect(first.data.rowsWritten).toBe(0);
    await run('update placements set state = 0, epoch = epoch + 1 where store_id = ?', shop.id);
    const tag = await tagOf('/catalog/brands');
    await run('update placements set epoch = epoch + 1 where store_id = ?', shop.id);
    expect(await statusOf('/catalog/brands', tag)).toBe(200);
  });
});
