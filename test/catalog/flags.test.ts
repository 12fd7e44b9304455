import { beforeEach, describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';

const flag = (name: string, more: object = {}) => ({ name, active: true, ...more });
const unknownId = 999_999_999;
const emptyLists = {
  products_ids: '[]',
  brands_ids: '[]',
  collections_ids: '[]',
  categories_ids: '[]',
};

async function createFlag(shop: TestStore, name: string, more: object = {}) {
  const { body } = await shop.api('POST /catalog/flags', flag(name, more));
  return body.data as { id: number; slug: string; total_products: number };
}

/**
 * Creates four active products and an inactive one: two of a brand, two in a collection, two in a
 * category.
 */
async function createStoreWithCatalog() {
  const shop = await createTestStore();
  const { api } = shop;
  const { body: brand } = await api('POST /catalog/brands', flag('M'));
  const { body: rest } = await api('POST /catalog/brands', flag('N'));
  const product = async (name: string, more: object = {}) =>
    (
      await api('POST /catalog/products', {
        ...flag(name),
        simple: true,
        brand_id: rest.data.id,
        ...more,
      })
    ).body.data.id as number;
  const ofBrand = { brand_id: brand.data.id };
  const products = [
    await product('P0', ofBrand),
    await product('P1'),
    await product('P2'),
    await product('P3'),
  ] as const;
  const inactive = await product('P4', { ...ofBrand, active: false });
  const [, a, b, c] = products;
  const { body: category } = await api('POST /catalog/categories', flag('C'));
  await api(`PUT /catalog/categories/${category.id}/products`, { product_ids: [a, b] });
  const { body: collection } = await api(
    'POST /catalog/collections',
    flag('S', { products_ids: [b, c, inactive] }),
  );
  return {
    ...shop,
    products,
    inactive,
    brand: brand.data.id as number,
    otherBrand: rest.data.id as number,
    category: category.id as number,
    collection: collection.id as number,
  };
}

type Shop = Awaited<ReturnType<typeof createStoreWithCatalog>>;

describe('POST /{alias}/catalog/flags', () => {
  it('returns 201 with the stored flag and its defaults', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api('POST /catalog/flags', flag('Frete Grátis'));
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.any(Number),
        active: true,
        is_visible: true,
        name: 'Frete Grátis',
        slug: 'frete-gratis',
        total_products: 0,
        text_color: '#FFFFFF',
        background_color: '#000000',
        image_url: null,
        created_at: expect.any(Object),
        updated_at: body.data.created_at,
        include: emptyLists,
        exclude: emptyLists,
        include_ids: '[]',
        exclude_ids: '[]',
      },
    ]);
  });

  it('returns 201 for arrays of ids and for ids in a string, in two round trips', async () => {
    const shop = await createStoreWithCatalog();
    const [a, b, c] = shop.products;
    const { response, data } = await measureRequest(
      shop,
      'POST /catalog/flags',
      flag('a', {
        include_ids: `[${b}, ${a}, ${b}]`,
        exclude_ids: [c],
        include: { brands_ids: [shop.brand], categories_ids: `[${shop.category}]` },
        exclude: { collections_ids: [shop.collection], products_ids: '[]' },
      }),
    );
    expect(response.body.data).toMatchObject({
      include_ids: `[${a}, ${b}]`,
      exclude_ids: `[${c}]`,
      include: {
        ...emptyLists,
        brands_ids: `[${shop.brand}]`,
        categories_ids: `[${shop.category}]`,
      },
      exclude: { ...emptyLists, collections_ids: `[${shop.collection}]` },
      total_products: 2,
    });
    expect(data.roundTrips).toBe(2);
  });

  it('returns 201 with a slug of its own of at most 100 characters, and 422 for a sent slug that is taken', async () => {
    const shop = await createTestStore();
    expect((await createFlag(shop, 'Sol')).slug).toBe('sol');
    expect((await createFlag(shop, 'Sol')).slug).toBe('sol-2');
    expect((await createFlag(shop, '日本')).slug).toBe('flag');
    expect((await createFlag(shop, `${'x'.repeat(84)} ${'y'.repeat(15)}`)).slug).toBe(
      'x'.repeat(84),
    );
    const taken = await shop.api('POST /catalog/flags', flag('x', { slug: 'sol' }));
    expect([taken.status, taken.body.errors]).toEqual([422, { slug: ['Already taken.'] }]);
  });

  it.each<[why: string, body: object, fields: string[]]>([
    ['nothing is sent', {}, ['active', 'name']],
    ['the name is too long', flag('x'.repeat(101)), ['name']],
    ['the colour is invalid', flag('a', { text_color: 'red' }), ['text_color']],
    ['a colour is null', flag('a', { background_color: null }), ['background_color']],
    ['the string of ids is invalid', flag('a', { include_ids: '1, 2' }), ['include_ids']],
    ['a member is not a list', flag('a', { include: { brands_ids: 5 } }), ['include.brands_ids']],
    [
      'lists contain unknown ids',
      flag('a', {
        include: { products_ids: [unknownId], brands_ids: `[${unknownId}]` },
        exclude: { collections_ids: [unknownId], categories_ids: [unknownId] },
        include_ids: [unknownId],
        exclude_ids: `[${unknownId}]`,
      }),
      [
        'exclude.categories_ids.0',
        'exclude.collections_ids.0',
        'exclude_ids.0',
        'include.brands_ids.0',
        'include.products_ids.0',
        'include_ids.0',
      ],
    ],
  ])('returns 422 when %s, and stores nothing', async (_why, body, fields) => {
    const { api } = await createTestStore();
    const response = await api('POST /catalog/flags', body);
    expect([response.status, Object.keys(response.body.errors).toSorted()]).toEqual([422, fields]);
    expect((await api('GET /catalog/flags')).body.meta.pagination.total).toBe(0);
  });

  it('returns 422 for records of another store', async () => {
    const [one, other] = [await createStoreWithCatalog(), await createTestStore()];
    const sent = flag('a', {
      include: { brands_ids: [one.brand], collections_ids: [one.collection] },
      exclude: { categories_ids: [one.category] },
      exclude_ids: [one.products[0]],
    });
    const response = await other.api('POST /catalog/flags', sent);
    expect([response.status, Object.keys(response.body.errors).length]).toEqual([422, 4]);
  });
});

describe('products that have a flag', () => {
  let shop: Shop;
  beforeEach(async () => void (shop = await createStoreWithCatalog()));

  it.each<[what: string, lists: (shop: Shop) => object, places: number[]]>([
    ['no list', () => ({}), []],
    ['include_ids', ({ products: [a, b] }) => ({ include_ids: [a, b] }), [0, 1]],
    ['include.products_ids', ({ products: [a] }) => ({ include: { products_ids: [a] } }), [0]],
    ['include.brands_ids', ({ brand }) => ({ include: { brands_ids: [brand] } }), [0]],
    [
      'include.collections_ids',
      ({ collection }) => ({ include: { collections_ids: [collection] } }),
      [2, 3],
    ],
    [
      'include.categories_ids',
      ({ category }) => ({ include: { categories_ids: [category] } }),
      [1, 2],
    ],
    [
      'all lists of include, each product once',
      ({ brand, collection, category, products: [a] }) => ({
        include_ids: [a],
        include: {
          products_ids: [a],
          brands_ids: [brand],
          collections_ids: [collection],
          categories_ids: [category],
        },
      }),
      [0, 1, 2, 3],
    ],
    ['exclude only', ({ products: [a] }) => ({ exclude_ids: [a] }), []],
    ['exclude_ids', ({ products: [a, b] }) => ({ include_ids: [a, b], exclude_ids: [a] }), [1]],
    [
      'exclude.products_ids',
      ({ products }) => ({ include_ids: products, exclude: { products_ids: [products[3]] } }),
      [0, 1, 2],
    ],
    [
      'exclude.brands_ids',
      ({ products, brand }) => ({ include_ids: products, exclude: { brands_ids: [brand] } }),
      [1, 2, 3],
    ],
    [
      'exclude.collections_ids',
      ({ products, collection }) => ({
        include_ids: products,
        exclude: { collections_ids: [collection] },
      }),
      [0, 1],
    ],
    [
      'exclude.categories_ids',
      ({ products, category }) => ({
        include_ids: products,
        exclude: { categories_ids: [category] },
      }),
      [0, 3],
    ],
  ])('match by %s', async (_what, lists, places) => {
    const one = await createFlag(shop, 'a', lists(shop));
    expect(one.total_products).toBe(places.length);
    await createFlag(shop, 'another', { include_ids: shop.products });
    const list = await shop.api(`GET /catalog/products?flag_id[]=${one.id}&active=1`);
    expect(list.body.data.map(({ id }: { id: number }) => id)).toEqual(
      places.map((place) => shop.products[place]),
    );
  });

  it('are found by any flag that a list of products asks for, and only in their store', async () => {
    const [a, b, c] = shop.products;
    const one = await createFlag(shop, 'a', { include_ids: [a, b], exclude_ids: [b] });
    const two = await createFlag(shop, 'b', { include_ids: [b, c], exclude_ids: [a] });
    const path = `GET /catalog/products?flag_id=${one.id},${two.id}`;
    const { body } = await shop.api(path);
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([a, b, c]);
    expect((await (await createTestStore()).api(path)).body.data).toEqual([]);
    expect((await shop.api('GET /catalog/products?flag_id=x')).status).toBe(400);
  });

  it('change when a listed record is deleted, and so do the lists', async () => {
    const [a, b] = shop.products;
    const members = {
      products_ids: [a],
      brands_ids: [shop.brand],
      collections_ids: [shop.collection],
      categories_ids: [shop.category],
    };
    const { id } = await createFlag(shop, 'a', { include: members, include_ids: [a, b] });
    const out = await createFlag(shop, 'b', {
      include_ids: [b],
      exclude: members,
      exclude_ids: [a],
    });
    expect(out.total_products).toBe(0);
    for (const path of [
      `products/${a}`,
      `brands/${shop.brand}`,
      `collections/${shop.collection}`,
      `categories/${shop.category}`,
    ]) {
      expect((await shop.api(`DELETE /catalog/${path}`)).status, path).toBe(200);
    }
    const { body } = await shop.api(`GET /catalog/flags/${id}`);
    expect(body).toMatchObject({ include: emptyLists, include_ids: `[${b}]`, total_products: 1 });
    const other = await shop.api(`GET /catalog/flags/${out.id}`);
    expect(other.body).toMatchObject({ exclude: emptyLists, exclude_ids: '[]', total_products: 1 });
  });
});

describe('GET /{alias}/catalog/flags', () => {
  it.each([
    ['orderBy=name', ['Água', 'Élan']],
    ['orderBy=slug&sortedBy=desc', ['Élan', 'Água']],
    ['search=agua', ['Água']],
    ['search=is_visible:0', ['Élan']],
    ['search=active:0', []],
  ])('returns 200 with the matching flags for ?%s', async (query, names) => {
    const shop = await createTestStore();
    await createFlag(shop, 'Élan', { is_visible: false });
    await createFlag(shop, 'Água');
    const { body } = await shop.api(`GET /catalog/flags?${query}`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(body.meta.pagination.total).toBe(names.length);
  });

  it('returns 400 for a column that cannot be sorted by', async () => {
    const { api } = await createTestStore();
    expect((await api('GET /catalog/flags?orderBy=text_color')).status).toBe(400);
  });

  it('reads a page in one round trip and two statements, whatever its size', async () => {
    const shop = await createStoreWithCatalog();
    const include = { brands_ids: [shop.brand], categories_ids: [shop.category] };
    for (let n = 0; n < 5; n += 1) await createFlag(shop, 'a', { include });
    for (const limit of [1, 5]) {
      const { response, data } = await measureRequest(shop, `GET /catalog/flags?limit=${limit}`);
      expect(response.body.data).toHaveLength(limit);
      expect(response.body.data.at(-1).total_products).toBe(3);
      expect([data.roundTrips, data.statements]).toEqual([1, 2]);
    }
  });

  it('reads only the records in the lists, not the whole store', async () => {
    const shop = await createStoreWithCatalog();
    const { id } = await createFlag(shop, 'a', { include: { brands_ids: [shop.brand] } });
    const before = await measureRequest(shop, `GET /catalog/flags/${id}`);
    const rest = Array.from({ length: 20 }, (_, n) => ({
      ...flag(`x${n}`),
      simple: true,
      brand_id: shop.otherBrand,
    }));
    for (const product of rest) await shop.api('POST /catalog/products', product);
    const after = await measureRequest(shop, `GET /catalog/flags/${id}`);
    expect(after.response.body).toEqual(before.response.body);
    expect(after.data.rowsRead).toBe(before.data.rowsRead);
    expect([after.data.roundTrips, after.data.statements]).toEqual([1, 1]);
  });
});

describe('GET, PUT and DELETE /{alias}/catalog/flags/{id}', () => {
  it('GET returns 200 with the bare flag', async () => {
    const shop = await createTestStore();
    const first = await createFlag(shop, 'a');
    const { status, body } = await shop.api(`GET /catalog/flags/${first.id}`);
    expect([status, body]).toEqual([200, first]);
  });

  it('PUT returns 200, keeps fields that are not sent and replaces lists', async () => {
    const shop = await createStoreWithCatalog();
    const [a, b] = shop.products;
    const { id } = await createFlag(shop, 'a', {
      include: { brands_ids: [shop.brand], products_ids: [a] },
      include_ids: [a],
      exclude_ids: [b],
      text_color: '#abc',
    });
    const change = flag('b', { include: { products_ids: [] }, include_ids: [b, a], slug: '' });
    const { status, body } = await shop.api(`PUT /catalog/flags/${id}`, change);
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({
        name: 'b',
        slug: 'a',
        text_color: '#abc',
        include: { ...emptyLists, brands_ids: `[${shop.brand}]` },
        include_ids: `[${a}, ${b}]`,
        exclude_ids: `[${b}]`,
        total_products: 1,
      }),
    ]);
    expect((await shop.api(`GET /catalog/flags/${id}`)).body).toEqual(body.data);
  });

  it('PUT returns 200 and writes nothing for the record as GET returned it', async () => {
    const shop = await createStoreWithCatalog();
    const first = await createFlag(shop, 'a', {
      include: { brands_ids: [shop.brand] },
      exclude_ids: shop.products,
    });
    const same = await measureRequest(shop, `PUT /catalog/flags/${first.id}`, first);
    expect(same.response.body.data).toEqual(first);
    expect([same.data.roundTrips, same.data.rowsWritten]).toEqual([1, 0]);
  });

  it('PUT returns 422 for a taken slug and for unknown ids, and changes nothing', async () => {
    const shop = await createTestStore();
    await createFlag(shop, 'taken');
    const first = await createFlag(shop, 'a');
    const path = `/catalog/flags/${first.id}`;
    const taken = await shop.api(`PUT ${path}`, flag('b', { slug: 'taken' }));
    expect([taken.status, taken.body.errors]).toEqual([422, { slug: ['Already taken.'] }]);
    const missing = await shop.api(
      `PUT ${path}`,
      flag('b', { exclude: { brands_ids: [unknownId] } }),
    );
    expect([missing.status, missing.body.errors]).toEqual([
      422,
      { 'exclude.brands_ids.0': ['No such brand in this store.'] },
    ]);
    expect((await shop.api(`GET ${path}`)).body).toEqual(first);
  });

  it('returns 404 for a flag of another store, for every method', async () => {
    const [one, other] = [await createTestStore(), await createTestStore()];
    const first = await createFlag(one, 'a');
    const path = `/catalog/flags/${first.id}`;
    expect((await other.api(`GET ${path}`)).status).toBe(404);
    expect((await other.api(`PUT ${path}`, flag('b'))).status).toBe(404);
    expect((await other.api(`DELETE ${path}`)).status).toBe(404);
    expect((await one.api(`GET ${path}`)).body).toEqual(first);
  });

  it('DELETE returns 200 with an empty object, then 404; products stay', async () => {
    const shop = await createStoreWithCatalog();
    const { id } = await createFlag(shop, 'a', { include_ids: shop.products });
    const path = `DELETE /catalog/flags/${id}`;
    expect((await shop.api(path)).body).toEqual({});
    expect((await shop.api(path)).status).toBe(404);
    expect((await shop.api(`GET /catalog/products/${shop.products[0]}`)).status).toBe(200);
    expect((await shop.api(`GET /catalog/products?flag_id=${id}`)).body.data).toEqual([]);
  });
});
