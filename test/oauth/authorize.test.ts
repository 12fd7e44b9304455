import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { counting } from '../support/counted.ts';
import { asked, grantsOf, path, requestOf, returned } from '../support/consent.ts';
import { app } from '../support/partner.ts';
import { store, type TestStore } from '../support/store.ts';

const nothing = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };

/** Lets somebody manage the store of somebody else. */
const manage = (userId: number, { id }: TestStore) =>
  env.DIRECTORY.prepare(`insert into memberships values (?, ?, 'manager', 0)`)
    .bind(userId, id)
    .run();

const decisionOn = async (browser: Browser, request: string) => ({
  ...fieldsOf(await browser.get(request), path),
  decision: 'approve',
});

describe('GET /oauth/authorize', () => {
  it('200 with the consent page for the only store, without asking which', async () => {
    const { page } = await asked();
    expect(page.status).toBe(200);
    expect(page.text).toContain('Approve');
  });

  it('400, a page with nothing of the request, no way back and no app (A1, A20)', async () => {
    const strange = 'https://evil.test/<script>alert(1)</script>';
    const asking = await app();
    const disabled = await app({ state: 'disabled' });
    for (const request of [
      `${path}?client_id=${encodeURIComponent(strange)}`,
      requestOf({ client_id: strange }),
      requestOf(disabled),
      requestOf(asking, { redirect_uri: strange }),
      `${requestOf(asking)}&client_id=x`,
      `${requestOf(asking)}&more=${'x'.repeat(9_000)}`,
      path,
    ]) {
      const page = await new Browser().get(request);
      expect(page.status, request).toBe(400);
      expect(page.location).toBeNull();
      expect(page.text).toContain('This link does not work');
      expect(page.html).not.toMatch(/evil|alert|Test App|xxxx|partner\.test/);
    }
  });

  it('302 with the error before anybody is asked to sign in (B2)', async () => {
    const page = await new Browser().get(requestOf(await app(), { code_challenge: undefined }));
    expect(page.status).toBe(302);
    expect(Object.fromEntries(returned(page))).toMatchObject({
      error: 'invalid_request',
      state: 'xyz',
      iss: 'https://api.test',
    });
  });

  it('works without state, and sends none back (B6)', async () => {
    const { decide } = await asked({ changed: { state: undefined } });
    const sent = returned(await decide('approve'));
    expect(sent.has('code')).toBe(true);
    expect(sent.has('state')).toBe(false);
  });

  it('sends the state back encoded, with exactly one code (B7)', async () => {
    const { decide } = await asked({ changed: { state: 'a&code=evil\r\nSet-Cookie: x' } });
    const answer = await decide('approve');
    expect(returned(answer).getAll('code')).toHaveLength(1);
    expect(returned(answer).get('state')).toBe('a&code=evil\r\nSet-Cookie: x');
  });

  it('302 invalid_request without state when it came twice (B8)', async () => {
    const page = await new Browser().get(`${requestOf(await app())}&state=other`);
    expect(returned(page).get('error')).toBe('invalid_request');
    expect(returned(page).has('state')).toBe(false);
  });

  it('302 invalid_request when the state is longer than 2,048 bytes (B9)', async () => {
    const asking = await app();
    const page = await new Browser().get(requestOf(asking, { state: 'x'.repeat(5_000) }));
    expect(returned(page).get('error')).toBe('invalid_request');
    const longest = await new Browser().get(requestOf(asking, { state: 'x'.repeat(2_048) }));
    expect(longest.text).toContain('Sign in');
  });

  it('ignores request_uri, request and prompt, and fetches nothing (B11)', async () => {
    const extra = { request_uri: 'http://169.254.169.254/', request: 'x', prompt: 'none' };
    const { page } = await asked({ changed: extra });
    expect(page.text).toContain('Approve');
  });

  it.each(['PUT', 'DELETE', 'PATCH'])('405 for %s (B13)', async (method) => {
    const page = await new Browser().send(method, path);
    expect(page.status).toBe(405);
    expect(page.headers.get('Allow')).toBe('GET, HEAD, POST');
  });

  it('tells no other origin anything (B14)', async () => {
    const headers = { Origin: 'https://evil.test', 'Access-Control-Request-Method': 'GET' };
    for (const method of ['OPTIONS', 'GET']) {
      const page = await new Browser().send(method, requestOf(await app()), { headers });
      expect([...page.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual(
        [],
      );
    }
  });

  it('answers HEAD like GET, without a body (B15)', async () => {
    const { browser, app: asking } = await asked();
    const page = await browser.send('HEAD', requestOf(asking));
    expect([page.status, page.html]).toEqual([200, '']);
    expect(await grantsOf(asking)).toEqual([]);
  });

  it('leaves no row behind, however often it is asked (J1, B15)', async () => {
    const { browser, app: asking } = await asked();
    const cost = { ...nothing };
    const store = { ...nothing };
    browser.bindings = {
      DIRECTORY: counting(env.DIRECTORY, cost),
      STORE_0: counting(env.STORE_0, store),
    };
    for (let count = 0; count < 50; count += 1) await browser.get(requestOf(asking));
    expect(cost).toMatchObject({ trips: 50, rowsWritten: 0 });
    expect(store).toEqual(nothing);
  });

  it('is one round trip to the directory when the app is warm; a decision one batch between two of them', async () => {
    const { browser, app: asking } = await asked();
    const [asking1, deciding, data] = [{ ...nothing }, { ...nothing }, { ...nothing }];
    browser.bindings = { DIRECTORY: counting(env.DIRECTORY, asking1) };
    const fields = await decisionOn(browser, requestOf(asking));
    expect(asking1).toMatchObject({ trips: 1, statements: 2 });
    browser.bindings = {
      DIRECTORY: counting(env.DIRECTORY, deciding),
      STORE_0: counting(env.STORE_0, data),
    };
    expect((await browser.post(path, fields)).status).toBe(303);
    // The second looks at the app once more after the grant is there.
    expect(deciding).toMatchObject({ trips: 2, statements: 4, rowsWritten: 0 });
    expect(data.trips).toBe(1);
  });
});

describe('the choice of a store', () => {
  it('offers the active stores that the merchant manages, by name and role', async () => {
    const [own, other, closed, foreign] = await Promise.all([
      store(),
      store(),
      store({ active: false }),
      store(),
    ]);
    await manage(own.userId, other);
    await manage(own.userId, closed);
    const asking = await app();
    const browser = await new Browser().signedIn(own.userId);
    const page = await browser.get(requestOf(asking));
    expect(page.text).toContain('Choose a store');
    expect(page.text).toContain(`${own.alias} · You own this store`);
    expect(page.text).toContain(`${other.alias} · You manage this store`);
    expect(page.text).not.toContain(closed.alias);
    expect(page.text).not.toContain(foreign.alias);

    const chosen = await browser.get(`${requestOf(asking)}&store=${other.alias}`);
    expect(chosen.text).toContain(`(${other.alias})`);
    expect(chosen.text).toContain('Choose another store');
    const answer = await browser.post(path, { ...fieldsOf(chosen, path), decision: 'approve' });
    expect(returned(answer).get('merchant')).toBe(other.alias);
    expect(await grantsOf(asking)).toMatchObject([{ store_id: other.id }]);
  });

  it('403 for a store of somebody else, a closed one and none (C13)', async () => {
    const { browser, app: asking, store: own } = await asked();
    const closed = await store({ active: false });
    await manage(own.userId, closed);
    for (const alias of [(await store()).alias, closed.alias, 'no-such-store', '']) {
      const page = await browser.get(`${requestOf(asking)}&store=${alias}`);
      expect(page.status, alias).toBe(403);
      expect(page.html).not.toContain('name="decision"');
    }
  });

  it('says so when there is no store to choose', async () => {
    const inactive = await store({ active: false });
    const browser = await new Browser().signedIn(inactive.userId);
    const page = await browser.get(requestOf(await app()));
    expect(page.text).toContain('No store to connect');
    expect(page.html).not.toContain('name="decision"');
  });
});

describe('a draft app', () => {
  it('offers the own stores of its partner alone, and says that it is a draft', async () => {
    const [own, managed] = [await store(), await store()];
    await manage(own.userId, managed);
    const asking = await app({ state: 'draft', ownerId: own.userId });
    const browser = await new Browser().signedIn(own.userId);
    const page = await browser.get(requestOf(asking));
    expect(page.text).toContain('This app is a draft. Only your own stores can use it.');
    expect(page.text).toContain(`(${own.alias})`);
    expect((await browser.get(`${requestOf(asking)}&store=${managed.alias}`)).status).toBe(403);
    const answer = await browser.post(path, { ...fieldsOf(page, path), decision: 'approve' });
    expect(returned(answer).has('code')).toBe(true);
  });

  it('400 for everybody else, once it is known who asks', async () => {
    const partner = await store();
    const asking = await app({ state: 'draft', ownerId: partner.userId });
    const browser = new Browser();
    expect((await browser.get(requestOf(asking))).text).toContain('Sign in');
    await browser.signedIn((await store()).userId);
    expect((await browser.get(requestOf(asking))).status).toBe(400);
  });
});
