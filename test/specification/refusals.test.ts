import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sections } from '../../src/operations.ts';
import { call } from '../support/api.ts';
import { place } from '../support/people.ts';
import { store } from '../support/store.ts';

const operations = sections.flatMap((section) => section.operations);

const pathOf = (path: string, alias: string, id = '1') =>
  `/v2${path.replace('{alias}', alias).replaceAll(/\{\w+\}/g, id)}`;

/** Enough for the media type check; refusals come before the body is looked at. */
const bodyOf = (row: (typeof operations)[number]) => (row.body ? { body: {} } : {});

const unauthenticated = { message: 'Unauthenticated.', status_code: 401 };
const forbidden = { message: '403 Forbidden', status_code: 403 };

describe.each(operations.map((row) => [row.route, row] as const))('%s', (_route, row) => {
  it.each<[why: string, headers: (own: Record<string, string>) => Record<string, string>]>([
    ['without credentials', () => ({})],
    ['with half a pair', (own) => ({ 'User-Token': own['User-Token']! })],
    ['with the other half', (own) => ({ 'User-Secret-Key': own['User-Secret-Key']! })],
    ['with an empty secret', (own) => ({ ...own, 'User-Secret-Key': '' })],
    ['with a wrong secret', (own) => ({ ...own, 'User-Secret-Key': 'sk-wrong' })],
    ['with an unknown token', (own) => ({ ...own, 'User-Token': 'nobody' })],
    ['with a token that nobody issued', () => ({ Authorization: 'Bearer made-up' })],
    ['with both kinds of credentials', (own) => ({ ...own, Authorization: 'Bearer made-up' })],
  ])('401 %s', async (_why, headers) => {
    const { alias, headers: own } = await store();
    const answer = await call(row.verb, pathOf(row.path, alias), {
      headers: headers(own),
      ...bodyOf(row),
    });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(unauthenticated);
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  // Bearer tokens come with the authorization server; until then each of them is refused (above).
  it.todo('401 for a token without X-Partner-Client-ID');
  it.todo('403 for a token without the scope, naming it');
  it.todo('403 for a token of another store');

  if (row.isOfStore) {
    it.each<[why: string, alias: () => Promise<string> | string]>([
      ['for the store of somebody else', async () => (await store()).alias],
      ['for a store that does not exist', () => 'no-such-store'],
    ])('403 %s', async (_why, alias) => {
      const { headers } = await store();
      const answer = await call(row.verb, pathOf(row.path, await alias()), {
        headers,
        ...bodyOf(row),
      });
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual(forbidden);
    });

    it('403 for an inactive store', async () => {
      const { alias, headers } = await store({ active: false });
      const answer = await call(row.verb, pathOf(row.path, alias), { headers, ...bodyOf(row) });
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual(forbidden);
    });
  }

  if (row.idNames.length > 0) {
    it.each(['0', '-1', '1.0', '007', 'abc', '9007199254740992', '1e3', '%20'])(
      `${row.rejects.includes(400) ? 400 : 404} for the id %s`,
      async (id) => {
        const { alias, headers } = await store();
        const path = pathOf(row.path, alias, id);
        const answer = await call(row.verb, path, { headers, ...bodyOf(row) });
        expect(answer.status).toBe(row.rejects.includes(400) ? 400 : 404);
      },
    );

    it('404 for a record that this store does not have', async () => {
      const { alias, headers } = await store({ test: true });
      // The largest id: nobody gets that far.
      const answer = await call(row.verb, pathOf(row.path, alias, '9007199254740991'), {
        headers,
        ...(row.body ? { body: await validBody(row.id) } : {}),
      });
      expect(answer.status).toBe(404);
    });
  }

  if (row.query) {
    it('400 for a limit that is none', async () => {
      const { alias, headers } = await store();
      const answer = await call(row.verb, `${pathOf(row.path, alias)}?limit=0`, { headers });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual({ limit: ['Must be a whole number from 1.'] });
    });

    it('400 for an unknown parameter only when the caller is strict', async () => {
      const { alias, headers } = await store();
      const strict = { ...headers, Prefer: 'handling=strict' };
      const path = `${pathOf(row.path, alias)}?colour=red`;
      expect((await call(row.verb, path, { headers: strict })).body.errors).toEqual({
        colour: ['Unknown parameter.'],
      });
      const body = row.body && row.verb !== 'GET' ? { body: await validBody(row.id) } : {};
      const lenient = await call(row.verb, path, { headers, ...body });
      expect(lenient.status).not.toBe(400);
      expect(lenient.headers.get('X-Warning')).toContain('colour');
    });
  }

  if (row.body) {
    it('415 for a body that is not JSON', async () => {
      const { alias, headers } = await store();
      const answer = await call(row.verb, pathOf(row.path, alias), {
        headers: { ...headers, 'Content-Type': 'text/plain' },
        raw: '{}',
      });
      expect(answer.status).toBe(415);
      expect(answer.headers.get('Accept')).toBe('application/json');
    });

    it.each(['{', '[1,', 'nul'])('400 for malformed JSON: %s', async (raw) => {
      const { alias, headers } = await store();
      const answer = await call(row.verb, pathOf(row.path, alias), { headers, raw });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual({ body: ['Must be valid JSON.'] });
    });

    it('413 for more than a mebibyte', async () => {
      const { alias, headers } = await store();
      const raw = JSON.stringify({ name: 'x'.repeat(1_048_576) });
      const answer = await call(row.verb, pathOf(row.path, alias), { headers, raw });
      expect(answer.status).toBe(413);
    });

    it.each([[[]], ['text'], [null], [7]])('refuses a root that is no object: %j', async (body) => {
      const { alias, headers } = await store();
      const answer = await call(row.verb, pathOf(row.path, alias), { headers, body });
      expect([400, 422]).toContain(answer.status);
      expect(answer.body.errors).toEqual({ body: ['Must be an object.'] });
    });
  }
});

describe('paths', () => {
  it('404 for an unknown path, whoever asks', async () => {
    const { status, body } = await call('GET', '/v2/demo/catalog/nothing');
    expect([status, body]).toEqual([404, { message: '404 Not Found', status_code: 404 }]);
  });

  it('answers HEAD like GET, without a body', async () => {
    const { alias, headers } = await store();
    const url = `https://api.test/v2/${alias}/catalog/brands`;
    const answer = await exports.default.fetch(url, { method: 'HEAD', headers });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    const refused = await exports.default.fetch(url, { method: 'HEAD' });
    expect(refused.status).toBe(401);
  });

  it('404 for a trailing slash', async () => {
    expect((await call('GET', '/v2/demo/catalog/brands/')).status).toBe(404);
  });

  it.each([
    ['PATCH', '/v2/demo/catalog/brands', 'GET, POST'],
    ['GET', '/v2/auth/me', 'POST'],
    ['POST', '/v2/demo/catalog/brands/1', 'GET, PUT, DELETE'],
    ['PUT', '/v2/demo/webhooks/events', 'GET'],
  ])('405 for %s %s, without a look at the credentials', async (method, path, allow) => {
    const answer = await call(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe(allow);
  });
});

/** A body that passes its schema, so that the record of the path is what is missing. */
async function validBody(id: string): Promise<unknown> {
  const bodies: Record<string, unknown> = {
    updateBrand: { name: 'Some', active: true },
    updateBundle: {
      name: 'a',
      image_url: 'https://a.b/c',
      items: [{ sku_id: 1, quantity: 1 }],
    },
    updateComment: { product_id: 1, approved: true, name: 'a', email: 'a@b.cd', message: 'x' },
    updateCustomization: { name: 'a', price: 1, type: 'text', required: true, max_chars: 0 },
    updateFilter: { name: 'a' },
    updateFlag: { name: 'Some', active: true },
    orderCart: { payment_id: 1, shipping_address_id: 1 },
    createProductSku: { sku: 'S-1', price_sale: 1 },
    updateSkuStock: { quantity: 1 },
    simulateTransaction: { outcome: 'pay' },
    createOrderTransaction: { payment_id: 1 },
    createOrderInvoice: {
      number: 1,
      series: 1,
      access_key: '3'.repeat(44),
      value: 1,
      issued_at: '2031-03-05 09:04:07',
    },
    createCustomerAddress: place,
    updateBanner: { name: 'Some', active: true, image_url: 'https://a.test/b' },
    updateCategory: { name: 'Some', active: true },
    addCategoryProducts: { product_ids: [1] },
    removeCategoryProducts: { product_ids: [1] },
    copyCategoryProducts: { categories_ids: [1] },
    updateCollection: { name: 'Some', active: true },
    addCollectionProducts: { products_ids: [1] },
    removeCollectionProducts: { products_ids: [1] },
    updateFeed: { name: 'Some', service: 'some', url: 'https://a.test/b' },
  };
  return bodies[id] ?? { name: 'Some' };
}
