import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { createTestStore } from '../support/fixtures/store.ts';

const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name);

async function createStoreWithFilter(values: object[] = []) {
  const shop = await createTestStore();
  const { body } = await shop.api('POST /catalog/filters', { name: 'Cor', values });
  return { ...shop, path: `/catalog/filters/${body.data.id}` };
}

describe('POST /{alias}/catalog/filters', () => {
  it('returns 201 with its defaults and with its values', async () => {
    const { api } = await createTestStore();
    const values = [{ name: 'Azul', color: '#00F' }, { name: 'Verde' }];
    const { status, body } = await api('POST /catalog/filters', { name: 'Cor', values });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ name: 'Cor', searchable: true, navigation: true });
    const { body: read } = await api(`GET /catalog/filters/${body.data.id}?include=values`);
    expect(read.values.data).toMatchObject([
      { name: 'Azul', color: '#00F', image_url: null },
      { name: 'Verde', color: null },
    ]);
  });

  it.each<[why: string, body: object, errors: object]>([
    ['nothing is sent', {}, { name: ['Required.'] }],
    ['the name is too long', { name: 'x'.repeat(101) }, { name: [expect.any(String)] }],
    [
      'a value appears twice',
      { name: 'a', values: [{ name: 'Azul' }, { name: 'AZUL' }] },
      { 'values.1.name': ['Must not contain duplicates.'] },
    ],
    [
      'a value has an invalid colour',
      { name: 'a', values: [{ name: 'Azul', color: 'blue' }] },
      { 'values.0.color': ['Must be a colour such as #1A2B3C.'] },
    ],
  ])('returns 422 when %s', async (_why, body, errors) => {
    const { api } = await createTestStore();
    const response = await api('POST /catalog/filters', body);
    expect([response.status, response.body.errors]).toEqual([422, errors]);
  });

  it('returns 422 for a name that is taken in this store, and 201 in another store', async () => {
    const [{ api }, other] = [await createStoreWithFilter(), await createTestStore()];
    const taken = await api('POST /catalog/filters', { name: 'COR', values: [{ name: 'x' }] });
    expect([taken.status, taken.body.errors]).toEqual([422, { name: ['Already taken.'] }]);
    expect((await other.api('POST /catalog/filters', { name: 'Cor' })).status).toBe(201);
  });

  it('costs one round trip, values included', async () => {
    const values = Array.from({ length: 100 }, (_, n) => ({ name: `v${n}` }));
    const { response, data } = await measureRequest(
      await createTestStore(),
      'POST /catalog/filters',
      {
        name: 'Cor',
        values,
      },
    );
    expect([response.status, data.roundTrips, data.statements]).toEqual([201, 1, 3]);
  });
});

describe('GET /{alias}/catalog/filters', () => {
  it.each([
    ['', ['Cor', 'Água']],
    ['orderBy=name', ['Água', 'Cor']],
    ['search=agua', ['Água']],
    ['search=searchable:0', ['Água']],
    ['search=name:nothing', []],
  ])('returns 200 with the matching filters for ?%s', async (query, expected) => {
    const { api } = await createStoreWithFilter();
    await api('POST /catalog/filters', { name: 'Água', searchable: false });
    const { status, body } = await api(`GET /catalog/filters?${query}`);
    expect([status, namesOf(body.data)]).toEqual([200, expected]);
  });

  it('reads a page with values in one round trip and two statements, whatever its size', async () => {
    const shop = await createTestStore();
    for (let n = 0; n < 6; n += 1) {
      await shop.api('POST /catalog/filters', { name: `f${n}`, values: [{ name: 'a' }] });
    }
    for (const limit of [1, 6]) {
      const path = `GET /catalog/filters?include=values&limit=${limit}`;
      const { response, data } = await measureRequest(shop, path);
      expect(response.body.data).toHaveLength(limit);
      expect(namesOf(response.body.data.at(-1).values.data)).toEqual(['a']);
      expect([data.roundTrips, data.statements]).toEqual([1, 2]);
    }
  });
});

describe('PUT and DELETE /{alias}/catalog/filters/{filterId}', () => {
  it('PUT returns 200 and keeps fields that are not sent, and returns 422 for a taken name', async () => {
    const { api, path } = await createStoreWithFilter([{ name: 'Azul' }]);
    await api('POST /catalog/filters', { name: 'Tamanho' });
    const { body } = await api(`PUT ${path}`, { name: 'Tom', navigation: false });
    expect(body.data).toMatchObject({ name: 'Tom', navigation: false, searchable: true });
    const taken = await api(`PUT ${path}`, { name: 'tamanho' });
    expect([taken.status, taken.body.errors]).toEqual([422, { name: ['Already taken.'] }]);
    const { body: read } = await api(`GET ${path}?include=values`);
    expect(read).toMatchObject({ ...body.data, values: { data: [{ name: 'Azul' }] } });
  });

  it('returns 404 for a filter of another store, for every method', async () => {
    const [{ api, path }, other] = [await createStoreWithFilter(), await createTestStore()];
    expect((await other.api(`GET ${path}`)).status).toBe(404);
    expect((await other.api(`PUT ${path}`, { name: 'x' })).status).toBe(404);
    expect((await other.api(`DELETE ${path}`)).status).toBe(404);
    expect((await api(`GET ${path}`)).body.name).toBe('Cor');
  });

  it('DELETE returns 200 with an empty object and deletes the values; then returns 404', async () => {
    const { api, path } = await createStoreWithFilter([{ name: 'Azul' }]);
    const { body } = await api(`GET ${path}/values`);
    expect((await api(`DELETE ${path}`)).body).toEqual({});
    expect((await api(`DELETE ${path}`)).status).toBe(404);
    expect((await api(`GET ${path}/values`)).status).toBe(404);
    expect((await api(`GET ${path}/values/${body.data[0].id}`)).status).toBe(404);
  });
});

describe('POST and GET /{alias}/catalog/filters/{filterId}/values', () => {
  it('POST returns 200 with an array of the one value, without its timestamps', async () => {
    const { api, path } = await createStoreWithFilter();
    const sent = { name: ' Azul <b>claro</b>', color: '#1a2B3c' };
    const { status, body } = await api(`POST ${path}/values`, sent);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [{ id: expect.any(Number), name: 'Azul claro', color: '#1a2B3c', image_url: null }],
    });
  });

  it.each<[why: string, body: object, errors: object]>([
    ['nothing is sent', {}, { name: ['Required.'] }],
    ['the colour is invalid', { name: 'a', color: 'red' }, { color: [expect.any(String)] }],
    ['the image is not a URL', { name: 'a', image_url: 'x' }, { image_url: [expect.any(String)] }],
    ['the name is taken', { name: 'AZUL' }, { name: ['Already taken.'] }],
  ])('POST returns 400 when %s', async (_why, body, errors) => {
    const { api, path } = await createStoreWithFilter([{ name: 'Azul' }]);
    const response = await api(`POST ${path}/values`, body);
    expect([response.status, response.body.errors]).toEqual([400, errors]);
  });

  it('POST returns 200 for a name that another filter has', async () => {
    const { api, path } = await createStoreWithFilter([{ name: 'Azul' }]);
    const { body } = await api('POST /catalog/filters', { name: 'Outro' });
    const other = `POST /catalog/filters/${body.data.id}/values`;
    expect((await api(other, { name: 'Azul' })).status).toBe(200);
    expect((await api(`GET ${path}/values`)).body.data).toHaveLength(1);
  });

  it('GET returns 200 with 100 values per page, also without values', async () => {
    const { api, path } = await createStoreWithFilter();
    const { status, body } = await api(`GET ${path}/values`);
    expect([status, body.data, body.meta.pagination.per_page]).toEqual([200, [], 100]);
    for (const name of ['b', 'Á']) await api(`POST ${path}/values`, { name });
    expect(namesOf((await api(`GET ${path}/values?orderBy=name`)).body.data)).toEqual(['Á', 'b']);
    expect(namesOf((await api(`GET ${path}/values?search=a`)).body.data)).toEqual(['Á']);
    expect((await api(`GET ${path}/values?orderBy=color`)).status).toBe(400);
  });

  it('each costs one round trip', async () => {
    const shop = await createStoreWithFilter([{ name: 'Azul' }]);
    const post = await measureRequest(shop, `POST ${shop.path}/values`, { name: 'Verde' });
    const one = `${shop.path}/values/${post.response.body.data[0].id}`;
    const put = await measureRequest(shop, `PUT ${one}`, { name: 'Lima' });
    const all = await measureRequest(shop, `GET ${shop.path}/values`);
    expect([post, put, all].map(({ data }) => data.roundTrips)).toEqual([1, 1, 1]);
    const same = await measureRequest(shop, `PUT ${one}`, { name: 'Lima' });
    expect(same.data.rowsWritten).toBe(0);
  });

  it('returns 404 below a filter of another store, and adds nothing', async () => {
    const [{ api, path }, other] = [await createStoreWithFilter(), await createTestStore()];
    expect((await other.api(`POST ${path}/values`, { name: 'a' })).status).toBe(404);
    expect((await other.api(`GET ${path}/values`)).status).toBe(404);
    expect((await api(`GET ${path}/values`)).body.data).toEqual([]);
  });
});

describe('GET, PUT and DELETE /{alias}/catalog/filters/{filterId}/values/{id}', () => {
  it('GET and PUT return 200 with an array of the one value', async () => {
    const { api, path } = await createStoreWithFilter();
    const sent = { name: 'Azul', image_url: 'https://a.b/c' };
    const { body: made } = await api(`POST ${path}/values`, sent);
    const one = `${path}/values/${made.data[0].id}`;
    const { body: read } = await api(`GET ${one}`);
    expect(read.data).toHaveLength(1);
    expect(read.data[0]).toMatchObject(made.data[0]);
    expect(read.data[0].created_at).toEqual(read.data[0].updated_at);
    const { body } = await api(`PUT ${one}`, { name: 'Anil' });
    expect(body).toEqual({ data: [{ ...made.data[0], name: 'Anil' }] });
    expect((await api(`PUT ${one}`, { name: 'Anil', image_url: null })).body.data).toEqual([
      { ...made.data[0], name: 'Anil', image_url: null },
    ]);
  });

  it('PUT returns 400 for a taken name and for an empty body', async () => {
    const { api, path } = await createStoreWithFilter([{ name: 'Azul' }]);
    const { body: made } = await api(`POST ${path}/values`, { name: 'Verde' });
    const put = `PUT ${path}/values/${made.data[0].id}`;
    const taken = await api(put, { name: 'azul' });
    expect([taken.status, taken.body.errors]).toEqual([400, { name: ['Already taken.'] }]);
    expect((await api(put, {})).status).toBe(400);
  });

  it('returns 404 below another filter and in another store, for every method', async () => {
    const [{ api, path }, other] = [await createStoreWithFilter(), await createStoreWithFilter()];
    const { body: made } = await api(`POST ${path}/values`, { name: 'Azul' });
    const { body: second } = await api('POST /catalog/filters', { name: 'Outro' });
    const id = made.data[0].id;
    const otherStore = `/catalog/filters/${second.data.id}/values/${id}`;
    for (const [ask, where] of [
      [api, otherStore],
      [other.api, `${path}/values/${id}`],
      [other.api, `${other.path}/values/${id}`],
    ] as const) {
      expect((await ask(`GET ${where}`)).status).toBe(404);
      expect((await ask(`PUT ${where}`, { name: 'x' })).status).toBe(404);
      expect((await ask(`DELETE ${where}`)).status).toBe(404);
    }
    expect((await api(`GET ${path}/values/${id}`)).body.data[0].name).toBe('Azul');
  });

  it('DELETE returns 200 with an empty object, then 404', async () => {
    const { api, path } = await createStoreWithFilter();
    const { body: made } = await api(`POST ${path}/values`, { name: 'Azul' });
    const one = `DELETE ${path}/values/${made.data[0].id}`;
    expect((await api(one)).body).toEqual({});
    expect((await api(one)).status).toBe(404);
  });
});
