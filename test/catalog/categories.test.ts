import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { recordedEvents, subscribeEndpoint } from '../support/webhooks/recorded-events.ts';

const category = (name: string, more: object = {}) => ({ name, active: true, ...more });

async function createCategory(shop: TestStore, name: string, more: object = {}) {
  const { body } = await shop.api('POST /catalog/categories', category(name, more));
  return body as { id: number; slug: string; banners_ids: number[] };
}

async function createBanner(shop: TestStore, name = 'b'): Promise<number> {
  const sent = { name, active: true, image_url: 'https://cdn.test/a.png' };
  return (await shop.api('POST /catalog/banners', sent)).body.data.id;
}

async function createProducts(shop: TestStore, count: number): Promise<number[]> {
  const { body: brand } = await shop.api('POST /catalog/brands', { name: 'M', active: true });
  const ids = [];
  for (let n = 0; n < count; n += 1) {
    const sent = { name: `P${n}`, simple: true, active: true, brand_id: brand.data.id };
    ids.push((await shop.api('POST /catalog/products', sent)).body.data.id as number);
  }
  return ids;
}

const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id);
const namesOf = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);
const unknownId = 999_999_999;

describe('POST /{alias}/catalog/categories', () => {
  it('returns 201 with the bare category and its defaults', async () => {
    const shop = await createTestStore();
    const { status, body } = await shop.api('POST /catalog/categories', category('Camisetas'));
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      merchant_id: shop.id,
      parent_id: null,
      active: true,
      featured: false,
      home: false,
      name: 'Camisetas',
      slug: 'camisetas',
      description: null,
      price_factor: 1,
      order: 0,
      sort_by: 'relevance',
      external_url: null,
      canonical_url: null,
      seo_title: null,
      seo_keywords: null,
      seo_description: null,
      banners_ids: [],
      total_banners: 0,
      ml_category: null,
      url: `https://${shop.alias}.shop.test/camisetas`,
    });
  });

  it('returns 201 below a parent, with banners, in two round trips', async () => {
    const shop = await createTestStore();
    const parent = await createCategory(shop, 'Roupas');
    const banners = [await createBanner(shop), await createBanner(shop)];
    const sent = category('Camisetas', {
      parent_id: parent.id,
      banners_ids: banners.toReversed(),
      price_factor: 0.95,
    });
    const { response, data } = await measureRequest(shop, 'POST /catalog/categories', sent);
    expect(response.body).toMatchObject({
      parent_id: parent.id,
      banners_ids: banners,
      total_banners: 2,
      price_factor: 0.95,
      url: `https://${shop.alias}.shop.test/roupas/camisetas`,
    });
    expect(data.roundTrips).toBe(2);
  });

  it('returns 201 with a slug of its own, and 422 for a sent slug that is taken', async () => {
    const shop = await createTestStore();
    expect((await createCategory(shop, 'Sol')).slug).toBe('sol');
    expect((await createCategory(shop, 'Sol')).slug).toBe('sol-2');
    expect((await createCategory(shop, '日本')).slug).toBe('category');
    const taken = await shop.api('POST /catalog/categories', category('x', { slug: 'sol' }));
    expect([taken.status, taken.body.errors]).toEqual([422, { slug: ['Already taken.'] }]);
  });

  it.each<[why: string, body: object, errors: object]>([
    ['nothing is sent', {}, { name: ['Required.'], active: ['Required.'] }],
    ['the name is blank once trimmed', category(' <b></b>'), { name: ['Must not be empty.'] }],
    [
      'the parent is unknown',
      category('a', { parent_id: unknownId }),
      { parent_id: ['No such category in this store.'] },
    ],
    [
      'a banner is unknown',
      category('a', { banners_ids: [unknownId] }),
      { 'banners_ids.0': ['No such banner in this store.'] },
    ],
    [
      'the price factor is zero',
      category('a', { price_factor: 0 }),
      { price_factor: ['Must be a number above 0 and up to 1,000 with at most four decimals.'] },
    ],
    [
      'a filter value is unknown',
      category('a', { filters_values_ids: [unknownId] }),
      { 'filters_values_ids.0': ['No such filter value in this store.'] },
    ],
  ])('returns 422 when %s, and stores nothing', async (_why, body, errors) => {
    const shop = await createTestStore();
    const response = await shop.api('POST /catalog/categories', body);
    expect([response.status, response.body.errors]).toEqual([422, errors]);
    expect((await shop.api('GET /catalog/categories')).body.meta.pagination.total).toBe(0);
  });

  it('returns 422 for a parent and a banner of another store', async () => {
    const [one, other] = [await createTestStore(), await createTestStore()];
    const parent = await createCategory(one, 'a');
    const sent = category('b', { parent_id: parent.id, banners_ids: [await createBanner(one)] });
    const response = await other.api('POST /catalog/categories', sent);
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors).toSorted()).toEqual(['banners_ids.0', 'parent_id']);
  });

  it('returns 422 for an eleventh level', async () => {
    const shop = await createTestStore();
    let parent_id: number | null = null;
    for (let level = 1; level <= 10; level += 1) {
      parent_id = (await createCategory(shop, `l${level}`, { parent_id })).id;
    }
    const response = await shop.api('POST /catalog/categories', category('l11', { parent_id }));
    expect([response.status, response.body.errors]).toEqual([
      422,
      { parent_id: ['Must not make the tree deeper than 10 levels.'] },
    ]);
    const root = await createCategory(shop, 'root');
    const { body: all } = await shop.api('GET /catalog/categories?name=l1');
    const first = all.data[0];
    const move = category('l1', { parent_id: root.id });
    expect((await shop.api(`PUT /catalog/categories/${first.id}`, move)).status).toBe(422);
  });
});

describe('GET /{alias}/catalog/categories', () => {
  async function three() {
    const shop = await createTestStore();
    const returned = await createBanner(shop);
    const roupas = await createCategory(shop, 'Roupas', {
      featured: true,
      order: 2,
      banners_ids: [returned],
    });
    const calcas = await createCategory(shop, 'Calças', {
      parent_id: roupas.id,
      seo_title: 'Calça Jeans',
    });
    await createCategory(shop, 'Velha', { active: false, order: 1, external_url: 'https://a.b/C' });
    return { ...shop, banner: returned, roupas, calcas };
  }

  it('returns 200 with all categories, active or not, 100 per page', async () => {
    const { api, alias } = await three();
    const { body } = await api('GET /catalog/categories');
    expect(namesOf(body)).toEqual(['Roupas', 'Calças', 'Velha']);
    expect(body.meta.pagination).toMatchObject({ total: 3, per_page: 100 });
    expect(body.data[1]).toMatchObject({
      is_parent: false,
      slug_path: 'roupas/calcas',
      url_path: '/roupas/calcas',
      url: `https://${alias}.shop.test/roupas/calcas`,
      filters_values_ids: [],
      category_cover: null,
    });
    expect(body.data[0].is_parent).toBe(true);
  });

  it('returns 200 with the categories that match the query', async () => {
    const { api, banner } = await three();
    const names = async (query: string) =>
      namesOf((await api(`GET /catalog/categories?${query}`)).body);
    expect(await names('active=0')).toEqual(['Velha']);
    expect(await names('name=CALCAS')).toEqual(['Calças']);
    expect(await names('slug=calcas')).toEqual(['Calças']);
    expect(await names('slug=calca')).toEqual([]);
    expect(await names('seo_title=jeans')).toEqual(['Calças']);
    expect(await names('featured=1')).toEqual(['Roupas']);
    expect(await names(`banners_ids=${banner},5`)).toEqual(['Roupas']);
    expect(await names(`banners_ids[]=${banner}&banners_ids[]=5`)).toEqual(['Roupas']);
    expect(await names('external_url=https://a.b/C')).toEqual(['Velha']);
    expect(await names('external_url=https://a.b/c')).toEqual([]);
    expect(await names('onlyParents=true')).toEqual(['Roupas', 'Velha']);
    expect(await names('orderBy=order&sortedBy=desc')).toEqual(['Roupas', 'Velha', 'Calças']);
    expect(await names('search=roup')).toEqual(['Roupas']);
    expect(await names('active=&name=')).toHaveLength(3);
  });

  it('returns 200 with the categories that match both body and query', async () => {
    const { api, banner } = await three();
    const names = async (body: object, query = '') =>
      namesOf((await api(`GET /catalog/categories${query}`, body)).body);
    expect(await names({ active: true })).toEqual(['Roupas', 'Calças']);
    expect(await names({ active: '0' })).toEqual(['Velha']);
    expect(await names({ active: true, name: 'calc', featured: null, slug: '' })).toEqual([
      'Calças',
    ]);
    expect(await names({ active: true, banners_ids: [banner, 5] })).toEqual(['Roupas']);
    expect(await names({ active: true, banners_ids: '' })).toHaveLength(2);
    expect(await names({ active: true, seo_title: 'JEANS' })).toEqual(['Calças']);
    expect(await names({ active: true }, '?featured=false')).toEqual(['Calças']);
  });

  it('returns 422 for a body without active or with a wrong type, and 400 for an invalid query', async () => {
    const { api } = await createTestStore();
    const none = await api('GET /catalog/categories', { name: 'a' });
    expect([none.status, none.body.errors]).toEqual([422, { active: ['Required.'] }]);
    const wrong = await api('GET /catalog/categories', { active: null, banners_ids: 7, name: 1 });
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.body.errors).toSorted()).toEqual(['active', 'banners_ids', 'name']);
    expect((await api('GET /catalog/categories?active=maybe')).status).toBe(400);
    expect((await api('GET /catalog/categories?banners_ids=x')).status).toBe(400);
  });

  it('reads a page with all includes in one round trip and two statements, whatever its size', async () => {
    const shop = await three();
    for (const limit of [1, 3]) {
      const path = `GET /catalog/categories?include=seo,parent,children,banners&limit=${limit}`;
      const { response, data } = await measureRequest(shop, path);
      expect(response.body.data).toHaveLength(limit);
      expect([data.roundTrips, data.statements]).toEqual([1, 2]);
    }
  });
});

describe('GET, PUT and DELETE /{alias}/catalog/categories/{id}', () => {
  it('GET returns 200 with the requested relations', async () => {
    const shop = await createTestStore();
    const returned = await createBanner(shop, 'Verão');
    const top = await createCategory(shop, 'a', { banners_ids: [returned], seo_title: 'T' });
    const child = await createCategory(shop, 'b', { parent_id: top.id });
    const query = 'include=seo,parent,children,banners,colours';
    const { body } = await shop.api(`GET /catalog/categories/${top.id}?${query}`);
    expect(body).toMatchObject({
      is_parent: true,
      seo: { data: { seo_title: 'T', seo_keywords: null, seo_description: null } },
      parent: { data: null },
      children: { data: [{ id: child.id, url_path: '/a/b', is_parent: false }] },
      banners: { data: [{ id: returned, name: 'Verão', expired: false }] },
    });
    const below = await shop.api(`GET /catalog/categories/${child.id}?include=parent`);
    expect(below.body.parent.data).toMatchObject({
      id: top.id,
      banners_ids: [returned],
      is_parent: true,
    });
  });

  it('PUT returns 200, keeps fields that are not sent and replaces banners', async () => {
    const shop = await createTestStore();
    const [one, two] = [await createBanner(shop), await createBanner(shop)];
    const first = await createCategory(shop, 'a', { banners_ids: [one], order: 4 });
    const path = `/catalog/categories/${first.id}`;
    const changed = await shop.api(`PUT ${path}`, category('b', { banners_ids: [two] }));
    expect(changed.body).toMatchObject({ name: 'b', slug: 'a', order: 4, banners_ids: [two] });
    expect((await shop.api(`GET ${path}`)).body).toEqual(changed.body);
    const kept = await shop.api(`PUT ${path}`, category('c'));
    expect(kept.body.banners_ids).toEqual([two]);
  });

  it('PUT returns 200 and writes nothing when nothing changes', async () => {
    const shop = await createTestStore();
    const banners_ids = [await createBanner(shop)];
    const first = await createCategory(shop, 'a', { banners_ids });
    const path = `PUT /catalog/categories/${first.id}`;
    const same = await measureRequest(shop, path, category('a', { banners_ids }));
    expect(same.response.status).toBe(200);
    expect([same.data.roundTrips, same.data.rowsWritten]).toEqual([1, 0]);
  });

  it('PUT returns 422 for the category itself or a descendant as parent', async () => {
    const shop = await createTestStore();
    const top = await createCategory(shop, 'a');
    const below = await createCategory(shop, 'b', { parent_id: top.id });
    for (const parent_id of [top.id, below.id]) {
      const sent = category('a', { parent_id });
      const response = await shop.api(`PUT /catalog/categories/${top.id}`, sent);
      expect([response.status, Object.keys(response.body.errors)]).toEqual([422, ['parent_id']]);
    }
  });

  it('PUT never creates a cycle, however many categories move at once', async () => {
    const shop = await createTestStore();
    const [one, two] = [await createCategory(shop, 'a'), await createCategory(shop, 'b')];
    const responses = await Promise.all([
      shop.api(`PUT /catalog/categories/${one.id}`, category('a', { parent_id: two.id })),
      shop.api(`PUT /catalog/categories/${two.id}`, category('b', { parent_id: one.id })),
    ]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  it('returns 404 for a category of another store, for every method', async () => {
    const [one, other] = [await createTestStore(), await createTestStore()];
    const { id } = await createCategory(one, 'a');
    const path = `/catalog/categories/${id}`;
    const [product] = await createProducts(other, 1);
    const linked = { product_ids: [product] };
    for (const [request, body] of [
      [`GET ${path}`],
      [`PUT ${path}`, category('b')],
      [`DELETE ${path}`],
      [`GET ${path}/products`],
      [`GET ${path}/banners`],
      [`PUT ${path}/products`, linked],
      [`DELETE ${path}/products`, linked],
      [`POST ${path}/copy-products`, { categories_ids: [(await createCategory(other, 'x')).id] }],
    ] as const) {
      expect((await other.api(request, body)).status, request).toBe(404);
    }
    expect((await one.api(`GET ${path}`)).body.name).toBe('a');
  });

  it('DELETE returns 200, moves children up, and keeps products and banners', async () => {
    const shop = await createTestStore();
    const returned = await createBanner(shop);
    const [product] = await createProducts(shop, 1);
    const top = await createCategory(shop, 'a');
    const middle = await createCategory(shop, 'b', { parent_id: top.id, banners_ids: [returned] });
    const low = await createCategory(shop, 'c', { parent_id: middle.id });
    await shop.api(`PUT /catalog/categories/${middle.id}/products`, { product_ids: [product] });
    const path = `DELETE /catalog/categories/${middle.id}`;
    expect((await shop.api(path)).body).toEqual({});
    expect((await shop.api(path)).status).toBe(404);
    const { body } = await shop.api(`GET /catalog/categories/${low.id}`);
    expect([body.parent_id, body.url_path]).toEqual([top.id, '/a/c']);
    expect((await shop.api(`GET /catalog/banners/${returned}`)).status).toBe(200);
    expect((await shop.api(`GET /catalog/products/${product}`)).status).toBe(200);
    expect((await shop.api('GET /catalog/categories')).body.meta.pagination.total).toBe(2);
  });
});

describe('filter values of categories', () => {
  async function shopWithValues() {
    const shop = await createTestStore();
    const values = [{ name: 'azul' }, { name: 'rosa' }, { name: 'verde' }];
    const { body } = await shop.api('POST /catalog/filters', { name: 'Cor', values });
    const path = `/catalog/filters/${body.data.id}`;
    const listed = await shop.api(`GET ${path}/values`);
    return { ...shop, filter: path, values: idsOf(listed.body) };
  }

  it('stores filter values, returns them ascending and replaces them as a whole', async () => {
    const shop = await shopWithValues();
    const [a, b, c] = shop.values;
    const { id } = await createCategory(shop, 'a', { filters_values_ids: [b, a, b] });
    const path = `/catalog/categories/${id}`;
    const first = (await shop.api(`GET ${path}`)).body;
    expect(first.filters_values_ids).toEqual([a, b]);
    expect((await shop.api(`PUT ${path}`, category('a'))).body).toEqual(first);
    const change = category('a', { filters_values_ids: [c, b] });
    const changed = await measureRequest(shop, `PUT ${path}`, change);
    expect(changed.response.body.filters_values_ids).toEqual([b, c]);
    expect(changed.data.roundTrips).toBe(2);
    const same = await measureRequest(shop, `PUT ${path}`, change);
    expect([same.data.roundTrips, same.data.rowsWritten]).toEqual([1, 0]);
    const { body } = await shop.api('GET /catalog/categories');
    expect(body.data[0].filters_values_ids).toEqual([b, c]);
  });

  it('removes a filter value from the category when the value or its filter is deleted', async () => {
    const shop = await shopWithValues();
    const { id } = await createCategory(shop, 'a', { filters_values_ids: shop.values });
    const returned = async () =>
      (await shop.api(`GET /catalog/categories/${id}`)).body.filters_values_ids;
    await shop.api(`DELETE ${shop.filter}/values/${shop.values[0]}`);
    expect(await returned()).toEqual(shop.values.slice(1));
    await shop.api(`DELETE ${shop.filter}`);
    expect(await returned()).toEqual([]);
  });

  it('PUT returns 422 for an unknown filter value and for one of another store', async () => {
    const [one, other] = [await shopWithValues(), await createTestStore()];
    const { id } = await createCategory(other, 'a');
    const sent = category('a', { filters_values_ids: [...one.values, unknownId] });
    const response = await other.api(`PUT /catalog/categories/${id}`, sent);
    expect([response.status, Object.keys(response.body.errors).length]).toEqual([422, 4]);
  });
});

describe('PUT, DELETE and GET /{alias}/catalog/categories/{id}/products', () => {
  it('PUT returns 200 and adds, DELETE returns 200 and removes; both return the products and send no event', async () => {
    const shop = await createTestStore();
    const [a, b, c] = await createProducts(shop, 3);
    await subscribeEndpoint(shop, ['product.updated']);
    const path = `/catalog/categories/${(await createCategory(shop, 'a')).id}/products`;
    const first = await measureRequest(shop, `PUT ${path}`, { product_ids: [b, b, a] });
    expect(idsOf(first.response.body)).toEqual([a, b]);
    expect(first.data.roundTrips).toBe(2);
    const more = await shop.api(`PUT ${path}`, { products_ids: [b, c] });
    expect(idsOf(more.body)).toEqual([a, b, c]);
    expect(more.body.meta).toBeUndefined();
    const less = await shop.api(`DELETE ${path}`, { product_ids: [a, c] });
    expect([less.status, idsOf(less.body)]).toEqual([200, [b]]);
    expect(idsOf((await shop.api(`DELETE ${path}`, { products_ids: [a, b] })).body)).toEqual([]);
    expect(await recordedEvents(shop)).toEqual([]);
  });

  it('returns 404 for an unknown product or one of another store, and changes nothing', async () => {
    const [shop, other] = [await createTestStore(), await createTestStore()];
    const [own] = await createProducts(shop, 1);
    const [foreign] = await createProducts(other, 1);
    const path = `/catalog/categories/${(await createCategory(shop, 'a')).id}/products`;
    for (const id of [unknownId, foreign]) {
      const response = await shop.api(`PUT ${path}`, { product_ids: [own, id] });
      expect([response.status, response.body.errors]).toEqual([
        404,
        { 'product_ids.1': ['No such product in this store.'] },
      ]);
    }
    expect((await shop.api(`DELETE ${path}`, { product_ids: [unknownId] })).status).toBe(404);
    expect((await shop.api(`GET ${path}`)).body.data).toEqual([]);
  });

  it.each([
    [{}, { product_ids: ['Required.'] }],
    [{ product_ids: [] }, { product_ids: ['Must contain at least 1 id.'] }],
    [{ product_ids: ['1'] }, { 'product_ids.0': ['Must be a positive whole number.'] }],
  ])('returns 400 for the body %j', async (body, errors) => {
    const shop = await createTestStore();
    const path = `/catalog/categories/${(await createCategory(shop, 'a')).id}/products`;
    for (const verb of ['PUT', 'DELETE']) {
      const response = await shop.api(`${verb} ${path}`, body);
      expect([response.status, response.body.errors]).toEqual([400, errors]);
    }
  });

  it('GET returns 200 with a page, in one round trip and three statements', async () => {
    const shop = await createTestStore();
    const ids = await createProducts(shop, 3);
    const path = `/catalog/categories/${(await createCategory(shop, 'a')).id}/products`;
    await shop.api(`PUT ${path}`, { product_ids: ids });
    const query = 'include=skus,brand&orderBy=name&sortedBy=desc&limit=2';
    const { response, data } = await measureRequest(shop, `GET ${path}?${query}`);
    expect(namesOf(response.body)).toEqual(['P2', 'P1']);
    expect(response.body.meta.pagination.total).toBe(3);
    expect(response.body.data[0].brand.data.name).toBe('M');
    expect([data.roundTrips, data.statements]).toEqual([1, 4]);
    await shop.api(`DELETE /catalog/products/${ids[0]}`);
    expect(idsOf((await shop.api(`GET ${path}`)).body)).toEqual(ids.slice(1));
  });

  it('copy-products returns 200; the sources keep their products, and the destination is ignored as a source', async () => {
    const shop = await createTestStore();
    const [a, b, c] = await createProducts(shop, 3);
    const [to, from] = [await createCategory(shop, 'to'), await createCategory(shop, 'from')];
    await shop.api(`PUT /catalog/categories/${to.id}/products`, { product_ids: [c] });
    await shop.api(`PUT /catalog/categories/${from.id}/products`, { product_ids: [a, b, c] });
    const path = `/catalog/categories/${to.id}/copy-products`;
    const sent = { categories_ids: [from.id, to.id] };
    const { response, data } = await measureRequest(shop, `POST ${path}?limit=2`, sent);
    expect(idsOf(response.body)).toEqual([a, b]);
    expect(response.body.meta.pagination).toMatchObject({ total: 3, per_page: 2 });
    expect(data.roundTrips).toBe(2);
    const kept = await shop.api(`GET /catalog/categories/${from.id}/products`);
    expect(idsOf(kept.body)).toEqual([a, b, c]);
    const lost = await shop.api(`POST ${path}`, { categories_ids: [unknownId] });
    expect([lost.status, Object.keys(lost.body.errors)]).toEqual([404, ['categories_ids.0']]);
    expect((await shop.api(`POST ${path}`, {})).status).toBe(400);
  });
});

describe('GET /{alias}/catalog/categories/{id}/banners', () => {
  it('returns 200 with a page of its banners, without deleted ones', async () => {
    const shop = await createTestStore();
    const banners_ids = [await createBanner(shop, 'a'), await createBanner(shop, 'b')];
    await createBanner(shop, 'elsewhere');
    const { id } = await createCategory(shop, 'a', { banners_ids });
    const path = `GET /catalog/categories/${id}/banners`;
    expect(idsOf((await shop.api(`${path}?sortedBy=desc`)).body)).toEqual(banners_ids.toReversed());
    await shop.api(`DELETE /catalog/banners/${banners_ids[0]}`);
    const { body } = await shop.api(`${path}?include=product`);
    expect(idsOf(body)).toEqual(banners_ids.slice(1));
    expect(body.meta.pagination.total).toBe(1);
  });
});
