import { describe, expect, it } from 'vitest';
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

  it('returns 400 beside a page number, and for a page that would skip more than 10,000 records', async () => {
    const store = await storeWithBrands();
    const cursor = await cursorOf(store, '');
    const both = await store.api(`GET /catalog/brands?page=2&cursor=${cursor}`);
    expect([both.status, both.body.errors]).toEqual([
      400,
      { page: ['Must not be sent with a cursor.'] },
    ]);
    const far = await store.api('GET /catalog/brands?page=101&limit=100');
    expect([far.status, far.body.errors.page]).toEqual([
      400,
      ['Must be at most 100 with 100 records per page. To go on, follow links.next of that page.'],
    ]);
    expect((await store.api('GET /catalog/brands?page=100&limit=100')).status).toBe(200);
  });
});
