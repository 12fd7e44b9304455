import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { movedTables } from '../../../src/data/shards/moved-tables.ts';
import { emptiedTables } from '../../../src/stores/test-stores/empty.ts';
import { createApiClient } from '../../support/api/client.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { passClockPause } from '../../support/fixtures/test-clock.ts';
import { dyingBindings, sweepJobs } from '../../support/jobs.ts';
import { partner } from './support.ts';

const list = '/partners/test-stores';
const make = `${list}/new`;

/** Signs in a partner whose actions wake no sweep. */
async function signedInPartner() {
  const signedIn = await partner();
  signedIn.browser.bindings = { SWEEP: { sendBatch: async () => undefined } as unknown as Queue };
  return signedIn;
}

const storeRow = (alias: string) =>
  env.DIRECTORY.prepare('select * from stores where alias = ?')
    .bind(alias)
    .first<{ id: number; shard: number; test: number; active: number }>();

/** Creates a test store in the page, and lets the sweep of its shard fill it. */
async function makeTestStore(name = 'Loja Pérola') {
  const { browser, own } = await signedInPartner();
  const { status, location } = await browser.submit(make, { name });
  const path = location?.split('?')[0] ?? '';
  const alias = path.split('/').at(-1) ?? '';
  const row = await storeRow(alias);
  const sweep = (bindings?: Env) => sweepJobs(row!.shard, Date.now(), bindings);
  const api = createApiClient(alias, own.headers);
  const contents = async () => {
    const [products, customers, payments] = await Promise.all([
      api('GET /catalog/products?limit=100'),
      api('GET /customers?limit=100'),
      api('GET /checkout/payments?limit=100&include=payment_configuration'),
    ]);
    return {
      products: products.body.data.map(({ name: product }: { name: string }) => product).toSorted(),
      total: products.body.meta.pagination.total,
      customers: customers.body.data.length,
      payments: payments.body.data.length,
    };
  };
  return { browser, own, status, location, path, alias, row, sweep, api, contents };
}

describe('test stores of a partner', () => {
  it('returns 303 to a store that is then filled with products, customers and ways to pay', async () => {
    const made = await makeTestStore();
    expect(made.status).toBe(303);
    expect(made.alias).toMatch(/^test-loja-perola-[a-z0-9]{1,6}$/);
    expect(made.row).toMatchObject({ test: 1, active: 1 });
    const filling = await made.browser.get(made.location ?? '');
    expect(filling.text).toContain('Being filled The store is being filled.');
    await made.sweep();
    expect((await made.browser.get(made.path)).text).toContain(`Alias ${made.alias} State Ready`);
    expect((await made.browser.get(list)).text).toContain(`Loja Pérola ${made.alias} Ready`);
    const contents = await made.contents();
    expect(contents).toMatchObject({ total: 8, customers: 3, payments: 6 });
    expect(contents.products).toContain('Moletom com Capuz');
  });

  it('returns 422 for a name that is missing or long, and creates nothing', async () => {
    const { browser } = await signedInPartner();
    for (const [name, text] of [
      [' ', 'Enter a name.'],
      ['x'.repeat(81), 'The name has more than 80 characters.'],
    ] as const) {
      const page = await browser.submit(make, { name });
      expect([page.status, page.html.includes(`<a href="#name">${text}`)]).toEqual([422, true]);
    }
    expect((await browser.get(list)).text).toContain('You have no test store.');
  });

  it('allows five, also for seven parallel requests, and returns 422 for the others', async () => {
    const { browser, ownerId } = await signedInPartner();
    const form = hiddenFieldsOf(await browser.get(make), make);
    const pages = await Promise.all(
      Array.from({ length: 7 }, (_, index) => browser.post(make, { ...form, name: `S${index}` })),
    );
    expect(pages.filter(({ status }) => status === 303)).toHaveLength(5);
    expect(pages.filter(({ status }) => status === 422)).toHaveLength(2);
    const refused = pages.find(({ status }) => status === 422);
    expect(refused?.text).toContain('You have 5 test stores, the maximum.');
    const count = await env.DIRECTORY.prepare(
      'select count(*) as n from stores where owner_id = ? and test = 1',
    )
      .bind(ownerId)
      .first();
    expect(count).toEqual({ n: 5 });
    expect((await browser.get(list)).text).not.toContain('Create a test store');
  });

  it('asks before a reset, then empties and fills the store; webhooks stay', async () => {
    const made = await makeTestStore();
    await made.sweep();
    const before = await made.contents();
    const { body } = await made.api('POST /catalog/brands', { name: 'Extra', active: true });
    await made.api('POST /catalog/products', {
      name: 'Extra',
      active: true,
      simple: true,
      brand_id: body.data.id,
      skus: [{ sku: 'EXTRA', price_sale: 1 }],
    });
    const webhook = { name: 'Ours', url: 'https://partner.test/h', events: ['product.deleted'] };
    await made.api('POST /webhooks', webhook);
    const question = await made.browser.get(`${made.path}/reset`);
    expect(question.text).toContain('Reset Loja Pérola?');
    const { status, location } = await made.browser.submit(`${made.path}/reset`);
    expect([status, location]).toEqual([303, `${made.path}?done=reset`]);
    await made.sweep();
    expect(await made.contents()).toEqual(before);
    const brands = await made.api('GET /catalog/brands');
    expect(brands.body.meta.pagination.total).toBe(2);
    expect((await made.api('GET /webhooks')).body.data).toHaveLength(1);
  });

  it('completes a reset that was cut off at any call', async () => {
    const made = await makeTestStore();
    await made.sweep();
    const before = await made.contents();
    await made.browser.submit(`${made.path}/reset`);
    for (const last of [2, 9, 25, 40, 55, 70]) {
      await made.sweep(dyingBindings(last).bindings).catch(() => undefined);
      // The lease of the dead worker, and the wait after a failure.
      await env.DIRECTORY.prepare(
        `update jobs set leased_until = 0, due_at = created_at where store_id = ? and finished_at is null`,
      )
        .bind(made.row!.id)
        .run();
    }
    await made.sweep();
    expect((await made.browser.get(made.path)).text).toContain('State Ready');
    expect(await made.contents()).toEqual(before);
  });

  it('advances the clock in steps or by minutes, and returns 422 for other values', async () => {
    const made = await makeTestStore();
    await made.sweep();
    const product = await made.api('GET /catalog/products?limit=1');
    const skus = await made.api(`GET /catalog/products/${product.body.data[0].id}/skus`);
    await made.api('POST /checkout/carts', {
      items: [{ sku_id: skus.body.data[0].id, quantity: 1 }],
      tracking_data: { name: 'Bia', email: 'bia@buyers.test' },
    });
    const hour = await made.browser.submit(made.path, { seconds: '3600' });
    expect(hour.status).toBe(303);
    expect((await made.browser.get(hour.location ?? '')).text).toContain(
      'Brought forward: carts 1, payments 0,',
    );
    const tooSoon = await made.browser.submit(made.path, { minutes: ' 90 ' });
    expect([tooSoon.status, tooSoon.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(tooSoon.html).toContain('<a href="#minutes">The clock of a store can be advanced once');
    await passClockPause(made.row!);
    expect((await made.browser.submit(made.path, { minutes: ' 90 ' })).status).toBe(303);
    for (const fields of [
      { minutes: '0' },
      { minutes: '44641' },
      { minutes: 'soon' },
      { seconds: '5' },
    ]) {
      const page = await made.browser.submit(made.path, fields);
      expect(page.status).toBe(422);
      expect(page.html).toContain('<a href="#minutes">Enter a whole number of minutes');
    }
  });

  it('asks before it deletes a store, which then works no more', async () => {
    const made = await makeTestStore();
    expect((await made.browser.get(`${made.path}/delete`)).text).toContain('Delete Loja Pérola?');
    for (const alias of ['', 'loja-perola']) {
      expect((await made.browser.submit(`${made.path}/delete`, { alias })).status).toBe(422);
    }
    const fields = { alias: made.alias };
    const { status, location } = await made.browser.submit(`${made.path}/delete`, fields);
    expect([status, location]).toEqual([303, `${list}?done=deleted`]);
    expect((await made.browser.get(list)).text).toContain('Being deleted');
    expect((await made.browser.get(made.path)).status).toBe(404);
    expect(await storeRow(made.alias)).toMatchObject({ active: 0 });
  });

  it('returns 404 for stores of others and for stores that are no test stores', async () => {
    const made = await makeTestStore();
    const real = await createTestStore();
    const stranger = await new Browser().signIn(real.userId);
    for (const alias of [made.alias, real.alias]) {
      for (const page of ['', '/reset', '/delete']) {
        expect((await stranger.get(`${list}/${alias}${page}`)).status).toBe(404);
      }
    }
  });
});

describe('the tables of a test store', () => {
  it('are emptied by a reset, or stay on purpose', () => {
    const kept = movedTables.map(({ name }) => name).filter((name) => !emptiedTables.has(name));
    expect(kept.toSorted()).toEqual([
      'event_budgets',
      'idempotency_keys',
      'oauth_events',
      'oauth_grants',
      'store_audit',
      'store_notices',
      'test_clocks',
      'transfer_errors',
      'transfers',
      'webhook_archives',
      'webhook_attempts',
      'webhook_deliveries',
      'webhook_endpoints',
      'webhook_events',
      'webhook_notices',
      'webhook_pings',
      'webhook_replays',
      'webhook_subscriptions',
      'webhook_trials',
    ]);
  });
});
