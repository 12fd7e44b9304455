import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { measured } from '../support/counted.ts';
import { store, type TestStore } from '../support/store.ts';
import { eventsOf, subscribe } from '../support/events.ts';

async function shop() {
  const made = await store();
  const { body } = await made.api('POST /catalog/brands', { name: 'Marca', active: true });
  return { ...made, brandId: body.data.id as number };
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
  it('201 with its SKUs and their stock, and the event says the same', async () => {
    const made = await shop();
    await subscribe(made, ['product.created', 'product.inventory.updated']);
    const { body } = await made.api('POST /catalog/products', product(made.brandId, { skus }));
    expect(body.data).toMatchObject({
      name: 'Camiseta Básica',
      slug: 'camiseta-basica',
      merchant_id: made.id,
      has_variations: true,
      url: `https://${made.alias}.shop.test/products/camiseta-basica`,
    });
    const { body: read } = await made.api(
      `GET /catalog/products/${body.data.id}?include=skus,brand,categories,images`,
    );
    expect(read.data.skus.data).toMatchObject([
      { sku: 'CAM-P', price_sale: 59.9, total_in_stock: 5, variations: skus[0]!.variations },
      { sku: 'CAM-M', price_cost: 20.05, total_in_stock: 0 },
    ]);
    expect(await eventsOf(made)).toEqual([
      expect.objectContaining({ event: 'product.created', resource: read.data }),
    ]);
  });

  it('makes a slug of its own when the name is taken, refuses a sent one that is', async () => {
    const { api, brandId } = await shop();
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

  it('422 naming each thing that does not fit', async () => {
    const { api, brandId } = await shop();
    await api('POST /catalog/products', product(brandId, { skus: [skus[0]] }));
    const body = product(999_999, {
      skus: [{ sku: 'cam-p', price_sale: 1 }, { sku: 'X' }, { sku: 'x', price_sale: 1.005 }],
    });
    const { status, body: answer } = await api('POST /catalog/products', body);
    expect(status).toBe(422);
    expect(Object.keys(answer.errors)).toEqual(
      expect.arrayContaining(['skus.1.price_sale', 'skus.2.price_sale']),
    );
    const known = product(999_999, { skus: [{ sku: 'cam-p', price_sale: 1 }] });
    expect((await api('POST /catalog/products', known)).body.errors).toEqual({
      brand_id: ['No such brand in this store.'],
      'skus.0.sku': ['Already taken.'],
    });
  });

  it('does not find the brand of another store', async () => {
    const [one, other] = [await shop(), await shop()];
    const { status } = await one.api('POST /catalog/products', product(other.brandId));
    expect(status).toBe(422);
  });

  it('costs one reading and one writing round trip', async () => {
    const made = await shop();
    await subscribe(made, ['product.created']);
    const { data } = await measured(
      made,
      'POST /catalog/products',
      product(made.brandId, { skus }),
    );
    expect(data.trips).toBe(2);
  });
});

describe('PUT /{alias}/catalog/products/{id}', () => {
  it('200 and product.updated with all includes', async () => {
    const made = await shop();
    const { body } = await made.api('POST /catalog/products', product(made.brandId, { skus }));
    await subscribe(made, ['product.updated']);
    const path = `/catalog/products/${body.data.id}`;
    const answer = await made.api(`PUT ${path}`, { name: 'Camiseta Nova', priority: 3 });
    expect(answer.body.data).toMatchObject({ name: 'Camiseta Nova', slug: 'camiseta-basica' });
    const { body: read } = await made.api(`GET ${path}?include=skus,brand,categories,images`);
    const [event] = await eventsOf(made);
    expect(event).toMatchObject({ event: 'product.updated', resource: read.data });
  });

  it('200, fault 3: without an event when nothing changes, and nothing is written', async () => {
    const made = await shop();
    const { body } = await made.api('POST /catalog/products', product(made.brandId));
    await subscribe(made, ['product.updated']);
    const { answer, data } = await measured(made, `PUT /catalog/products/${body.data.id}`, {
      name: 'Camiseta Básica',
      active: '1',
    });
    expect(answer.body.data).toEqual(body.data);
    expect([data.trips, data.rowsWritten]).toEqual([1, 0]);
    expect(await eventsOf(made)).toEqual([]);
  });

  it('keeps every one of many changes at once, each with its event', async () => {
    const made = await shop();
    const { body } = await made.api('POST /catalog/products', product(made.brandId));
    await subscribe(made, ['product.updated']);
    const fields = ['priority', 'warranty', 'gift_value', 'shipping_price'];
    const answers = await Promise.all(
      fields.map((field) => made.api(`PUT /catalog/products/${body.data.id}`, { [field]: 7 })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body: read } = await made.api(`GET /catalog/products/${body.data.id}`);
    for (const field of fields) expect(read.data[field]).toBe(7);
    expect(await eventsOf(made)).toHaveLength(4);
  });
});

describe('DELETE /{alias}/catalog/products/{id}', () => {
  it('200 with a last snapshot in the event; SKUs and stock are gone', async () => {
    const made = await shop();
    const { body } = await made.api('POST /catalog/products', product(made.brandId, { skus }));
    await subscribe(made, ['product.deleted']);
    const path = `/catalog/products/${body.data.id}`;
    const { body: before } = await made.api(`GET ${path}?include=skus,brand,categories,images`);
    expect((await made.api(`DELETE ${path}`)).body).toEqual({});
    expect((await made.api(`DELETE ${path}`)).status).toBe(404);
    expect(await eventsOf(made)).toEqual([expect.objectContaining({ resource: before.data })]);
    const left = await env.STORE_0.prepare(
      'select (select count(*) from skus where store_id = ?1) + (select count(*) from stocks where store_id = ?1) as n',
    )
      .bind(made.id)
      .first('n');
    expect(left).toBe(0);
  });
});

describe('GET /{alias}/catalog/products', () => {
  it('200 filtered, sorted and with includes', async () => {
    const { api, brandId } = await shop();
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
    const made = await shop();
    const { body: category } = await made.api('POST /catalog/categories', {
      name: 'Todas',
      active: true,
    });
    const create = (n: number) =>
      made.api(
        'POST /catalog/products',
        product(made.brandId, {
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
      const { answer, data } = await measured(made, path);
      expect(answer.body.data).toHaveLength(limit);
      for (const row of answer.body.data) {
        expect(row.skus.data).toHaveLength(1);
        expect(row.categories.data).toMatchObject([{ id: category.id }]);
        expect(row.brand.data.id).toBe(made.brandId);
      }
      expect([data.trips, data.statements]).toEqual([1, 2]);
    }
  });
});

describe('SKUs', () => {
  async function withSku(): Promise<{ made: TestStore; productId: number; skuId: number }> {
    const made = await shop();
    const { body } = await made.api('POST /catalog/products', product(made.brandId, { skus }));
    const { body: list } = await made.api(`GET /catalog/products/${body.data.id}/skus`);
    return { made, productId: body.data.id, skuId: list.data[0].id };
  }

  it('POST 201, PUT 200, DELETE 200, each with one product.updated', async () => {
    const { made, productId, skuId } = await withSku();
    await subscribe(made, ['product.updated']);
    const added = await made.api(`POST /catalog/products/${productId}/skus`, {
      sku: 'CAM-G',
      price_sale: 70,
    });
    expect(added.body.data).toMatchObject({ sku: 'CAM-G', total_in_stock: 0 });
    const changed = await made.api(`PUT /catalog/skus/${skuId}`, { price_sale: 49.9 });
    expect(changed.body.data.price_sale).toBe(49.9);
    expect((await made.api(`PUT /catalog/skus/${skuId}`, { price_sale: 49.9 })).status).toBe(200);
    expect((await made.api(`DELETE /catalog/skus/${skuId}`)).body).toEqual({});
    expect((await made.api(`GET /catalog/skus/${skuId}`)).status).toBe(404);
    const events = await eventsOf(made);
    expect(events.map(({ resource }) => resource.skus.data.map(({ sku }) => sku))).toEqual([
      ['CAM-P', 'CAM-M', 'CAM-G'],
      ['CAM-P', 'CAM-M', 'CAM-G'],
      ['CAM-M', 'CAM-G'],
    ]);
  });

  it('422 for a SKU that the store has, 404 below a product that it has not', async () => {
    const { made, productId, skuId } = await withSku();
    const taken = { sku: 'cam-m', price_sale: 1 };
    const path = `POST /catalog/products/${productId}/skus`;
    expect((await made.api(path, taken)).body.errors).toEqual({ sku: ['Already taken.'] });
    const rename = await made.api(`PUT /catalog/skus/${skuId}`, { sku: 'CAM-M' });
    expect([rename.status, rename.body.errors]).toEqual([422, { sku: ['Already taken.'] }]);
    const other = await store();
    expect((await other.api(path, taken)).status).toBe(404);
    expect((await other.api(`GET /catalog/products/${productId}/skus`)).status).toBe(404);
  });

  it('200 for stock that is set, compared and added to, each move with one event; 409 when another was first, 422 below nothing', async () => {
    const { made, skuId } = await withSku();
    await subscribe(made, ['product.inventory.updated']);
    const path = `PUT /catalog/skus/${skuId}/stocks/1`;
    expect((await made.api(path, { quantity: 8 })).body.data.quantity).toBe(8);
    expect((await made.api(path, { delta: -3 })).body.data.quantity).toBe(5);
    expect((await made.api(path, { quantity: 5 })).status).toBe(200);
    const lost = await made.api(path, { quantity: 9, expected_quantity: 4 });
    expect([lost.status, lost.body.code]).toEqual([409, 'quantity_changed']);
    const below = await made.api(path, { delta: -6 });
    expect([below.status, Object.keys(below.body.errors)]).toEqual([422, ['delta']]);
    expect((await made.api(path, { quantity: 1, delta: 1 })).status).toBe(422);
    expect((await made.api(path, {})).body.errors).toEqual({ quantity: ['Required.'] });
    expect((await made.api(`PUT /catalog/skus/${skuId}/stocks/2`, { delta: 1 })).status).toBe(404);
    const events = await eventsOf(made);
    expect(
      events.map(({ resource }) => [resource.quantity, resource.sku.data.total_in_stock]),
    ).toEqual([
      [8, 8],
      [5, 5],
    ]);
  });

  it('200 for each of many additions at once, and none is lost', async () => {
    const { made, skuId } = await withSku();
    const path = `PUT /catalog/skus/${skuId}/stocks/1`;
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => made.api(path, { delta: 1 })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await made.api(`GET /catalog/skus/${skuId}/stocks`);
    expect(body.data).toMatchObject([{ stock_id: 1, quantity: 9, reserved: 0 }]);
  });
});

describe('categories of products', () => {
  async function withCategories() {
    const made = await shop();
    const ids: number[] = [];
    for (const name of ['Roupas', 'Praia']) {
      const { body } = await made.api('POST /catalog/categories', { name, active: true });
      ids.push(body.id);
    }
    return { ...made, ids };
  }
  const namesOf = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);

  it('come with a new product, and its event says the same', async () => {
    const made = await withCategories();
    await subscribe(made, ['product.created']);
    const sent = product(made.brandId, { categories_ids: made.ids.toReversed() });
    const { answer, data } = await measured(made, 'POST /catalog/products', sent);
    expect([answer.status, data.trips]).toEqual([201, 2]);
    const path = `GET /catalog/products/${answer.body.data.id}?include=skus,brand,categories,images`;
    const { body: read } = await made.api(path);
    expect(namesOf(read.data.categories)).toEqual(['Roupas', 'Praia']);
    expect(await eventsOf(made)).toEqual([expect.objectContaining({ resource: read.data })]);
  });

  it('are replaced as a whole, with an event; nothing happens when they are the same', async () => {
    const made = await withCategories();
    const [first, second] = made.ids;
    const sent = product(made.brandId, { categories_ids: [first] });
    const { body } = await made.api('POST /catalog/products', sent);
    await subscribe(made, ['product.updated']);
    const path = `/catalog/products/${body.data.id}`;
    const same = await measured(made, `PUT ${path}`, { categories_ids: [first], active: true });
    expect([same.data.trips, same.data.rowsWritten]).toEqual([1, 0]);
    const change = { categories_ids: [second], active: true };
    expect((await made.api(`PUT ${path}`, change)).status).toBe(200);
    const { body: read } = await made.api(`GET ${path}?include=skus,brand,categories,images`);
    expect(namesOf(read.data.categories)).toEqual(['Praia']);
    await made.api(`PUT ${path}`, { name: 'Nova' });
    await made.api(`PUT ${path}`, { categories_ids: [] });
    const events = (await eventsOf(made)).map(({ resource }) => resource);
    expect(events[0]).toEqual(read.data);
    expect(
      events.map((resource) =>
        namesOf((resource as unknown as { categories: { data: { name: string }[] } }).categories),
      ),
    ).toEqual([['Praia'], ['Praia'], []]);
  });

  it('422 for an unknown one or one of another store, and nothing is stored', async () => {
    const [made, other] = [await withCategories(), await withCategories()];
    for (const id of [999_999_999, other.ids[0]]) {
      const sent = product(made.brandId, { categories_ids: [made.ids[0], id] });
      const answer = await made.api('POST /catalog/products', sent);
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        { 'categories_ids.1': ['No such category in this store.'] },
      ]);
    }
    const { body } = await made.api('POST /catalog/products', product(made.brandId));
    const path = `PUT /catalog/products/${body.data.id}`;
    const lost = await made.api(path, { name: 'x', categories_ids: [other.ids[0]] });
    expect([lost.status, Object.keys(lost.body.errors)]).toEqual([422, ['categories_ids.0']]);
    expect((await made.api('GET /catalog/products')).body.data).toMatchObject([
      { name: 'Camiseta Básica' },
    ]);
  });

  it('narrow the list, and so do collections', async () => {
    const made = await withCategories();
    const [first, second] = made.ids;
    const added = (name: string, id: number | undefined) =>
      made.api('POST /catalog/products', product(made.brandId, { name, categories_ids: [id] }));
    const { body: a } = await added('A', first);
    await added('B', second);
    const sent = { name: 'Verão', active: true, products_ids: [a.data.id] };
    const { body: collection } = await made.api('POST /catalog/collections', sent);
    const names = async (query: string) =>
      namesOf((await made.api(`GET /catalog/products?${query}`)).body);
    expect(await names(`category_id[]=${first}`)).toEqual(['A']);
    expect(await names(`category_id[]=${first}&category_id[]=${second}`)).toEqual(['A', 'B']);
    expect(await names(`category_id=${second},7`)).toEqual(['B']);
    expect(await names(`collection_id[]=${collection.id}`)).toEqual(['A']);
    expect(await names(`collection_id=${collection.id}&category_id=${second}`)).toEqual([]);
    expect((await made.api('GET /catalog/products?category_id[]=x')).status).toBe(400);
  });

  it('are read with a page in one round trip and two statements, whatever its size', async () => {
    const made = await withCategories();
    for (let n = 0; n < 4; n += 1) {
      await made.api('POST /catalog/products', product(made.brandId, { categories_ids: made.ids }));
    }
    for (const limit of [1, 4]) {
      const path = `GET /catalog/products?include=categories&limit=${limit}`;
      const { answer, data } = await measured(made, path);
      expect(namesOf(answer.body.data[0].categories)).toEqual(['Roupas', 'Praia']);
      expect([data.trips, data.statements]).toEqual([1, 2]);
    }
  });
});
