import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { callApi } from '../support/api/client.ts';
import { createTestUser } from '../support/fixtures/members.ts';
import { createTestOperator } from '../support/fixtures/operator.ts';
import { sampleAddress } from '../support/fixtures/sample-data.ts';
import {
  createSellingStore,
  orderBody,
  type SellingStore,
} from '../support/fixtures/selling-store.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { createTestApp } from '../support/oauth/partner.ts';

let shop: SellingStore;
const numbers: Record<string, number> = {};

beforeAll(async () => {
  shop = await createSellingStore({ skus: 1, quantity: 100 });
  for (const status of ['paid', 'waiting_payment', 'refused']) {
    const body = orderBody(shop, { status: status === 'paid' ? 'paid' : 'waiting_payment' });
    const order = (await shop.api('POST /orders', body)).body.data;
    numbers[status] = order.number;
    if (status === 'refused') await shop.api(`PUT /orders/${order.id}`, { status });
  }
  const code = { track_code: 'AB+12' };
  await shop.api(`PUT /orders/${(await ordersOf('limit=1')).at(0)}`, code);
});

const statusOfNumber = (number: unknown) =>
  Object.entries(numbers).find(([, one]) => one === number)?.[0];

const ordersOf = async (query: string): Promise<number[]> =>
  (await shop.api(`GET /orders?${query}`)).body.data.map(({ id }: { id: number }) => id);

const statusesOf = async (query: string) => {
  const { status, body, headers } = await shop.api(`GET /orders?${query}`);
  expect([status, headers.get('X-Warning')]).toEqual([200, null]);
  return body.data.map(({ number }: { number: number }) => statusOfNumber(number));
};

describe('a list of values', () => {
  it.each([
    'status=paid,refused',
    'status[]=paid&status[]=refused',
    'status[0]=paid&status[1]=refused',
    'status%5B0%5D=paid&status%5B1%5D=refused',
    'status[3]=paid&status[17]=refused',
    'status=paid&status=refused',
    'status=paid&status[]=refused',
    'status[]=paid&status[5]=refused&status=',
    'status[0]=paid&status[1]=refused&status_id[0]=',
  ])('%s chooses what each of them chooses', async (query) => {
    expect(await statusesOf(query)).toEqual(['paid', 'refused']);
  });

  it.each([
    ['search[status]=refused', ['refused']],
    ['search[0]=status:refused', ['refused']],
    ['search[]=status:refused&search[]=status:paid&searchJoin=or', ['paid', 'refused']],
    ['search[status]=refused,paid&searchFields[status]=in', ['paid', 'refused']],
    ['orderBy[0]=number&sortedBy=desc', ['refused', 'waiting_payment', 'paid']],
    ['date[created_at]=2031-03-05', []],
    ['id[0]=1', []],
  ])('%s means the same as in one text', async (query, statuses) => {
    expect(await statusesOf(query)).toEqual(statuses);
  });

  it('includes relations in brackets, if the caller may see them', async () => {
    const { body } = await shop.api('GET /orders?include[]=items&include[1]=customer&limit=1');
    expect(body.data[0]).toMatchObject({ items: expect.anything(), customer: expect.anything() });
  });

  it.each([
    ['status[a]=paid', 'status[a]'],
    ['status[not]=paid', 'status[not]'],
    ['status[0][a]=paid', 'status[0][a]'],
    ['status.0=paid', 'status.0'],
    ['status%255B0%255D=paid', 'status%5B0%5D'],
    ['search[value]=paid', 'search[value]'],
    ['search[status][eq]=paid', 'search[status][eq]'],
    ['date[gte]=2031-03-05', 'date[gte]'],
    ['limit[]=5', 'limit[]'],
    ['page[number]=2', 'page[number]'],
    ['filter[status]=paid', 'filter[status]'],
    ['customer_id[0]=1', 'customer_id[0]'],
  ])('%s is 400, not ignored', async (query, name) => {
    const { status, body } = await shop.api(`GET /orders?${query}`);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'invalid_query', [name]]);
  });

  it('of names of events, too', async () => {
    const { status, headers } = await shop.api(
      'GET /events?event[0]=order.paid&event=order.created',
    );
    expect([status, headers.get('X-Warning')]).toEqual([200, null]);
  });
});

describe('what is no UTF-8', () => {
  const malformed = ['caf%E9', '%E0%A4%A', '%', '100%', '%zz', '%C0%80', '%ED%A0%80', '%00'];
  it.each([
    ['/orders', 'q'],
    ['/orders', 'unknown'],
    ['/orders', 'status[0]'],
    ['/catalog/brands/1', 'include'],
    ['/catalog/products', 'name'],
    ['/reports/orders', 'q'],
    ['/audit', 'actor_id'],
    ['/checkout/statuses', '__proto__'],
  ])('in a parameter of %s is 400 with its name (%s)', async (path, name) => {
    for (const value of malformed) {
      const { status, body } = await shop.api(`GET ${path}?${name}=${value}&limit=1`);
      expect([value, status, body.code, Object.keys(body.errors)]).toEqual([
        value,
        400,
        'invalid_query',
        [name],
      ]);
      expect(body.errors[name][0]).toMatch(/^Must be UTF-8 in percent-encoding, such as caf%C3%A9/);
    }
  });

  it('in a name is 400 with the name as it was sent', async () => {
    const { status, body } = await shop.api('GET /orders?caf%E9=1&%=2');
    expect([status, Object.keys(body.errors)]).toEqual([400, ['caf%E9', '%']]);
  });

  it('in a change is 400 before anything is changed', async () => {
    const { status } = await shop.api('POST /catalog/brands?x=%E9', { name: 'Sol', active: true });
    expect(status).toBe(400);
    expect((await shop.api('GET /catalog/brands?name=Sol')).body.data).toEqual([]);
  });

  it.each([
    ['/v2/%E9/orders', 403],
    ['/v2/%00/orders', 403],
    ['/v2/{alias}/catalog/brands/%E9', 400],
    ['/v2/{alias}/catalog/brands/%00', 400],
    ['/v2/{alias}/catalog/brands/%', 400],
    ['/v2/{alias}/catalog/%E9', 404],
    ['/v2/{alias}/events/%E0%A4%A/replays', 405],
  ])('in the path %s is %i', async (path, status) => {
    const url = path.replace('{alias}', shop.alias);
    expect((await callApi('GET', url, { headers: shop.headers })).status).toBe(status);
  });

  it('comes after the credentials', async () => {
    expect((await callApi('GET', `/v2/${shop.alias}/orders?q=%E9`)).status).toBe(401);
  });
});

describe('a search', () => {
  const names = ['Kit: azul; grande', 'Kit azul', 'see http://x.example/a', 'at 10:30', 'C++ cup'];
  beforeAll(async () => {
    const brand_id = (await shop.api('GET /catalog/brands')).body.data[0].id;
    for (const name of names) {
      await shop.api('POST /catalog/products', { name, simple: true, active: true, brand_id });
    }
  });
  const search = async (query: string, headers = {}) => {
    const {
      status,
      body,
      headers: sent,
    } = await shop.api(`GET /catalog/products?${query}`, undefined, headers);
    const found =
      status === 200 ? body.data.map(({ name }: { name: string }) => name) : body.errors;
    return [found, sent.get('X-Warning')];
  };
  const asText = (name: string) => `Unknown search field taken as text: ${name}`;

  it.each([
    ['search=Kit: azul; grande', ['Kit: azul; grande'], 'Kit'],
    ['search=name:Kit: azul', ['Kit: azul; grande'], ''],
    [String.raw`search=azul\; grande`, ['Kit: azul; grande'], ''],
    [String.raw`search=name:azul\; gr`, ['Kit: azul; grande'], ''],
    ['search[name]=azul; gr', ['Kit: azul; grande'], ''],
    ['search=azul; kit', ['Kit: azul; grande', 'Kit azul'], ''],
    ['search=azul;', ['Kit: azul; grande', 'Kit azul'], ''],
    ['search=http://x.example', ['see http://x.example/a'], ''],
    ['search=10:30', ['at 10:30'], ''],
    [String.raw`search=C%2B%2B`, ['C++ cup'], ''],
    ['search=nme:azul', [], 'nme'],
    ['search=nme: azul', [], 'nme'],
    ['search=constructor:azul', [], 'constructor'],
  ])('%s finds %j', async (query, found, word) => {
    const url = query.replaceAll(' ', '%20').replaceAll(';', '%3B').replaceAll('\\', '%5C');
    expect(await search(url)).toEqual([found, word === '' ? null : asText(word)]);
  });

  it('refuses a field of the record that it does not search', async () => {
    const [errors] = await search('search=description:azul');
    expect(errors).toEqual({
      search: [
        String.raw`Must name a field that this list searches, or be a text in which "\:" stands for a colon.`,
      ],
    });
    expect(await search(String.raw`search=description%5C:azul`)).toEqual([[], null]);
  });

  it('is strict about what looks like a field, but not about a text', async () => {
    const strict = { Prefer: 'handling=strict' };
    expect((await search('search=nme:azul', strict))[0]).toHaveProperty('search');
    expect((await search('search=Kit:%20azul', strict))[0]).toEqual(['Kit: azul; grande']);
  });
});

describe('an address or a number, whose plus sign was not encoded', () => {
  const customer = {
    email: 'ana+loja@x.example',
    first_name: 'Ana',
    last_name: 'Loja',
    type: 'f',
    phone: '+55 11 98765-4321',
    cpf: '111.444.777-35',
  };
  beforeAll(async () => {
    const made = await shop.api('POST /customers', customer);
    const { shipping_address_id: _, ...order } = orderBody(shop, {
      customer_id: made.body.data.id,
      shipping_address: sampleAddress,
    });
    await shop.api('POST /orders', order);
    const tracking_data = { name: 'Ana', email: customer.email };
    const items = [{ sku_id: shop.skuIds[0], quantity: 1 }];
    await shop.api('POST /checkout/carts', { tracking_data, items });
    const product_id = (await shop.api('GET /catalog/products?limit=1')).body.data[0].id;
    const comment = { product_id, name: 'Ana', email: customer.email, message: 'Good' };
    await shop.api('POST /catalog/comments', { ...comment, approved: true });
  });

  it.each([
    '/customers?q=ana+loja@x.example',
    '/customers?q=ana%20loja@x',
    '/customers?q=+loja@x.example',
    '/customers?q=ana%2Bloja@x.example',
    '/customers?q=%20ana+loja@x.example%20',
    '/customers?email=ana+loja@x.example',
    '/customers?search=email:ana+loja@x.example',
    '/customers?search=ana+loja@x.example',
    '/customers?search=email:ana+loja@x.example&searchFields=email:=',
    '/customers?search=email:b@x.example,ana+loja@x.example&searchFields=email:in',
    '/customers?search[email]=ana+loja',
    '/customers?q=Ana+Loja',
    '/customers?phone=+55 11 98765-4321',
    '/customers?phone=+5511987654321',
    '/customers?phone=5511987654321',
    '/customers?search=phone:55 11 98765-4321',
    '/customers?search=phone:5511987654320,5511987654321&searchFields=phone:in',
    '/customers?search=phone:+55+11+98765-4321',
    '/customers?search=cpf:111.444.777-35',
    '/customers?cpf=111 444 777 35',
    '/checkout/carts?email=ana+loja@x.example',
    '/checkout/carts?search=email:ana+loja@x.example',
    '/catalog/comments?search=ana+loja@x.example',
    '/reports/orders?q=ana+loja@x.example',
    '/orders?q=AB+12',
    '/orders?track_code=ab+1',
  ])('%s finds it', async (path) => {
    const { status, body } = await shop.api(`GET ${path.replaceAll(/ (?=\S)/g, '+')}`);
    expect([status, body.data?.length]).toEqual([200, 1]);
  });

  it.each([
    '/customers?q=ana loja@y.example',
    '/customers?phone=5511987654320',
    '/customers?email=anna loja@x.example',
  ])('%s finds nothing', async (path) => {
    expect((await shop.api(`GET ${path.replaceAll(' ', '+')}`)).body.data).toEqual([]);
  });

  it('finds the address of a customer by its postal code and state as they are written', async () => {
    for (const query of [
      'zipcode=01310-100',
      'search=zipcode:01310-100',
      'state=sp',
      'country=br',
    ]) {
      const { body } = await shop.api(`GET /customers/${shop.customerId}/addresses?${query}`);
      expect([query, body.data.length]).toEqual([query, 1]);
    }
  });

  it('takes the offset of a time', async () => {
    const { status } = await shop.api('GET /audit?from=2031-03-05T09:04:07+03:00');
    expect(status).toBe(200);
  });

  it('finds a phone number that is stored without its plus sign', async () => {
    const own = {
      ...customer,
      email: 'bia@x.example',
      cpf: '529.982.247-25',
      phone: '11 98765-4321',
    };
    expect((await shop.api('POST /customers', own)).status).toBe(201);
    for (const query of [
      'phone=11987654321',
      'phone=%2B11987654321',
      'search=phone:+11987654321',
    ]) {
      expect((await shop.api(`GET /customers?${query}`)).body.data).toHaveLength(1);
    }
  });

  it('finds users, stores and apps by their names without accents and case for an operator', async () => {
    const { headers } = await createTestOperator();
    const mark = crypto.randomUUID().slice(0, 8);
    const name = `${mark} ÉDIPO Łódź`;
    const { userId } = await createTestUser({ name });
    const store = await createTestStore();
    const app = await createTestApp();
    for (const [table, id] of [
      ['stores', store.id],
      ['apps', app.id],
    ] as const) {
      await env.DIRECTORY.prepare(`update ${table} set name = ? where id = ?`).bind(name, id).run();
    }
    for (const [path, id] of [
      ['users', userId],
      ['stores', store.id],
      ['apps', app.id],
    ]) {
      for (const search of [
        `${mark} édipo`,
        `${mark} edipo lodz`,
        `${mark.toUpperCase()} ÉDIPO ł`,
      ]) {
        const { body } = await callApi(
          'GET',
          `/v2/operator/${path}?search=${encodeURIComponent(search)}`,
          { headers },
        );
        expect([path, search, body.data.map((row: { id: number }) => row.id)]).toEqual([
          path,
          search,
          [id],
        ]);
      }
      const none = await callApi('GET', `/v2/operator/${path}?search=${mark}+${mark}`, { headers });
      expect(none.body.data).toEqual([]);
    }
  });

  it('finds a user for an operator', async () => {
    const { headers } = await createTestOperator();
    const mark = crypto.randomUUID().slice(0, 8);
    await createTestUser({ email: `${mark}+tag@people.test` });
    for (const query of [`email=${mark}+tag@people.test`, `search=${mark}+tag`]) {
      const { body } = await callApi('GET', `/v2/operator/users?${query}`, { headers });
      expect([query, body.data.length]).toEqual([query, 1]);
    }
  });
});
