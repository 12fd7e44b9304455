import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';

const collection = (name: string, more: object = {}) => ({ name, active: true, ...more });

async function createCollection(shop: TestStore, name: string, more: object = {}) {
  const { body } = await shop.api('POST /catalog/collections', collection(name, more));
  return body as { id: number; slug: string };
}

/** Creates a store with two products, their brand, a category and a banner. */
async function createStoreWithCatalog() {
  const shop = await createTestStore();
  const image_url = 'https://cdn.test/a.png';
  const { body: brand } = await shop.api('POST /catalog/brands', { name: 'M', active: true });
  const products: number[] = [];
  for (const name of ['P0', 'P1']) {
    const sent = { name, simple: true, active: true, brand_id: brand.data.id };
    products.push((await shop.api('POST /catalog/products', sent)).body.data.id);
  }
  const { body: category } = await shop.api('POST /catalog/categories', collection('C'));
  const { body: banner } = await shop.api('POST /catalog/banners', collection('B', { image_url }));
  return {
    ...shop,
    products,
    brand: brand.data.id as number,
    category: category.id as number,
    banner: banner.data.id as number,
  };
}

const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id);
const namesOf = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);
const unknownId = 999_999_999;
const emptyLists = { products_ids: [], brands_ids: [], categories_ids: [] };

describe('POST /{alias}/catalog/collections', () => {
  it('returns 200 with the bare collection and its defaults', async () => {
    const shop = await createTestStore();
    const { status, body } = await shop.api('POST /catalog/collections', collection('Verão'));
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      parent_id: null,
      active: true,
      show_banners: false,
      featured: false,
      home: false,
      is_promotional: false,
      expired: false,
      restriced: false,
      name: 'Verão',
      slug: 'verao',
      path: '/collections/verao',
      url: `https://${shop.alias}.shop.test/collections/verao`,
      description: null,
      seo_title: null,
      seo_keywords: null,
      seo_description: null,
      visible_products: 0,
      total_products: 0,
      stopwatch: null,
      expire_in: null,
      stopwatch_expires_in: null,
      restrictions: null,
      start_at: null,
      end_at: null,
      created_at: expect.any(Object),
      updated_at: expect.any(Object),
    });
  });

  it('returns 200 with products, banners, restrictions and a period, in two round trips', async () => {
    const shop = await createStoreWithCatalog();
    const sent = collection('Verão', {
      products_ids: [...shop.products, shop.products[0]],
      banners_ids: [shop.banner],
      restrictions: {
        include: { brands_ids: [shop.brand] },
        exclude: { categories_ids: [shop.category] },
      },
      start_at: '2021-03-01 00:00:00',
      end_at: '2021-03-05 9:04:07',
      stopwatch: 'period',
      url: 'https://a.b/c',
    });
    const { response, data } = await measureRequest(shop, 'POST /catalog/collections', sent);
    expect(response.body).toMatchObject({
      total_products: 2,
      restriced: true,
      restrictions: {
        include: { ...emptyLists, brands_ids: [shop.brand] },
        exclude: { ...emptyLists, categories_ids: [shop.category] },
      },
      expired: true,
      end_at: { date: '2021-03-05 9:04:07' },
      expire_in: '2021-03-05 09:04:07',
      stopwatch_expires_in: '2021-03-05 09:04:07',
      url: 'https://a.b/c',
    });
    expect(data.roundTrips).toBe(2);
  });

  it('returns 200 with a slug of its own, and 400 for a sent slug that is taken', async () => {
    const shop = await createTestStore();
    expect((await createCollection(shop, 'Sol')).slug).toBe('sol');
    expect((await createCollection(shop, 'Sol')).slug).toBe('sol-2');
    const taken = await shop.api('POST /catalog/collections', collection('x', { slug: 'sol' }));
    expect([taken.status, taken.body.errors]).toEqual([400, { slug: ['Already taken.'] }]);
  });

  it.each<[why: string, body: object, fields: string[]]>([
    ['nothing is sent', {}, ['active', 'name']],
    ['the name is blank once trimmed', collection(' <b></b>'), ['name']],
    ['the parent is unknown', collection('a', { parent_id: unknownId }), ['parent_id']],
    ['a product is unknown', collection('a', { products_ids: [unknownId] }), ['products_ids.0']],
    ['a banner is unknown', collection('a', { banners_ids: [unknownId] }), ['banners_ids.0']],
    [
      'restrictions contain an unknown id',
      collection('a', {
        restrictions: {
          include: { products_ids: [unknownId], brands_ids: [unknownId] },
          exclude: { categories_ids: [unknownId] },
        },
      }),
      [
        'restrictions.exclude.categories_ids.0',
        'restrictions.include.brands_ids.0',
        'restrictions.include.products_ids.0',
      ],
    ],
    ['the countdown has no end_at', collection('a', { stopwatch: 'period' }), ['end_at']],
    ['the countdown is unknown', collection('a', { stopwatch: 'weekly' }), ['stopwatch']],
    [
      'the start is a date without a time',
      collection('a', { start_at: '2031-01-01' }),
      ['start_at'],
    ],
    [
      'the end is before the start',
      collection('a', { start_at: '2031-01-02 00:00:00', end_at: '2031-01-01T00:00:00Z' }),
      ['end_at'],
    ],
  ])('returns 400 when %s, and stores nothing', async (_why, body, fields) => {
    const { api } = await createTestStore();
    const response = await api('POST /catalog/collections', body);
    expect([response.status, Object.keys(response.body.errors).toSorted()]).toEqual([400, fields]);
    expect((await api('GET /catalog/collections')).body.meta.pagination.total).toBe(0);
  });

  it('returns 400 for records of another store', async () => {
    const [one, other] = [await createStoreWithCatalog(), await createTestStore()];
    const parent = await createCollection(one, 'a');
    const sent = collection('b', {
      parent_id: parent.id,
      products_ids: one.products,
      banners_ids: [one.banner],
      restrictions: { include: { brands_ids: [one.brand] } },
    });
    const response = await other.api('POST /catalog/collections', sent);
    expect(response.status).toBe(400);
    expect(Object.keys(response.body.errors)).toHaveLength(5);
  });
});

describe('GET /{alias}/catalog/collections', () => {
  it.each([
    ['onlyParents=true', ['Água', 'Élan']],
    ['onlyParents=0', ['Água', 'Élan', 'Baixo']],
    ['orderBy=name', ['Água', 'Baixo', 'Élan']],
    ['search=agua', ['Água']],
    ['search=featured:1', ['Élan']],
    ['date=end_at:2031-03-05', ['Água']],
  ])('returns 200 with the matching collections for ?%s', async (query, names) => {
    const shop = await createTestStore();
    await createCollection(shop, 'Água', { end_at: '2031-03-05 23:59:59' });
    const parent = await createCollection(shop, 'Élan', { featured: true });
    await createCollection(shop, 'Baixo', { parent_id: parent.id });
    const { body } = await shop.api(`GET /catalog/collections?${query}`);
    expect(namesOf(body)).toEqual(names);
    expect(body.meta.pagination.total).toBe(names.length);
  });

  it('returns 200 with includes, and 400 for a name that is not in the closed list', async () => {
    const shop = await createStoreWithCatalog();
    const { products, banner } = shop;
    await createCollection(shop, 'a', { products_ids: products, banners_ids: [banner] });
    const { body } = await shop.api('GET /catalog/collections?includes=products,banners');
    expect(idsOf(body.data[0].products)).toEqual(products);
    expect(idsOf(body.data[0].banners)).toEqual([banner]);
    for (const includes of ['parent', 'products,colours', '']) {
      const response = await shop.api(`GET /catalog/collections?includes=${includes}`);
      expect([response.status, Object.keys(response.body.errors)]).toEqual([400, ['includes']]);
    }
    expect((await shop.api('GET /catalog/collections?onlyParents=maybe')).status).toBe(400);
    expect((await shop.api('GET /catalog/collections?include=colours')).status).toBe(200);
  });

  it('reads a page with all includes in one round trip and two statements, whatever its size', async () => {
    const shop = await createStoreWithCatalog();
    const parent = await createCollection(shop, 'a', { products_ids: shop.products });
    for (let n = 0; n < 5; n += 1) await createCollection(shop, 'b', { parent_id: parent.id });
    for (const limit of [1, 6]) {
      const path = `GET /catalog/collections?include=products,banners,parent,children&limit=${limit}`;
      const { response, data } = await measureRequest(shop, path);
      expect(response.body.data).toHaveLength(limit);
      expect([data.roundTrips, data.statements]).toEqual([1, 2]);
    }
  });
});

describe('GET, PUT and DELETE /{alias}/catalog/collections/{id}', () => {
  it('GET returns 200 with the requested relations', async () => {
    const shop = await createStoreWithCatalog();
    const restrictions = { include: { brands_ids: [shop.brand] } };
    const top = await createCollection(shop, 'a', { restrictions });
    const low = await createCollection(shop, 'b', { parent_id: top.id, restrictions: {} });
    const { body } = await shop.api(`GET /catalog/collections/${low.id}?include=parent,children`);
    expect([body.restriced, body.restrictions]).toEqual([
      false,
      { include: emptyLists, exclude: emptyLists },
    ]);
    expect(body.parent.data).toMatchObject({ id: top.id, restriced: true });
    expect(body.children).toEqual({ data: [] });
    const above = await shop.api(`GET /catalog/collections/${top.id}?include=parent,children`);
    expect(above.body.parent).toEqual({ data: null });
    expect(above.body.children.data).toMatchObject([{ id: low.id, total_products: 0 }]);
  });

  it('PUT returns 200, keeps fields that are not sent and replaces lists', async () => {
    const shop = await createStoreWithCatalog();
    const [a, b] = shop.products;
    const first = await createCollection(shop, 'a', {
      products_ids: [a],
      banners_ids: [shop.banner],
      restrictions: { include: { brands_ids: [shop.brand], products_ids: [a] } },
      visible_products: 4,
    });
    const path = `/catalog/collections/${first.id}`;
    const change = { products_ids: [b], restrictions: { include: { products_ids: [] } } };
    const { body } = await shop.api(`PUT ${path}`, collection('b', change));
    expect(body).toMatchObject({
      name: 'b',
      slug: 'a',
      visible_products: 4,
      total_products: 1,
      restrictions: { include: { ...emptyLists, brands_ids: [shop.brand] }, exclude: emptyLists },
    });
    const read = await shop.api(`GET ${path}?include=products,banners`);
    expect(idsOf(read.body.products)).toEqual([b]);
    expect(idsOf(read.body.banners)).toEqual([shop.banner]);
    const cleared = await shop.api(`PUT ${path}`, collection('b', { restrictions: null }));
    expect([cleared.body.restrictions, cleared.body.restriced]).toEqual([null, false]);
  });

  it('PUT returns 200 and writes nothing when nothing changes', async () => {
    const shop = await createStoreWithCatalog();
    const sent = collection('a', {
      products_ids: shop.products,
      banners_ids: [shop.banner],
      restrictions: { exclude: { products_ids: shop.products } },
    });
    const { body } = await shop.api('POST /catalog/collections', sent);
    const same = await measureRequest(shop, `PUT /catalog/collections/${body.id}`, sent);
    expect(same.response.body).toEqual(body);
    expect([same.data.roundTrips, same.data.rowsWritten]).toEqual([1, 0]);
  });

  it('PUT returns 400 for a descendant as parent, an unknown product and an invalid period', async () => {
    const shop = await createTestStore();
    const top = await createCollection(shop, 'a', { start_at: '2031-01-02 00:00:00' });
    const low = await createCollection(shop, 'b', { parent_id: top.id });
    const sent = collection('a', {
      parent_id: low.id,
      end_at: '2031-01-01 00:00:00',
      products_ids: [unknownId],
    });
    const response = await shop.api(`PUT /catalog/collections/${top.id}`, sent);
    expect([response.status, Object.keys(response.body.errors).toSorted()]).toEqual([
      400,
      ['end_at', 'parent_id', 'products_ids.0'],
    ]);
  });

  it('returns 404 for a collection of another store, for every method', async () => {
    const [one, other] = [await createTestStore(), await createStoreWithCatalog()];
    const { id } = await createCollection(one, 'a');
    const path = `/catalog/collections/${id}`;
    const linked = { products_ids: other.products };
    for (const [request, body] of [
      [`GET ${path}`],
      [`PUT ${path}`, collection('b')],
      [`DELETE ${path}`],
      [`GET ${path}/products`],
      [`POST ${path}/products`, linked],
      [`DELETE ${path}/products`, linked],
    ] as const) {
      expect((await other.api(request, body)).status, request).toBe(404);
    }
    expect((await one.api(`GET ${path}`)).body.name).toBe('a');
  });

  it('DELETE returns 200, children lose their parent, and related records stay', async () => {
    const shop = await createStoreWithCatalog();
    const top = await createCollection(shop, 'a', {
      products_ids: shop.products,
      restrictions: {},
    });
    const low = await createCollection(shop, 'b', { parent_id: top.id });
    const path = `DELETE /catalog/collections/${top.id}`;
    expect((await shop.api(path)).body).toEqual({});
    expect((await shop.api(path)).status).toBe(404);
    expect((await shop.api(`GET /catalog/collections/${low.id}`)).body.parent_id).toBeNull();
    expect((await shop.api(`GET /catalog/products/${shop.products[0]}`)).status).toBe(200);
  });

  it('removes deleted records from its products, banners and restrictions', async () => {
    const shop = await createStoreWithCatalog();
    const named = {
      products_ids: [shop.products[0]],
      brands_ids: [shop.brand],
      categories_ids: [shop.category],
    };
    const { id } = await createCollection(shop, 'a', {
      products_ids: shop.products,
      banners_ids: [shop.banner],
      restrictions: { include: named, exclude: named },
    });
    await shop.api(`DELETE /catalog/products/${shop.products[0]}`);
    await shop.api(`DELETE /catalog/categories/${shop.category}`);
    await shop.api(`DELETE /catalog/brands/${shop.brand}`);
    await shop.api(`DELETE /catalog/banners/${shop.banner}`);
    const { body } = await shop.api(`GET /catalog/collections/${id}?include=banners`);
    expect(body.restrictions).toEqual({ include: emptyLists, exclude: emptyLists });
    expect([body.total_products, body.banners]).toEqual([1, { data: [] }]);
  });
});

describe('POST, DELETE and GET /{alias}/catalog/collections/{id}/products', () => {
  it('POST returns 200 and adds, DELETE returns 200 and removes, and GET returns 200 with the products', async () => {
    const shop = await createStoreWithCatalog();
    const [a, b] = shop.products;
    const path = `/catalog/collections/${(await createCollection(shop, 'a')).id}/products`;
    const first = await measureRequest(shop, `POST ${path}`, { products_ids: [b] });
    expect(first.response.status).toBe(200);
    expect(first.data.roundTrips).toBe(2);
    expect(idsOf((await shop.api(`POST ${path}`, { product_ids: [a] })).body)).toEqual([a, b]);
    expect((await shop.api(`GET ${path}`)).body.meta.pagination).toMatchObject({
      total: 2,
      per_page: 100,
    });
    expect(idsOf((await shop.api(`DELETE ${path}`, { product_ids: [b] })).body)).toEqual([a]);
    expect(idsOf((await shop.api(`DELETE ${path}`, { products_ids: [a, b] })).body)).toEqual([]);
    expect((await shop.api(`GET ${path}`)).body.data).toEqual([]);
  });

  it('returns 404 for an unknown product and 400 for an empty list, and changes nothing', async () => {
    const shop = await createStoreWithCatalog();
    const path = `/catalog/collections/${(await createCollection(shop, 'a')).id}/products`;
    for (const verb of ['POST', 'DELETE']) {
      const sent = { products_ids: [shop.products[0], unknownId] };
      const response = await shop.api(`${verb} ${path}`, sent);
      expect([response.status, Object.keys(response.body.errors)]).toEqual([
        404,
        ['products_ids.1'],
      ]);
      expect((await shop.api(`${verb} ${path}`, {})).body.errors).toEqual({
        products_ids: ['Required.'],
      });
    }
    expect((await shop.api(`GET ${path}`)).body.data).toEqual([]);
    expect((await shop.api(`GET ${path}?orderBy=colour`)).status).toBe(400);
  });
});
