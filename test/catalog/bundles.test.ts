import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { refusal } from '../support/api/refusal.ts';
import { createTestStore } from '../support/fixtures/store.ts';

const kit = (items: object[], more: object = {}) => ({
  name: 'Kit Verão',
  image_url: 'https://cdn.test/kit.png',
  items,
  ...more,
});

async function createShop() {
  const shop = await createTestStore();
  const { body: brand } = await shop.api('POST /catalog/brands', {
    name: 'Marca',
    active: true,
  });
  const { body: product } = await shop.api('POST /catalog/products', {
    name: 'Camiseta',
    simple: false,
    active: true,
    brand_id: brand.data.id,
    skus: ['P', 'M', 'G'].map((sku) => ({ sku, price_sale: 10 })),
  });
  const productId: number = product.data.id;
  const { body: list } = await shop.api(`GET /catalog/products/${productId}/skus`);
  const [p = 0, m = 0, g = 0] = list.data.map(({ id }: { id: number }) => id) as number[];
  return { ...shop, productId, p, m, g };
}

describe('POST /{alias}/catalog/bundles', () => {
  it('returns 200 with the bare kit, its defaults and its purchase_url', async () => {
    const { api, alias, p, m } = await createShop();
    const items = [
      { sku_id: m, quantity: 2 },
      { sku_id: p, quantity: 1, price_type: 'fixed', price: 9.9 },
    ];
    const { status, body } = await api('POST /catalog/bundles', kit(items));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Kit Verão',
      image_url: 'https://cdn.test/kit.png',
      active: true,
      modifiable: false,
      custom_shipping: false,
      shipping_type: 'default',
      shipping_price: null,
      shipping_days: null,
      purchase_url: `https://${alias}.shop.test/bundles/${body.id}`,
    });
    expect(body.items.data).toMatchObject([
      { bundle_id: body.id, sku_id: m, quantity: 2, price_type: 'sku', price: null, discount: 0 },
      { bundle_id: body.id, sku_id: p, quantity: 1, price_type: 'fixed', price: 9.9 },
    ]);
  });

  it.each<[why: string, body: object, errors: object]>([
    [
      'nothing is sent',
      {},
      { name: ['Required.'], image_url: ['Required.'], items: ['Required.'] },
    ],
    ['it has no items', kit([]), { items: ['Must be an array of 1 to 100 items.'] }],
    [
      'an item lacks its fields',
      kit([{}]),
      { 'items.0.sku_id': ['Required.'], 'items.0.quantity': ['Required.'] },
    ],
    [
      'a SKU comes twice',
      kit([
        { sku_id: 1, quantity: 1 },
        { sku_id: 1, quantity: 2 },
      ]),
      { 'items.1.sku_id': ['Must not contain duplicates.'] },
    ],
    [
      'a fixed price is missing',
      kit([{ sku_id: 1, quantity: 1, price_type: 'fixed' }]),
      { 'items.0.price': ['Required when price_type is fixed.'] },
    ],
  ])('returns 422 when %s', async (_why, body, errors) => {
    const { api } = await createTestStore();
    const response = await api('POST /catalog/bundles', body);
    expect([response.status, response.body.errors]).toEqual([422, errors]);
  });

  it('returns 422 for fixed shipping without a price', async () => {
    const { api, p } = await createShop();
    const sent = kit([{ sku_id: p, quantity: 1 }], { shipping_type: 'fixed' });
    const { status, body } = await api('POST /catalog/bundles', sent);
    expect([status, body.errors]).toEqual([
      422,
      { shipping_price: ['Required when shipping_type is fixed.'] },
    ]);
  });

  it('returns 404 with the field of each SKU that the store does not have', async () => {
    const [one, other] = [await createShop(), await createShop()];
    const sent = kit([
      { sku_id: one.p, quantity: 1 },
      { sku_id: other.p, quantity: 1 },
    ]);
    const { status, body } = await one.api('POST /catalog/bundles', sent);
    expect([status, body]).toEqual([
      404,
      refusal(404, 'unknown_reference', {
        'items.1.sku_id': ['No such SKU in this store.'],
      }),
    ]);
    expect((await one.api('GET /catalog/bundles')).body.data).toEqual([]);
  });

  it('costs one reading and one writing round trip', async () => {
    const shop = await createShop();
    const sent = kit([shop.p, shop.m, shop.g].map((sku_id) => ({ sku_id, quantity: 1 })));
    expect((await measureRequest(shop, 'POST /catalog/bundles', sent)).data.roundTrips).toBe(2);
  });

  it('reads only the SKUs of its items, whatever the number of SKUs in the store', async () => {
    const shop = await createShop();
    const sent = kit([{ sku_id: shop.p, quantity: 1 }]);
    const { data: few } = await measureRequest(shop, 'POST /catalog/bundles', sent);
    const { body: brand } = await shop.api('POST /catalog/brands', { name: 'b', active: true });
    await shop.api('POST /catalog/products', {
      name: 'Muitas',
      simple: false,
      active: true,
      brand_id: brand.data.id,
      skus: Array.from({ length: 50 }, (_, n) => ({ sku: `S-${n}`, price_sale: 1 })),
    });
    const { data: many } = await measureRequest(shop, 'POST /catalog/bundles', sent);
    expect(many.rowsRead - few.rowsRead).toBeLessThanOrEqual(2);
  });
});

describe('GET /{alias}/catalog/bundles', () => {
  it('returns 200 with an empty page', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api('GET /catalog/bundles');
    expect([status, body.data]).toEqual([200, []]);
  });

  it.each([
    ['search=verao', ['Kit Verão']],
    ['search=active:0', ['Abrigo']],
    ['orderBy=name', ['Abrigo', 'Kit Verão']],
    ['orderBy=active&sortedBy=desc', ['Kit Verão', 'Abrigo']],
  ])('returns 200 with the matching kits for ?%s', async (query, names) => {
    const { api, p } = await createShop();
    const items = [{ sku_id: p, quantity: 1 }];
    await api('POST /catalog/bundles', kit(items));
    await api('POST /catalog/bundles', kit(items, { name: 'Abrigo', active: false }));
    const { body } = await api(`GET /catalog/bundles?${query}`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('returns 400 for an unknown column', async () => {
    const { api } = await createTestStore();
    expect((await api('GET /catalog/bundles?orderBy=items')).status).toBe(400);
  });

  it('reads a page with all items in one round trip and two statements, whatever its size', async () => {
    const shop = await createShop();
    const items = [shop.p, shop.m].map((sku_id) => ({ sku_id, quantity: 1 }));
    for (let n = 0; n < 6; n += 1) await shop.api('POST /catalog/bundles', kit(items));
    for (const limit of [1, 6]) {
      const { response, data } = await measureRequest(shop, `GET /catalog/bundles?limit=${limit}`);
      expect(response.body.data).toHaveLength(limit);
      expect(response.body.data.at(-1).items.data).toHaveLength(2);
      expect([data.roundTrips, data.statements]).toEqual([1, 2]);
    }
  });
});

describe('GET, PUT and DELETE /{alias}/catalog/bundles/{id}', () => {
  it('GET returns 200 with the bare kit', async () => {
    const { api, p } = await createShop();
    const { body: made } = await api('POST /catalog/bundles', kit([{ sku_id: p, quantity: 1 }]));
    const { status, body } = await api(`GET /catalog/bundles/${made.id}`);
    expect([status, body]).toEqual([200, made]);
  });

  it('PUT returns 200 and replaces the items; an item that stays keeps its id and created_at', async () => {
    const { api, p, m, g } = await createShop();
    const items = [
      { sku_id: p, quantity: 1, price_type: 'discount', discount: 12.5 },
      { sku_id: m, quantity: 1 },
    ];
    const more = { modifiable: true, shipping_days: 4 };
    const { body: made } = await api('POST /catalog/bundles', kit(items, more));
    const changed = [
      { sku_id: g, quantity: 3 },
      { sku_id: m, quantity: 5 },
    ];
    const { body } = await api(`PUT /catalog/bundles/${made.id}`, kit(changed, { name: 'b' }));
    expect(body).toMatchObject({ name: 'b', modifiable: true, shipping_days: 4 });
    const [, before] = made.items.data;
    expect(body.items.data).toEqual([
      { ...before, quantity: 5, updated_at: expect.anything() },
      expect.objectContaining({ sku_id: g, quantity: 3 }),
    ]);
  });

  it('PUT returns 200 and writes nothing when nothing changes; a changed item moves updated_at', async () => {
    const shop = await createShop();
    const items = [{ sku_id: shop.p, quantity: 1, price_type: 'discount', discount: 12.5 }];
    const { body: first } = await shop.api('POST /catalog/bundles', kit(items));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const path = `PUT /catalog/bundles/${first.id}`;
    const same = await measureRequest(shop, path, kit(items));
    expect(same.response.body).toEqual(first);
    // SQLite writes the sequence of item ids back, used or not.
    expect([same.data.roundTrips, same.data.rowsWritten]).toEqual([2, 1]);
    const { body } = await shop.api(path, kit([{ ...items[0], discount: 10 }]));
    expect(body.updated_at).not.toEqual(first.updated_at);
    expect(body.items.data[0]).toMatchObject({ id: first.items.data[0].id, discount: 10 });
  });

  it('PUT returns 422 for shipping without its price and 404 for an unknown SKU, and changes nothing', async () => {
    const { api, p, m } = await createShop();
    const items = [{ sku_id: p, quantity: 1 }];
    const fixed = { shipping_type: 'fixed', shipping_price: 7.5 };
    const { body: made } = await api('POST /catalog/bundles', kit(items, fixed));
    const path = `PUT /catalog/bundles/${made.id}`;
    const unpriced = await api(path, kit([{ sku_id: m, quantity: 1 }], { shipping_price: null }));
    expect([unpriced.status, Object.keys(unpriced.body.errors)]).toEqual([422, ['shipping_price']]);
    const unknown = await api(path, kit([{ sku_id: 999_999_999, quantity: 1 }], { name: 'b' }));
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([404, ['items.0.sku_id']]);
    expect((await api(path, {})).status).toBe(422);
    expect((await api(`GET /catalog/bundles/${made.id}`)).body).toEqual(made);
  });

  it('returns 404 for a kit of another store, for every method', async () => {
    const [one, other] = [await createShop(), await createShop()];
    const sent = kit([{ sku_id: one.p, quantity: 1 }]);
    const { body: made } = await one.api('POST /catalog/bundles', sent);
    const path = `/catalog/bundles/${made.id}`;
    expect((await other.api(`GET ${path}`)).status).toBe(404);
    const own = kit([{ sku_id: other.p, quantity: 1 }]);
    expect((await other.api(`PUT ${path}`, own)).status).toBe(404);
    expect((await other.api(`DELETE ${path}`)).status).toBe(404);
    expect((await one.api(`GET ${path}`)).body).toEqual(made);
  });

  it('DELETE returns 200 with an empty object, then 404; SKUs stay', async () => {
    const { api, p } = await createShop();
    const { body: made } = await api('POST /catalog/bundles', kit([{ sku_id: p, quantity: 1 }]));
    const path = `DELETE /catalog/bundles/${made.id}`;
    expect((await api(path)).body).toEqual({});
    expect((await api(path)).status).toBe(404);
    expect((await api(`GET /catalog/skus/${p}`)).status).toBe(200);
  });

  it('loses an item when its SKU is deleted, and becomes inactive without items', async () => {
    const { api, p, m, productId } = await createShop();
    const both = [p, m].map((sku_id) => ({ sku_id, quantity: 1 }));
    const { body: pair } = await api('POST /catalog/bundles', kit(both));
    const { body: lone } = await api('POST /catalog/bundles', kit([both[0]!]));
    await api(`DELETE /catalog/skus/${p}`);
    const read = async (id: number) => {
      const { body } = await api(`GET /catalog/bundles/${id}`);
      return [body.active, body.items.data.map(({ sku_id }: { sku_id: number }) => sku_id)];
    };
    expect(await read(pair.id)).toEqual([true, [m]]);
    expect(await read(lone.id)).toEqual([false, []]);
    await api(`DELETE /catalog/products/${productId}`);
    expect(await read(pair.id)).toEqual([false, []]);
  });

  it('keeps its items when another store tries to delete their SKUs', async () => {
    const [one, other] = [await createShop(), await createShop()];
    const sent = kit([{ sku_id: one.p, quantity: 1 }]);
    const { body: made } = await one.api('POST /catalog/bundles', sent);
    expect((await other.api(`DELETE /catalog/skus/${one.p}`)).status).toBe(404);
    expect((await other.api(`DELETE /catalog/products/${one.productId}`)).status).toBe(404);
    expect((await one.api(`GET /catalog/bundles/${made.id}`)).body).toEqual(made);
  });
});
