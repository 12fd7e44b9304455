import { describe, expect, it } from 'vitest';
import { measured } from '../support/counted.ts';
import { store } from '../support/store.ts';

const image = 'https://cdn.test/a.png';
const banner = (name: string, more: object = {}) => ({
  name,
  active: true,
  image_url: image,
  ...more,
});

async function withProduct() {
  const made = await store();
  const { body: brand } = await made.api('POST /catalog/brands', { name: 'M', active: true });
  const sent = { name: 'Boné', simple: true, active: true, brand_id: brand.data.id };
  const { body } = await made.api('POST /catalog/products', sent);
  return { ...made, productId: body.data.id as number };
}

describe('POST /{alias}/catalog/banners', () => {
  it('201 with the stored banner and its defaults', async () => {
    const { api } = await store();
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

  it('201 with a slug of its own, 422 for a sent one that is taken', async () => {
    const { api } = await store();
    const slugs = [];
    for (let n = 0; n < 3; n += 1) {
      slugs.push((await api('POST /catalog/banners', banner('Sol'))).body.data.slug);
    }
    expect(slugs).toEqual(['sol', 'sol-2', 'sol-3']);
    const taken = await api('POST /catalog/banners', banner('Lua', { slug: 'SOL' }));
    expect([taken.status, taken.body.errors]).toEqual([422, { slug: ['Already taken.'] }]);
    expect((await api('POST /catalog/banners', banner('日本'))).body.data.slug).toBe('banner');
  });

  it('201 for every one of many of one name at once', async () => {
    const { api } = await store();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api('POST /catalog/banners', banner('Sol'))),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.data.slug)).size).toBe(5);
  });

  it('201 with an expired period, and a countdown to its end', async () => {
    const { api } = await store();
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
      'the type is no word',
      banner('a', { type: 'Two words' }),
      { type: ['Must be a lower-case letter, then up to 49 letters, digits, _ or -.'] },
    ],
    [
      'the countdown has no end',
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
  ])('422 when %s', async (_why, body, errors) => {
    const { api } = await store();
    const answer = await api('POST /catalog/banners', body);
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
  });

  it('422 for a product of another store', async () => {
    const [one, other] = [await withProduct(), await store()];
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
  ])('200 for ?%s', async (query, names) => {
    const { api } = await store();
    await api('POST /catalog/banners', banner('Água', { end_at: '2031-03-05 23:59:59' }));
    await api('POST /catalog/banners', banner('Élan', { home: 1, type: 'video' }));
    const { body } = await api(`GET /catalog/banners?${query}`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(body.meta.pagination.total).toBe(names.length);
  });

  it('400 for an unknown sort key', async () => {
    const { api } = await store();
    expect((await api('GET /catalog/banners?orderBy=colour')).status).toBe(400);
  });

  it('reads a page with its products in one round trip and two statements, whatever its size', async () => {
    const made = await withProduct();
    for (let n = 0; n < 6; n += 1) {
      await made.api('POST /catalog/banners', banner('a', { product_id: made.productId }));
    }
    for (const limit of [1, 6]) {
      const path = `GET /catalog/banners?include=product&limit=${limit}`;
      const { answer, data } = await measured(made, path);
      expect(answer.body.data).toHaveLength(limit);
      expect(answer.body.data[0].product.data).toMatchObject({ name: 'Boné' });
      expect([data.trips, data.statements]).toEqual([1, 2]);
    }
  });
});

describe('/{alias}/catalog/banners/{id}', () => {
  it('GET 200 with the bare banner, PUT 200, what is not sent stays', async () => {
    const made = await withProduct();
    const sent = banner('a', { link: 'https://a.b/c', product_id: made.productId });
    const { body: first } = await made.api('POST /catalog/banners', sent);
    const path = `/catalog/banners/${first.data.id}`;
    expect((await made.api(`GET ${path}`)).body).toEqual(first.data);
    const { body } = await made.api(`PUT ${path}`, { ...banner('b'), product_id: null });
    expect(body.data).toMatchObject({ name: 'b', slug: 'a', link: 'https://a.b/c' });
    const { body: read } = await made.api(`GET ${path}?include=product`);
    expect([read.product_id, read.product]).toEqual([null, { data: null }]);
  });

  it('PUT 200 writes nothing when nothing changes', async () => {
    const made = await store();
    const { body } = await made.api('POST /catalog/banners', banner('a'));
    const same = await measured(made, `PUT /catalog/banners/${body.data.id}`, banner('a'));
    expect(same.answer.body.data).toEqual(body.data);
    expect([same.data.trips, same.data.rowsWritten]).toEqual([1, 0]);
  });

  it('PUT 422 for a period that fits neither what is sent nor what is stored', async () => {
    const { api } = await store();
    const first = banner('a', { start_at: '2031-01-02 00:00:00' });
    const { body } = await api('POST /catalog/banners', first);
    const path = `PUT /catalog/banners/${body.data.id}`;
    const answer = await api(path, banner('a', { end_at: '2031-01-01 00:00:00' }));
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['end_at']]);
    const unknown = await api(path, banner('a', { product_id: 999_999_999 }));
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['product_id']]);
  });

  it('404 for a banner of another store, whatever is asked', async () => {
    const [one, other] = [await store(), await store()];
    const { body } = await one.api('POST /catalog/banners', banner('a'));
    const path = `/catalog/banners/${body.data.id}`;
    expect((await other.api(`GET ${path}`)).status).toBe(404);
    expect((await other.api(`PUT ${path}`, banner('b'))).status).toBe(404);
    expect((await other.api(`DELETE ${path}`)).status).toBe(404);
    expect((await one.api(`GET ${path}`)).body).toEqual(body.data);
  });

  it('stays without a product when that is deleted; DELETE 200, then 404', async () => {
    const made = await withProduct();
    const sent = banner('a', { product_id: made.productId });
    const { body } = await made.api('POST /catalog/banners', sent);
    await made.api(`DELETE /catalog/products/${made.productId}`);
    const path = `/catalog/banners/${body.data.id}`;
    expect((await made.api(`GET ${path}`)).body.product_id).toBeNull();
    expect((await made.api(`DELETE ${path}`)).body).toEqual({});
    expect((await made.api(`DELETE ${path}`)).status).toBe(404);
    expect((await made.api('GET /catalog/banners')).body.meta.pagination.total).toBe(0);
  });
});
