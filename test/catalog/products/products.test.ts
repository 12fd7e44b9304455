import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { measureRequest } from '../../support/api/measure.ts';
import { roundTrips } from '../../support/api/round-trips.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import '../../support/fixtures/first-shard.ts';

async function createShop() {
  const shop = await createTestStore();
  const { body } = await shop.api('POST /catalog/brands', { name: 'Marca', active: true });
  return { ...shop, brandId: body.data.id as number };
}

const product = (brandId: number, more: object = {}) => ({
  name: 'Camiseta Básica',
  simple: false,
  active: true,
  brand_id: brandId,
  ...more,
});

const skus = [
  { sku: 'CAM-P', price_sale: 59.9, quantity: 5, variations: [{ name: 'Tamanho', value: 'P' }] },
  { sku: 'CAM-M', price_sale: 64.9, price_cost: 20.05 },
];

describe('POST /{alias}/catalog/products', () => {
  it('returns 201 with its SKUs and their stock, and publishes the same', async () => {
    const shop = await createShop();
    await subscribeEndpoint(shop, ['product.created', 'product.inventory.updated']);
    const { body } = await shop.api('POST /catalog/products', product(shop.brandId, { skus }));
    expect(body.data).toMatchObject({
      name: 'Camiseta Básica',
      slug: 'camiseta-basica',
      merchant_id: shop.id,
      has_variations: true,
      url: `https://${shop.alias}.shop.test/products/camiseta-basica`,
    });
    const path = `GET /catalog/products/${body.data.id}`;
    expect(body).toEqual((await shop.api(path)).body);
    const { body: read } = await shop.api(`${path}?include=skus,brand,categories,images`);
    expect(read.data.skus.data).toMatchObject([
      { sku: 'CAM-P', price_sale: 59.9, total_in_stock: 5, variations: skus[0]!.variations },
      { sku: 'CAM-M', price_cost: 20.05, total_in_stock: 0 },
    ]);
    expect(await recordedEvents(shop)).toEqual([
      expect.objectContaining({ event: 'product.created', resource: read.data }),
    ]);
  });

  it('generates another slug when the name is taken, and rejects a sent slug that is taken', async () => {
    const { api, brandId } = await createShop();
    const slugs = [];
    for (let n = 0; n < 12; n += 1) {
      slugs.push((await api('POST /catalog/products', product(brandId))).body.data.slug);
    }
    expect(slugs.slice(0, 3)).toEqual([
      'camiseta-basica',
      'camiseta-basica-2',
      'camiseta-basica-3',
    ]);
    expect(slugs.at(-1)).toBe('camiseta-basica-12');
    const taken = await api('POST /catalog/products', product(brandId, { slug: slugs[0] }));
    expect([taken.status, taken.body.errors]).toEqual([422, { slug: ['Already taken.'] }]);
    const nameless = await api('POST /catalog/products', product(brandId, { name: '日本' }));
    expect(nameless.body.data.slug).toBe('product');
  });

  it('returns 422 with each invalid field', async () => {
    const { api, brandId } = await createShop();
    await api('POST /catalog/products', product(brandId, { skus: [skus[0]] }));
    const body = product(999_999, {
      skus: [{ sku: 'cam-p', price_sale: 1 }, { sku: 'X' }, { sku: 'x', price_sale: 1.005 }],
    });
    const { status, body: response } = await api('POST /catalog/products', body);
    expect(status).toBe(422);
    expect(Object.keys(response.errors)).toEqual(
      expect.arrayContaining(['skus.1.price_sale', 'skus.2.price_sale']),
    );
    const known = product(999_999, { skus: [{ sku: 'cam-p', price_sale: 1 }] });
    expect((await api('POST /catalog/products', known)).body.errors).toEqual({
      brand_id: ['No such brand in this store.'],
      'skus.0.sku': ['Already taken.'],
    });
  });

  it('does not find the brand of another store', async () => {
    const [one, other] = [await createShop(), await createShop()];
    const { status } = await one.api('POST /catalog/products', product(other.brandId));
    expect(status).toBe(422);
  });

  it('costs one reading and one writing round trip', async () => {
    const shop = await createShop();
    await subscribeEndpoint(shop, ['product.created']);
    const { data } = await measureRequest(
      shop,
      'POST /catalog/products',
      product(shop.brandId, { skus }),
    );
    expect(data.roundTrips).toBe(roundTrips.product);
  });
});

describe('PUT /{alias}/catalog/products/{id}', () => {
  it('returns 200 and publishes product.updated with all includes', async () => {
    const shop = await createShop();
    const { body } = await shop.api('POST /catalog/products', product(shop.brandId, { skus }));
    await subscribeEndpoint(shop, ['product.updated']);
    const path = `/catalog/products/${body.data.id}`;
    const response = await shop.api(`PUT ${path}`, { name: 'Camiseta Nova', priority: 3 });
    expect(response.body.data).toMatchObject({ name: 'Camiseta Nova', slug: 'camiseta-basica' });
    expect(response.body).toEqual((await shop.api(`GET ${path}`)).body);
    const { body: read } = await shop.api(`GET ${path}?include=skus,brand,categories,images`);
    const [event] = await recordedEvents(shop);
    expect(event).toMatchObject({ event: 'product.updated', resource: read.data });
  });

  it('fault 3: returns 200 without an event, and writes nothing, when nothing changes', async () => {
    const shop = await createShop();
    const { body } = await shop.api('POST /catalog/products', product(shop.brandId));
    await subscribeEndpoint(shop, ['product.updated']);
    const { response, data } = await measureRequest(shop, `PUT /catalog/products/${body.data.id}`, {
      name: 'Camiseta Básica',
      active: '1',
    });
    expect(response.body.data).toEqual(body.data);
    expect([data.roundTrips, data.rowsWritten]).toEqual([1, 0]);
    expect(await recordedEvents(shop)).toEqual([]);
  });

  it('keeps every one of many concurrent changes, each with its event', async () => {
    const shop = await createShop();
    const { body } = await shop.api('POST /catalog/products', product(shop.brandId));
    await subscribeEndpoint(shop, ['product.updated']);
    const fields = ['priority', 'warranty', 'gift_value', 'shipping_price'];
    const responses = await Promise.all(
      fields.map((field) => shop.api(`PUT /catalog/products/${body.data.id}`, { [field]: 7 })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body: read } = await shop.api(`GET /catalog/products/${body.data.id}`);
    for (const field of fields) expect(read.data[field]).toBe(7);
    expect(await recordedEvents(shop)).toHaveLength(4);
  });
});

describe('DELETE /{alias}/catalog/products/{id}', () => {
  it('returns 200 and publishes the last state; SKUs and stock are deleted', async () => {
    const shop = await createShop();
    const { body } = await shop.api('POST /catalog/products', product(shop.brandId, { skus }));
    await subscribeEndpoint(shop, ['product.deleted']);
    const path = `/catalog/products/${body.data.id}`;
    const { body: before } = await shop.api(`GET ${path}?include=skus,brand,categories,images`);
    expect((await shop.api(`DELETE ${path}`)).body).toEqual({});
    expect((await shop.api(`DELETE ${path}`)).status).toBe(404);
    expect(await recordedEvents(shop)).toEqual([
      expect.objectContaining({ resource: before.data }),
    ]);
    const left = await env.STORE_0.prepare(
      'select (select count(*) from skus where store_id = ?1) + (select count(*) from stocks where store_id = ?1) as n',
    )
      .bind(shop.id)
      .first('n');
    expect(left).toBe(0);
  });
});

describe('GET /{alias}/catalog/products', () => {
  it('returns 200 filtered, sorted and with includes', async () => {
    const { api, brandId } = await createShop();
    const { body: other } = await api('POST /catalog/brands', { name: 'Outra', active: true });
    await api('POST /catalog/products', product(brandId, { name: 'Boné', sku: 'BON-1' }));
    await api('POST /catalog/products', product(other.data.id, { name: 'Ténis', active: false }));
    const names = async (query: string) =>
      (await api(`GET /catalog/products?${query}`)).body.data.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names('orderBy=name&sortedBy=desc')).toEqual(['Ténis', 'Boné']);
    expect(await names('name=TENIS')).toEqual(['Ténis']);
    expect(await names('q=bon-1')).toEqual(['Boné']);
    expect(await names('active=0')).toEqual(['Ténis']);
    expect(await names(`brand_id[]=${brandId}&brand_id[]=999`)).toEqual(['Boné']);
    expect(await names(`brand_id=${brandId},${other.data.id}`)).toEqual(['Boné', 'Ténis']);
  });

  it('reads a page of 100 with SKUs, brand and categories in one round trip and two statements', async () => {
    const shop = await createShop();
    const { body: category } = await shop.api('POST /catalog/categories', {
      name: 'Todas',
      active: true,
    });
    const create = (n: number) =>
      shop.api(
        'POST /catalog/products',
        product(shop.brandId, {
          name: `Produto ${n}`,
          skus: [{ sku: `S-${n}`, price_sale: 1 }],
          categories_ids: [category.id],
        }),
      );
    for (let n = 0; n < 100; n += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, at) => create(n + at)));
    }
    for (const limit of [1, 100]) {
      const path = `GET /catalog/products?include=skus,brand,categories,images&limit=${limit}`;
      const { response, data } = await measureRequest(shop, path);
      expect(response.body.data).toHaveLength(limit);
      for (const row of response.body.data) {
        expect(row.skus.data).toHaveLength(1);
        expect(row.categories.data).toMatchObject([{ id: category.id }]);
        expect(row.brand.data.id).toBe(shop.brandId);
      }
      expect([data.roundTrips, data.statements]).toEqual([1, 2]);
    }
  });
});

describe('SKUs of products', () => {
  async function withSku(): Promise<{ shop: TestStore; productId: number; skuId: number }> {
    const shop = await createShop();
    const { body } = await shop.api('POST /catalog/products', product(shop.brandId, { skus }));
    const { body: list } = await shop.api(`GET /catalog/products/${body.data.id}/skus`);
    return { shop, productId: body.data.id, skuId: list.data[0].id };
  }

  it('POST returns 201, PUT and DELETE return 200, each with one product.updated', async () => {
    const { shop, productId, skuId } = await withSku();
    await subscribeEndpoint(shop, ['product.updated']);
    const added = await shop.api(`POST /catalog/products/${productId}/skus`, {
      sku: 'CAM-G',
      price_sale: 70,
    });
    expect(added.body.data).toMatchObject({ sku: 'CAM-G', total_in_stock: 0 });
    expect(added.body).toEqual((await shop.api(`GET /catalog/skus/${added.body.data.id}`)).body);
    const changed = await shop.api(`PUT /catalog/skus/${skuId}`, { price_sale: 49.9 });
    expect(changed.body.data.price_sale).toBe(49.9);
    expect(changed.body).toEqual((await shop.api(`GET /catalog/skus/${skuId}`)).body);
    expect((await shop.api(`PUT /catalog/skus/${skuId}`, { price_sale: 49.9 })).status).toBe(200);
    expect((await shop.api(`DELETE /catalog/skus/${skuId}`)).body).toEqual({});
    expect((await shop.api(`GET /catalog/skus/${skuId}`)).status).toBe(404);
    const events = await recordedEvents(shop);
    expect(events.map(({ resource }) => resource.skus.data.map(({ sku }) => sku))).toEqual([
      ['CAM-P', 'CAM-M', 'CAM-G'],
      ['CAM-P', 'CAM-M', 'CAM-G'],
      ['CAM-M', 'CAM-G'],
    ]);
  });

  it('returns 422 for a SKU that the store has, and 404 below an unknown product', async () => {
    const { shop, productId, skuId } = await withSku();
    const taken = { sku: 'cam-m', price_sale: 1 };
    const path = `POST /catalog/products/${productId}/skus`;
    expect((await shop.api(path, taken)).body.errors).toEqual({ sku: ['Already taken.'] });
    const rename = await shop.api(`PUT /catalog/skus/${skuId}`, { sku: 'CAM-M' });
    expect([rename.status, rename.body.errors]).toEqual([422, { sku: ['Already taken.'] }]);
    const other = await createTestStore();
    expect((await other.api(path, taken)).status).toBe(404);
    expect((await other.api(`GET /catalog/products/${productId}/skus`)).status).toBe(404);
  });

  it('returns 200 for stock that is set, compared and added to, each with one event; 409 for another expected_quantity, 422 below zero', async () => {
    const { shop, skuId } = await withSku();
    await subscribeEndpoint(shop, ['product.inventory.updated']);
    const path = `PUT /catalog/skus/${skuId}/stocks/1`;
    expect((await shop.api(path, { quantity: 8 })).body.data.quantity).toBe(8);
    expect((await shop.api(path, { delta: -3 })).body.data.quantity).toBe(5);
    expect((await shop.api(path, { quantity: 5 })).status).toBe(200);
    const lost = await shop.api(path, { quantity: 9, expected_quantity: 4 });
    expect([lost.status, lost.body.code]).toEqual([409, 'quantity_changed']);
    const below = await shop.api(path, { delta: -6 });
    expect([below.status, Object.keys(below.body.errors)]).toEqual([422, ['delta']]);
    expect((await shop.api(path, { quantity: 1, delta: 1 })).status).toBe(422);
    expect((await shop.api(path, {})).body.errors).toEqual({ quantity: ['Required.'] });
    expect((await shop.api(`PUT /catalog/skus/${skuId}/stocks/2`, { delta: 1 })).status).toBe(404);
    const events = await recordedEvents(shop);
    expect(
      events.map(({ resource }) => [resource.quantity, resource.sku.data.total_in_stock]),
    ).toEqual([
      [8, 8],
      [5, 5],
    ]);
  });

  it('returns 200 for each of many concurrent additions, and loses none', async () => {
    const { shop, skuId } = await withSku();
    const path = `PUT /catalog/skus/${skuId}/stocks/1`;
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => shop.api(path, { delta: 1 })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await shop.api(`GET /catalog/skus/${skuId}/stocks`);
    expect(body.data).toMatchObject([{ stock_id: 1, quantity: 9, reserved: 0 }]);
  });
});

describe('categories of products', () => {
  async function withCategories() {
    const shop = await createShop();
    const ids: number[] = [];
    for (const name of ['Roupas', 'Praia']) {
      const { body } = await shop.api('POST /catalog/categories', { name, active: true });
      ids.push(body.id);
    }
    return { ...shop, ids };
  }
  const namesOf = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);

  /** A product in an event: its categories have no texts, addresses and lists. */
  const asPublished = (data: { categories: { data: object[] } }) => ({
    ...data,
    categories: {
      data: data.categories.data.map((category) =>
        Object.fromEntries(
          Object.entries(category).filter(
            ([name]) =>
              !/^(description|seo_|.*url|.*_cover|.*banners|banners_|filters_|.*_path)/.test(name),
          ),
        ),
      ),
    },
  });

  it('are stored with a new product, and published in their short form', async () => {
    const shop = await withCategories();
    await subscribeEndpoint(shop, ['product.created']);
    const sent = product(shop.brandId, { categories_ids: shop.ids.toReversed() });
    const { response, data } = await measureRequest(shop, 'POST /catalog/products', sent);
    expect([response.status, data.roundTrips]).toEqual([201, 2]);
    const path = `GET /catalog/products/${response.body.data.id}?include=skus,brand,categories,images`;
    const { body: read } = await shop.api(path);
    expect(namesOf(read.data.categories)).toEqual(['Roupas', 'Praia']);
    expect(await recordedEvents(shop)).toEqual([
      expect.objectContaining({ resource: asPublished(read.data) }),
    ]);
  });

  it('are replaced as a whole, with an event, and are not written when they are equal', async () => {
    const shop = await withCategories();
    const [first, second] = shop.ids;
    const sent = product(shop.brandId, { categories_ids: [first] });
    const { body } = await shop.api('POST /catalog/products', sent);
    await subscribeEndpoint(shop, ['product.updated']);
    const path = `/catalog/products/${body.data.id}`;
    const same = await measureRequest(shop, `PUT ${path}`, {
      categories_ids: [first],
      active: true,
    });
    expect([same.data.roundTrips, same.data.rowsWritten]).toEqual([1, 0]);
    const change = { categories_ids: [second], active: true };
    expect((await shop.api(`PUT ${path}`, change)).status).toBe(200);
    const { body: read } = await shop.api(`GET ${path}?include=skus,brand,categories,images`);
    expect(namesOf(read.data.categories)).toEqual(['Praia']);
    await shop.api(`PUT ${path}`, { name: 'Nova' });
    await shop.api(`PUT ${path}`, { categories_ids: [] });
    const events = (await recordedEvents(shop)).map(({ resource }) => resource);
    expect(events[0]).toEqual(asPublished(read.data));
    expect(
      events.map((resource) =>
        namesOf((resource as unknown as { categories: { data: { name: string }[] } }).categories),
      ),
    ).toEqual([['Praia'], ['Praia'], []]);
  });

  it('are rejected with 422 if unknown or of another store, and nothing is stored', async () => {
    const [shop, other] = [await withCategories(), await withCategories()];
    for (const id of [999_999_999, other.ids[0]]) {
      const sent = product(shop.brandId, { categories_ids: [shop.ids[0], id] });
      const response = await shop.api('POST /catalog/products', sent);
      expect([response.status, response.body.errors]).toEqual([
        422,
        { 'categories_ids.1': ['No such category in this store.'] },
      ]);
    }
    const { body } = await shop.api('POST /catalog/products', product(shop.brandId));
    const path = `PUT /catalog/products/${body.data.id}`;
    const lost = await shop.api(path, { name: 'x', categories_ids: [other.ids[0]] });
    expect([lost.status, Object.keys(lost.body.errors)]).toEqual([422, ['categories_ids.0']]);
    expect((await shop.api('GET /catalog/products')).body.data).toMatchObject([
      { name: 'Camiseta Básica' },
    ]);
  });

  it('filter the list, and so do collections', async () => {
    const shop = await withCategories();
    const [first, second] = shop.ids;
    const added = (name: string, id: number | undefined) =>
      shop.api('POST /catalog/products', product(shop.brandId, { name, categories_ids: [id] }));
    const { body: a } = await added('A', first);
    await added('B', second);
    const sent = { name: 'Verão', active: true, products_ids: [a.data.id] };
    const { body: collection } = await shop.api('POST /catalog/collections', sent);
    const names = async (query: string) =>
      namesOf((await shop.api(`GET /catalog/products?${query}`)).body);
    expect(await names(`category_id[]=${first}`)).toEqual(['A']);
    expect(await names(`category_id[]=${first}&category_id[]=${second}`)).toEqual(['A', 'B']);
    expect(await names(`category_id=${second},7`)).toEqual(['B']);
    expect(await names(`collection_id[]=${collection.id}`)).toEqual(['A']);
    expect(await names(`collection_id=${collection.id}&category_id=${second}`)).toEqual([]);
    expect((await shop.api('GET /catalog/products?category_id[]=x')).status).toBe(400);
  });

  it('are read with a page in one round trip and two statements, whatever its size', async () => {
    const shop = await withCategories();
    for (let n = 0; n < 4; n += 1) {
      await shop.api('POST /catalog/products', product(shop.brandId, { categories_ids: shop.ids }));
    }
    for (const limit of [1, 4]) {
      const path = `GET /catalog/products?include=categories&limit=${limit}`;
      const { response, data } = await measureRequest(shop, path);
      expect(namesOf(response.body.data[0].categories)).toEqual(['Roupas', 'Praia']);
      expect([data.roundTrips, data.statements]).toEqual([1, 2]);
    }
  });
});
