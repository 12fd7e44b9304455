import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { createTestStore } from '../support/fixtures/store.ts';

const image = 'https://cdn.test/a.png';
const banner = (name: string, more: object = {}) => ({
  name,
  active: true,
  image_url: image,
  ...more,
});

async function createStoreWithProduct() {
  const shop = await createTestStore();
  const { body: brand } = await shop.api('POST /catalog/brands', { name: 'M', active: true });
  const sent = { name: 'Boné', simple: true, active: true, brand_id: brand.data.id };
  const { body } = await shop.api('POST /catalog/products', sent);
  return { ...shop, productId: body.data.id as number };
}

describe('POST /{alias}/catalog/banners', () => {
  it('returns 201 with the stored banner and its defaults', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api('POST /catalog/banners', banner('Promoção de Verão'));
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'Promoção de Verão',
      slug: 'promocao-de-verao',
      type: 'image',
      home: false,
      image_url: image,
      mobile_image_url: null,
      link: null,
      product_id: null,
      ml_category: null,
      stopwatch: null,
      expired: false,
      stopwatch_expires_in: null,
      start_at: null,
      end_at: null,
    });
  });

  it('returns 201 with a slug of its own, and 422 for a sent slug that is taken', async () => {
    const { api } = await createTestStore();
    const slugs = [];
    for (let n = 0; n < 3; n += 1) {
      slugs.push((await api('POST /catalog/banners', banner('Sol'))).body.data.slug);
    }
    expect(slugs).toEqual(['sol', 'sol-2', 'sol-3']);
    const taken = await api('POST /catalog/banners', banner('Lua', { slug: 'SOL' }));
    expect([taken.status, taken.body.errors]).toEqual([422, { slug: ['Already taken.'] }]);
    expect((await api('POST /catalog/banners', banner('日本'))).body.data.slug).toBe('banner');
  });

  it('returns 201 for each of many concurrent requests with the same name', async () => {
    const { api } = await createTestStore();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => api('POST /catalog/banners', banner('Sol'))),
    );
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(responses.map(({ body }) => body.data.slug)).size).toBe(5);
  });

  it('returns 201 with an expired period, and with a countdown to its end', async () => {
    const { api } = await createTestStore();
    const period = {
      start_at: '2021-03-01 00:00:00',
      end_at: '2021-03-05 9:04:07',
      stopwatch: 'period',
    };
    const { body } = await api('POST /catalog/banners', banner('a', period));
    expect(body.data.expired).toBe(true);
    expect(body.data.end_at.date).toBe('2021-03-05 9:04:07');
    expect(body.data.stopwatch_expires_in).toEqual(body.data.end_at);
    const daily = await api('POST /catalog/banners', banner('b', { stopwatch: 'daily' }));
    expect(daily.body.data.stopwatch_expires_in.date).toMatch(/ 0:00:00$/);
  });

  it.each<[why: string, body: object, errors: object]>([
    [
      'nothing is sent',
      {},
      { name: ['Required.'], active: ['Required.'], image_url: ['Required.'] },
    ],
    [
      'the type is not an identifier',
      banner('a', { type: 'Two words' }),
      { type: ['Must be a lower-case letter, then up to 49 letters, digits, _ or -.'] },
    ],
    [
      'the countdown has no end_at',
      banner('a', { stopwatch: 'period' }),
      { end_at: [expect.any(String)] },
    ],
    [
      'the end is before the start',
      banner('a', { start_at: '2031-01-02 00:00:00', end_at: '2031-01-01 00:00:00' }),
      { end_at: ['Must be after start_at.'] },
    ],
    [
      'the product does not exist',
      banner('a', { product_id: 999_999_999 }),
      { product_id: ['No such product in this store.'] },
    ],
  ])('returns 422 when %s', async (_why, body, errors) => {
    const { api } = await createTestStore();
    const response = await api('POST /catalog/banners', body);
    expect([response.status, response.body.errors]).toEqual([422, errors]);
  });

  it('returns 422 for a product of another store', async () => {
    const [one, other] = [await createStoreWithProduct(), await createTestStore()];
    const sent = banner('a', { product_id: one.productId });
    expect((await other.api('POST /catalog/banners', sent)).status).toBe(422);
  });
});

describe('GET /{alias}/catalog/banners', () => {
  it.each([
    ['orderBy=name&sortedBy=desc', ['Élan', 'Água']],
    ['search=agua', ['Água']],
    ['search=home:1', ['Élan']],
    ['search=type:video', ['Élan']],
    ['date=end_at:2031-03-05', ['Água']],
  ])('returns 200 with the matching banners for ?%s', async (query, names) => {
    const { api } = await createTestStore();
    await api('POST /catalog/banners', banner('Água', { end_at: '2031-03-05 23:59:59' }));
    await api('POST /catalog/banners', banner('Élan', { home: 1, type: 'video' }));
    const { body } = await api(`GET /catalog/banners?${query}`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(body.meta.pagination.total).toBe(names.length);
  });

  it('returns 400 for an unknown sort key', async () => {
    const { api } = await createTestStore();
    expect((await api('GET /catalog/banners?orderBy=colour')).status).toBe(400);
  });

  it('reads a page with its products in one round trip and two statements, whatever its size', async () => {
    const shop = await createStoreWithProduct();
    for (let n = 0; n < 6; n += 1) {
      await shop.api('POST /catalog/banners', banner('a', { product_id: shop.productId }));
    }
    for (const limit of [1, 6]) {
      const path = `GET /catalog/banners?include=product&limit=${limit}`;
      const { response, data } = await measureRequest(shop, path);
      expect(response.body.data).toHaveLength(limit);
      expect(response.body.data[0].product.data).toMatchObject({ name: 'Boné' });
      expect([data.roundTrips, data.statements]).toEqual([1, 2]);
    }
  });
});

describe('GET, PUT and DELETE /{alias}/catalog/banners/{id}', () => {
  it('GET returns 200 with the bare banner; PUT returns 200 and keeps fields that are not sent', async () => {
    const shop = await createStoreWithProduct();
    const sent = banner('a', { link: 'https://a.b/c', product_id: shop.productId });
    const { body: first } = await shop.api('POST /catalog/banners', sent);
    const path = `/catalog/banners/${first.data.id}`;
    expect((await shop.api(`GET ${path}`)).body).toEqual(first.data);
    const { body } = await shop.api(`PUT ${path}`, { ...banner('b'), product_id: null });
    expect(body.data).toMatchObject({ name: 'b', slug: 'a', link: 'https://a.b/c' });
    const { body: read } = await shop.api(`GET ${path}?include=product`);
    expect([read.product_id, read.product]).toEqual([null, { data: null }]);
  });

  it('PUT returns 200 and writes nothing when nothing changes', async () => {
    const shop = await createTestStore();
    const { body } = await shop.api('POST /catalog/banners', banner('a'));
    const same = await measureRequest(shop, `PUT /catalog/banners/${body.data.id}`, banner('a'));
    expect(same.response.body.data).toEqual(body.data);
    expect([same.data.roundTrips, same.data.rowsWritten]).toEqual([1, 0]);
  });

  it('PUT returns 422 for a period that is invalid together with the stored values', async () => {
    const { api } = await createTestStore();
    const first = banner('a', { start_at: '2031-01-02 00:00:00' });
    const { body } = await api('POST /catalog/banners', first);
    const path = `PUT /catalog/banners/${body.data.id}`;
    const response = await api(path, banner('a', { end_at: '2031-01-01 00:00:00' }));
    expect([response.status, Object.keys(response.body.errors)]).toEqual([422, ['end_at']]);
    const unknown = await api(path, banner('a', { product_id: 999_999_999 }));
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['product_id']]);
  });

  it('returns 404 for a banner of another store, for every method', async () => {
    const [one, other] = [await createTestStore(), await createTestStore()];
    const { body } = await one.api('POST /catalog/banners', banner('a'));
    const path = `/catalog/banners/${body.data.id}`;
    expect((await other.api(`GET ${path}`)).status).toBe(404);
    expect((await other.api(`PUT ${path}`, banner('b'))).status).toBe(404);
    expect((await other.api(`DELETE ${path}`)).status).toBe(404);
    expect((await one.api(`GET ${path}`)).body).toEqual(body.data);
  });

  it('keeps a banner when its product is deleted; DELETE returns 200, then 404', async () => {
    const shop = await createStoreWithProduct();
    const sent = banner('a', { product_id: shop.productId });
    const { body } = await shop.api('POST /catalog/banners', sent);
    await shop.api(`DELETE /catalog/products/${shop.productId}`);
    const path = `/catalog/banners/${body.data.id}`;
    expect((await shop.api(`GET ${path}`)).body.product_id).toBeNull();
    expect((await shop.api(`DELETE ${path}`)).body).toEqual({});
    expect((await shop.api(`DELETE ${path}`)).status).toBe(404);
    expect((await shop.api('GET /catalog/banners')).body.meta.pagination.total).toBe(0);
  });
});
