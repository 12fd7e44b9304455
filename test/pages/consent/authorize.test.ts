import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { browserPaths } from '../../../src/base/page-paths.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import {
  openConsentPage,
  grantsOf,
  consentPath,
  authorizeUrl,
  redirectParams,
} from '../../support/oauth/consent.ts';
import { createTestApp } from '../../support/oauth/partner.ts';
import '../../support/fixtures/first-shard.ts';

/** Makes a user manager of the store of another user. */
const manage = (userId: number, { id }: TestStore) =>
  env.DIRECTORY.prepare(`insert into memberships values (?, ?, 'manager', 0)`)
    .bind(userId, id)
    .run();

const approvalForm = async (browser: Browser, request: string) => ({
  ...hiddenFieldsOf(await browser.get(request), consentPath),
  decision: 'approve',
});

describe('GET /oauth/authorize', () => {
  it('returns 200 with the consent page of the only store, without a choice', async () => {
    const { page } = await openConsentPage();
    expect(page.status).toBe(200);
    expect(page.text).toContain('Approve');
  });

  it('attack A1, A20: returns 400 and a page that names the cause, and repeats a wrong value as text only', async () => {
    const unregistered = 'https://evil.test/<script>alert(1)</script>';
    const shown = 'https://evil.test/%3Cscript%3Ealert(1)%3C/script%3E';
    const app = await createTestApp();
    const disabled = await createTestApp({ state: 'disabled' });
    for (const [request, cause] of [
      [`${consentPath}?client_id=${encodeURIComponent(unregistered)}`, `client_id: ${shown}`],
      [authorizeUrl({ client_id: 'Call 555-0100 to get help' }), 'client_id: …'],
      [authorizeUrl(disabled), `client_id: ${disabled.client_id}`],
      [
        authorizeUrl(app, { redirect_uri: `${unregistered}?a=Call%20us` }),
        `redirect_uri: ${shown}`,
      ],
      [authorizeUrl(app, { redirect_uri: 'com.evil:/back' }), 'redirect_uri: com.evil:/back'],
      [authorizeUrl(app, { redirect_uri: undefined }), 'redirect_uri is missing.'],
      [
        authorizeUrl(app, { redirect_uri: `https://evil.test/${'y'.repeat(100)}` }),
        `https://evil.test/${'y'.repeat(61)}…`,
      ],
      [`${authorizeUrl(app)}&client_id=x`, 'client_id was sent twice.'],
      [`${authorizeUrl(app)}&redirect_uri=x`, 'redirect_uri was sent twice.'],
      [`${authorizeUrl(app)}&more=${'x'.repeat(9_000)}`, 'the address is longer than 8,192'],
      [consentPath, 'client_id is missing.'],
    ] as const) {
      const page = await new Browser().get(request);
      expect(page.status, request).toBe(400);
      expect(page.location).toBeNull();
      expect(page.text).toContain('This link does not work');
      expect(page.text).toContain(cause);
      expect(page.html).not.toMatch(/<script>alert|href="[^"]*evil|Test App|xxxx|Call/);
    }
  });

  it('returns 400 with a link to the host that a published app registered, once the app is known, else to our start page', async () => {
    const link = /<a class="button" href="([^"]+)">/;
    const app = await createTestApp();
    const draft = await createTestApp({ state: 'draft' });
    const { origin } = new URL(app.redirect_uris[0] ?? '');
    const lost = { redirect_uri: 'https://evil.test/' };
    for (const [request, href] of [
      [authorizeUrl(app, lost), origin],
      [authorizeUrl(app, { redirect_uri: undefined }), origin],
      [authorizeUrl(draft, lost), browserPaths.home],
      [authorizeUrl({ client_id: 'unknown' }), browserPaths.home],
    ] as const) {
      expect([request, link.exec((await new Browser().get(request)).html)?.[1]]).toEqual([
        request,
        href,
      ]);
    }
  });

  it('attack B2: redirects with the error (302) before it asks anyone to sign in', async () => {
    const page = await new Browser().get(
      authorizeUrl(await createTestApp(), { code_challenge: undefined }),
    );
    expect(page.status).toBe(302);
    expect(Object.fromEntries(redirectParams(page))).toMatchObject({
      error: 'invalid_request',
      state: 'xyz',
      iss: 'https://api.test',
    });
  });

  it('attack B6: returns no state when none was sent', async () => {
    const { decide } = await openConsentPage({ changed: { state: undefined } });
    const params = redirectParams(await decide('approve'));
    expect(params.has('code')).toBe(true);
    expect(params.has('state')).toBe(false);
  });

  it('attack B7: returns the state encoded, with exactly one code', async () => {
    const { decide } = await openConsentPage({
      changed: { state: 'a&code=evil\r\nSet-Cookie: x' },
    });
    const response = await decide('approve');
    expect(redirectParams(response).getAll('code')).toHaveLength(1);
    expect(redirectParams(response).get('state')).toBe('a&code=evil\r\nSet-Cookie: x');
  });

  it('attack B8: redirects with invalid_request (302) and without a state when the state is repeated', async () => {
    const page = await new Browser().get(`${authorizeUrl(await createTestApp())}&state=other`);
    expect(redirectParams(page).get('error')).toBe('invalid_request');
    expect(redirectParams(page).has('state')).toBe(false);
  });

  it('attack B9: redirects with invalid_request (302) when the state has more than 2,048 bytes', async () => {
    const app = await createTestApp();
    const page = await new Browser().get(authorizeUrl(app, { state: 'x'.repeat(5_000) }));
    expect(redirectParams(page).get('error')).toBe('invalid_request');
    const longest = await new Browser().get(authorizeUrl(app, { state: 'x'.repeat(2_048) }));
    expect(longest.text).toContain('Sign in');
  });

  it('attack B11: ignores request_uri, request and prompt', async () => {
    const extra = { request_uri: 'http://169.254.169.254/', request: 'x', prompt: 'none' };
    const { page } = await openConsentPage({ changed: extra });
    expect(page.text).toContain('Approve');
  });

  it.each(['PUT', 'DELETE', 'PATCH'])('attack B13: returns 405 for %s', async (method) => {
    const page = await new Browser().send(method, consentPath);
    expect(page.status).toBe(405);
    expect(page.headers.get('Allow')).toBe('GET, HEAD, POST');
  });

  it('attack B14: sends no CORS headers', async () => {
    const headers = { Origin: 'https://evil.test', 'Access-Control-Request-Method': 'GET' };
    for (const method of ['OPTIONS', 'GET']) {
      const page = await new Browser().send(method, authorizeUrl(await createTestApp()), {
        headers,
      });
      expect([...page.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual(
        [],
      );
    }
  });

  it('attack B15: responds to HEAD as to GET, without a body', async () => {
    const { browser, app } = await openConsentPage();
    const page = await browser.send('HEAD', authorizeUrl(app));
    expect([page.status, page.html]).toEqual([200, '']);
    expect(await grantsOf(app)).toEqual([]);
  });

  it('attack J1, B15: writes no row, however many requests there are', async () => {
    const { browser, app } = await openConsentPage();
    const directoryCost = noCost();
    const storeCost = noCost();
    browser.bindings = {
      DIRECTORY: countingDatabase(env.DIRECTORY, directoryCost),
      STORE_0: countingDatabase(env.STORE_0, storeCost),
    };
    for (let count = 0; count < 50; count += 1) await browser.get(authorizeUrl(app));
    expect(directoryCost).toMatchObject({ roundTrips: 50, rowsWritten: 0 });
    expect(storeCost).toEqual(noCost());
  });

  it('costs one round trip to the directory while the app is cached; a decision costs two and one batch of the store', async () => {
    const { browser, app } = await openConsentPage();
    const [pageCost, decisionCost, storeCost] = [noCost(), noCost(), noCost()];
    browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, pageCost) };
    const fields = await approvalForm(browser, authorizeUrl(app));
    expect(pageCost).toMatchObject({ roundTrips: 1, statements: 2 });
    browser.bindings = {
      DIRECTORY: countingDatabase(env.DIRECTORY, decisionCost),
      STORE_0: countingDatabase(env.STORE_0, storeCost),
    };
    expect((await browser.post(consentPath, fields)).status).toBe(303);
    // The second round trip reads the app again after the grant was written.
    expect(decisionCost).toMatchObject({ roundTrips: 2, statements: 4, rowsWritten: 0 });
    expect(storeCost.roundTrips).toBe(1);
  });
});

describe('the page to choose a store', () => {
  it('lists the active stores that the user manages, with name and role', async () => {
    const [own, other, closed, foreign] = await Promise.all([
      createTestStore(),
      createTestStore(),
      createTestStore({ active: false }),
      createTestStore(),
    ]);
    await manage(own.userId, other);
    await manage(own.userId, closed);
    const app = await createTestApp();
    const browser = await new Browser().signIn(own.userId);
    const page = await browser.get(authorizeUrl(app));
    expect(page.text).toContain('Choose a store');
    expect(page.text).toContain(`${own.alias} · You own this store`);
    expect(page.text).toContain(`${other.alias} · You manage this store`);
    expect(page.text).not.toContain(closed.alias);
    expect(page.text).not.toContain(foreign.alias);

    const chosen = await browser.get(`${authorizeUrl(app)}&store=${other.alias}`);
    expect(chosen.text).toContain(`(${other.alias})`);
    expect(chosen.text).toContain('Choose another store');
    const response = await browser.post(consentPath, {
      ...hiddenFieldsOf(chosen, consentPath),
      decision: 'approve',
    });
    expect(redirectParams(response).get('merchant')).toBe(other.alias);
    expect(await grantsOf(app)).toMatchObject([{ store_id: other.id }]);
  });

  it('attack C13: returns 403 for a foreign store, a closed store and an unknown alias', async () => {
    const { browser, app, store: own } = await openConsentPage();
    const closed = await createTestStore({ active: false });
    await manage(own.userId, closed);
    for (const alias of [(await createTestStore()).alias, closed.alias, 'no-such-store', '']) {
      const page = await browser.get(`${authorizeUrl(app)}&store=${alias}`);
      expect(page.status, alias).toBe(403);
      expect(page.html).not.toContain('name="decision"');
    }
  });

  it('says that the user has no store to connect', async () => {
    const inactive = await createTestStore({ active: false });
    const browser = await new Browser().signIn(inactive.userId);
    const page = await browser.get(authorizeUrl(await createTestApp()));
    expect(page.text).toContain('No store to connect');
    expect(page.html).not.toContain('name="decision"');
  });
});

describe('GET /oauth/authorize of a draft app', () => {
  it('offers only stores that its partner owns, and says that the app is a draft', async () => {
    const [own, managed] = [await createTestStore(), await createTestStore()];
    await manage(own.userId, managed);
    const app = await createTestApp({ state: 'draft', ownerId: own.userId });
    const browser = await new Browser().signIn(own.userId);
    const page = await browser.get(authorizeUrl(app));
    expect(page.text).toContain('This app is a draft. Only your own stores can use it.');
    expect(page.text).toContain(`(${own.alias})`);
    expect((await browser.get(`${authorizeUrl(app)}&store=${managed.alias}`)).status).toBe(403);
    const response = await browser.post(consentPath, {
      ...hiddenFieldsOf(page, consentPath),
      decision: 'approve',
    });
    expect(redirectParams(response).has('code')).toBe(true);
  });

  it('returns 403 for any other user, after they sign in', async () => {
    const partner = await createTestStore();
    const app = await createTestApp({ state: 'draft', ownerId: partner.userId });
    const browser = new Browser();
    expect((await browser.get(authorizeUrl(app))).text).toContain('Sign in');
    await browser.signIn((await createTestStore()).userId);
    expect((await browser.get(authorizeUrl(app))).status).toBe(403);
  });
});
