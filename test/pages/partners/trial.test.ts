import { describe, expect, it } from 'vitest';
import { createApiClient } from '../../support/api/client.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { authorizeUrl, grantsOf } from '../../support/oauth/consent.ts';
import { bearerHeaders, createTestApp } from '../../support/oauth/partner.ts';

/** A partner with a test store and an app, in the middle of a trial: on the consent page. */
async function startTrial(options: { state?: 'draft' | 'published'; test?: boolean } = {}) {
  const own = await createTestStore({ test: options.test ?? true });
  const app = await createTestApp({ ownerId: own.userId, state: options.state ?? 'draft' });
  const browser = await new Browser().signIn(own.userId);
  const path = `/partners/${app.client_id}/try`;
  const start = () => browser.submit(path, { store: own.alias });
  const decide = async (decision: string) => {
    const started = await start();
    const consent = await browser.get(started.location ?? '');
    const form = { ...hiddenFieldsOf(consent, '/oauth/authorize'), decision };
    const { location } = await browser.post('/oauth/authorize', form);
    const target = new URL(location ?? '');
    return target.pathname + target.search;
  };
  return { own, app, browser, path, start, decide };
}

describe('trying an app with a test store', () => {
  it.each(['draft', 'published'] as const)(
    'runs the whole consent of a %s app and shows a token that works, and no refresh token',
    async (state) => {
      const { own, app, browser, start, decide } = await startTrial({ state });
      expect((await start()).status).toBe(303);
      const callback = await decide('approve');
      const page = await browser.get(callback);
      expect(page.text).toContain('The app is connected');
      expect(page.text).toContain('"refresh_token": "..."');
      expect(page.text).not.toMatch(/ort_/);
      const token = /oat_[\w.-]+/.exec(page.text)?.[0] ?? '';
      const api = createApiClient(own.alias, bearerHeaders(app, token));
      expect((await api('GET /catalog/products')).status).toBe(200);
      // A reload redeems nothing, so it is not taken for theft of the code.
      expect((await browser.get(callback)).text).toContain('This trial has ended');
      expect((await api('GET /catalog/products')).status).toBe(200);
    },
  );

  it('says what the app gets when the merchant declines', async () => {
    const { app, browser, decide } = await startTrial();
    expect((await browser.get(await decide('deny'))).text).toContain('error=access_denied');
    expect(await grantsOf(app)).toEqual([]);
  });

  it('redeems nothing in another browser, or with another state', async () => {
    const { own, browser, decide } = await startTrial();
    const callback = await decide('approve');
    const other = await new Browser().signIn(own.userId);
    expect((await other.get(callback)).text).toContain('This trial has ended');
    const forged = callback.replace(/state=[^&]*/, 'state=guess');
    expect((await browser.get(forged)).text).toContain('This trial has ended');
  });

  it('offers only test stores of the partner, and returns 422 without a choice', async () => {
    const none = await startTrial({ test: false });
    expect((await none.browser.get(none.path)).text).toContain('no test store that you can use');
    const { browser, path } = await startTrial();
    for (const store of ['', none.own.alias]) {
      expect((await browser.submit(path, { store })).status).toBe(422);
    }
  });

  it('returns 404 to others, and 400 to a request with the redirect URI of the panel', async () => {
    const { app, path } = await startTrial({ state: 'published' });
    const shop = await createTestStore({ test: true });
    const stranger = await new Browser().signIn(shop.userId);
    expect((await stranger.get(path)).status).toBe(404);
    const redirect_uri = 'https://api.test/partners/try/callback';
    const page = await stranger.get(authorizeUrl(app, { redirect_uri }));
    expect([page.status, page.text.includes('This link does not work')]).toEqual([400, true]);
  });
});

describe('a draft app that asks another user', () => {
  it('returns 403 with a page that says so, and repeats nothing of the request', async () => {
    const app = await createTestApp({ state: 'draft' });
    const stranger = await new Browser().signIn((await createTestStore()).userId);
    const page = await stranger.get(authorizeUrl(app, { state: 'secret-state' }));
    expect(page.status).toBe(403);
    expect(page.text).toContain("This app is a draft; only its partner's stores can connect.");
    expect(page.html).not.toContain('secret-state');
    expect(page.text).not.toContain(app.name);
  });
});
