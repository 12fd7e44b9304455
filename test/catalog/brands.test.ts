import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { refusal } from '../support/api/refusal.ts';
import { roundTrips } from '../support/api/round-trips.ts';
import { createTestStore } from '../support/fixtures/store.ts';

const brand = (name: string, more: object = {}) => ({ name, active: true, ...more });

describe('POST /{alias}/catalog/brands', () => {
  it('returns 201 with the stored brand and its defaults', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api('POST /catalog/brands', { name: 'Ação Livre', active: 1 });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'Ação Livre',
      active: true,
      featured: false,
      description: null,
      logo_url: null,
    });
    expect(body.data.created_at).toEqual(body.data.updated_at);
    expect(body.data.created_at).toMatchObject({
      timezone_type: 3,
      timezone: 'America/Sao_Paulo',
    });
  });

  it('returns 201 with the cleaned text', async () => {
    const { api } = await createTestStore();
    const sent = { name: ' <b>Sol</b>\tNovo ', active: '1', description: 'a\r\nb ', logo_url: '' };
    const { body } = await api('POST /catalog/brands', sent);
    expect(body.data).toMatchObject({ name: 'Sol Novo', description: 'a\nb', logo_url: null });
  });

  it.each<[why: string, body: object, errors: object]>([
    ['nothing is sent', {}, { name: ['Required.'], active: ['Required.'] }],
    ['the name is blank once trimmed', brand(' <i></i> '), { name: ['Must not be empty.'] }],
    ['the name is too long', brand('x'.repeat(256)), { name: ['Must be at most 255 characters.'] }],
    ['the name is not a string', { name: 7, active: true }, { name: ['Must be text.'] }],
    [
      'the logo is not a URL',
      brand('a', { logo_url: 'ftp://x.y/z' }),
      { logo_url: ['Must be an absolute http or https URL.'] },
    ],
    ['featured is null', brand('a', { featured: null }), { featured: ['Must be true or false.'] }],
  ])('returns 422 when %s', async (_why, body, errors) => {
    const { api } = await createTestStore();
    const response = await api('POST /catalog/brands', body);
    expect(response.status).toBe(422);
    expect(response.body).toEqual(refusal(422, 'invalid_body', errors));
  });

  it('returns 422 when the name is taken, ignoring letter case', async () => {
    const { api } = await createTestStore();
    await api('POST /catalog/brands', brand('Três  Luas'));
    const { status, body } = await api('POST /catalog/brands', brand('três luas'));
    expect([status, body.errors]).toEqual([422, { name: ['Already taken.'] }]);
  });

  it('returns 201 for a name that another store has', async () => {
    const [one, other] = [await createTestStore(), await createTestStore()];
    await one.api('POST /catalog/brands', brand('Lua'));
    expect((await other.api('POST /catalog/brands', brand('Lua'))).status).toBe(201);
  });

  it('returns 201 with a warning for an unknown field, and without one for a field that the server sets', async () => {
    const { api } = await createTestStore();
    const response = await api('POST /catalog/brands', brand('a', { id: 5, colour: 'red' }));
    expect(response.headers.get('X-Warning')).toBe('Unknown field ignored: colour');
    expect(response.body.data.id).not.toBe(5);
  });

  it('returns 422 for an unknown field when the caller asks for strict handling', async () => {
    const { api } = await createTestStore();
    const response = await api('POST /catalog/brands', brand('a', { colour: 'red' }), {
      Prefer: 'handling=strict',
    });
    expect([response.status, response.body.errors]).toEqual([422, { colour: ['Unknown field.'] }]);
  });

  it('accepts any JSON media type and treats an empty body as an empty object', async () => {
    const { api } = await createTestStore();
    const type = { 'Content-Type': 'application/vnd.shop+json; charset=utf-8' };
    expect((await api('POST /catalog/brands', brand('a'), type)).status).toBe(201);
    expect((await api('POST /catalog/brands')).body.errors.name).toEqual(['Required.']);
  });

  it('costs one round trip when the API key is cached, and one more on the directory when it is not', async () => {
    const shop = await createTestStore();
    const cold = await measureRequest(shop, 'POST /catalog/brands', brand('a'));
    expect([cold.directory.roundTrips, cold.data.roundTrips]).toEqual([
      roundTrips.unknownKey,
      roundTrips.simple,
    ]);
    const cached = await measureRequest(shop, 'POST /catalog/brands', brand('b'));
    expect([cached.directory.roundTrips, cached.data.roundTrips]).toEqual([0, roundTrips.simple]);
  });
});

describe('GET /{alias}/catalog/brands', () => {
  it('returns 200 with a page, its total and its links', async () => {
    const { api, alias } = await createTestStore();
    for (const name of ['a', 'b', 'c']) await api('POST /catalog/brands', brand(name));
    const { body, headers } = await api('GET /catalog/brands?limit=1&page=2&sortedBy=desc');
    const previous = `https://api.test/v2/${alias}/catalog/brands?limit=1&page=1&sortedBy=desc`;
    const { next } = body.meta.pagination.links;
    expect(next).toContain(`/v2/${alias}/catalog/brands?limit=1&sortedBy=desc&cursor=`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['b']);
    expect(body.meta.pagination).toEqual({
      total: 3,
      count: 1,
      per_page: 1,
      current_page: 2,
      total_pages: 3,
      links: { previous, next },
    });
    expect(headers.get('Link')).toBe(`<${next}>; rel="next", <${previous}>; rel="prev"`);
  });

  it('returns 200 with an empty page', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api('GET /catalog/brands');
    expect(status).toBe(200);
    expect(body.data).toEqual([]);
    expect(body.meta.pagination).toMatchObject({ total: 0, total_pages: 1 });
  });

  it.each([
    ['name=ACAO', ['Ação']],
    ['name=100%25', ['100% Sol']],
    [`name=${'x'.repeat(60)}`, []],
    ['search=active:0', ['Bela']],
    ['active=false', ['Bela']],
    ['active=true&featured=true', ['Ação']],
    ['search=name:Bela&searchFields=name:=', ['Bela']],
    ['search=sol', ['100% Sol']],
    ['search=name:bela;featured:1&searchJoin=or', ['Ação', 'Bela']],
    ['orderBy=name&sortedBy=DESC', ['Bela', 'Ação', '100% Sol']],
    ['orderBy=active;name', ['Bela', '100% Sol', 'Ação']],
    ['date=created_at:2001-01-01|2001-12-31', []],
    ['name=', ['Ação', 'Bela', '100% Sol']],
  ])('returns 200 with the matching brands for ?%s', async (query, names) => {
    const { api } = await createTestStore();
    await api('POST /catalog/brands', brand('Ação', { featured: true }));
    await api('POST /catalog/brands', { name: 'Bela', active: false });
    await api('POST /catalog/brands', brand('100% Sol'));
    const { body } = await api(`GET /catalog/brands?${query}`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(body.meta.pagination.total).toBe(names.length);
  });

  it.each([
    ['orderBy=colour', 'orderBy'],
    ['sortedBy=up', 'sortedBy'],
    ['limit=0', 'limit'],
    ['page=0', 'page'],
    ['date=created_at:2031-02-30', 'date'],
    ['date=created_at:2031-03-02|2031-03-01', 'date'],
    ['search=created_at:red', 'search'],
    ['description=red', 'description'],
    [`name=${'x'.repeat(256)}`, 'name'],
  ])('returns 400 for ?%s', async (query, parameter) => {
    const { api } = await createTestStore();
    const { status, body } = await api(`GET /catalog/brands?${query}`);
    expect([status, Object.keys(body.errors)]).toEqual([400, [parameter]]);
  });

  it('reads a page and its total in two statements and one round trip, whatever the number of brands', async () => {
    const shop = await createTestStore();
    await shop.api('POST /catalog/brands', brand('first'));
    for (let n = 0; n < 40; n += 1) await shop.api('POST /catalog/brands', brand(`b${n}`));
    const { data } = await measureRequest(shop, 'GET /catalog/brands');
    expect([data.roundTrips, data.statements]).toEqual([1, 2]);
    expect(data.rowsRead).toBeLessThanOrEqual(25);
  });
});

describe('GET, PUT and DELETE /{alias}/catalog/brands/{id}', () => {
  it('GET returns 200 with the bare brand', async () => {
    const { api } = await createTestStore();
    const { body: made } = await api('POST /catalog/brands', brand('a'));
    const { status, body } = await api(`GET /catalog/brands/${made.data.id}`);
    expect([status, body]).toEqual([200, made.data]);
  });

  it('PUT returns 200, keeps fields that are not sent and clears those that are null', async () => {
    const { api } = await createTestStore();
    const sent = brand('a', { featured: true, description: 'x', logo_url: 'https://a.b/c' });
    const { body: made } = await api('POST /catalog/brands', sent);
    const change = { name: 'b', active: false, logo_url: null };
    const { body } = await api(`PUT /catalog/brands/${made.data.id}`, change);
    expect(body.data).toMatchObject({ ...sent, ...change });
  });

  it('PUT returns 200, keeps updated_at and writes nothing when nothing changes', async () => {
    const shop = await createTestStore();
    const { body: made } = await shop.api('POST /catalog/brands', brand('a'));
    const same = await measureRequest(shop, `PUT /catalog/brands/${made.data.id}`, brand('a'));
    expect(same.response.body.data).toEqual(made.data);
    expect([same.data.roundTrips, same.data.rowsWritten]).toEqual([1, 0]);
  });

  it('PUT returns 422 without the required fields, and 422 for a taken name', async () => {
    const { api } = await createTestStore();
    await api('POST /catalog/brands', brand('taken'));
    const { body: made } = await api('POST /catalog/brands', brand('a'));
    const path = `PUT /catalog/brands/${made.data.id}`;
    expect((await api(path, {})).body.errors).toEqual({
      name: ['Required.'],
      active: ['Required.'],
    });
    expect((await api(path, brand('TAKEN'))).body.errors).toEqual({ name: ['Already taken.'] });
  });

  it('returns 404 for a brand of another store, for every method', async () => {
    const [one, other] = [await createTestStore(), await createTestStore()];
    const { body: made } = await one.api('POST /catalog/brands', brand('a'));
    const path = `/catalog/brands/${made.data.id}`;
    expect((await other.api(`GET ${path}`)).status).toBe(404);
    expect((await other.api(`PUT ${path}`, brand('b'))).status).toBe(404);
    expect((await other.api(`DELETE ${path}`)).status).toBe(404);
    expect((await one.api(`GET ${path}`)).body).toEqual(made.data);
  });

  it('DELETE returns 200 with an empty object, then 404; products stay without a brand', async () => {
    const { api } = await createTestStore();
    const { body: made } = await api('POST /catalog/brands', brand('a'));
    const product = { name: 'p', simple: true, active: true, brand_id: made.data.id };
    const { body: kept } = await api('POST /catalog/products', product);
    const path = `DELETE /catalog/brands/${made.data.id}`;
    expect((await api(path)).body).toEqual({});
    expect((await api(path)).status).toBe(404);
    const { body } = await api(`GET /catalog/products/${kept.data.id}?include=brand`);
    expect([body.data.brand_id, body.data.brand]).toEqual([null, { data: null }]);
    const { body: list } = await api('GET /catalog/brands');
    expect(list.meta.pagination.total).toBe(0);
  });

  it('never reuses the id of a deleted brand', async () => {
    const { api } = await createTestStore();
    const { body: made } = await api('POST /catalog/brands', brand('a'));
    await api(`DELETE /catalog/brands/${made.data.id}`);
    const { body: next } = await api('POST /catalog/brands', brand('b'));
    expect(next.data.id).toBeGreaterThan(made.data.id);
  });
});
