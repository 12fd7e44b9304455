import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { countingDatabase, noCost } from '../support/api/measure.ts';
import { Browser } from '../support/browser/browser.ts';
import { failingDatabase } from '../support/fakes/failing-database.ts';
import { createTestStore } from '../support/fixtures/store.ts';

const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('GET /', () => {
  it('returns 200 with a page for browsers, in their language, without reading a database', async () => {
    const browser = new Browser();
    const cost = noCost();
    browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
    const page = await browser.get('/', { ...html, 'Accept-Language': 'es' });
    expect([page.status, page.headers.get('Content-Type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(page.text).toContain('Tus productos, pedidos y apps en un solo lugar');
    for (const href of ['/session', '/partners', '/docs', '/sign-up'])
      expect(page.html).toContain(`href="${href}"`);
    expect(cost.roundTrips).toBe(0);
  });

  it('returns 200 and greets who is signed in, in the language they read, never from a cache', async () => {
    const own = await createTestStore();
    await env.DIRECTORY.prepare(`update users set language = 'pt-BR' where id = ?`)
      .bind(own.userId)
      .run();
    const browser = await new Browser().signIn(own.userId);
    const page = await browser.get('/', html);
    expect(page.html).toContain('lang="pt-BR"');
    expect(page.html).toContain(`href="/account/stores/${own.alias}"`);
    for (const path of ['/session', '/sign-up']) expect(page.html).not.toContain(`href="${path}"`);
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    expect(page.headers.get('Vary')).toContain('Cookie');
    browser.bindings = { DIRECTORY: failingDatabase(env.DIRECTORY, 'D1 is overloaded.').database };
    const unknown = await browser.get('/', html);
    expect([unknown.status, unknown.html.includes('href="/session"')]).toEqual([200, true]);
  });

  it.each([
    ['closed', false, false],
    ['partners', true, false],
    ['everyone', true, true],
  ] as const)(
    'returns 200 and with SIGN_UP = %s offers an account as that says',
    async (value, isShown, isForAll) => {
      const browser = new Browser();
      browser.bindings = { SIGN_UP: value } as unknown as Partial<Env>;
      const page = await browser.get('/', html);
      expect(page.html.includes('href="/sign-up"')).toBe(isShown);
      expect(page.text.includes('Open a store')).toBe(isForAll);
    },
  );

  it.each([{}, { Accept: '*/*' }, { Accept: 'application/json' }])(
    'returns 200 with the addresses as JSON to a program that sends %o',
    async (headers) => {
      const { status, headers: sent, html: body } = await new Browser().get('/', headers);
      expect([status, sent.get('Vary')]).toEqual([200, 'Accept, Accept-Language, Cookie']);
      expect(JSON.parse(body)).toMatchObject({
        api: 'https://api.test/v2',
        documentation: 'https://api.test/docs',
      });
    },
  );

  it('returns 405 to another method', async () => {
    expect((await new Browser().send('POST', '/', {})).status).toBe(405);
  });
});

describe('an address that does not exist', () => {
  it('returns 404 as a page with the navigation of the signed-in user, in the language they have stored', async () => {
    const own = await createTestStore();
    await env.DIRECTORY.prepare(`update users set language = 'pt-BR' where id = ?`)
      .bind(own.userId)
      .run();
    const browser = await new Browser().signIn(own.userId);
    for (const path of ['/account/nowhere', '/account/webhooks/foreign/1', '/partners/nowhere']) {
      const page = await browser.get(path, html);
      expect([path, page.status]).toEqual([path, 404]);
      expect(page.html).toContain('lang="pt-BR"');
      expect(page.html).toContain('href="/account/webhooks"');
    }
  });

  it('returns 404 as a page without a navigation to others, and as JSON to programs', async () => {
    const browser = new Browser();
    const page = await browser.get('/account/nowhere', html);
    expect([page.status, page.html.includes('<nav class="menu"')]).toEqual([404, false]);
    expect(page.html).toContain('href="/"');
    const unknown = await browser.get('/nowhere', html);
    expect([unknown.status, unknown.headers.get('Content-Type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    const api = await browser.get('/v2/nowhere', html);
    expect(JSON.parse(api.html)).toMatchObject({ code: 'unknown_path' });
  });
});
