import { describe, expect, it } from 'vitest';
import { measured } from '../support/counted.ts';
import { eventsOf, subscribe } from '../support/events.ts';
import { store, type TestStore } from '../support/store.ts';

const category = (name: string, more: object = {}) => ({ name, active: true, ...more });

async function made(shop: TestStore, name: string, more: object = {}) {
  const { body } = await shop.api('POST /catalog/categories', category(name, more));
  return body as { id: number; slug: string; banners_ids: number[] };
}

async function banner(shop: TestStore, name = 'b'): Promise<number> {
  const sent = { name, active: true, image_url: 'https://cdn.test/a.png' };
  return (await shop.api('POST /catalog/banners', sent)).body.data.id;
}

async function products(shop: TestStore, count: number): Promise<number[]> {
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
const unknown = 999_999_999;

describe('POST /{alias}/catalog/categories', () => {
  it('201 with the bare category and its defaults', async () => {
    const shop = await store();
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

  it('201 below a parent, with banners, in two round trips', async () => {
    const shop = await store();
    const parent = await made(shop, 'Roupas');
    const banners = [await banner(shop), await banner(shop)];
    const sent = category('Camisetas', {
      parent_id: parent.id,
      banners_ids: banners.toReversed(),
      price_factor: 0.95,
    });
    const { answer, data } = await measured(shop, 'POST /catalog/categories', sent);
    expect(answer.body).toMatchObject({
      parent_id: parent.id,
      banners_ids: banners,
      total_banners: 2,
      price_factor: 0.95,
      url: `https://${shop.alias}.shop.test/roupas/camisetas`,
    });
    expect(data.trips).toBe(2);
  });

  it('201 with a slug of its own, 422 for a sent one that is taken', async () => {
    const shop = await store();
    expect((await made(shop, 'Sol')).slug).toBe('sol');
    expect((await made(shop, 'Sol')).slug).toBe('sol-2');
    expect((await made(shop, '日本')).slug).toBe('category');
    const taken = await shop.api('POST /catalog/categories', category('x', { slug: 'sol' }));
    expect([taken.status, taken.body.errors]).toEqual([422, { slug: ['Already taken.'] }]);
  });

  it.each<[why: string, body: object, errors: object]>([
    ['nothing is sent', {}, { name: ['Required.'], active: ['Required.'] }],
    ['the name is blank once cleaned', category(' <b></b>'), { name: ['Must not be empty.'] }],
    [
      'the parent is unknown',
      category('a', { parent_id: unknown }),
      { parent_id: ['No such category in this store.'] },
    ],
    [
      'a banner is unknown',
      category('a', { banners_ids: [unknown] }),
      { 'banners_ids.0': ['No such banner in this store.'] },
    ],
    [
      'the price factor is zero',
      category('a', { price_factor: 0 }),
      { price_factor: ['Must be a number above 0 and up to 1,000 with at most four decimals.'] },
    ],
    [
      'a filter value is unknown',
      category('a', { filters_values_ids: [unknown] }),
      { 'filters_values_ids.0': ['No such filter value in this store.'] },
    ],
  ])('422 when %s, and nothing is stored', async (_why, body, errors) => {
    const shop = await store();
    const answer = await shop.api('POST /catalog/categories', body);
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    expect((await shop.api('GET /catalog/categories')).body.meta.pagination.total).toBe(0);
  });

  it('422 for a parent and a banner of another store', async () => {
    const [one, other] = [await store(), await store()];
    const parent = await made(one, 'a');
    const sent = category('b', { parent_id: parent.id, banners_ids: [await banner(one)] });
    const answer = await other.api('POST /catalog/categories', sent);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors).toSorted()).toEqual(['banners_ids.0', 'parent_id']);
  });

  it('422 for an eleventh level', async () => {
    const shop = await store();
    let parent_id: number | null = null;
    for (let level = 1; level <= 10; level += 1) {
      parent_id = (await made(shop, `l${level}`, { parent_id })).id;
    }
    const answer = await shop.api('POST /catalog/categories', category('l11', { parent_id }));
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { parent_id: ['Must leave the tree at most 10 levels deep.'] },
    ]);
    const root = await made(shop, 'root');
    const { body: all } = await shop.api('GET /catalog/categories?name=l1');
    const first = all.data[0];
    const move = category('l1', { parent_id: root.id });
    expect((await shop.api(`PUT /catalog/categories/${first.id}`, move)).status).toBe(422);
  });
});

describe('GET /{alias}/catalog/categories', () => {
  async function three() {
    const shop = await store();
    const shown = await banner(shop);
    const roupas = await made(shop, 'Roupas', { featured: true, order: 2, banners_ids: [shown] });
    const calcas = await made(shop, 'Calças', { parent_id: roupas.id, seo_title: 'Calça Jeans' });
    await made(shop, 'Velha', { active: false, order: 1, external_url: 'https://a.b/C' });
    return { ...shop, banner: shown, roupas, calcas };
  }

  it('200 with all of them, active or not, in a page of 100', async () => {
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

  it('200 with what the query asks for', async () => {
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

  it('200 with what the body asks for, together with the query', async () => {
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

  it('422 for a body without active or with a wrong type, 400 for a wrong query', async () => {
    const { api } = await store();
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
      const { answer, data } = await measured(shop, path);
      expect(answer.body.data).toHaveLength(limit);
      expect([data.trips, data.statements]).toEqual([1, 2]);
    }
  });
});

describe('/{alias}/catalog/categories/{id}', () => {
  it('GET 200 with its relations', async () => {
    const shop = await store();
    const shown = await banner(shop, 'Verão');
    const top = await made(shop, 'a', { banners_ids: [shown], seo_title: 'T' });
    const child = await made(shop, 'b', { parent_id: top.id });
    const query = 'include=seo,parent,children,banners,colours';
    const { body } = await shop.api(`GET /catalog/categories/${top.id}?${query}`);
    expect(body).toMatchObject({
      is_parent: true,
      seo: { data: { seo_title: 'T', seo_keywords: null, seo_description: null } },
      parent: { data: null },
      children: { data: [{ id: child.id, url_path: '/a/b', is_parent: false }] },
      banners: { data: [{ id: shown, name: 'Verão', expired: false }] },
    });
    const below = await shop.api(`GET /catalog/categories/${child.id}?include=parent`);
    expect(below.body.parent.data).toMatchObject({
      id: top.id,
      banners_ids: [shown],
      is_parent: true,
    });
  });

  it('PUT 200, what is not sent stays, banners are replaced', async () => {
    const shop = await store();
    const [one, two] = [await banner(shop), await banner(shop)];
    const first = await made(shop, 'a', { banners_ids: [one], order: 4 });
    const path = `/catalog/categories/${first.id}`;
    const changed = await shop.api(`PUT ${path}`, category('b', { banners_ids: [two] }));
    expect(changed.body).toMatchObject({ name: 'b', slug: 'a', order: 4, banners_ids: [two] });
    expect((await shop.api(`GET ${path}`)).body).toEqual(changed.body);
    const kept = await shop.api(`PUT ${path}`, category('c'));
    expect(kept.body.banners_ids).toEqual([two]);
  });

  it('PUT 200 writes nothing when nothing changes', async () => {
    const shop = await store();
    const banners_ids = [await banner(shop)];
    const first = await made(shop, 'a', { banners_ids });
    const path = `PUT /catalog/categories/${first.id}`;
    const same = await measured(shop, path, category('a', { banners_ids }));
    expect(same.answer.status).toBe(200);
    expect([same.data.trips, same.data.rowsWritten]).toEqual([1, 0]);
  });

  it('PUT 422 for itself and for one below it as parent', async () => {
    const shop = await store();
    const top = await made(shop, 'a');
    const below = await made(shop, 'b', { parent_id: top.id });
    for (const parent_id of [top.id, below.id]) {
      const sent = category('a', { parent_id });
      const answer = await shop.api(`PUT /catalog/categories/${top.id}`, sent);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['parent_id']]);
    }
  });

  it('PUT never makes a circle, however many move at once', async () => {
    const shop = await store();
    const [one, two] = [await made(shop, 'a'), await made(shop, 'b')];
    const answers = await Promise.all([
      shop.api(`PUT /catalog/categories/${one.id}`, category('a', { parent_id: two.id })),
      shop.api(`PUT /catalog/categories/${two.id}`, category('b', { parent_id: one.id })),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  it('404 for a category of another store, whatever is asked', async () => {
    const [one, other] = [await store(), await store()];
    const { id } = await made(one, 'a');
    const path = `/catalog/categories/${id}`;
    const [product] = await products(other, 1);
    const linked = { product_ids: [product] };
    for (const [request, body] of [
      [`GET ${path}`],
      [`PUT ${path}`, category('b')],
      [`DELETE ${path}`],
      [`GET ${path}/products`],
      [`GET ${path}/banners`],
      [`PUT ${path}/products`, linked],
      [`DELETE ${path}/products`, linked],
      [`POST ${path}/copy-products`, { categories_ids: [(await made(other, 'x')).id] }],
    ] as const) {
      expect((await other.api(request, body)).status, request).toBe(404);
    }
    expect((await one.api(`GET ${path}`)).body.name).toBe('a');
  });

  it('DELETE 200: children move up, products and banners stay', async () => {
    const shop = await store();
    const shown = await banner(shop);
    const [product] = await products(shop, 1);
    const top = await made(shop, 'a');
    const middle = await made(shop, 'b', { parent_id: top.id, banners_ids: [shown] });
    const low = await made(shop, 'c', { parent_id: middle.id });
    await shop.api(`PUT /catalog/categories/${middle.id}/products`, { product_ids: [product] });
    const path = `DELETE /catalog/categories/${middle.id}`;
    expect((await shop.api(path)).body).toEqual({});
    expect((await shop.api(path)).status).toBe(404);
    const { body } = await shop.api(`GET /catalog/categories/${low.id}`);
    expect([body.parent_id, body.url_path]).toEqual([top.id, '/a/c']);
    expect((await shop.api(`GET /catalog/banners/${shown}`)).status).toBe(200);
    expect((await shop.api(`GET /catalog/products/${product}`)).status).toBe(200);
    expect((await shop.api('GET /catalog/categories')).body.meta.pagination.total).toBe(2);
  });
});

describe('the filter values of a category', () => {
  async function shopWithValues() {
    const shop = await store();
    const values = [{ name: 'azul' }, { name: 'rosa' }, { name: 'verde' }];
    const { body } = await shop.api('POST /catalog/filters', { name: 'Cor', values });
    const path = `/catalog/filters/${body.data.id}`;
    const listed = await shop.api(`GET ${path}/values`);
    return { ...shop, filter: path, values: idsOf(listed.body) };
  }

  it('are stored, shown ascending and replaced as a whole', async () => {
    const shop = await shopWithValues();
    const [a, b, c] = shop.values;
    const { id } = await made(shop, 'a', { filters_values_ids: [b, a, b] });
    const path = `/catalog/categories/${id}`;
    const first = (await shop.api(`GET ${path}`)).body;
    expect(first.filters_values_ids).toEqual([a, b]);
    expect((await shop.api(`PUT ${path}`, category('a'))).body).toEqual(first);
    const change = category('a', { filters_values_ids: [c, b] });
    const changed = await measured(shop, `PUT ${path}`, change);
    expect(changed.answer.body.filters_values_ids).toEqual([b, c]);
    expect(changed.data.trips).toBe(2);
    const same = await measured(shop, `PUT ${path}`, change);
    expect([same.data.trips, same.data.rowsWritten]).toEqual([1, 0]);
    const { body } = await shop.api('GET /catalog/categories');
    expect(body.data[0].filters_values_ids).toEqual([b, c]);
  });

  it('go with the value and with its filter', async () => {
    const shop = await shopWithValues();
    const { id } = await made(shop, 'a', { filters_values_ids: shop.values });
    const shown = async () =>
      (await shop.api(`GET /catalog/categories/${id}`)).body.filters_values_ids;
    await shop.api(`DELETE ${shop.filter}/values/${shop.values[0]}`);
    expect(await shown()).toEqual(shop.values.slice(1));
    await shop.api(`DELETE ${shop.filter}`);
    expect(await shown()).toEqual([]);
  });

  it('PUT 422 for an unknown one and for one of another store', async () => {
    const [one, other] = [await shopWithValues(), await store()];
    const { id } = await made(other, 'a');
    const sent = category('a', { filters_values_ids: [...one.values, unknown] });
    const answer = await other.api(`PUT /catalog/categories/${id}`, sent);
    expect([answer.status, Object.keys(answer.body.errors).length]).toEqual([422, 4]);
  });
});

describe('/{alias}/catalog/categories/{id}/products', () => {
  it('PUT 200 adds, DELETE 200 removes, both with what is in then; no event tells of it', async () => {
    const shop = await store();
    const [a, b, c] = await products(shop, 3);
    await subscribe(shop, ['product.updated']);
    const path = `/catalog/categories/${(await made(shop, 'a')).id}/products`;
    const first = await measured(shop, `PUT ${path}`, { product_ids: [b, b, a] });
    expect(idsOf(first.answer.body)).toEqual([a, b]);
    expect(first.data.trips).toBe(2);
    const more = await shop.api(`PUT ${path}`, { products_ids: [b, c] });
    expect(idsOf(more.body)).toEqual([a, b, c]);
    expect(more.body.meta).toBeUndefined();
    const less = await shop.api(`DELETE ${path}`, { product_ids: [a, c] });
    expect([less.status, idsOf(less.body)]).toEqual([200, [b]]);
    expect(idsOf((await shop.api(`DELETE ${path}`, { products_ids: [a, b] })).body)).toEqual([]);
    expect(await eventsOf(shop)).toEqual([]);
  });

  it('404 for an unknown product or one of another store, and nothing changes', async () => {
    const [shop, other] = [await store(), await store()];
    const [own] = await products(shop, 1);
    const [foreign] = await products(other, 1);
    const path = `/catalog/categories/${(await made(shop, 'a')).id}/products`;
    for (const id of [unknown, foreign]) {
      const answer = await shop.api(`PUT ${path}`, { product_ids: [own, id] });
      expect([answer.status, answer.body.errors]).toEqual([
        404,
        { 'product_ids.1': ['No such product in this store.'] },
      ]);
    }
    expect((await shop.api(`DELETE ${path}`, { product_ids: [unknown] })).status).toBe(404);
    expect((await shop.api(`GET ${path}`)).body.data).toEqual([]);
  });

  it.each([
    [{}, { product_ids: ['Required.'] }],
    [{ product_ids: [] }, { product_ids: ['Must hold at least 1 id.'] }],
    [{ product_ids: ['1'] }, { 'product_ids.0': ['Must be a positive whole number.'] }],
  ])('400 for %j', async (body, errors) => {
    const shop = await store();
    const path = `/catalog/categories/${(await made(shop, 'a')).id}/products`;
    for (const verb of ['PUT', 'DELETE']) {
      const answer = await shop.api(`${verb} ${path}`, body);
      expect([answer.status, answer.body.errors]).toEqual([400, errors]);
    }
  });

  it('GET 200 with a page, in one round trip and three statements', async () => {
    const shop = await store();
    const ids = await products(shop, 3);
    const path = `/catalog/categories/${(await made(shop, 'a')).id}/products`;
    await shop.api(`PUT ${path}`, { product_ids: ids });
    const query = 'include=skus,brand&orderBy=name&sortedBy=desc&limit=2';
    const { answer, data } = await measured(shop, `GET ${path}?${query}`);
    expect(namesOf(answer.body)).toEqual(['P2', 'P1']);
    expect(answer.body.meta.pagination.total).toBe(3);
    expect(answer.body.data[0].brand.data.name).toBe('M');
    expect([data.trips, data.statements]).toEqual([1, 3]);
    await shop.api(`DELETE /catalog/products/${ids[0]}`);
    expect(idsOf((await shop.api(`GET ${path}`)).body)).toEqual(ids.slice(1));
  });

  it('copy-products 200: the sources keep theirs, the destination among them is skipped', async () => {
    const shop = await store();
    const [a, b, c] = await products(shop, 3);
    const [to, from] = [await made(shop, 'to'), await made(shop, 'from')];
    await shop.api(`PUT /catalog/categories/${to.id}/products`, { product_ids: [c] });
    await shop.api(`PUT /catalog/categories/${from.id}/products`, { product_ids: [a, b, c] });
    const path = `/catalog/categories/${to.id}/copy-products`;
    const sent = { categories_ids: [from.id, to.id] };
    const { answer, data } = await measured(shop, `POST ${path}?limit=2`, sent);
    expect(idsOf(answer.body)).toEqual([a, b]);
    expect(answer.body.meta.pagination).toMatchObject({ total: 3, per_page: 2 });
    expect(data.trips).toBe(2);
    const kept = await shop.api(`GET /catalog/categories/${from.id}/products`);
    expect(idsOf(kept.body)).toEqual([a, b, c]);
    const lost = await shop.api(`POST ${path}`, { categories_ids: [unknown] });
    expect([lost.status, Object.keys(lost.body.errors)]).toEqual([404, ['categories_ids.0']]);
    expect((await shop.api(`POST ${path}`, {})).status).toBe(400);
  });
});

describe('GET /{alias}/catalog/categories/{id}/banners', () => {
  it('200 with a page of its banners, without those that are gone', async () => {
    const shop = await store();
    const banners_ids = [await banner(shop, 'a'), await banner(shop, 'b')];
    await banner(shop, 'elsewhere');
    const { id } = await made(shop, 'a', { banners_ids });
    const path = `GET /catalog/categories/${id}/banners`;
    expect(idsOf((await shop.api(`${path}?sortedBy=desc`)).body)).toEqual(banners_ids.toReversed());
    await shop.api(`DELETE /catalog/banners/${banners_ids[0]}`);
    const { body } = await shop.api(`${path}?include=product`);
    expect(idsOf(body)).toEqual(banners_ids.slice(1));
    expect(body.meta.pagination.total).toBe(1);
  });
});
