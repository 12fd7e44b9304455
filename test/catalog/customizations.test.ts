import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { refusal } from '../support/api/refusal.ts';
import { createTestStore } from '../support/fixtures/store.ts';

const engraving = (more: object = {}) => ({
  name: 'Gravação',
  price: 12.5,
  type: 'text',
  required: false,
  max_chars: 20,
  ...more,
});

async function createShop() {
  const shop = await createTestStore();
  const { body: brand } = await shop.api('POST /catalog/brands', {
    name: 'Marca',
    active: true,
  });
  const productIds: number[] = [];
  for (const name of ['a', 'b', 'c']) {
    const product = { name, simple: true, active: true, brand_id: brand.data.id };
    productIds.push((await shop.api('POST /catalog/products', product)).body.data.id);
  }
  return { ...shop, productIds };
}

describe('POST /{alias}/catalog/customizations', () => {
  it('returns 200 with the bare customization and its defaults', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api('POST /catalog/customizations', engraving());
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      ...engraving(),
      description: null,
      products_ids: [],
      values: [],
      allowed_values: '',
    });
  });

  it('returns 200 for a list of products, counting each once', async () => {
    const { api, productIds } = await createShop();
    const [a, b] = productIds;
    const sent = engraving({ type: 'select', values: ['P', 'M, G'], products_ids: [b, a, b] });
    const { body } = await api('POST /catalog/customizations', sent);
    expect(body).toMatchObject({
      values: ['P', 'M, G'],
      allowed_values: 'P,M, G',
      products_ids: [a, b],
    });
  });

  it('returns 200 without values for a type that has none', async () => {
    const { api } = await createTestStore();
    const { body } = await api('POST /catalog/customizations', engraving({ values: ['x'] }));
    expect(body.values).toEqual([]);
  });

  it.each<[why: string, body: object, errors: object]>([
    [
      'nothing is sent',
      {},
      Object.fromEntries(
        ['name', 'price', 'type', 'required', 'max_chars'].map((name) => [name, ['Required.']]),
      ),
    ],
    [
      'a select has no values',
      engraving({ type: 'select' }),
      { values: ['Must contain at least one value when type is select.'] },
    ],
    [
      'a value appears twice once trimmed',
      engraving({ type: 'select', values: ['P', ' P '] }),
      { 'values.1': ['Must not contain duplicates.'] },
    ],
    [
      'the type is unknown',
      engraving({ type: 'file' }),
      { type: ['Must be one of text, textarea, select.'] },
    ],
    [
      'a product is unknown',
      engraving({ products_ids: [999_999_999] }),
      { products_ids: ['Must be ids of products of this store.'] },
    ],
  ])('returns 400 when %s', async (_why, body, errors) => {
    const { api } = await createTestStore();
    const response = await api('POST /catalog/customizations', body);
    expect([response.status, response.body.errors]).toEqual([400, errors]);
  });

  it('returns 400 for a product of another store', async () => {
    const [one, other] = [await createTestStore(), await createShop()];
    const sent = engraving({ products_ids: [other.productIds[0]] });
    expect((await one.api('POST /catalog/customizations', sent)).status).toBe(400);
  });

  it('costs one round trip, and one more for products', async () => {
    const shop = await createShop();
    const plain = await measureRequest(shop, 'POST /catalog/customizations', engraving());
    expect(plain.data.roundTrips).toBe(1);
    const sent = engraving({ products_ids: shop.productIds });
    expect((await measureRequest(shop, 'POST /catalog/customizations', sent)).data.roundTrips).toBe(
      2,
    );
  });
});

describe('GET /{alias}/catalog/customizations', () => {
  it('returns 404 with data and meta while nothing matches, whatever the page', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api('GET /catalog/customizations?page=3');
    expect(status).toBe(404);
    expect(body).toMatchObject({ ...refusal(404, 'empty_list'), data: [] });
    expect(body.meta.pagination).toMatchObject({ total: 0, current_page: 3, total_pages: 1 });
    await api('POST /catalog/customizations', engraving());
    expect((await api('GET /catalog/customizations?search=type:select')).status).toBe(404);
  });

  it('returns 200 with an empty page after the last one', async () => {
    const { api } = await createTestStore();
    await api('POST /catalog/customizations', engraving());
    const { status, body } = await api('GET /catalog/customizations?page=2');
    expect([status, body.data, body.meta.pagination.total]).toEqual([200, [], 1]);
  });

  it.each([
    ['search=gravacao', ['Gravação']],
    ['search=type:textarea', ['Bilhete']],
    ['search=required:1', ['Bilhete']],
    ['orderBy=price', ['Bilhete', 'Gravação']],
    ['orderBy=name&sortedBy=desc', ['Gravação', 'Bilhete']],
    ['orderBy=required;type', ['Gravação', 'Bilhete']],
  ])('returns 200 with the matching customizations for ?%s', async (query, names) => {
    const { api } = await createTestStore();
    await api('POST /catalog/customizations', engraving());
    const card = { name: 'Bilhete', type: 'textarea', price: 0, required: true };
    await api('POST /catalog/customizations', engraving(card));
    const { body } = await api(`GET /catalog/customizations?${query}`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('returns 400 for an unknown column', async () => {
    const { api } = await createTestStore();
    expect((await api('GET /catalog/customizations?orderBy=values')).status).toBe(400);
  });

  it('reads a page with its products in one round trip and two statements, whatever its size', async () => {
    const shop = await createShop();
    for (let n = 0; n < 6; n += 1) {
      const sent = engraving({ products_ids: shop.productIds });
      await shop.api('POST /catalog/customizations', sent);
    }
    for (const limit of [1, 6]) {
      const path = `GET /catalog/customizations?include=products&limit=${limit}`;
      const { response, data } = await measureRequest(shop, path);
      expect(response.body.data).toHaveLength(limit);
      expect(response.body.data[0].products.data.map(({ id }: { id: number }) => id)).toEqual(
        shop.productIds,
      );
      expect([data.roundTrips, data.statements]).toEqual([1, 2]);
    }
  });
});

describe('GET, PUT and DELETE /{alias}/catalog/customizations/{id}', () => {
  it('GET returns 200 with its timestamps, and with products when include names them', async () => {
    const { api, productIds } = await createShop();
    const sent = engraving({ products_ids: [productIds[0]] });
    const { body: made } = await api('POST /catalog/customizations', sent);
    const { body } = await api(`GET /catalog/customizations/${made.id}`);
    expect(body).toMatchObject(made);
    expect(body.created_at).toEqual(body.updated_at);
    const { body: full } = await api(`GET /catalog/customizations/${made.id}?include=products`);
    const { body: product } = await api(`GET /catalog/products/${productIds[0]}`);
    expect(full.products).toEqual({ data: [product.data] });
  });

  it('PUT returns 200, keeps fields that are not sent, and replaces products and values as a whole', async () => {
    const { api, productIds } = await createShop();
    const sent = engraving({
      description: 'x',
      type: 'select',
      values: ['a', 'b'],
      products_ids: productIds.slice(0, 2),
    });
    const { body: made } = await api('POST /catalog/customizations', sent);
    const path = `PUT /catalog/customizations/${made.id}`;
    const { body: kept } = await api(path, engraving({ type: 'select', price: 1 }));
    expect(kept).toEqual({ ...made, price: 1 });
    const replaced = { type: 'select', values: ['c'], products_ids: productIds.slice(1) };
    const { body } = await api(path, engraving(replaced));
    expect(body).toMatchObject({ ...replaced, description: 'x', allowed_values: 'c' });
    expect((await api(path, engraving({ products_ids: [] }))).body).toMatchObject({
      products_ids: [],
      values: [],
    });
  });

  it('PUT returns 200, moves updated_at with the products, and writes nothing when nothing changes', async () => {
    const shop = await createShop();
    const { body } = await shop.api('POST /catalog/customizations', engraving());
    const path = `/catalog/customizations/${body.id}`;
    const { body: before } = await shop.api(`GET ${path}`);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const same = await measureRequest(shop, `PUT ${path}`, engraving({ products_ids: [] }));
    expect([same.data.roundTrips, same.data.rowsWritten]).toEqual([1, 0]);
    expect((await shop.api(`GET ${path}`)).body).toEqual(before);
    await shop.api(`PUT ${path}`, engraving({ products_ids: shop.productIds }));
    const { body: after } = await shop.api(`GET ${path}`);
    expect(after.updated_at).not.toEqual(before.updated_at);
  });

  it('PUT returns 400 for a select without values, and for an unknown product', async () => {
    const { api } = await createTestStore();
    const { body: made } = await api('POST /catalog/customizations', engraving());
    const path = `PUT /catalog/customizations/${made.id}`;
    const selection = await api(path, engraving({ type: 'select', products_ids: [999_999_999] }));
    expect([selection.status, Object.keys(selection.body.errors)]).toEqual([
      400,
      ['values', 'products_ids'],
    ]);
    expect((await api(path, {})).status).toBe(400);
  });

  it('returns 404 for a customization of another store, for every method', async () => {
    const [one, other] = [await createTestStore(), await createShop()];
    const { body: made } = await one.api('POST /catalog/customizations', engraving());
    const path = `/catalog/customizations/${made.id}`;
    expect((await other.api(`GET ${path}`)).status).toBe(404);
    expect((await other.api(`PUT ${path}`, engraving())).status).toBe(404);
    const sent = engraving({ products_ids: other.productIds });
    expect((await other.api(`PUT ${path}`, sent)).status).toBe(404);
    expect((await other.api(`PUT ${path}`, engraving({ products_ids: [] }))).status).toBe(404);
    expect((await other.api(`DELETE ${path}`)).status).toBe(404);
    expect((await one.api(`GET ${path}`)).body).toMatchObject(made);
  });

  it('DELETE returns 200 with an empty object, then 404; products stay', async () => {
    const { api, productIds } = await createShop();
    const sent = engraving({ products_ids: productIds });
    const { body: made } = await api('POST /catalog/customizations', sent);
    const path = `DELETE /catalog/customizations/${made.id}`;
    expect((await api(path)).body).toEqual({});
    expect((await api(path)).status).toBe(404);
    expect((await api(`GET /catalog/products/${productIds[0]}`)).status).toBe(200);
  });

  it('loses a product that is deleted', async () => {
    const { api, productIds } = await createShop();
    const sent = engraving({ products_ids: productIds });
    const { body: made } = await api('POST /catalog/customizations', sent);
    await api(`DELETE /catalog/products/${productIds[1]}`);
    const { body } = await api(`GET /catalog/customizations/${made.id}`);
    expect(body.products_ids).toEqual([productIds[0], productIds[2]]);
  });
});
