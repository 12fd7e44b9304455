import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { scopes } from '../../src/access/scopes.ts';
import { Browser } from '../support/browser.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { asked, grantsOf, path, requestOf, returned } from '../support/consent.ts';
import { app, callback } from '../support/partner.ts';
import { store } from '../support/store.ts';

const run = (sql: string, ...values: unknown[]) =>
  env.DIRECTORY.prepare(sql)
    .bind(...values)
    .run();

describe('POST /oauth/authorize', () => {
  it('303 with code, merchant, state and iss when the merchant approves (C16)', async () => {
    const { decide, store, app: asking } = await asked();
    const answer = await decide('approve');
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(/^https:\/\/partner\.test\/callback\?/);
    const sent = Object.fromEntries(returned(answer));
    expect(sent).toEqual({
      code: expect.stringMatching(/^oac_/),
      merchant: store.alias,
      state: 'xyz',
      iss: 'https://api.test',
    });
    expect(await grantsOf(asking)).toMatchObject([{ store_id: store.id, user_id: store.userId }]);
  });

  it('303 with access_denied, no row and no code, when the merchant denies (C14)', async () => {
    const { decide, app: asking } = await asked();
    const answer = await decide('deny');
    expect(answer.status).toBe(303);
    const sent = returned(answer);
    expect(sent.get('error')).toBe('access_denied');
    expect([sent.get('state'), sent.get('iss')]).toEqual(['xyz', 'https://api.test']);
    expect(sent.has('code')).toBe(false);
    expect(await grantsOf(asking)).toEqual([]);
  });

  it('403 without a ticket, and for one of another form (C5)', async () => {
    const { browser, page, app: asking } = await asked();
    expect((await browser.post(path, { decision: 'approve' })).status).toBe(403);
    const other = fieldsOf(page, '/session/end');
    expect((await browser.post(path, { ...other, decision: 'approve' })).status).toBe(400);
    expect(await grantsOf(asking)).toEqual([]);
  });

  it("403 for a page of another browser, an attacker's or one of the same merchant (C6, C7)", async () => {
    const { page, store: own, app: asking } = await asked();
    const attacked = await asked();
    const elsewhere = await new Browser().signedIn(own.userId);
    for (const browser of [attacked.browser, elsewhere, new Browser()]) {
      const answer = await browser.post(path, { ...fieldsOf(page, path), decision: 'approve' });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('This form is not yours');
    }
    expect(await grantsOf(asking)).toEqual([]);
  });

  it.each<Record<string, string>>([
    { Origin: 'https://evil.test' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://api.test' },
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.test' },
    {},
  ])('403 when it was not sent from our page: %j (C8)', async (headers) => {
    const { decide, app: asking } = await asked();
    const answer = await decide('approve', {}, headers);
    expect(answer.status).toBe(403);
    expect(await grantsOf(asking)).toEqual([]);
  });

  it('303 when a browser without Sec-Fetch-Site names our origin', async () => {
    const { decide } = await asked();
    expect((await decide('approve', {}, { Origin: 'https://api.test' })).status).toBe(303);
  });

  it('400 when any part of the ticket was changed (C9)', async () => {
    const { decide, page, app: asking } = await asked();
    const { ticket = '' } = fieldsOf(page, path);
    for (const at of [3, 20, Math.floor(ticket.length / 2), ticket.length - 2]) {
      const changed = ticket[at] === 'A' ? 'B' : 'A';
      const forged = ticket.slice(0, at) + changed + ticket.slice(at + 1);
      expect((await decide('approve', { ticket: forged })).status, `${at}`).toBe(400);
    }
    expect(await grantsOf(asking)).toEqual([]);
  });

  it('303 as it was sealed, whatever else the form says (C9)', async () => {
    const { decide, app: asking } = await asked({ scopes: ['catalog.read'] });
    const other = await app();
    const answer = await decide('approve', {
      client_id: other.client_id,
      redirect_uri: 'https://evil.test/',
      scope: 'payments.write',
      state: 'other',
    });
    expect(answer.location).toMatch(/^https:\/\/partner\.test\/callback\?/);
    expect(returned(answer).get('state')).toBe('xyz');
    expect(await grantsOf(asking)).toMatchObject([{ scopes: 1 }]);
    expect(await grantsOf(other)).toEqual([]);
  });

  it('303 for the longest request there is', async () => {
    const state = '\u0001'.repeat(2_048);
    const short = requestOf({ client_id: 'x'.repeat(24) }, { state }).length;
    const more = 'x'.repeat(8_192 - 'https://api.test'.length - short - '&more='.length);
    const { decide, page } = await asked({ changed: { state, more } });
    expect(page.status).toBe(200);
    expect(returned(await decide('approve')).get('state')).toBe(state);
  });

  it('400 without a decision', async () => {
    const { browser, page } = await asked();
    expect((await browser.post(path, fieldsOf(page, path))).status).toBe(400);
  });

  it('415 for a body that is no form, 413 for one over 32 KiB', async () => {
    const { browser, decide } = await asked();
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' };
    const answer = await browser.send('POST', path, { headers, body: '{}' });
    expect(answer.status).toBe(415);
    expect((await decide('approve', { more: 'x'.repeat(33_000) })).status).toBe(413);
  });

  it('409 for all but one of 20 parallel approvals: one grant, one code (C11)', async () => {
    const { decide, app: asking } = await asked();
    const answers = await Promise.all(Array.from({ length: 20 }, () => decide('approve')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    expect(answers.find(({ status }) => status === 409)?.text).toContain(
      'You have already decided',
    );
    expect(await grantsOf(asking)).toHaveLength(1);
  });

  it('409 for Back and Approve again, on a page that nothing may keep (C22)', async () => {
    const { decide, page } = await asked();
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    expect((await decide('approve')).status).toBe(303);
    expect((await decide('approve')).status).toBe(409);
  });

  it('no code after signing out, here or everywhere (C12)', async () => {
    const here = await asked();
    await here.browser.post('/session/end', fieldsOf(here.page, '/session/end'));
    expect((await here.decide('approve')).status).toBe(403);

    const elsewhere = await asked();
    await run('delete from sessions where user_id = ?', elsewhere.store.userId);
    const answer = await elsewhere.decide('approve');
    expect([answer.status, answer.location]).toEqual([303, requestOf(elsewhere.app)]);
    expect(await grantsOf(elsewhere.app)).toEqual([]);
  });

  it.each([
    ['a changed password', 'update passwords set changed_at = ?1 where user_id = ?2'],
    ['an inactive user', 'update users set active = 0, updated_at = ?1 where id = ?2'],
    ['an expired session', 'update sessions set expires_at = ?1 - 2000 where user_id = ?2'],
  ])('303 to the beginning, no code, after %s (C12)', async (_what, sql) => {
    const { decide, store, app: asking } = await asked();
    await run(sql, Date.now() + 1_000, store.userId);
    const answer = await decide('approve');
    expect([answer.status, answer.location]).toEqual([303, requestOf(asking)]);
    expect(await grantsOf(asking)).toEqual([]);
  });

  it.each([
    ['role', 'delete from memberships where store_id = ?'],
    ['store', 'update stores set active = 0 where id = ?'],
  ])('403 after the merchant lost the %s (C12, C13)', async (_what, sql) => {
    const { decide, store, app: asking } = await asked();
    await run(sql, store.id);
    const answer = await decide('approve');
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('You cannot connect this store');
    expect(await grantsOf(asking)).toEqual([]);
  });

  it.each([
    ['switched off', `state = 'disabled'`],
    ['made a draft', `state = 'draft'`],
    ['moved to another address', `redirect_uris = '["https://partner.test/other"]'`],
    ['cut down to fewer scopes', 'scopes = 1'],
    ['given more scopes', 'scopes = 4194303'],
  ])('303 to the beginning, no code, when the app was %s meanwhile', async (_what, change) => {
    const { decide, app: asking } = await asked({ scopes: scopes.slice(0, 20) });
    await run(`update apps set ${change} where client_id = ?`, asking.client_id);
    for (const decision of ['approve', 'deny'] as const) {
      const answer = await decide(decision);
      expect([answer.status, answer.location]).toEqual([303, requestOf(asking)]);
    }
    expect(await grantsOf(asking)).toEqual([]);
  });

  it('429 beyond the limit of approvals of one user (J2)', async () => {
    const { browser, page, app: asking } = await asked();
    let left = 3;
    const limit = () => Promise.resolve({ success: (left -= 1) >= 0 });
    browser.bindings = { ME_LIMIT: { limit }, ME_PER_MINUTE: '1' as never };
    const fields = { ...fieldsOf(page, path), decision: 'approve' };
    const statuses = [];
    for (let count = 0; count < 5; count += 1) {
      statuses.push((await browser.post(path, fields)).status);
    }
    expect(statuses).toEqual([303, 409, 409, 429, 429]);
    expect((await browser.post(path, fields)).text).toContain('Too many requests');
    expect(await grantsOf(asking)).toHaveLength(1);
  });
});

describe('the consent page', () => {
  it('says who asks, for which store, as whom, what, where to, and how to undo it (C23)', async () => {
    const { page, store } = await asked({ scopes: ['catalog.read', 'payments.write'] });
    for (const sentence of [
      'Connect Test App?',
      'Made by Test Partner',
      `Test App wants to use your store Test Store (${store.alias}).`,
      'See your catalogue: products',
      'See your payment settings.',
      'Be careful',
      'Change your payment settings. It can decide where the money of your sales goes.',
      'you then return to partner.test.',
      `Signed in as Test Owner (${store.alias}@store.test).`,
      'You can disconnect the app at any time under Connected apps.',
      'Use another account',
      'Deny Approve',
    ]) {
      expect(page.text).toContain(sentence);
    }
    expect(page.text).not.toContain('Create, change and delete everything');
  });

  it('warns of a return to this device, whose port the form may lead to', async () => {
    const changed = { redirect_uri: 'http://127.0.0.1:51004/cb' };
    const { page } = await asked({ redirectUris: ['http://127.0.0.1/cb'], changed });
    expect(page.text).toContain('a program on this device (127.0.0.1:51004)');
    expect(page.headers.get('Content-Security-Policy')).toContain(
      "form-action 'self' http://127.0.0.1:51004;",
    );
  });

  it('shows names as text, isolated and cut at 80 characters (C3)', async () => {
    const asking = await app();
    const name = `"><img src=x onerror=alert(1)>\u202e${'x'.repeat(5_000)}`;
    const update = 'update apps set name = ?1, publisher = ?1 where client_id = ?2';
    await run(update, name, asking.client_id);
    const merchant = await store();
    const browser = new Browser();
    const before = await browser.get(requestOf(asking));
    await browser.signedIn(merchant.userId);
    const page = await browser.get(requestOf(asking));
    for (const { html } of [before, page]) {
      expect(html).not.toContain('<img');
      expect(html).toContain('<bdi class="name">&quot;&gt;&lt;img');
      expect(html).not.toContain('x'.repeat(80));
      expect(html).not.toMatch(/<title>[^<]*img/);
    }
  });

  it('stands in no frame, leaks no address, is kept nowhere (C1)', async () => {
    const { page } = await asked();
    const signIn = await new Browser().get(requestOf(await app()));
    for (const { headers } of [page, signIn]) {
      const policy = headers.get('Content-Security-Policy')?.split('; ');
      for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) {
        expect(policy).toContain(part);
      }
      expect(policy?.join(' ')).not.toMatch(/unsafe|\*/);
      expect(headers.get('X-Frame-Options')).toBe('DENY');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
    }
    expect(page.headers.get('Content-Security-Policy')).toContain(
      "form-action 'self' https://partner.test;",
    );
    expect(signIn.headers.get('Content-Security-Policy')).toContain("form-action 'self';");
    expect(page.html).not.toMatch(/<style|<script(?! src=)| style=| on\w+=/);
  });

  it('is shown each time, also for what was approved before (C20)', async () => {
    const { browser, decide, app: asking } = await asked();
    await decide('approve');
    const again = await browser.get(requestOf(asking));
    expect(again.status).toBe(200);
    expect(again.text).toContain('Approve');
    const second = { ...fieldsOf(again, path), decision: 'approve' };
    expect((await browser.post(path, second)).status).toBe(303);
  });

  it('400 with a way to start again once it is older than ten minutes (C10)', async () => {
    const { browser, app: asking } = await asked();
    const page = await shifted(-10 * 60_000 - 1, () => browser.get(requestOf(asking)));
    const answer = await browser.post(path, { ...fieldsOf(page, path), decision: 'approve' });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('This page has expired');
    expect(answer.html).toContain(`href="${requestOf(asking).replaceAll('&', '&amp;')}"`);
    expect(await grantsOf(asking)).toEqual([]);
  });

  it('speaks the language of the browser, or the one that was chosen and is then remembered', async () => {
    const { browser, app: asking } = await asked();
    const portuguese = await browser.get(requestOf(asking), {
      'Accept-Language': 'pt;q=0.9, en;q=0.1',
    });
    expect(portuguese.html).toContain('<html lang="pt-BR">');
    expect(portuguese.text).toContain('Autorizar');
    const [, href = ''] = /hreflang="es" href="([^"]+)"/.exec(portuguese.html) ?? [];
    const spanish = await browser.get(href.replaceAll('&amp;', '&'));
    expect(spanish.text).toContain('Rechazar');
    expect(fieldsOf(spanish, path)).toHaveProperty('ticket');
    expect((await browser.get(requestOf(asking))).html).toContain('<html lang="es">');
  });

  it('can be answered in whatever language it was shown', async () => {
    const { browser, app: asking } = await asked();
    const page = await browser.get(`${requestOf(asking)}&lang=es`);
    const answer = await browser.post(path, { ...fieldsOf(page, path), decision: 'approve' });
    expect(answer.location).toMatch(new RegExp(`^${callback}\\?code=`));
  });

  it('comes back after another account was chosen, with the same request', async () => {
    const { browser, page, app: asking } = await asked();
    const answer = await browser.post('/session/end', fieldsOf(page, '/session/end'));
    expect([answer.status, answer.location]).toEqual([303, requestOf(asking)]);
    const signIn = await browser.get(requestOf(asking));
    expect(signIn.text).toContain('Test App wants to connect to your store.');
  });
});

/** Runs something at another time. */
async function shifted<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const now = Date.now;
  Date.now = () => now() + ms;
  try {
    return await work();
  } finally {
    Date.now = now;
  }
}
