import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callApi } from '../support/api/client.ts';
import { callWithBindings } from '../support/api/measure.ts';
import { createSellingStore, orderBody } from '../support/fixtures/selling-store.ts';
import {
  approveConsent,
  bearerHeaders,
  connectApp,
  createTestApp,
  partnerRedirectUri,
  postRevocation,
  postToken,
  redemptionForm,
} from '../support/oauth/partner.ts';

/** A store with a product, and an app with few scopes. */
async function createShop() {
  const shop = await createSellingStore();
  const app = await connectApp(shop, { scopes: ['catalog.read'] });
  return { ...shop, app };
}

type Shop = Awaited<ReturnType<typeof createShop>>;
type Answer = { status: number; headers: Headers; body: unknown };

/** Calls a path below the origin, with the API key of the shop if no other headers are given. */
const call =
  (request: string, body?: unknown, headers?: (shop: Shop) => Record<string, string>) =>
  (shop: Shop): Promise<Answer> => {
    const [method = '', path = ''] = request.replace('{alias}', shop.alias).split(' ');
    const sent = headers ? headers(shop) : shop.headers;
    return callApi(method, path, { headers: sent, body });
  };

/** Sends a raw body to the brands of the shop. */
const sendRaw =
  (raw: BodyInit, type = 'application/json') =>
  (shop: Shop): Promise<Answer> =>
    callApi('POST', `/v2/${shop.alias}/catalog/brands`, {
      headers: { ...shop.headers, 'Content-Type': type },
      raw,
    });

/** Redeems a code after a mistake. */
const redeem = (change: Record<string, string | undefined>) => async (shop: Shop) => {
  const form = redemptionForm(await approveConsent(shop, await createTestApp()));
  return postToken({ ...form, ...change });
};

/** Opens the authorization endpoint after a mistake: its redirect, or its page. */
const authorize = (change: Record<string, string | undefined>) => async () => {
  const app = await createTestApp();
  const query = Object.entries({
    client_id: app.client_id,
    redirect_uri: partnerRedirectUri,
    response_type: 'code',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    ...change,
  }).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const { status, headers, body } = await fetchPlain(
    `/oauth/authorize?${new URLSearchParams(query).toString()}`,
  );
  const location = headers.get('Location');
  return { status, headers, body: location === null ? body : decodeURIComponent(location) };
};

async function fetchPlain(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await exports.default.fetch(`https://api.test${path}`, {
    redirect: 'manual',
    ...init,
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

const postForm = (path: string, body: string, type: string) => () =>
  fetchPlain(path, { method: 'POST', body, headers: { 'Content-Type': type } });

/** Creates a webhook where receivers must be public, as in a deployment. */
const createWebhook = (url: string) => (shop: Shop) =>
  callWithBindings(shop, 'POST /webhooks', { name: 'ERP', url, events: ['order.created'] }, {
    ALLOW_LOCAL_RECEIVERS: 'false',
  } as unknown as Partial<Env>);

const brands = '/v2/{alias}/catalog/brands';
const brokenJson = '{\n  "name": "Acme",\n  "active": true,,\n}';

/**
 * A mistake, its request, the status, and words that the answer must hold: what is wrong, and what
 * to do.
 */
const mistakes: readonly [
  mistake: string,
  send: (shop: Shop) => Promise<Answer>,
  status: number,
  words: readonly string[],
][] = [
  [
    'no credentials',
    call(`GET ${brands}`, undefined, () => ({})),
    401,
    ['User-Token', 'User-Secret-Key'],
  ],
  [
    'half of the API key',
    call(`GET ${brands}`, undefined, ({ headers }) => ({
      'User-Token': headers['User-Token'] ?? '',
    })),
    401,
    ['User-Secret-Key is missing'],
  ],
  [
    'the two parts of the API key exchanged',
    call(`GET ${brands}`, undefined, () => ({
      'User-Token': 'sk_abcdefghijkl',
      'User-Secret-Key': 'ut_abcdefghijkl',
    })),
    401,
    ['exchange', 'User-Token', 'User-Secret-Key'],
  ],
  [
    'the API key as a bearer token',
    call(`GET ${brands}`, undefined, () => ({ Authorization: 'Bearer sk_abcdefghijkl' })),
    401,
    ['API key', 'two headers User-Token and User-Secret-Key'],
  ],
  [
    'an access token without the client id',
    call(`GET ${brands}`, undefined, ({ app }) => ({
      Authorization: app.headers.Authorization ?? '',
    })),
    401,
    ['X-Partner-Client-ID is missing'],
  ],
  [
    'an access token that has expired',
    call(`GET ${brands}`, undefined, ({ app }) => bearerHeaders(app.app, 'oat_old')),
    401,
    ['refresh the access token', '10 minutes'],
  ],
  [
    'the refresh token as a bearer token',
    call(`GET ${brands}`, undefined, ({ app }) => bearerHeaders(app.app, app.tokens.refresh_token)),
    401,
    ['refresh token', '/oauth/token'],
  ],
  [
    'an API key and an access token',
    call(`GET ${brands}`, undefined, ({ app, headers }) => ({ ...headers, ...app.headers })),
    401,
    ['Authorization', 'must not be sent with User-Token'],
  ],
  ['an alias that is wrong', call('GET /v2/somebody-else/catalog/brands'), 403, ['alias']],
  [
    'a path without the version',
    call('GET /{alias}/catalog/brands'),
    404,
    ['/v2/{alias}/catalog/brands', 'begin with /v2'],
  ],
  [
    'a path of another version',
    call('GET /v1/{alias}/catalog/brands'),
    404,
    ['/v2/{alias}/catalog/brands', 'begin with /v2'],
  ],
  [
    'a path without the area',
    call('GET /v2/{alias}/brands'),
    404,
    ['/v2/{alias}/catalog/brands', 'lacks catalog'],
  ],
  [
    'a path without the alias',
    call('GET /v2/catalog/brands'),
    404,
    ['/v2/{alias}/catalog/brands', 'lacks the alias'],
  ],
  [
    'the singular',
    call('GET /v2/{alias}/catalog/brand'),
    404,
    ['/v2/{alias}/catalog/brands', 'plural'],
  ],
  [
    'a letter in the wrong place',
    call('GET /v2/{alias}/catalog/prodcuts/7'),
    404,
    ['/v2/{alias}/catalog/products'],
  ],
  [
    'a slash at the end',
    call('GET /v2/{alias}/catalog/brands/'),
    404,
    ['/v2/{alias}/catalog/brands', 'slash at the end'],
  ],
  [
    'two slashes',
    call('GET /v2/{alias}//catalog/brands'),
    404,
    ['/v2/{alias}/catalog/brands', 'two slashes'],
  ],
  [
    'a part in the singular',
    call('GET /v2/{alias}/orders/1/invoice'),
    404,
    ['/v2/{alias}/orders/{id}/invoices', 'plural'],
  ],
  [
    'an id that is a name',
    call('GET /v2/{alias}/catalog/brands/acme'),
    400,
    ['id', 'whole number'],
  ],
  [
    'an id that is a name, where 400 is not listed',
    call('DELETE /v2/{alias}/catalog/brands/acme'),
    404,
    ['id', 'whole number'],
  ],
  [
    'a record of another store',
    call('GET /v2/{alias}/catalog/brands/999999'),
    404,
    ['no such record'],
  ],
  ['PATCH', call('PATCH /v2/{alias}/catalog/brands/1', {}), 405, ['GET, PUT, DELETE']],
  ['JSON with a comma too many', sendRaw(brokenJson), 400, ['line 3', 'column 18']],
  ['JSON that was cut', sendRaw('{"name": "Acme"'), 400, ['column 16', 'ends too early']],
  ['JSON with single quotes', sendRaw("{'name': 'Acme'}"), 400, ['column 2', 'double quotes']],
  [
    'text in Latin-1',
    sendRaw(new Uint8Array([...new TextEncoder().encode('{"name": "Caf'), 0xe9, 0x22, 0x7d])),
    400,
    ['byte 14', 'UTF-8'],
  ],
  ['no media type', sendRaw('{"name": "Acme"}', 'text/plain'), 415, ['application/json']],
  ['a form', sendRaw('name=Acme', 'application/x-www-form-urlencoded'), 415, ['application/json']],
  ['an array', call(`POST ${brands}`, [{ name: 'Acme' }]), 422, ['must be an object']],
  [
    'a required field left out',
    call(`POST ${brands}`, { active: true }),
    422,
    ['"name"', 'required'],
  ],
  [
    'a field with another name',
    call(`POST ${brands}`, { name: 'Acme', active: true, nmae: 'x' }),
    201,
    ['unknown field', 'nmae'],
  ],
  [
    'money as text',
    call('POST /v2/{alias}/catalog/products', {
      name: 'Shirt',
      simple: true,
      active: true,
      gift_value: '19.90',
    }),
    422,
    ['gift_value', 'must be a number'],
  ],
  [
    'a date of the country',
    call('POST /v2/{alias}/catalog/banners', {
      name: 'Sale',
      active: true,
      image_url: 'https://a.test/a.png',
      start_at: '31/12/2031',
    }),
    422,
    ['start_at', 'begin with the year', '2031-03-05'],
  ],
  [
    'an id that names no record',
    call('POST /v2/{alias}/catalog/products', {
      name: 'Shirt',
      simple: true,
      active: true,
      brand_id: 999_999,
      skus: [{ sku: 'X', price_sale: 1 }],
    }),
    422,
    ['brand_id', 'no such'],
  ],
  [
    'an idempotency key for another body',
    async (shop) => {
      const headers = { ...shop.headers, 'Idempotency-Key': 'one' };
      const path = `/v2/${shop.alias}/catalog/brands`;
      await callApi('POST', path, { headers, body: { name: 'One', active: true } });
      return callApi('POST', path, { headers, body: { name: 'Two', active: true } });
    },
    422,
    ['different request', 'use a new Idempotency-Key'],
  ],
  ['page 0', call(`GET ${brands}?page=0`), 400, ['"page"', 'whole number from 1']],
  [
    'a parameter of another name',
    call(`GET ${brands}?pageSize=50`),
    200,
    ['unknown query parameter', 'pageSize'],
  ],
  [
    'an unknown include',
    call('GET /v2/{alias}/orders?include=itens'),
    200,
    ['unknown relation', 'itens'],
  ],
  [
    'a filter that the list does not have',
    call('GET /v2/{alias}/orders?filter[status]=paid'),
    400,
    ['filter[status]', 'status'],
  ],
  [
    'an order that the list does not have',
    call(`GET ${brands}?orderBy=colour`),
    400,
    ['orderBy', 'created_at'],
  ],
  [
    'a day of the country in a filter',
    call(`GET ${brands}?date=created_at:31/12/2031`),
    400,
    ['"date"', 'YYYY-MM-DD'],
  ],
  [
    'a scope that the token lacks',
    call(`POST ${brands}`, { name: 'Acme' }, ({ app }) => app.headers),
    403,
    ['catalog.write', 'authorize the app again'],
  ],
  [
    'several scopes that the token lacks',
    call(
      'POST /v2/{alias}/webhooks',
      {
        name: 'ERP',
        url: 'https://hooks.example.com/a',
        events: ['order.created', 'customer.created'],
      },
      ({ app }) => app.headers,
    ),
    403,
    ['webhooks.write', 'orders.read', 'customers.read'],
  ],
  [
    'scopes of includes that the token lacks',
    call('GET /v2/{alias}/orders?include=customer', undefined, ({ app }) => app.headers),
    403,
    ['orders.read', 'customers.read'],
  ],
  ['a webhook without TLS', createWebhook('http://hooks.example.com/a'), 422, ['"url"', 'https']],
  [
    'a webhook on the own computer',
    createWebhook('https://localhost/a'),
    422,
    ['"url"', 'own computer', 'store-api listen'],
  ],
  [
    'an unknown event',
    call('POST /v2/{alias}/webhooks', {
      name: 'ERP',
      url: 'https://hooks.example.com/a',
      events: ['order.updated'],
    }),
    422,
    ['"events', 'order.status.updated'],
  ],
  [
    'more units than there are',
    async (shop) =>
      shop.api(
        'POST /orders',
        orderBody(shop, { items: [{ sku_id: shop.skuIds[0], quantity: 9_999 }] }),
      ),
    409,
    ['items.0', 'stock'],
  ],
  [
    'JSON for a token',
    postForm('/oauth/token', '{"grant_type":"refresh_token"}', 'application/json'),
    400,
    ['application/x-www-form-urlencoded'],
  ],
  ['no client id for a token', redeem({ client_id: undefined }), 401, ['client_id', 'missing']],
  ['no verifier', redeem({ code_verifier: undefined }), 400, ['code_verifier', 'missing']],
  [
    'another redirect URI',
    redeem({ redirect_uri: `${partnerRedirectUri}/` }),
    400,
    ['redirect_uri'],
  ],
  [
    'a grant type in another spelling',
    redeem({ grant_type: 'authorization-code' }),
    400,
    ['grant_type', 'authorization_code'],
  ],
  ['no challenge', authorize({ code_challenge: undefined }), 302, ['code_challenge']],
  [
    'a redirect URI that is not registered',
    authorize({ redirect_uri: 'https://other.test/' }),
    400,
    ['redirect_uri'],
  ],
  [
    'a scope that there is not',
    authorize({ scope: 'read_products' }),
    302,
    ['scope', 'catalog.read'],
  ],
  [
    'a revocation without a token',
    async (shop) => postRevocation({ client_id: shop.app.app.client_id }),
    400,
    ['token', 'missing'],
  ],
];

describe('a typical mistake', async () => {
  const shop = await createShop();

  it.each(mistakes)('explains itself: %s', async (_mistake, send, status, words) => {
    const answer = await send(shop);
    expect(answer.status).toBe(status);
    const headers = ['X-Warning', 'Allow'].map((name) => answer.headers.get(name));
    const text = JSON.stringify([answer.body, headers]).replaceAll('\\"', '"').toLowerCase();
    for (const word of words) expect(text).toContain(word.toLowerCase());
  });
});
