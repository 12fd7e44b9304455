import { describe, expect, it } from 'vitest';
import { measured } from '../support/counted.ts';
import { store, type TestStore } from '../support/store.ts';

const collection = (name: string, more: object = {}) => ({ name, active: true, ...more });

async function made(shop: TestStore, name: string, more: object = {}) {
  const { body } = await shop.api('POST /catalog/collections', collection(name, more));
  return body as { id: number; slug: string };
}

/** A store with two products, their brand, a category and a banner. */
async function shopWithAll() {
  const shop = await store();
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
const unknown = 999_999_999;
const nothing = { products_ids: [], brands_ids: [], categories_ids: [] };

describe('POST /{alias}/catalog/collections', () => {
  it('200 with the bare collection and its defaults', async () => {
    const shop = await store();
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

  it('200 with products, banners, restrictions and a period, in two round trips', async () => {
    const shop = await shopWithAll();
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
    const { answer, data } = await measured(shop, 'POST /catalog/collections', sent);
    expect(answer.body).toMatchObject({
      total_products: 2,
      restriced: true,
      restrictions: {
        include: { ...nothing, brands_ids: [shop.brand] },
        exclude: { ...nothing, categories_ids: [shop.category] },
      },
      expired: true,
      end_at: { date: '2021-03-05 9:04:07' },
      expire_in: '2021-03-05 09:04:07',
      stopwatch_expires_in: '2021-03-05 09:04:07',
      url: 'https://a.b/c',
    });
    expect(data.trips).toBe(2);
  });

  it('200 with a slug of its own, 400 for a sent one that is taken', async () => {
    const shop = await store();
    expect((await made(shop, 'Sol')).slug).toBe('sol');
    expect((await made(shop, 'Sol')).slug).toBe('sol-2');
    const taken = await shop.api('POST /catalog/collections', collection('x', { slug: 'sol' }));
    expect([taken.status, taken.body.errors]).toEqual([400, { slug: ['Already taken.'] }]);
  });

  it.each<[why: string, body: object, fields: string[]]>([
    ['nothing is sent', {}, ['active', 'name']],
    ['the name is blank once cleaned', collection(' <b></b>'), ['name']],
    ['the parent is unknown', collection('a', { parent_id: unknown }), ['parent_id']],
    ['a product is unknown', collection('a', { products_ids: [unknown] }), ['products_ids.0']],
    ['a banner is unknown', collection('a', { banners_ids: [unknown] }), ['banners_ids.0']],
    [
      'restrictions name what is unknown',
      collection('a', {
        restrictions: {
          include: { products_ids: [unknown], brands_ids: [unknown] },
          exclude: { categories_ids: [unknown] },
        },
      }),
      [
        'restrictions.exclude.categories_ids.0',
        'restrictions.include.brands_ids.0',
        'restrictions.include.products_ids.0',
      ],
    ],
    ['the countdown has no end', collection('a', { stopwatch: 'period' }), ['end_at']],
    ['the countdown is unknown', collection('a', { stopwatch: 'weekly' }), ['stopwatch']],
    ['the start is a date alone', collection('a', { start_at: '2031-01-01' }), ['start_at']],
    [
      'the end is before the start',
      collection('a', { start_at: '2031-01-02 00:00:00', end_at: '2031-01-01T00:00:00Z' }),
      ['end_at'],
    ],
  ])('400 when %s, and nothing is stored', async (_why, body, fields) => {
    const { api } = await store();
    const answer = await api('POST /catalog/collections', body);
    expect([answer.status, Object.keys(answer.body.errors).toSorted()]).toEqual([400, fields]);
    expect((await api('GET /catalog/collections')).body.meta.pagination.total).toBe(0);
  });

  it('400 for what another store has', async () => {
    const [one, other] = [await shopWithAll(), await store()];
    const parent = await made(one, 'a');
    const sent = collection('b', {
      parent_id: parent.id,
      products_ids: one.products,
      banners_ids: [one.banner],
      restrictions: { include: { brands_ids: [one.brand] } },
    });
    const answer = await other.api('POST /catalog/collections', sent);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors)).toHaveLength(5);
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
  ])('200 for ?%s', async (query, names) => {
    const shop = await store();
    await made(shop, 'Água', { end_at: '2031-03-05 23:59:59' });
    const parent = await made(shop, 'Élan', { featured: true });
    await made(shop, 'Baixo', { parent_id: parent.id });
    const { body } = await shop.api(`GET /catalog/collections?${query}`);
    expect(namesOf(body)).toEqual(names);
    expect(body.meta.pagination.total).toBe(names.length);
  });

  it('200 with includes, 400 for one that is not in the closed list', async () => {
    const shop = await shopWithAll();
    const { products, banner } = shop;
    await made(shop, 'a', { products_ids: products, banners_ids: [banner] });
    const { body } = await shop.api('GET /catalog/collections?includes=products,banners');
    expect(idsOf(body.data[0].products)).toEqual(products);
    expect(idsOf(body.data[0].banners)).toEqual([banner]);
    for (const includes of ['parent', 'products,colours', '']) {
      const answer = await shop.api(`GET /catalog/collections?includes=${includes}`);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['includes']]);
    }
    expect((await shop.api('GET /catalog/collections?onlyParents=maybe')).status).toBe(400);
    expect((await shop.api('GET /catalog/collections?include=colours')).status).toBe(200);
  });

  it('reads a page with all includes in one round trip and two statements, whatever its size', async () => {
    const shop = await shopWithAll();
    const parent = await made(shop, 'a', { products_ids: shop.products });
    for (let n = 0; n < 5; n += 1) await made(shop, 'b', { parent_id: parent.id });
    for (const limit of [1, 6]) {
      const path = `GET /catalog/collections?include=products,banners,parent,children&limit=${limit}`;
      const { answer, data } = await measured(shop, path);
      expect(answer.body.data).toHaveLength(limit);
      expect([data.trips, data.statements]).toEqual([1, 2]);
    }
  });
});

describe('/{alias}/catalog/collections/{id}', () => {
  it('GET 200 with its relations', async () => {
    const shop = await shopWithAll();
    const restrictions = { include: { brands_ids: [shop.brand] } };
    const top = await made(shop, 'a', { restrictions });
    const low = await made(shop, 'b', { parent_id: top.id, restrictions: {} });
    const { body } = await shop.api(`GET /catalog/collections/${low.id}?include=parent,children`);
    expect([body.restriced, body.restrictions]).toEqual([
      false,
      { include: nothing, exclude: nothing },
    ]);
    expect(body.parent.data).toMatchObject({ id: top.id, restriced: true });
    expect(body.children).toEqual({ data: [] });
    const above = await shop.api(`GET /catalog/collections/${top.id}?include=parent,children`);
    expect(above.body.parent).toEqual({ data: null });
    expect(above.body.children.data).toMatchObject([{ id: low.id, total_products: 0 }]);
  });

  it('PUT 200, what is not sent stays, lists are replaced', async () => {
    const shop = await shopWithAll();
    const [a, b] = shop.products;
    const first = await made(shop, 'a', {
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
      restrictions: { include: { ...nothing, brands_ids: [shop.brand] }, exclude: nothing },
    });
    const read = await shop.api(`GET ${path}?include=products,banners`);
    expect(idsOf(read.body.products)).toEqual([b]);
    expect(idsOf(read.body.banners)).toEqual([shop.banner]);
    const cleared = await shop.api(`PUT ${path}`, collection('b', { restrictions: null }));
    expect([cleared.body.restrictions, cleared.body.restriced]).toEqual([null, false]);
  });

  it('PUT 200 writes nothing when nothing changes', async () => {
    const shop = await shopWithAll();
    const sent = collection('a', {
      products_ids: shop.products,
      banners_ids: [shop.banner],
      restrictions: { exclude: { products_ids: shop.products } },
    });
    const { body } = await shop.api('POST /catalog/collections', sent);
    const same = await measured(shop, `PUT /catalog/collections/${body.id}`, sent);
    expect(same.answer.body).toEqual(body);
    expect([same.data.trips, same.data.rowsWritten]).toEqual([1, 0]);
  });

  it('PUT 400 for a parent below it, for an unknown product and for a period that does not fit', async () => {
    const shop = await store();
    const top = await made(shop, 'a', { start_at: '2031-01-02 00:00:00' });
    const low = await made(shop, 'b', { parent_id: top.id });
    const sent = collection('a', {
      parent_id: low.id,
      end_at: '2031-01-01 00:00:00',
      products_ids: [unknown],
    });
    const answer = await shop.api(`PUT /catalog/collections/${top.id}`, sent);
    expect([answer.status, Object.keys(answer.body.errors).toSorted()]).toEqual([
      400,
      ['end_at', 'parent_id', 'products_ids.0'],
    ]);
  });

  it('404 for a collection of another store, whatever is asked', async () => {
    const [one, other] = [await store(), await shopWithAll()];
    const { id } = await made(one, 'a');
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

  it('DELETE 200: children lose their parent, the rest stays', async () => {
    const shop = await shopWithAll();
    const top = await made(shop, 'a', { products_ids: shop.products, restrictions: {} });
    const low = await made(shop, 'b', { parent_id: top.id });
    const path = `DELETE /catalog/collections/${top.id}`;
    expect((await shop.api(path)).body).toEqual({});
    expect((await shop.api(path)).status).toBe(404);
    expect((await shop.api(`GET /catalog/collections/${low.id}`)).body.parent_id).toBeNull();
    expect((await shop.api(`GET /catalog/products/${shop.products[0]}`)).status).toBe(200);
  });

  it('what is deleted leaves its products, its banners and its restrictions', async () => {
    const shop = await shopWithAll();
    const named = {
      products_ids: [shop.products[0]],
      brands_ids: [shop.brand],
      categories_ids: [shop.category],
    };
    const { id } = await made(shop, 'a', {
      products_ids: shop.products,
      banners_ids: [shop.banner],
      restrictions: { include: named, exclude: named },
    });
    await shop.api(`DELETE /catalog/products/${shop.products[0]}`);
    await shop.api(`DELETE /catalog/categories/${shop.category}`);
    await shop.api(`DELETE /catalog/brands/${shop.brand}`);
    await shop.api(`DELETE /catalog/banners/${shop.banner}`);
    const { body } = await shop.api(`GET /catalog/collections/${id}?include=banners`);
    expect(body.restrictions).toEqual({ include: nothing, exclude: nothing });
    expect([body.total_products, body.banners]).toEqual([1, { data: [] }]);
  });
});

describe('/{alias}/catalog/collections/{id}/products', () => {
  it('POST 200 adds, DELETE 200 removes, both with what is in then, and GET 200 lists it', async () => {
    const shop = await shopWithAll();
    const [a, b] = shop.products;
    const path = `/catalog/collections/${(await made(shop, 'a')).id}/products`;
    const first = await measured(shop, `POST ${path}`, { products_ids: [b] });
    expect(first.answer.status).toBe(200);
    expect(first.data.trips).toBe(2);
    expect(idsOf((await shop.api(`POST ${path}`, { product_ids: [a] })).body)).toEqual([a, b]);
    expect((await shop.api(`GET ${path}`)).body.meta.pagination).toMatchObject({
      total: 2,
      per_page: 100,
    });
    expect(idsOf((await shop.api(`DELETE ${path}`, { product_ids: [b] })).body)).toEqual([a]);
    expect(idsOf((await shop.api(`DELETE ${path}`, { products_ids: [a, b] })).body)).toEqual([]);
    expect((await shop.api(`GET ${path}`)).body.data).toEqual([]);
  });

  it('404 for an unknown product, 400 for none, and nothing changes', async () => {
    const shop = await shopWithAll();
    const path = `/catalog/collections/${(await made(shop, 'a')).id}/products`;
    for (const verb of ['POST', 'DELETE']) {
      const sent = { products_ids: [shop.products[0], unknown] };
      const answer = await shop.api(`${verb} ${path}`, sent);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([404, ['products_ids.1']]);
      expect((await shop.api(`${verb} ${path}`, {})).body.errors).toEqual({
        products_ids: ['Required.'],
      });
    }
    expect((await shop.api(`GET ${path}`)).body.data).toEqual([]);
    expect((await shop.api(`GET ${path}?orderBy=colour`)).status).toBe(400);
  });
});
