import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { scopes } from '../../../src/data/grants/scopes.ts';
import { englishMessages } from '../../../src/web/texts/en/messages.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  openConsentPage,
  grantsOf,
  consentPath,
  authorizeUrl,
  redirectParams,
} from '../../support/oauth/consent.ts';
import { createTestApp, partnerRedirectUri } from '../../support/oauth/partner.ts';

const updateDirectory = (sql: string, ...values: unknown[]) =>
  env.DIRECTORY.prepare(sql)
    .bind(...values)
    .run();

describe('POST /oauth/authorize', () => {
  it('attack C16: redirects (303) with code, merchant, state and iss when the merchant approves', async () => {
    const { decide, store, app } = await openConsentPage();
    const response = await decide('approve');
    expect(response.status).toBe(303);
    expect(response.location).toMatch(/^https:\/\/partner\.test\/callback\?/);
    const params = Object.fromEntries(redirectParams(response));
    expect(params).toEqual({
      code: expect.stringMatching(/^oac_/),
      merchant: store.alias,
      state: 'xyz',
      iss: 'https://api.test',
    });
    expect(await grantsOf(app)).toMatchObject([{ store_id: store.id, user_id: store.userId }]);
  });

  it('attack C14: redirects (303) with access_denied when the merchant denies, without a row or a code', async () => {
    const { decide, app } = await openConsentPage();
    const response = await decide('deny');
    expect(response.status).toBe(303);
    const params = redirectParams(response);
    expect(params.get('error')).toBe('access_denied');
    expect([params.get('state'), params.get('iss')]).toEqual(['xyz', 'https://api.test']);
    expect(params.has('code')).toBe(false);
    expect(await grantsOf(app)).toEqual([]);
  });

  it('attack C5: returns 403 without a form token, and 400 for the token of another form', async () => {
    const { browser, page, app } = await openConsentPage();
    expect((await browser.post(consentPath, { decision: 'approve' })).status).toBe(403);
    const other = hiddenFieldsOf(page, '/session/end');
    expect((await browser.post(consentPath, { ...other, decision: 'approve' })).status).toBe(400);
    expect(await grantsOf(app)).toEqual([]);
  });

  it("attack C6, C7: returns 403 for the form of another browser, be it an attacker's or the same user's", async () => {
    const { page, store: own, app } = await openConsentPage();
    const attacker = await openConsentPage();
    const elsewhere = await new Browser().signIn(own.userId);
    for (const browser of [attacker.browser, elsewhere, new Browser()]) {
      const response = await browser.post(consentPath, {
        ...hiddenFieldsOf(page, consentPath),
        decision: 'approve',
      });
      expect(response.status).toBe(403);
      expect(response.text).toContain('This form is not yours');
    }
    expect(await grantsOf(app)).toEqual([]);
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
  ])('attack C8: returns 403 for a form that our page did not send: %j', async (headers) => {
    const { decide, app } = await openConsentPage();
    const response = await decide('approve', {}, headers);
    expect(response.status).toBe(403);
    expect(await grantsOf(app)).toEqual([]);
  });

  it('accepts our own Origin from a browser without Sec-Fetch-Site', async () => {
    const { decide } = await openConsentPage();
    expect((await decide('approve', {}, { Origin: 'https://api.test' })).status).toBe(303);
  });

  it('attack C9: returns 400 when any part of the form token was changed', async () => {
    const { decide, page, app } = await openConsentPage();
    const { form_token: formToken = '' } = hiddenFieldsOf(page, consentPath);
    for (const index of [3, 20, Math.floor(formToken.length / 2), formToken.length - 2]) {
      const changed = formToken[index] === 'A' ? 'B' : 'A';
      const forged = formToken.slice(0, index) + changed + formToken.slice(index + 1);
      expect((await decide('approve', { form_token: forged })).status, `${index}`).toBe(400);
    }
    expect(await grantsOf(app)).toEqual([]);
  });

  it('attack C9: uses the sealed request and ignores other fields of the form', async () => {
    const { decide, app } = await openConsentPage({ scopes: ['catalog.read'] });
    const other = await createTestApp();
    const response = await decide('approve', {
      client_id: other.client_id,
      redirect_uri: 'https://evil.test/',
      scope: 'payments.write',
      state: 'other',
    });
    expect(response.location).toMatch(/^https:\/\/partner\.test\/callback\?/);
    expect(redirectParams(response).get('state')).toBe('xyz');
    expect(await grantsOf(app)).toMatchObject([{ scopes: 1 }]);
    expect(await grantsOf(other)).toEqual([]);
  });

  it('accepts the longest possible request', async () => {
    const state = '\u0001'.repeat(2_048);
    const lengthWithoutPadding = authorizeUrl({ client_id: 'x'.repeat(24) }, { state }).length;
    const more = 'x'.repeat(
      8_192 - 'https://api.test'.length - lengthWithoutPadding - '&more='.length,
    );
    const { decide, page } = await openConsentPage({ changed: { state, more } });
    expect(page.status).toBe(200);
    expect(redirectParams(await decide('approve')).get('state')).toBe(state);
  });

  it('returns 400 without a decision', async () => {
    const { browser, page } = await openConsentPage();
    expect((await browser.post(consentPath, hiddenFieldsOf(page, consentPath))).status).toBe(400);
  });

  it('returns 415 for a body that is not a form, and 413 beyond 32 KiB', async () => {
    const { browser, decide } = await openConsentPage();
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' };
    const response = await browser.send('POST', consentPath, { headers, body: '{}' });
    expect(response.status).toBe(415);
    expect((await decide('approve', { more: 'x'.repeat(33_000) })).status).toBe(413);
  });

  it('attack C11: returns 409 for all but one of 20 parallel approvals, which make one grant and one code', async () => {
    const { decide, app } = await openConsentPage();
    const responses = await Promise.all(Array.from({ length: 20 }, () => decide('approve')));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    expect(responses.find(({ status }) => status === 409)?.text).toContain(
      'You have already decided',
    );
    expect(await grantsOf(app)).toHaveLength(1);
  });

  it('attack C22: returns 409 for a second approval of the same page, which is never cached', async () => {
    const { decide, page } = await openConsentPage();
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    expect((await decide('approve')).status).toBe(303);
    const again = await decide('approve');
    expect(again.status).toBe(409);
    expect(again.html).toContain('href="/account/apps"');
  });

  it('attack C12: issues no code after the user signed out, in this browser or everywhere', async () => {
    const here = await openConsentPage();
    await here.browser.post('/session/end', hiddenFieldsOf(here.page, '/session/end'));
    expect((await here.decide('approve')).status).toBe(403);

    const elsewhere = await openConsentPage();
    await updateDirectory('delete from sessions where user_id = ?', elsewhere.store.userId);
    const response = await elsewhere.decide('approve');
    expect([response.status, response.location]).toEqual([303, authorizeUrl(elsewhere.app)]);
    expect(await grantsOf(elsewhere.app)).toEqual([]);
  });

  it.each([
    ['a changed password', 'update passwords set changed_at = ?1 where user_id = ?2'],
    ['an inactive user', 'update users set active = 0, updated_at = ?1 where id = ?2'],
    ['an expired session', 'update sessions set expires_at = ?1 - 2000 where user_id = ?2'],
  ])('attack C12: redirects to the request (303) without a code after %s', async (_what, sql) => {
    const { decide, store, app } = await openConsentPage();
    await updateDirectory(sql, Date.now() + 1_000, store.userId);
    const response = await decide('approve');
    expect([response.status, response.location]).toEqual([303, authorizeUrl(app)]);
    expect(await grantsOf(app)).toEqual([]);
  });

  it.each([
    ['role', 'delete from memberships where store_id = ?'],
    ['store', 'update stores set active = 0 where id = ?'],
  ])('attack C12, C13: returns 403 after the merchant lost the %s', async (_what, sql) => {
    const { decide, store, app } = await openConsentPage();
    await updateDirectory(sql, store.id);
    const response = await decide('approve');
    expect(response.status).toBe(403);
    expect(response.text).toContain('You cannot connect this store');
    expect(await grantsOf(app)).toEqual([]);
  });

  it.each([
    ['disabled', `state = 'disabled'`],
    ['made a draft', `state = 'draft'`],
    ['given another redirect URI', `redirect_uris = '["https://partner.test/other"]'`],
    ['limited to fewer scopes', 'scopes = 1'],
    ['given more scopes', 'scopes = 4194303'],
  ])(
    'redirects to the request (303) without a code when the app was %s meanwhile',
    async (_what, change) => {
      const { decide, app } = await openConsentPage({ scopes: scopes.slice(0, 20) });
      await updateDirectory(`update apps set ${change} where client_id = ?`, app.client_id);
      for (const decision of ['approve', 'deny'] as const) {
        const response = await decide(decision);
        expect([response.status, response.location]).toEqual([303, authorizeUrl(app)]);
      }
      expect(await grantsOf(app)).toEqual([]);
    },
  );

  it('attack J2: returns 429 beyond the approvals per minute of one user', async () => {
    const { browser, page, app } = await openConsentPage();
    let left = 3;
    const limit = () => Promise.resolve({ success: (left -= 1) >= 0 });
    browser.bindings = { ME_LIMIT: { limit }, ME_PER_MINUTE: '1' as never };
    const fields = { ...hiddenFieldsOf(page, consentPath), decision: 'approve' };
    const statuses = [];
    for (let count = 0; count < 5; count += 1) {
      statuses.push((await browser.post(consentPath, fields)).status);
    }
    expect(statuses).toEqual([303, 409, 409, 429, 429]);
    expect((await browser.post(consentPath, fields)).text).toContain('Too many requests');
    expect(await grantsOf(app)).toHaveLength(1);
  });
});

describe('the consent page', () => {
  it('attack C23: names the app, store, user, scopes and redirect host, and how to disconnect', async () => {
    const { page, store } = await openConsentPage({ scopes: ['catalog.read', 'payments.write'] });
    for (const sentence of [
      'Connect Test App?',
      'Publisher Test Partner not verified',
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

  it('says what is dangerous, then what the app may do in each area, before the buttons', async () => {
    const { page } = await openConsentPage({
      scopes: ['catalog.write', 'orders.read', 'payments.write'],
    });
    const parts = [
      'Be careful',
      'Payment settings Change your payment settings. It can decide',
      'What it may do See your name',
      'Catalogue See your catalogue',
      'Create, change and delete everything in your catalogue',
      'Orders See your orders',
      'Deny Approve',
    ];
    const places = parts.map((part) => page.text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(page.html).toContain('decision last');
    const { page: harmless } = await openConsentPage({ scopes: ['catalog.write'] });
    expect(harmless.html).not.toContain('decision last');
  });

  it('folds only areas that are seen, without personal data, and names them', async () => {
    const { page } = await openConsentPage({ scopes });
    const html = page.html.replaceAll('&#39;', "'");
    const folded = /<details>.*?<\/details>/s.exec(html)?.[0] ?? '';
    expect(folded).toContain('<summary>Also: Payment settings, Settings and activity, Webhooks');
    const shown = html.replace(folded, '');
    const { meanings, consequences } = englishMessages.scopes;
    for (const scope of scopes) {
      const isFolded = folded.includes(meanings[scope]);
      expect([scope, isFolded]).toEqual([
        scope,
        /^(?:payments|config|webhooks)\.read$/.test(scope),
      ]);
    }
    for (const text of Object.values(consequences)) expect(shown).toContain(text);
    expect(html.split('<details>')).toHaveLength(2);
  });

  it('warns of a redirect to this device and allows its port in form-action', async () => {
    const changed = { redirect_uri: 'http://127.0.0.1:51004/cb' };
    const { page } = await openConsentPage({ redirectUris: ['http://127.0.0.1/cb'], changed });
    expect(page.text).toContain('a program on this device (127.0.0.1:51004)');
    expect(page.headers.get('Content-Security-Policy')).toContain(
      "form-action 'self' http://127.0.0.1:51004;",
    );
  });

  it('attack C3: shows names as text, isolated and cut to 80 characters', async () => {
    const app = await createTestApp();
    const name = `"><img src=x onerror=alert(1)>\u202e${'x'.repeat(5_000)}`;
    const update = 'update apps set name = ?1, publisher = ?1 where client_id = ?2';
    await updateDirectory(update, name, app.client_id);
    const merchant = await createTestStore();
    const browser = new Browser();
    const before = await browser.get(authorizeUrl(app));
    await browser.signIn(merchant.userId);
    const page = await browser.get(authorizeUrl(app));
    for (const { html } of [before, page]) {
      expect(html).not.toContain('<img');
      expect(html).toContain('<bdi class="name">&quot;&gt;&lt;img');
      expect(html).not.toContain('x'.repeat(80));
      expect(html).not.toMatch(/<title>[^<]*img/);
    }
  });

  it('attack C1: forbids framing, referrers and caching', async () => {
    const { page } = await openConsentPage();
    const signIn = await new Browser().get(authorizeUrl(await createTestApp()));
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

  it('attack C20: is shown each time, also when the same request was approved before', async () => {
    const { browser, decide, app } = await openConsentPage();
    await decide('approve');
    const again = await browser.get(authorizeUrl(app));
    expect(again.status).toBe(200);
    expect(again.text).toContain('Approve');
    const second = { ...hiddenFieldsOf(again, consentPath), decision: 'approve' };
    expect((await browser.post(consentPath, second)).status).toBe(303);
  });

  it('attack C10: returns 400 with a link to start again once the page is older than ten minutes', async () => {
    const { browser, app } = await openConsentPage();
    const page = await withClockShift(-10 * 60_000 - 1, () => browser.get(authorizeUrl(app)));
    const response = await browser.post(consentPath, {
      ...hiddenFieldsOf(page, consentPath),
      decision: 'approve',
    });
    expect(response.status).toBe(400);
    expect(response.text).toContain('This page has expired');
    expect(response.html).toContain(`href="${authorizeUrl(app).replaceAll('&', '&amp;')}"`);
    expect(await grantsOf(app)).toEqual([]);
  });

  it('uses the language of the browser, or the chosen one, which it remembers', async () => {
    const { browser, app } = await openConsentPage();
    const portuguese = await browser.get(authorizeUrl(app), {
      'Accept-Language': 'pt;q=0.9, en;q=0.1',
    });
    expect(portuguese.html).toContain('<html lang="pt-BR">');
    expect(portuguese.text).toContain('Autorizar');
    const [, href = ''] = /hreflang="es" href="([^"]+)"/.exec(portuguese.html) ?? [];
    const spanish = await browser.get(href.replaceAll('&amp;', '&'));
    expect(spanish.text).toContain('Rechazar');
    expect(hiddenFieldsOf(spanish, consentPath)).toHaveProperty('form_token');
    expect((await browser.get(authorizeUrl(app))).html).toContain('<html lang="es">');
  });

  it('accepts the decision in any language of the page', async () => {
    const { browser, app } = await openConsentPage();
    const page = await browser.get(`${authorizeUrl(app)}&lang=es`);
    const response = await browser.post(consentPath, {
      ...hiddenFieldsOf(page, consentPath),
      decision: 'approve',
    });
    expect(response.location).toMatch(new RegExp(`^${partnerRedirectUri}\\?code=`));
  });

  it('returns to the same request after the user chose another account', async () => {
    const { browser, page, app } = await openConsentPage();
    const response = await browser.post('/session/end', hiddenFieldsOf(page, '/session/end'));
    expect([response.status, response.location]).toEqual([303, authorizeUrl(app)]);
    const signIn = await browser.get(authorizeUrl(app));
    expect(signIn.text).toContain('Test App wants to connect to your store.');
  });
});

/** Runs work with the clock shifted. */
async function withClockShift<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const now = Date.now;
  Date.now = () => now() + ms;
  try {
    return await work();
  } finally {
    Date.now = now;
  }
}
