import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { seedDemo } from '../../src/demo/seed/seed.ts';
import type { Operation } from '../../src/http/operation.ts';
import { createApiClient, callApi } from '../support/api/client.ts';
import { expectDocumentedEvent } from '../support/api/conform.ts';
import { operations } from '../support/api/operations.ts';
import { Browser } from '../support/browser/browser.ts';
import { hiddenFieldsOf } from '../support/browser/form-fields.ts';
import { deployedEnv } from '../support/fixtures/deployed-env.ts';
import { authorizeUrl } from '../support/oauth/consent.ts';
import '../support/fixtures/first-shard.ts';
import { describeReads } from './read-costs.ts';

const ana = { 'User-Token': 'demo-user-token', 'User-Secret-Key': 'sk_demo_secret_key' };
const bruno = { 'User-Token': 'outlet-user-token', 'User-Secret-Key': 'sk_outlet_secret_key' };
const demo = createApiClient('demo', ana);

/** Loopback URI with a port for one app, the URI of a server for the others. */
const callbackOf = (clientId: string) => ({
  redirect_uri:
    clientId === 'demo-app'
      ? 'http://127.0.0.1:50123/callback'
      : 'https://partner.example/callback',
});

/** A database that fails after a number of batches. */
function failingAfter(batches: number, database: D1Database): D1Database {
  let left = batches;
  return new Proxy(database, {
    get(target, name: keyof D1Database) {
      if (name === 'batch' && (left -= 1) < 0) throw new Error('power failure');
      const member: unknown = target[name];
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

// The log of requests holds what was asked, and here no request fails.
const lists = operations.filter(
  ({ id, path }) => id.startsWith('list') && path.startsWith('/{alias}/') && id !== 'listRequests',
);

/** Returns the path of a list in the demo store; a nested list gets the id of the first parent. */
async function pathOf({ path }: Operation): Promise<string> {
  const own = path.replace('/{alias}', '');
  const [, parents, below] = /^(.+)\/\{\w+\}(.*)$/.exec(own) ?? [];
  if (parents === undefined) return own;
  if (parents === '/catalog/skus') {
    const { body } = await demo('GET /catalog/products?include=skus');
    return `${parents}/${body.data[0].skus.data[0].id}${below}`;
  }
  const { body } = await demo(`GET ${parents}`);
  return `${parents}/${body.data[0].id}${below}`;
}

/** The number of API keys of the demo that exist. */
const countDemoKeys = () =>
  env.DIRECTORY.prepare(
    `select count(*) as count from api_keys where user_id in (select id from users where email like '%@demo.test')`,
  ).first<number>('count');

/** Asserts what the lists of the demo contain. */
async function expectDemoContent() {
  const listOf = async (list: string) => (await demo(`GET /catalog/${list}`)).body.data;
  const categories: { parent_id: number | null }[] = await listOf('categories');
  expect(categories.filter(({ parent_id: parent }) => parent === null)).toHaveLength(2);
  expect(categories.filter(({ parent_id: parent }) => parent !== null)).toHaveLength(4);
  const collections: { expired: boolean; total_products: number; stopwatch: string }[] =
    await listOf('collections');
  expect(collections).toMatchObject([
    { expired: false, total_products: 4, stopwatch: 'period' },
    { expired: true, total_products: 2 },
  ]);
  const [kit] = await listOf('bundles');
  expect(kit.items.data).toHaveLength(3);
  const comments: { answer: unknown }[] = await listOf('comments?onlyParents=true');
  expect(comments.map(({ answer }) => answer !== null)).toEqual([true, false, false]);
  const filters: { values: { data: { color: string | null }[] } }[] =
    await listOf('filters?include=values');
  expect(filters.map(({ values }) => values.data.some(({ color }) => color !== null))).toEqual([
    true,
    false,
  ]);
  const customizations: { type: string; products_ids: number[] }[] = await listOf('customizations');
  expect(customizations.map(({ type }) => type)).toEqual(['text', 'textarea', 'select']);
  for (const { products_ids: productIds } of customizations) expect(productIds).not.toEqual([]);
  expect(await listOf('feeds')).toMatchObject([{ collection_id: expect.any(Number) }]);
  expect(await listOf('banners')).toHaveLength(3);
  const [webhook] = (await demo('GET /webhooks')).body.data;
  expect(webhook.active).toBe(false);
  const log: { state: string }[] = (await demo(`GET /webhooks/${webhook.id}/deliveries`)).body.data;
  expect(log.map(({ state }) => state)).toEqual([
    'held',
    'delivered',
    'gave_up',
    'delivered',
    'delivered',
  ]);
  const { data: lost } = (await demo(`GET /webhooks/${webhook.id}/deliveries/3`)).body;
  expect(lost.log.data).toHaveLength(15);
  const carts: { status: string }[] = (await demo('GET /checkout/carts')).body.data;
  expect(carts.map(({ status }) => status)).toEqual(['open', 'open', 'abandoned', 'expired']);
  await expectCheckout();
  await expectOrders();
}

/** Asserts that the orders have four different statuses. */
async function expectOrders() {
  const { body } = await demo('GET /orders?include=transactions,invoices,statuses');
  const states = body.data.map(
    ({ status }: { status: { data: { alias: string } } }) => status.data,
  );
  expect(states.map(({ alias }: { alias: string }) => alias)).toEqual([
    'delivered',
    'handling_products',
    'refused',
    'waiting_payment',
  ]);
  expect(body.data[0]).toMatchObject({
    transactions: { data: [{ status: 'paid', installments: 3 }] },
    invoices: { data: [{ status: 'issued' }] },
    track_code: 'BR000000001',
  });
  expect(body.data[0].statuses.data).toHaveLength(5);
}

/** Asserts three active payment types, a mail account, and customers of both types. */
async function expectCheckout() {
  const payments: { id: number; config_id: number; alias: string; active_config: boolean }[] = (
    await demo('GET /checkout/payments')
  ).body.data;
  const active = payments.filter((one) => one.active_config);
  expect(active.map(({ alias }) => alias)).toEqual(['credit_card', 'pix', 'billet']);
  const [card] = active;
  const { body } = await demo(`GET /checkout/payments/${card?.id}/config/${card?.config_id}`);
  expect(body.installments.data).toHaveLength(6);
  expect(body.affiliation.data.gateway.data).toMatchObject([{ alias: 'manual' }]);
  expect((await demo('GET /config/emails')).body.data.from).toBe('contato@demo.test');
  const people = (await demo('GET /customers?include=addresses')).body.data;
  expect(people.map(({ type }: { type: string }) => type)).toEqual(['f', 'f', 'j']);
  expect(people[0].addresses.data).toHaveLength(2);
}

// The demo has constant names, so one test covers its whole life.
describe('seedDemo', () => {
  it('creates the demo, completes an interrupted run, and then changes nothing', async () => {
    for (const batches of [0, 3, 9, 24, 40]) {
      const failing = { ...env, STORE_0: failingAfter(batches, env.STORE_0) };
      await expect(seedDemo(failing, Date.now())).rejects.toThrow('power failure');
      // Not by a request: wrong keys are remembered for a moment.
      expect(await countDemoKeys()).toBe(0);
    }
    expect(await seedDemo(env, Date.now())).toBe(true);

    const { body: me } = await callApi('POST', '/v2/auth/me', { headers: ana });
    expect(me.email).toBe('ana@demo.test');
    const merchants: { alias: string; active: boolean }[] = me.merchants.data;
    expect(merchants.map(({ alias, active }) => [alias, active])).toEqual([
      ['demo', true],
      ['closed', false],
    ]);
    expect((await demo('GET /catalog/brands')).body.data).toHaveLength(4);
    const { body } = await demo('GET /catalog/products?include=skus,brand,images&limit=50');
    expect(body.data).toHaveLength(10);
    const pictures = body.data.map(
      (product: { images: { data: unknown[] } }) => product.images.data,
    );
    expect(pictures.flat()).toHaveLength(5);
    for (const product of body.data) {
      expect(product.brand.data).not.toBeNull();
      expect(product.simple).toBe(product.skus.data.length === 1);
    }
    expect(
      (await createApiClient('outlet', bruno)('GET /catalog/products')).body.data,
    ).toHaveLength(3);
    expect((await demo('GET /catalog/brands', undefined, bruno)).status).toBe(403);
    expect((await createApiClient('closed', ana)('GET /catalog/brands')).status).toBe(403);

    for (const operation of lists) {
      const response = await demo(`GET ${await pathOf(operation)}`);
      expect(response.status, operation.id).toBe(200);
      expect(response.body.data, operation.id).not.toEqual([]);
    }
    await expectDemoContent();

    await demo(`DELETE /catalog/products/${body.data[0].id}`);
    expect(await seedDemo(env, Date.now())).toBe(false);
    expect((await demo('GET /catalog/products')).body.data).toHaveLength(9);
  });

  it('creates passwords, apps, and a partner who chooses between two stores', async () => {
    const browser = new Browser();
    const page = await browser.get(authorizeUrl({ client_id: 'demo-app' }, callbackOf('demo-app')));
    expect(page.text).toContain('Estoque Fácil wants to connect');
    const fields = { email: 'paula@demo.test', password: 'demo-password-paula' };
    const response = await browser.post('/session', {
      ...hiddenFieldsOf(page, '/session'),
      ...fields,
    });
    const stores = await browser.get(response.location ?? '');
    expect(stores.text).toContain('bancada · You own this store');
    expect(stores.text).toContain('outlet · You manage this store');

    const draft = await browser.get(
      authorizeUrl({ client_id: 'draft-app' }, callbackOf('draft-app')),
    );
    expect(draft.text).toContain('wants to use your store Bancada da Paula (bancada).');
    const small = authorizeUrl({ client_id: 'catalog-app' }, callbackOf('catalog-app'));
    const asked = await browser.get(`${small}&store=outlet`);
    expect(asked.text).toContain('See your catalogue');
    expect(asked.text).not.toContain('See your stock.');
  });

  it('creates a connected app, and a webhook with a delivery log', async () => {
    const browser = new Browser();
    const page = await browser.get('/account/apps');
    const fields = { email: 'ana@demo.test', password: 'demo-password-ana' };
    await browser.post('/session', { ...hiddenFieldsOf(page, '/session'), ...fields });
    const { text } = await browser.get('/account/apps');
    expect(text).toContain('Estoque Fácil Publisher Paula Prado Software');
    expect(text).toContain('What it may do (5)');
    const webhooks = await browser.get('/account/webhooks');
    expect(webhooks.text).toContain('ERP');
    expect(webhooks.text).not.toContain('ERP (paused)');
    const [, path = ''] = /href="(\/account\/webhooks\/demo\/\d+)"/.exec(webhooks.html) ?? [];
    const lost = await browser.get(`${path}/deliveries/3`);
    expect(lost.text.match(/Unknown SKU/g)).toHaveLength(15);
  });

  it('stores bodies in the delivery log that fit the published schemas', async () => {
    const [webhook] = (await demo('GET /webhooks')).body.data;
    expect(webhook.name).toBe('ERP');
    for (const seq of [1, 2, 3, 4, 5]) {
      const { body } = await demo(`GET /webhooks/${webhook.id}/deliveries/${seq}`);
      const { event, resource } = JSON.parse(body.data.body);
      expect(event).toBe(body.data.event);
      expectDocumentedEvent({ event, resource });
    }
  });

  it('rejects a deployed configuration', async () => {
    await expect(seedDemo(deployedEnv, Date.now())).rejects.toThrow('local configuration only');
  });
});

describeReads();
