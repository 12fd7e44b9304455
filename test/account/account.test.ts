import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { counting } from '../support/counted.ts';
import { store } from '../support/store.ts';

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
  it('200 with one h1, landmarks, a label for each field, and nothing of another host', async () => {
    const { userId } = await store();
    const browser = await new Browser().signedIn(userId);
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

  it('asks to sign in and comes back, and shows nothing before', async () => {
    const page = await new Browser().get(`${path}?lang=en`);
    expect(page.text).toContain('E-mail address');
    expect(page.html).toContain(`href="${path}?lang=es"`);
    expect(page.text).not.toContain('Your account');
  });

  it.each([
    ['pt-BR', 'Chaves de API'],
    ['es', 'Claves de API'],
  ])('speaks %s', async (language, keys) => {
    const { userId } = await store();
    const browser = await new Browser().signedIn(userId);
    const page = await browser.get(path, { 'Accept-Language': language });
    expect(page.html).toContain(`<html lang="${language}"`);
    expect(page.text).toContain(keys);
  });
});

describe('GET /account', () => {
  it('200 with the person and the active stores that they manage, those of nobody else', async () => {
    const [own, closed, other] = [await store(), await store({ active: false }), await store()];
    await env.DIRECTORY.prepare(`insert into memberships values (?, ?, 'manager', 0)`)
      .bind(own.userId, closed.id)
      .run();
    const browser = await new Browser().signedIn(own.userId);
    const cost = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
    browser.bindings = { DIRECTORY: counting(env.DIRECTORY, cost) };
    const { text } = await browser.get('/account');
    expect(text).toContain('Signed in as Test Owner');
    expect(text).toContain(`${own.alias} · You own this store`);
    expect(text).not.toContain(closed.alias);
    expect(text).not.toContain(other.alias);
    expect(cost.trips).toBe(1);
  });

  it('200 for somebody without a store, saying what to do next', async () => {
    const { userId } = await store({ active: false });
    const browser = await new Browser().signedIn(userId);
    expect((await browser.get('/account')).text).toContain('Ask the owner of a store');
  });

  it('signs out here and everywhere', async () => {
    for (const action of ['/session/end', '/session/end-everywhere']) {
      const { userId } = await store();
      const browser = await new Browser().signedIn(userId);
      const page = await browser.get('/account');
      const answer = await browser.post(action, fieldsOf(page, action));
      expect([answer.status, answer.location]).toEqual([
        303,
        expect.stringMatching(/^\/session\?signed-out=/),
      ]);
      expect((await browser.get('/account')).text).toContain('E-mail address');
    }
  });

  it('is where /session leads whoever is signed in', async () => {
    const { userId } = await store();
    const answer = await (await new Browser().signedIn(userId)).get('/session');
    expect([answer.status, answer.location]).toEqual([303, '/account']);
  });
});

describe('addresses of the panels', () => {
  it.each(['/account/none', '/account/keys/1/2', '/partners/a/b/c', '/partners/nothing'])(
    '404 page for %s',
    async (path) => {
      const { userId } = await store();
      const page = await (await new Browser().signedIn(userId)).get(path);
      expect(page.status).toBe(404);
      expect(page.text).toContain('There is no such page');
    },
  );

  it.each([
    ['POST', '/account', 'GET, HEAD'],
    ['PUT', '/account/password', 'GET, HEAD, POST'],
    ['DELETE', '/partners', 'GET, HEAD'],
  ])('405 for %s %s, with Allow', async (method, path, allow) => {
    const answer = await new Browser().send(method, path);
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, allow]);
  });
});
