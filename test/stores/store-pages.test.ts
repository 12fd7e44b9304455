import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { countingDatabase, noCost } from '../support/api/measure.ts';
import { Browser } from '../support/browser/browser.ts';
import { failingDatabase } from '../support/fakes/failing-database.ts';
import { addTestMember } from '../support/fixtures/members.ts';
import { createSellingStore, orderBody } from '../support/fixtures/selling-store.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { sentMails } from '../support/mail.ts';
import { showCode } from '../support/second-factor.ts';
import '../support/fixtures/first-shard.ts';

const storeRow = ({ id }: TestStore) =>
  env.DIRECTORY.prepare('select * from stores where id = ?').bind(id).first();

const pageOf = ({ alias }: TestStore) => `/account/stores/${alias}`;

const asOwner = (store: TestStore) => new Browser().signIn(store.userId);

describe('the page of a store', () => {
  it('lets a manager change name and time zone, and says what is wrong (422)', async () => {
    const store = await createTestStore();
    const { userId } = await addTestMember(store, 'manager');
    const browser = await new Browser().signIn(userId);
    const path = `${pageOf(store)}/edit`;
    const form = await browser.get(path);
    expect(form.html).toContain('<title>Change name or time zone of Test Store');
    expect(form.text).toContain(
      `Change name or time zone of Test Store Alias ${store.alias} The alias cannot be changed`,
    );
    expect(form.html).toMatch(/<button[^>]*>Save</);
    expect(form.html).not.toContain('name="alias"');
    const wrong = await browser.submit(path, { name: ' ', zone: 'Mars/Olympus' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('Enter a name.');
    expect(wrong.text).toContain('Choose a time zone of the list.');
    const answer = await browser.submit(path, { name: 'Loja Nova', zone: 'America/Bahia' });
    expect([answer.status, answer.location]).toEqual([303, `${pageOf(store)}?done=saved`]);
    expect(await storeRow(store)).toMatchObject({ name: 'Loja Nova', zone: 'America/Bahia' });
    const audit = env.DIRECTORY.prepare('select action, changes from audit where store_id = ?');
    expect(await audit.bind(store.id).first()).toEqual({
      action: 'store.edited',
      changes: JSON.stringify({
        name: ['Test Store', 'Loja Nova'],
        zone: ['America/Sao_Paulo', 'America/Bahia'],
      }),
    });
  });

  it.each([
    ['pt-BR', 'Alterar nome ou fuso horário de Test Store', 'Salvar'],
    ['es', 'Cambiar nombre o zona horaria de Test Store', 'Guardar'],
  ])('is changed in %s in a form with its name', async (language, title, button) => {
    const store = await createTestStore();
    const browser = await asOwner(store);
    const { html, text } = await browser.get(`${pageOf(store)}/edit`, {
      'Accept-Language': language,
    });
    expect(html).toContain(`<title>${title}`);
    expect(text).toContain(title);
    expect(html).toMatch(new RegExp(`<button[^>]*>${button}<`));
  });

  it('asks for an export once, and shows how far it is', async () => {
    const store = await createTestStore();
    const browser = await asOwner(store);
    for (let time = 0; time < 2; time += 1) {
      const answer = await browser.submit(`${pageOf(store)}/export`);
      expect(answer.location).toBe(`${pageOf(store)}?done=exportAsked`);
    }
    const jobs = env.DIRECTORY.prepare('select count(*) as n from jobs where store_id = ?');
    expect(await jobs.bind(store.id).first('n')).toBe(1);
    expect((await browser.get(pageOf(store))).text).toContain('The export begins within a minute.');
  });
});

describe('closing a store', () => {
  it('asks for the alias (422), stops the store at once, and can be taken back', async () => {
    const store = await createTestStore();
    const browser = await asOwner(store);
    const close = `${pageOf(store)}/close`;
    expect((await browser.submit(close, { alias: 'other' })).status).toBe(422);
    expect((await storeRow(store))?.['active']).toBe(1);
    const answer = await browser.submit(close, { alias: store.alias });
    expect([answer.status, answer.location]).toEqual([303, `${pageOf(store)}?done=closed`]);
    expect((await sentMails(`${store.alias}@store.test`, 'store_closing')).length).toBe(1);

    const account = (await browser.get('/account')).text;
    expect(account).toContain('Inactive stores');
    expect(account).toContain('Closed by its owner.');
    expect(account).toContain('All its data are erased on');
    expect((await browser.get(pageOf(store))).text).toContain('Open it again');
    // Pages that work with the store are closed, the way back is open.
    expect((await browser.get(`${pageOf(store)}/members`)).status).toBe(404);
    expect((await browser.get(close)).status).toBe(404);
    const reopened = await browser.submit(`${pageOf(store)}/reopen`);
    expect(reopened.location).toBe(`${pageOf(store)}?done=reopened`);
    expect(await storeRow(store)).toMatchObject({ active: 1, erase_at: null });
  });

  it('shows a store that an operator deactivated with the reason, and does not open it again (404)', async () => {
    const store = await createTestStore();
    await env.DIRECTORY.prepare(
      "update stores set active = 0, lock_reason = 'Unpaid since May', locked_at = 1 where id = ?",
    )
      .bind(store.id)
      .run();
    const browser = await asOwner(store);
    expect((await browser.get('/account')).text).toContain('Reason: Unpaid since May');
    expect((await browser.get(pageOf(store))).text).toContain('Reason: Unpaid since May');
    expect((await browser.get(`${pageOf(store)}/reopen`)).status).toBe(404);
  });

  it('has no dead link on the pages of a deactivated store (200)', async () => {
    const store = await createTestStore();
    const browser = await asOwner(store);
    const webhook = { name: 'ERP', url: 'https://receiver.example/in', events: ['order.paid'] };
    await browser.submit(`/account/webhooks/${store.alias}/new`, webhook);
    await env.DIRECTORY.prepare(
      "update stores set active = 0, lock_reason = 'Unpaid', locked_at = 1 where id = ?",
    )
      .bind(store.id)
      .run();
    for (const page of [pageOf(store), `${pageOf(store)}/activity`]) {
      const { html } = await browser.get(page);
      const links = Array.from(html.matchAll(/href="([^"]+)"/g), ([, href = '']) => href);
      const own = new Set(links.filter((href) => href.includes(store.alias)));
      expect(own).toContain(`${pageOf(store)}/activity`);
      for (const href of own) {
        const { status } = await browser.get(href.replaceAll('&amp;', '&'));
        expect([href, status]).toEqual([href, 200]);
      }
    }
  });
});

describe('a store that requires two-step sign-in', () => {
  it('closes its pages (403) and its consent to members without one, and shows where to set it up', async () => {
    const store = await createTestStore();
    const { userId } = await addTestMember(store, 'manager');
    await env.DIRECTORY.prepare('update stores set mfa_required = 1 where id = ?')
      .bind(store.id)
      .run();
    const browser = await new Browser().signIn(userId);
    const page = await browser.get(pageOf(store));
    expect([page.status, page.text]).toEqual([
      403,
      expect.stringContaining('Set up two-step sign-in first'),
    ]);
    const account = await browser.get('/account');
    expect(account.text).toContain('Needs two-step sign-in');
    for (const list of ['/account/webhooks', '/account/apps']) {
      expect((await browser.get(list)).text).not.toContain(store.alias);
    }
    await env.DIRECTORY.prepare('update users set mfa_enabled = 1 where id = ?').bind(userId).run();
    expect((await browser.get('/account')).text).toContain('Needs two-step sign-in');
    await showCode(userId);
    expect((await browser.get(pageOf(store))).status).toBe(200);
  });

  it('is the choice of an owner who has one', async () => {
    const store = await createTestStore();
    const browser = await asOwner(store);
    const path = `${pageOf(store)}/second-factor`;
    expect((await browser.get(path)).text).toContain('Set up two-step sign-in for yourself first.');
    await env.DIRECTORY.prepare('update users set mfa_enabled = 1 where id = ?')
      .bind(store.userId)
      .run();
    await showCode(store.userId);
    expect((await browser.submit(path)).location).toBe(`${pageOf(store)}?done=factorChanged`);
    expect((await storeRow(store))?.['mfa_required']).toBe(1);
    expect((await browser.submit(path)).status).toBe(303);
    expect((await storeRow(store))?.['mfa_required']).toBe(0);
  });
});

describe('making a store', () => {
  it('has no page (404) unless everyone may', async () => {
    const browser = await asOwner(await createTestStore());
    expect((await browser.get('/account/new-store')).status).toBe(404);
    expect((await browser.get('/account')).text).not.toContain('Create a store');
  });

  it('creates a store of the user, and says what is wrong with an alias (422)', async () => {
    const taken = await createTestStore();
    const browser = await asOwner(taken);
    browser.bindings = { SIGN_UP: 'everyone' } as unknown as Partial<Env>;
    const path = '/account/new-store';
    const [name, zone] = ['Loja Nova', 'America/Sao_Paulo'];
    const send = async (alias: string) => {
      const { status, text } = await browser.submit(path, { name, zone, alias });
      return [status, text];
    };
    expect(await send('UP')).toEqual([422, expect.stringContaining('small letters')]);
    expect(await send('operator')).toEqual([422, expect.stringContaining('reserved')]);
    expect(await send(taken.alias)).toEqual([422, expect.stringContaining('Another store')]);
    const alias = `n${crypto.randomUUID().slice(0, 8)}`;
    expect((await send(alias))[0]).toBe(303);
    const page = await browser.get(`/account/stores/${alias}?done=made`);
    expect(page.text).toContain('Your store is ready.');
    expect(page.text).toContain('Owner');
  });
});

describe('the sales on GET /account/stores/{alias}', () => {
  it('are charts of paid orders and revenue by day, in one round trip of the shard', async () => {
    const shop = await createSellingStore();
    const paid = orderBody(shop, { payment_id: shop.payments.pix, status: 'paid' });
    const { body } = await shop.api('POST /orders', paid);
    await shop.api('POST /orders', orderBody(shop, { payment_id: shop.payments.pix }));
    const browser = await new Browser().signIn(shop.userId);
    const cost = noCost();
    browser.bindings = { STORE_0: countingDatabase(env.STORE_0, cost) };
    const { html } = await browser.get(`/account/stores/${shop.alias}`);
    const total = (body.data.value_total as number).toFixed(2);
    expect(html).toContain('aria-label="Orders, last 30 days. Paid orders: 1."');
    expect(html).toContain(`aria-label="Revenue, last 30 days. Total of 30 days: R$${total}."`);
    expect(cost.roundTrips).toBe(1);
  });

  it('stand beside the latest orders, the lowest stocks of managed SKUs, and what fails', async () => {
    const shop = await createSellingStore();
    await shop.api('POST /orders', orderBody(shop, { payment_id: shop.payments.pix }));
    const { body } = await shop.api('POST /webhooks', {
      url: 'https://away.partner.test/in',
      name: 'Away',
      events: ['order.paid'],
    });
    await env.STORE_0.batch([
      env.STORE_0.prepare('update webhook_endpoints set first_failure_at = 1 where id = ?').bind(
        body.data.id,
      ),
      env.STORE_0.prepare(
        `update stocks set quantity = 3, reserved = 1 where store_id = ?1
         and id = (select min(id) from stocks where store_id = ?1)`,
      ).bind(shop.id),
    ]);
    const browser = await new Browser().signIn(shop.userId);
    const cost = noCost();
    browser.bindings = { STORE_0: countingDatabase(env.STORE_0, cost) };
    const { text } = await browser.get(`/account/stores/${shop.alias}`);
    expect(text).toMatch(/Needs your attention .*webhook to away\.partner\.test fails Look at it/);
    expect(text).toMatch(/Latest orders Order Status Total When 1 Waits for payment R\$[\d.]+ /);
    expect(text).toMatch(/About to run out Product SKU Left .* 2 /);
    expect([cost.roundTrips, cost.rowsRead < 400]).toEqual([1, true]);
  });

  it.each([
    ['pt-BR', /Total em 30 dias: R\$\s\d+,\d\d\./],
    ['es', /Total de 30 días: \d+,\d\d\sR\$\./],
  ])('write the revenue as money in %s', async (language, revenue) => {
    const shop = await createSellingStore();
    await shop.api(
      'POST /orders',
      orderBody(shop, { payment_id: shop.payments.pix, status: 'paid' }),
    );
    const browser = await new Browser().signIn(shop.userId);
    const { html } = await browser.get(`/account/stores/${shop.alias}`, {
      'Accept-Language': language,
    });
    expect(html).toMatch(revenue);
  });

  it('say what to do without a sale, and are absent while the shard does not answer', async () => {
    const own = await createTestStore();
    const browser = await new Browser().signIn(own.userId);
    const page = await browser.get(`/account/stores/${own.alias}`);
    expect(page.text).toContain(
      'Orders, last 30 days No order was paid in these 30 days. Import pro',
    );
    expect([page.html.includes('<figure'), page.html.includes('Revenue')]).toEqual([false, false]);
    browser.bindings = { STORE_0: failingDatabase(env.STORE_0, 'D1 is overloaded.').database };
    const silent = await browser.get(`/account/stores/${own.alias}`);
    expect([silent.status, silent.html.includes('class="chart')]).toEqual([200, false]);
  });
});
