import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { seed } from '../../src/demo/seed.ts';
import type { Operation } from '../../src/http/operation.ts';
import { sections } from '../../src/operations.ts';
import { apiOf, call } from '../support/api.ts';
import { Browser } from '../support/browser.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { requestOf } from '../support/consent.ts';
import { describeReads } from './reads.ts';
import { deployed } from '../support/deployed.ts';

const ana = { 'User-Token': 'demo-user-token', 'User-Secret-Key': 'sk_demo_secret_key' };
const bruno = { 'User-Token': 'outlet-user-token', 'User-Secret-Key': 'sk_outlet_secret_key' };
const demo = apiOf('demo', ana);

/** A native app's address, with the port it got, for one app; one on a server for the others. */
const callbackOf = (clientId: string) => ({
  redirect_uri:
    clientId === 'demo-app'
      ? 'http://127.0.0.1:50123/callback'
      : 'https://partner.example/callback',
});

/** A database whose power fails after that many batches. */
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

const lists = sections
  .flatMap(({ operations }) => operations)
  .filter(({ id, path }) => id.startsWith('list') && path.startsWith('/{alias}/'));

/** The path of a list in the demo store; a list below a parent is that of the first parent. */
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

/** What each list of the demo is there to show. */
async function looksRight() {
  const of = async (list: string) => (await demo(`GET /catalog/${list}`)).body.data;
  const categories: { parent_id: number | null }[] = await of('categories');
  expect(categories.filter(({ parent_id: parent }) => parent === null)).toHaveLength(2);
  expect(categories.filter(({ parent_id: parent }) => parent !== null)).toHaveLength(4);
  const collections: { expired: boolean; total_products: number; stopwatch: string }[] =
    await of('collections');
  expect(collections).toMatchObject([
    { expired: false, total_products: 4, stopwatch: 'period' },
    { expired: true, total_products: 2 },
  ]);
  const [kit] = await of('bundles');
  expect(kit.items.data).toHaveLength(3);
  const comments: { answer: unknown }[] = await of('comments?onlyParents=true');
  expect(comments.map(({ answer }) => answer !== null)).toEqual([true, false, false]);
  const filters: { values: { data: { color: string | null }[] } }[] =
    await of('filters?include=values');
  expect(filters.map(({ values }) => values.data.some(({ color }) => color !== null))).toEqual([
    true,
    false,
  ]);
  const customizations: { type: string; products_ids: number[] }[] = await of('customizations');
  expect(customizations.map(({ type }) => type)).toEqual(['text', 'textarea', 'select']);
  for (const { products_ids: offering } of customizations) expect(offering).not.toEqual([]);
  expect(await of('feeds')).toMatchObject([{ collection_id: expect.any(Number) }]);
  expect(await of('banners')).toHaveLength(3);
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
  await takesMoney();
  await sells();
}

/** Its orders are in four different states, the first one all the way through. */
async function sells() {
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

/** The demo takes three kinds of money from people and a company, and sends e-mails. */
async function takesMoney() {
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

// The demo has constant names, so one test tells its whole life.
describe('seed', () => {
  it('makes the demo, completes a half-done one, and then changes nothing', async () => {
    for (const batches of [0, 3, 9, 24, 40]) {
      const failing = { ...env, STORE_0: failingAfter(batches, env.STORE_0) };
      await expect(seed(failing, Date.now())).rejects.toThrow('power failure');
      expect((await call('POST', '/v2/auth/me', { headers: ana })).status).toBe(401);
    }
    expect(await seed(env, Date.now())).toBe(true);

    const { body: me } = await call('POST', '/v2/auth/me', { headers: ana });
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
    expect((await apiOf('outlet', bruno)('GET /catalog/products')).body.data).toHaveLength(3);
    expect((await demo('GET /catalog/brands', undefined, bruno)).status).toBe(403);
    expect((await apiOf('closed', ana)('GET /catalog/brands')).status).toBe(403);

    for (const row of lists) {
      const answer = await demo(`GET ${await pathOf(row)}`);
      expect(answer.status, row.id).toBe(200);
      expect(answer.body.data, row.id).not.toEqual([]);
    }
    await looksRight();

    await demo(`DELETE /catalog/products/${body.data[0].id}`);
    expect(await seed(env, Date.now())).toBe(false);
    expect((await demo('GET /catalog/products')).body.data).toHaveLength(9);
  });

  it('makes a partner who chooses among her stores, apps to connect, and passwords', async () => {
    const browser = new Browser();
    const page = await browser.get(requestOf({ client_id: 'demo-app' }, callbackOf('demo-app')));
    expect(page.text).toContain('Estoque Fácil wants to connect');
    const fields = { email: 'paula@demo.test', password: 'demo-password-paula' };
    const answer = await browser.post('/session', { ...fieldsOf(page, '/session'), ...fields });
    const stores = await browser.get(answer.location ?? '');
    expect(stores.text).toContain('bancada · You own this store');
    expect(stores.text).toContain('outlet · You manage this store');

    const draft = await browser.get(requestOf({ client_id: 'draft-app' }, callbackOf('draft-app')));
    expect(draft.text).toContain('wants to use your store Bancada da Paula (bancada).');
    const small = requestOf({ client_id: 'catalog-app' }, callbackOf('catalog-app'));
    const asked = await browser.get(`${small}&store=outlet`);
    expect(asked.text).toContain('See your catalogue');
    expect(asked.text).not.toContain('See your stock.');
  });

  it('connects an app with the store of a merchant, whose webhook has a log to read', async () => {
    const browser = new Browser();
    const page = await browser.get('/account/apps');
    const fields = { email: 'ana@demo.test', password: 'demo-password-ana' };
    await browser.post('/session', { ...fieldsOf(page, '/session'), ...fields });
    const { text } = await browser.get('/account/apps');
    expect(text).toContain('Estoque Fácil Made by Paula Prado Software');
    expect(text).toContain('What it may do (5)');
    const webhooks = await browser.get('/account/webhooks');
    expect(webhooks.text).toContain('ERP (paused)');
    const [, path = ''] = /href="(\/account\/webhooks\/demo\/\d+)"/.exec(webhooks.html) ?? [];
    const lost = await browser.get(`${path}/deliveries/3`);
    expect(lost.text.match(/Unknown SKU/g)).toHaveLength(15);
  });

  it('refuses a deployed configuration', async () => {
    await expect(seed(deployed, Date.now())).rejects.toThrow('local configuration only');
  });
});

describeReads();
