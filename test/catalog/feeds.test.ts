import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { refusal } from '../support/api/refusal.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';

const feed = (name: string, more: object = {}) => ({
  name,
  service: 'google',
  url: 'https://a.test/feed.xml',
  ...more,
});

async function createCollection(shop: TestStore): Promise<number> {
  const sent = { name: 'Verão', active: true };
  return (await shop.api('POST /catalog/collections', sent)).body.id;
}

const namesOf = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);

describe('POST /{alias}/catalog/feeds', () => {
  it('returns 200 with the bare feed, whose fields need not be unique', async () => {
    const shop = await createTestStore();
    for (let n = 0; n < 2; n += 1) {
      const sent = feed('a', { service: ' Google ' });
      const { response, data } = await measureRequest(shop, 'POST /catalog/feeds', sent);
      expect([response.status, data.roundTrips]).toEqual([200, 1]);
      expect(response.body).toEqual({
        id: expect.any(Number),
        collection_id: null,
        service: 'google',
        name: 'a',
        url: 'https://a.test/feed.xml',
        created_at: expect.any(Object),
        updated_at: expect.any(Object),
      });
    }
  });

  it.each<[why: string, body: object, fields: string[]]>([
    ['nothing is sent', {}, ['name', 'service', 'url']],
    ['the service is not an identifier', feed('a', { service: 'two words' }), ['service']],
    ['the URL is invalid', feed('a', { url: 'feed.xml' }), ['url']],
    ['the collection is unknown', feed('a', { collection_id: 999_999_999 }), ['collection_id']],
  ])('returns 400 when %s', async (_why, body, fields) => {
    const { api } = await createTestStore();
    const response = await api('POST /catalog/feeds', body);
    expect([response.status, Object.keys(response.body.errors).toSorted()]).toEqual([400, fields]);
  });

  it('returns 400 for a collection of another store', async () => {
    const [one, other] = [await createTestStore(), await createTestStore()];
    const sent = feed('a', { collection_id: await createCollection(one) });
    expect((await other.api('POST /catalog/feeds', sent)).status).toBe(400);
  });
});

describe('GET /{alias}/catalog/feeds', () => {
  it('returns 404 with an empty list when nothing matches, and 200 for a page after the last one', async () => {
    const { api } = await createTestStore();
    const empty = await api('GET /catalog/feeds');
    expect([empty.status, empty.body]).toMatchObject([
      404,
      { ...refusal(404, 'empty_list'), data: [], meta: { pagination: { total: 0 } } },
    ]);
    await api('POST /catalog/feeds', feed('a'));
    expect((await api('GET /catalog/feeds?search=name:zzz')).status).toBe(404);
    const past = await api('GET /catalog/feeds?page=2');
    expect([past.status, past.body.data]).toEqual([200, []]);
  });

  it.each([
    ['orderBy=name&sortedBy=desc', ['Élan', 'Água']],
    ['orderBy=service', ['Élan', 'Água']],
    ['search=service:Bing', ['Élan']],
    ['search=agua', ['Água']],
  ])('returns 200 with the matching feeds for ?%s', async (query, names) => {
    const { api } = await createTestStore();
    await api('POST /catalog/feeds', feed('Água'));
    await api('POST /catalog/feeds', feed('Élan', { service: 'bing' }));
    expect(namesOf((await api(`GET /catalog/feeds?${query}`)).body)).toEqual(names);
  });

  it('returns 400 for an unknown sort key', async () => {
    const { api } = await createTestStore();
    expect((await api('GET /catalog/feeds?orderBy=colour')).status).toBe(400);
  });

  it('reads a page with collections in one round trip and two statements, whatever its size', async () => {
    const shop = await createTestStore();
    const collection_id = await createCollection(shop);
    for (let n = 0; n < 5; n += 1)
      await shop.api('POST /catalog/feeds', feed('a', { collection_id }));
    for (const limit of [1, 5]) {
      const path = `GET /catalog/feeds?include=collection&limit=${limit}`;
      const { response, data } = await measureRequest(shop, path);
      expect(response.body.data).toHaveLength(limit);
      expect(response.body.data[0].collection.data).toMatchObject({ id: collection_id });
      expect([data.roundTrips, data.statements]).toEqual([1, 2]);
    }
  });
});

describe('GET, PUT and DELETE /{alias}/catalog/feeds/{id}', () => {
  it('GET returns 200; PUT returns 200 and keeps fields that are not sent', async () => {
    const shop = await createTestStore();
    const collection_id = await createCollection(shop);
    const { body: first } = await shop.api('POST /catalog/feeds', feed('a', { collection_id }));
    const path = `/catalog/feeds/${first.id}`;
    expect((await shop.api(`GET ${path}`)).body).toEqual(first);
    const { body } = await shop.api(`PUT ${path}`, feed('b'));
    expect(body).toMatchObject({ name: 'b', collection_id });
    const cleared = await shop.api(`PUT ${path}`, feed('b', { collection_id: null }));
    expect(cleared.body.collection_id).toBeNull();
    const read = await shop.api(`GET ${path}?include=collection`);
    expect(read.body.collection).toEqual({ data: null });
    expect((await shop.api(`PUT ${path}`, feed('b', { collection_id }))).status).toBe(200);
    const unknown = await shop.api(`PUT ${path}`, feed('b', { collection_id: 999_999_999 }));
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([400, ['collection_id']]);
    expect((await shop.api(`PUT ${path}`, {})).status).toBe(400);
  });

  it('returns 404 for a feed of another store, for every method', async () => {
    const [one, other] = [await createTestStore(), await createTestStore()];
    const { body } = await one.api('POST /catalog/feeds', feed('a'));
    const path = `/catalog/feeds/${body.id}`;
    expect((await other.api(`GET ${path}`)).status).toBe(404);
    expect((await other.api(`PUT ${path}`, feed('b'))).status).toBe(404);
    expect((await other.api(`DELETE ${path}`)).status).toBe(404);
    expect((await one.api(`GET ${path}`)).body).toEqual(body);
  });

  it('keeps a feed when its collection is deleted; DELETE returns 200, then 404', async () => {
    const shop = await createTestStore();
    const collection_id = await createCollection(shop);
    const { body } = await shop.api('POST /catalog/feeds', feed('a', { collection_id }));
    await shop.api(`DELETE /catalog/collections/${collection_id}`);
    const path = `/catalog/feeds/${body.id}`;
    expect((await shop.api(`GET ${path}`)).body.collection_id).toBeNull();
    expect((await shop.api(`DELETE ${path}`)).body).toEqual({});
    expect((await shop.api(`DELETE ${path}`)).status).toBe(404);
  });
});
