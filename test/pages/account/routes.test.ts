import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { failingDatabase } from '../../support/fakes/failing-database.ts';
import { createTestUser } from '../../support/fixtures/members.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { createTestWebhook } from '../../support/webhooks/delivery-log.ts';
import '../../support/fixtures/first-shard.ts';

const pages = [
  '/account',
  '/account/password',
  '/account/apps',
  '/account/webhooks',
  '/account/keys',
  '/account/keys/new',
  '/account/keys/made',
  '/partners',
  '/partners/new',
];

describe.each(pages)('GET %s', (path) => {
  it('returns 200 with one h1, landmarks, a label for each field, and no reference to another host', async () => {
    const { userId } = await createTestStore();
    const browser = await new Browser().signIn(userId);
    const page = await browser.get(path);
    expect(page.status).toBe(200);
    expect(page.html.match(/<h1[ >]/g)).toHaveLength(1);
    for (const landmark of ['<main', '<header', '<footer', '<nav']) {
      expect(page.html).toContain(landmark);
    }
    for (const [, id] of page.html.matchAll(/<(?:input|textarea) id="([^"]+)"/g)) {
      expect(page.html).toContain(`<label for="${id}"`);
    }
    expect(page.html).not.toMatch(/(?:src|href|action)="(?!\/|data:|#)/);
    expect(page.headers.get('Content-Security-Policy')).toContain("form-action 'self'");
    expect(page.headers.get('Cache-Control')).toBe('no-store');
  });

  it('shows only the sign-in page, which leads back, to a browser without a session', async () => {
    const page = await new Browser().get(`${path}?lang=en`);
    expect(page.text).toContain('E-mail address');
    expect(page.html).toContain(`href="${path}?lang=es"`);
    expect(page.text).not.toContain('Your account');
  });

  it.each([
    ['pt-BR', 'Chaves de API'],
    ['es', 'Claves de API'],
  ])('is translated into %s', async (language, keys) => {
    const { userId } = await createTestStore();
    const browser = await new Browser().signIn(userId);
    const page = await browser.get(path, { 'Accept-Language': language });
    expect(page.html).toContain(`<html lang="${language}"`);
    expect(page.text).toContain(keys);
  });
});

describe('GET /account', () => {
  it('returns 200 with the user and their stores, inactive ones apart', async () => {
    const [own, closed, other] = [
      await createTestStore(),
      await createTestStore({ active: false }),
      await createTestStore(),
    ];
    await env.DIRECTORY.prepare(`insert into memberships values (?, ?, 'manager', 0)`)
      .bind(own.userId, closed.id)
      .run();
    const browser = await new Browser().signIn(own.userId);
    const cost = noCost();
    browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
    const { text } = await browser.get('/account');
    expect(text).toContain('Signed in as Test Owner');
    expect(text).toContain(`${own.alias} · You own this store`);
    expect(text.indexOf(closed.alias)).toBeGreaterThan(text.indexOf('Inactive stores'));
    expect(text).not.toContain(other.alias);
    expect(cost.roundTrips).toBe(1);
  });

  it('returns 200 with the next step for a user without a store', async () => {
    const { userId } = await createTestUser();
    const browser = await new Browser().signIn(userId);
    expect((await browser.get('/account')).text).toContain('Ask the owner of a store');
  });

  it('offers to sign out here (303) and everywhere (303)', async () => {
    for (const action of ['/session/end', '/session/end-everywhere']) {
      const { userId } = await createTestStore();
      const browser = await new Browser().signIn(userId);
      const page = await browser.get('/account');
      const response = await browser.post(action, hiddenFieldsOf(page, action));
      expect([response.status, response.location]).toEqual([
        303,
        expect.stringMatching(/^\/session\?signed-out=/),
      ]);
      expect((await browser.get('/account')).text).toContain('E-mail address');
    }
  });

  it('shows figures of each store, and what needs the user, in one round trip of its shard', async () => {
    const own = await createTestStore();
    await createTestWebhook(own);
    await env.STORE_0.batch([
      env.STORE_0.prepare(`insert into totals values (?, 'products', 1234)`).bind(own.id),
      env.STORE_0.prepare(
        'update webhook_endpoints set first_failure_at = 1 where store_id = ?',
      ).bind(own.id),
    ]);
    const browser = await new Browser().signIn(own.userId);
    const cost = noCost();
    browser.bindings = { STORE_0: countingDatabase(env.STORE_0, cost) };
    const { text } = await browser.get('/account');
    expect(text).toContain('Products 1,234 Orders 0 Customers 0');
    expect(text).toContain('the webhook to 127.0.0.1:9 fails');
    expect(text).toContain('Protect your account with two-step sign-in');
    expect(cost.roundTrips).toBe(1);
  });

  it('returns 200 without figures while the shard does not answer', async () => {
    const own = await createTestStore();
    const browser = await new Browser().signIn(own.userId);
    const { database } = failingDatabase(env.STORE_0, 'D1 is overloaded.');
    browser.bindings = { STORE_0: database };
    const page = await browser.get('/account');
    expect(page.status).toBe(200);
    expect(page.text).toContain(own.alias);
    expect(page.text).not.toContain('Customers');
  });

  it('is where /session redirects a signed-in user (303)', async () => {
    const { userId } = await createTestStore();
    const response = await (await new Browser().signIn(userId)).get('/session');
    expect([response.status, response.location]).toEqual([303, '/account']);
  });
});

describe('paths under /account and /partners', () => {
  it.each(['/account/none', '/account/keys/1/2', '/partners/a/b/c', '/partners/nothing'])(
    'returns a 404 page for %s',
    async (path) => {
      const { userId } = await createTestStore();
      const page = await (await new Browser().signIn(userId)).get(path);
      expect(page.status).toBe(404);
      expect(page.text).toContain('There is no such page');
    },
  );

  it.each([
    ['POST', '/account', 'GET, HEAD'],
    ['PUT', '/account/password', 'GET, HEAD, POST'],
    ['DELETE', '/partners', 'GET, HEAD'],
  ])('returns 405 with Allow for %s %s', async (method, path, allow) => {
    const response = await new Browser().send(method, path);
    expect([response.status, response.headers.get('Allow')]).toEqual([405, allow]);
  });
});
