import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { databaseOf } from '../support/fixtures/shards.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';

const message =
  'Must be the cursor of a link in meta.pagination.links, with the same query, store and credentials.';

async function storeWithBrands(): Promise<TestStore> {
  const store = await createTestStore();
  for (const name of ['Ana', 'Bia', 'Caio']) {
    await store.api('POST /catalog/brands', { name, active: true });
  }
  return store;
}

/** The cursor of the page after the first. */
async function cursorOf(store: TestStore, query: string): Promise<string> {
  const { body } = await store.api(`GET /catalog/brands?limit=1&${query}`);
  return new URL(body.meta.pagination.links.next).searchParams.get('cursor') ?? '';
}

describe('a cursor', () => {
  it('returns 200 for the same query in any order of parameters and with another limit', async () => {
    const store = await storeWithBrands();
    const cursor = await cursorOf(store, 'orderBy=name&sortedBy=desc');
    const path = `/catalog/brands?cursor=${cursor}&sortedBy=desc&orderBy=name&limit=2`;
    const { status, body } = await store.api(`GET ${path}`);
    expect([status, body.data.map(({ name }: { name: string }) => name)]).toEqual([
      200,
      ['Bia', 'Ana'],
    ]);
  });

  it('returns 400 for another query, list, store or key, and for one that was changed', async () => {
    const [store, other] = [await storeWithBrands(), await storeWithBrands()];
    const cursor = await cursorOf(store, 'orderBy=name');
    const ofOther = await cursorOf(other, 'orderBy=name');
    const changed = cursor.slice(0, -3) + (cursor.endsWith('AAA') ? 'BBB' : 'AAA');
    for (const path of [
      `/catalog/brands?cursor=${cursor}`,
      `/catalog/brands?orderBy=name&sortedBy=desc&cursor=${cursor}`,
      `/catalog/brands?orderBy=name&name=a&cursor=${cursor}`,
      `/catalog/filters?orderBy=name&cursor=${cursor}`,
      `/catalog/brands?orderBy=name&cursor=${ofOther}`,
      `/catalog/brands?orderBy=name&cursor=${changed}`,
      `/catalog/brands?orderBy=name&cursor=x`,
    ]) {
      const { status, body } = await store.api(`GET ${path}`);
      expect([path, status, body.errors]).toEqual([path, 400, { cursor: [message] }]);
    }
  });

  it('hides the sort values that it holds', async () => {
    const store = await storeWithBrands();
    const cursor = await cursorOf(store, 'orderBy=name');
    const bytes = atob(cursor.slice(3).replaceAll('-', '+').replaceAll('_', '/'));
    expect(bytes.toLowerCase()).not.toContain('ana');
  });

  it('returns 400 beside a page number', async () => {
    const store = await storeWithBrands();
    const cursor = await cursorOf(store, '');
    const both = await store.api(`GET /catalog/brands?page=2&cursor=${cursor}`);
    expect([both.status, both.body.errors]).toEqual([
      400,
      { page: ['Must not be sent with a cursor.'] },
    ]);
  });
});

describe('a page beyond the first 10,000 records', () => {
  it.each([
    'page=101&limit=100',
    'page=1001',
    `page=${'9'.repeat(100)}`,
    'page=1001&search=name:no',
    'page=1001&orderBy=name&sortedBy=desc',
  ])('is 200 and empty past the end: %s', async (query) => {
    const store = await storeWithBrands();
    const { data } = await measureRequest(store, `GET /catalog/brands?${query}`);
    const { status, body } = await store.api(`GET /catalog/brands?${query}`);
    const total = query.includes('search') ? 0 : 3;
    expect([status, body.data, body.meta.pagination.total]).toEqual([200, [], total]);
    expect(data.roundTrips).toBe(1);
    expect(data.rowsRead).toBeLessThan(100);
  });

  it('is 400 where it exists, and names what leads there', async () => {
    const store = await storeWithBrands();
    // The number of all records is kept beside them.
    await databaseOf(store)
      .prepare("update totals set total = 10101 where store_id = ? and kind = 'brands'")
      .bind(store.id)
      .run();
    const far = await store.api('GET /catalog/brands?page=102&limit=100');
    expect([far.status, far.body.code, far.body.errors]).toEqual([
      400,
      'invalid_query',
      {
        page: [
          'Must be at most 100 with 100 records per page. To go on, follow links.next of that page, or add a filter such as date.',
        ],
      },
    ]);
    const past = await store.api('GET /catalog/brands?page=103&limit=100');
    expect([past.status, past.body.data]).toEqual([200, []]);
    expect((await store.api('GET /catalog/brands?page=100&limit=100')).status).toBe(200);
  });
});
