import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/http/operation.ts';
import { measureRequest } from '../support/api/measure.ts';
import { storeOperations } from '../support/api/operations.ts';
import {
  createCompleteStore,
  pathWithIds,
  type CompleteStore,
} from '../support/fixtures/complete-store.ts';
import { orderBody } from '../support/fixtures/selling-store.ts';

const lists = storeOperations.filter(({ hasListTag }) => hasListTag);

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

const tagOf = async (path: string) => (await shop.api(`GET ${path}`)).headers.get('ETag')!;
const measure = (path: string, headers: Record<string, string> = {}) =>
  measureRequest({ ...shop, headers: { ...shop.headers, ...headers } }, `GET ${path}`);
const statusOf = async (path: string, tag: string) =>
  (await shop.api(`GET ${path}`, undefined, { 'If-None-Match': tag })).status;

describe('a list of the catalogue', () => {
  it('has a tag: each list of catalog.read but those of files', () => {
    const others = storeOperations.filter(
      ({ access, reply, hasListTag }) => access === 'catalog.read' && reply.isPage && !hasListTag,
    );
    expect(others.map(({ id }) => id).toSorted()).toEqual([
      'listExports',
      'listImportErrors',
      'listImports',
    ]);
  });

  it.each(lists.map((operation) => [operation.id, operation] as const))(
    '%s is 304 while it shows the same, for what a GET costs',
    async (_id, operation) => {
      const path = pathOf(operation);
      const plain = await measure(path);
      const tag = plain.response.headers.get('ETag')!;
      expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
      const { response, data } = await measure(path, { 'If-None-Match': tag });
      expect([response.status, response.headers.get('ETag')]).toEqual([304, tag]);
      expect(data).toEqual(plain.data);
      expect([data.roundTrips, data.rowsWritten]).toEqual([1, 0]);
      // An empty page of the same list.
      const other = await tagOf(`${path}${path.includes('?') ? '&' : '?'}page=2&limit=1`);
      expect(other).not.toBe(tag);
    },
  );

  it('of brands has another tag after a change', async () => {
    const path = '/catalog/brands';
    const rename = (name: string) =>
      shop.api(`PUT ${path}/${shop.ids.brands}`, { name, active: true });
    await rename('One');
    const tag = await tagOf(path);
    await rename('Two');
    expect(await statusOf(path, tag)).toBe(200);
    expect(await statusOf(path, await tagOf(path))).toBe(304);
  });

  it('of products has another tag after a sale only where it shows stock', async () => {
    const paths = ['/catalog/products', '/catalog/products?include=skus'];
    const tags = await Promise.all(paths.map(tagOf));
    expect((await shop.api('POST /orders', orderBody(shop))).status).toBe(201);
    const statuses = await Promise.all(paths.map((path, at) => statusOf(path, tags[at]!)));
    expect(statuses).toEqual([304, 200]);
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
});
