import { beforeEach, describe, expect, it } from 'vitest';
import { measured } from '../support/counted.ts';
import { store, type TestStore } from '../support/store.ts';

const flag = (name: string, more: object = {}) => ({ name, active: true, ...more });
const unknown = 999_999_999;
const nothing = {
  products_ids: '[]',
  brands_ids: '[]',
  collections_ids: '[]',
  categories_ids: '[]',
};

async function made(shop: TestStore, name: string, more: object = {}) {
  const { body } = await shop.api('POST /catalog/flags', flag(name, more));
  return body.data as { id: number; slug: string; total_products: number };
}

/** Four active products and one that is not; two of them of a brand, two in a collection, two in a category. */
async function shopWithAll() {
  const shop = await store();
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

type Shop = Awaited<ReturnType<typeof shopWithAll>>;

describe('POST /{alias}/catalog/flags', () => {
  it('201 with the stored flag and its defaults', async () => {
    const { api } = await store();
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
        include: nothing,
        exclude: nothing,
        include_ids: '[]',
        exclude_ids: '[]',
      },
    ]);
  });

  it('201 with ids and with ids strings, in two round trips', async () => {
    const shop = await shopWithAll();
    const [a, b, c] = shop.products;
    const { answer, data } = await measured(
      shop,
      'POST /catalog/flags',
      flag('a', {
        include_ids: `[${b}, ${a}, ${b}]`,
        exclude_ids: [c],
        include: { brands_ids: [shop.brand], categories_ids: `[${shop.category}]` },
        exclude: { collections_ids: [shop.collection], products_ids: '[]' },
      }),
    );
    expect(answer.body.data).toMatchObject({
      include_ids: `[${a}, ${b}]`,
      exclude_ids: `[${c}]`,
      include: { ...nothing, brands_ids: `[${shop.brand}]`, categories_ids: `[${shop.category}]` },
      exclude: { ...nothing, collections_ids: `[${shop.collection}]` },
      total_products: 2,
    });
    expect(data.trips).toBe(2);
  });

  it('201 with a slug of its own, at most 100 long; 422 for a sent one that is taken', async () => {
    const shop = await store();
    expect((await made(shop, 'Sol')).slug).toBe('sol');
    expect((await made(shop, 'Sol')).slug).toBe('sol-2');
    expect((await made(shop, '日本')).slug).toBe('flag');
    expect((await made(shop, `${'x'.repeat(84)} ${'y'.repeat(15)}`)).slug).toBe('x'.repeat(84));
    const taken = await shop.api('POST /catalog/flags', flag('x', { slug: 'sol' }));
    expect([taken.status, taken.body.errors]).toEqual([422, { slug: ['Already taken.'] }]);
  });

  it.each<[why: string, body: object, fields: string[]]>([
    ['nothing is sent', {}, ['active', 'name']],
    ['the name is too long', flag('x'.repeat(101)), ['name']],
    ['the colour is none', flag('a', { text_color: 'red' }), ['text_color']],
    ['a colour is null', flag('a', { background_color: null }), ['background_color']],
    ['the ids string is none', flag('a', { include_ids: '1, 2' }), ['include_ids']],
    ['a member is no list', flag('a', { include: { brands_ids: 5 } }), ['include.brands_ids']],
    [
      'lists name what is unknown',
      flag('a', {
        include: { products_ids: [unknown], brands_ids: `[${unknown}]` },
        exclude: { collections_ids: [unknown], categories_ids: [unknown] },
        include_ids: [unknown],
        exclude_ids: `[${unknown}]`,
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
  ])('422 when %s, and nothing is stored', async (_why, body, fields) => {
    const { api } = await store();
    const answer = await api('POST /catalog/flags', body);
    expect([answer.status, Object.keys(answer.body.errors).toSorted()]).toEqual([422, fields]);
    expect((await api('GET /catalog/flags')).body.meta.pagination.total).toBe(0);
  });

  it('422 for what another store has', async () => {
    const [one, other] = [await shopWithAll(), await store()];
    const sent = flag('a', {
      include: { brands_ids: [one.brand], collections_ids: [one.collection] },
      exclude: { categories_ids: [one.category] },
      exclude_ids: [one.products[0]],
    });
    const answer = await other.api('POST /catalog/flags', sent);
    expect([answer.status, Object.keys(answer.body.errors).length]).toEqual([422, 4]);
  });
});

describe('the products that carry a flag', () => {
  let shop: Shop;
  beforeEach(async () => void (shop = await shopWithAll()));

  it.each<[what: string, lists: (shop: Shop) => object, places: number[]]>([
    ['nothing', () => ({}), []],
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
      'all of include, each product once',
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
    ['exclude alone', ({ products: [a] }) => ({ exclude_ids: [a] }), []],
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
  ])('by %s', async (_what, lists, places) => {
    const one = await made(shop, 'a', lists(shop));
    expect(one.total_products).toBe(places.length);
    await made(shop, 'another', { include_ids: shop.products });
    const list = await shop.api(`GET /catalog/products?flag_id[]=${one.id}&active=1`);
    expect(list.body.data.map(({ id }: { id: number }) => id)).toEqual(
      places.map((place) => shop.products[place]),
    );
  });

  it('are those of any flag that a list of products asks for, and of no other store', async () => {
    const [a, b, c] = shop.products;
    const one = await made(shop, 'a', { include_ids: [a, b], exclude_ids: [b] });
    const two = await made(shop, 'b', { include_ids: [b, c], exclude_ids: [a] });
    const path = `GET /catalog/products?flag_id=${one.id},${two.id}`;
    const { body } = await shop.api(path);
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([a, b, c]);
    expect((await (await store()).api(path)).body.data).toEqual([]);
    expect((await shop.api('GET /catalog/products?flag_id=x')).status).toBe(400);
  });

  it('lose what is deleted, and so do the lists', async () => {
    const [a, b] = shop.products;
    const members = {
      products_ids: [a],
      brands_ids: [shop.brand],
      collections_ids: [shop.collection],
      categories_ids: [shop.category],
    };
    const { id } = await made(shop, 'a', { include: members, include_ids: [a, b] });
    const out = await made(shop, 'b', { include_ids: [b], exclude: members, exclude_ids: [a] });
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
    expect(body).toMatchObject({ include: nothing, include_ids: `[${b}]`, total_products: 1 });
    const other = await shop.api(`GET /catalog/flags/${out.id}`);
    expect(other.body).toMatchObject({ exclude: nothing, exclude_ids: '[]', total_products: 1 });
  });
});

describe('GET /{alias}/catalog/flags', () => {
  it.each([
    ['orderBy=name', ['Água', 'Élan']],
    ['orderBy=slug&sortedBy=desc', ['Élan', 'Água']],
    ['search=agua', ['Água']],
    ['search=is_visible:0', ['Élan']],
    ['search=active:0', []],
  ])('200 for ?%s', async (query, names) => {
    const shop = await store();
    await made(shop, 'Élan', { is_visible: false });
    await made(shop, 'Água');
    const { body } = await shop.api(`GET /catalog/flags?${query}`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(body.meta.pagination.total).toBe(names.length);
  });

  it('400 for a column that cannot be sorted by', async () => {
    const { api } = await store();
    expect((await api('GET /catalog/flags?orderBy=text_color')).status).toBe(400);
  });

  it('reads a page in one round trip and two statements, whatever its size', async () => {
    const shop = await shopWithAll();
    const include = { brands_ids: [shop.brand], categories_ids: [shop.category] };
    for (let n = 0; n < 5; n += 1) await made(shop, 'a', { include });
    for (const limit of [1, 5]) {
      const { answer, data } = await measured(shop, `GET /catalog/flags?limit=${limit}`);
      expect(answer.body.data).toHaveLength(limit);
      expect(answer.body.data.at(-1).total_products).toBe(3);
      expect([data.trips, data.statements]).toEqual([1, 2]);
    }
  });

  it('reads what the lists name, not the store', async () => {
    const shop = await shopWithAll();
    const { id } = await made(shop, 'a', { include: { brands_ids: [shop.brand] } });
    const before = await measured(shop, `GET /catalog/flags/${id}`);
    const rest = Array.from({ length: 20 }, (_, n) => ({
      ...flag(`x${n}`),
      simple: true,
      brand_id: shop.otherBrand,
    }));
    for (const product of rest) await shop.api('POST /catalog/products', product);
    const after = await measured(shop, `GET /catalog/flags/${id}`);
    expect(after.answer.body).toEqual(before.answer.body);
    expect(after.data.rowsRead).toBe(before.data.rowsRead);
    expect([after.data.trips, after.data.statements]).toEqual([1, 1]);
  });
});

describe('/{alias}/catalog/flags/{id}', () => {
  it('GET 200 with the bare flag', async () => {
    const shop = await store();
    const first = await made(shop, 'a');
    const { status, body } = await shop.api(`GET /catalog/flags/${first.id}`);
    expect([status, body]).toEqual([200, first]);
  });

  it('PUT 200, what is not sent stays, lists are replaced', async () => {
    const shop = await shopWithAll();
    const [a, b] = shop.products;
    const { id } = await made(shop, 'a', {
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
        include: { ...nothing, brands_ids: `[${shop.brand}]` },
        include_ids: `[${a}, ${b}]`,
        exclude_ids: `[${b}]`,
        total_products: 1,
      }),
    ]);
    expect((await shop.api(`GET /catalog/flags/${id}`)).body).toEqual(body.data);
  });

  it('PUT 200 takes what was read and writes nothing', async () => {
    const shop = await shopWithAll();
    const first = await made(shop, 'a', {
      include: { brands_ids: [shop.brand] },
      exclude_ids: shop.products,
    });
    const same = await measured(shop, `PUT /catalog/flags/${first.id}`, first);
    expect(same.answer.body.data).toEqual(first);
    expect([same.data.trips, same.data.rowsWritten]).toEqual([1, 0]);
  });

  it('PUT 422 for a taken slug and for what is unknown, and nothing changes', async () => {
    const shop = await store();
    await made(shop, 'taken');
    const first = await made(shop, 'a');
    const path = `/catalog/flags/${first.id}`;
    const taken = await shop.api(`PUT ${path}`, flag('b', { slug: 'taken' }));
    expect([taken.status, taken.body.errors]).toEqual([422, { slug: ['Already taken.'] }]);
    const missing = await shop.api(
      `PUT ${path}`,
      flag('b', { exclude: { brands_ids: [unknown] } }),
    );
    expect([missing.status, missing.body.errors]).toEqual([
      422,
      { 'exclude.brands_ids.0': ['No such brand in this store.'] },
    ]);
    expect((await shop.api(`GET ${path}`)).body).toEqual(first);
  });

  it('404 for a flag of another store, whatever is asked', async () => {
    const [one, other] = [await store(), await store()];
    const first = await made(one, 'a');
    const path = `/catalog/flags/${first.id}`;
    expect((await other.api(`GET ${path}`)).status).toBe(404);
    expect((await other.api(`PUT ${path}`, flag('b'))).status).toBe(404);
    expect((await other.api(`DELETE ${path}`)).status).toBe(404);
    expect((await one.api(`GET ${path}`)).body).toEqual(first);
  });

  it('DELETE 200 with an empty object, then 404; products stay', async () => {
    const shop = await shopWithAll();
    const { id } = await made(shop, 'a', { include_ids: shop.products });
    const path = `DELETE /catalog/flags/${id}`;
    expect((await shop.api(path)).body).toEqual({});
    expect((await shop.api(path)).status).toBe(404);
    expect((await shop.api(`GET /catalog/products/${shop.products[0]}`)).status).toBe(200);
    expect((await shop.api(`GET /catalog/products?flag_id=${id}`)).body.data).toEqual([]);
  });
});
