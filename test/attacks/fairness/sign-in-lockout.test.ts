import { scryptSync } from 'node:crypto';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';

const password = 'correct horse';

/** A hash that takes a thousandth of the usual time; a hash names its costs. */
const salt = 'c2FsdCBvZiBhIHRlc3Q';
const digest = scryptSync(password, Buffer.from(salt, 'base64url'), 32, { N: 16, r: 8, p: 1 });
const cheapHash = `$scrypt$ln=4,r=8,p=1$${salt}$${digest.toString('base64url')}`;

async function createMerchant() {
  const store = await createTestStore();
  await env.DIRECTORY.prepare('insert into passwords values (?, ?, 0)')
    .bind(store.userId, cheapHash)
    .run();
  return { userId: store.userId, email: `${store.alias}@store.test` };
}

let networks = 0;

/** An IPv4 address that no other test uses. */
function ownNetwork(): string {
  networks += 1;
  return `100.64.${networks >> 8}.${networks & 255}`;
}

/** A browser that shows the sign-in page, on a network of its own unless one is given. */
async function openSignInPage(from = ownNetwork(), browser = new Browser()) {
  const page = await browser.get('/session', { 'CF-Connecting-IP': from });
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'CF-Connecting-IP': from };
  const signIn = (email: string, given: string) =>
    browser.post(
      '/session',
      { ...hiddenFieldsOf(page, '/session'), email, password: given },
      headers,
    );
  return { browser, from, signIn };
}

/** Fails to sign in, five times from each of some networks; returns the last status. */
async function failFromManyNetworks(email: string, count: number): Promise<number> {
  let status = 0;
  for (let network = 0; network < count; network += 1) {
    const { signIn } = await openSignInPage();
    for (let n = 0; n < 5; n += 1) ({ status } = await signIn(email, 'wrong'));
  }
  return status;
}

async function signOut(browser: Browser) {
  const page = await browser.get('/account');
  await browser.post('/session/end', hiddenFieldsOf(page, '/session/end'));
}

const statusOfSignIn = async (email: string, browser = new Browser()) =>
  (await (await openSignInPage(undefined, browser)).signIn(email, password)).status;

describe('attack J4: wrong passwords of a stranger', () => {
  it('return 429 to the network of the stranger, and 303 to the user on another network', async () => {
    const { email } = await createMerchant();
    const { from } = await openSignInPage();
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push((await (await openSignInPage(from)).signIn(email, 'wrong')).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 429, 429]);
    expect((await (await openSignInPage(from)).signIn(email, password)).status).toBe(429);
    expect(await statusOfSignIn(email)).toBe(303);
  });

  it('return 429 to unknown browsers after fifty from any networks, and 303 to one that signed in before', async () => {
    const [{ email }, other] = [await createMerchant(), await createMerchant()];
    const [known, knownToOther] = [new Browser(), new Browser()];
    for (const [address, browser] of [
      [email, known],
      [other.email, known],
      [other.email, knownToOther],
    ] as const) {
      expect(await statusOfSignIn(address, browser)).toBe(303);
      await signOut(browser);
    }

    expect(await failFromManyNetworks(email, 10)).toBe(429);
    expect(await statusOfSignIn(email)).toBe(429);
    // A mark counts for its own account only, and only if this service created it.
    expect(await statusOfSignIn(email, knownToOther)).toBe(429);
    const mark = known.cookies.get('__Host-known-browser') ?? '';
    const forger = new Browser();
    forger.cookies.set('__Host-known-browser', `${'A'.repeat(48)}${mark.slice(0, -49)}AA`);
    expect(await statusOfSignIn(email, forger)).toBe(429);
    expect(await statusOfSignIn(email, known)).toBe(303);
  });

  it('do not keep a signed-in user from changing the password (303)', async () => {
    const { email, userId } = await createMerchant();
    const browser = await new Browser().signIn(userId);
    expect(await failFromManyNetworks(email, 10)).toBe(429);
    const fresh = 'four words of mine';
    const path = '/account/password';
    const response = await browser.submit(path, { current: password, fresh, repeated: fresh });
    expect([response.status, response.location]).toEqual([303, '/account?done=password']);
  });
});

describe('a browser that signed in before', () => {
  it('returns 429 after five wrong passwords of its own, also on other networks', async () => {
    const { email } = await createMerchant();
    const browser = new Browser();
    expect(await statusOfSignIn(email, browser)).toBe(303);
    await signOut(browser);
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push(
        (await (await openSignInPage(undefined, browser)).signIn(email, 'wrong')).status,
      );
    }
    expect(statuses).toEqual([422, 422, 422, 422, 429, 429]);
    expect(await statusOfSignIn(email)).toBe(303);
  });

  it('is marked by a cookie that only our pages get, and that names no user', async () => {
    const { email } = await createMerchant();
    const { browser, signIn } = await openSignInPage();
    const response = await signIn(email, password);
    const cookie = response.headers.getSetCookie().find((text) => text.includes('known-browser'));
    expect(cookie).toMatch(/^__Host-known-browser=[\w-]{48}; /);
    for (const attribute of ['Secure', 'HttpOnly', 'SameSite=Strict', 'Path=/']) {
      expect(cookie?.split('; ')).toContain(attribute);
    }
    const mark = browser.cookies.get('__Host-known-browser') ?? '';
    expect(atob(mark.replaceAll('-', '+').replaceAll('_', '/'))).not.toMatch(email);
    // A new mark at each sign-in, so that two sign-ins cannot be connected by it.
    await signOut(browser);
    await statusOfSignIn(email, browser);
    expect(browser.cookies.get('__Host-known-browser')).not.toBe(mark);
    expect(browser.cookies.get('__Host-known-browser')).toHaveLength(48);
  });
});

describe('attack J4: many sign-ins at the same time', () => {
  it('return 503 with Retry-After and the address that was typed, beyond one of a network, and count nothing', async () => {
    const { email } = await createMerchant();
    const from = ownNetwork();
    const pages = [];
    for (let n = 0; n < 8; n += 1) pages.push(await openSignInPage(from));
    const responses = await Promise.all(pages.map(({ signIn }) => signIn(email, 'wrong')));
    const busy = responses.filter(({ status }) => status === 503);
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(1);
    expect(busy).toHaveLength(7);
    for (const page of busy) {
      expect(page.headers.get('Retry-After')).toBe('2');
      expect(page.text).toContain('Too many people are signing in at this moment.');
      expect(page.html).toContain(`value="${email}"`);
      expect(hiddenFieldsOf(page, '/session')).toHaveProperty('form_token');
    }
    expect((await (await openSignInPage(from)).signIn(email, password)).status).toBe(303);
  });

  it('return 503 for changes of a password, too, which change nothing', async () => {
    const { userId } = await createMerchant();
    const fresh = 'four words of mine';
    const browsers = await Promise.all(
      Array.from({ length: 4 }, () => new Browser().signIn(userId)),
    );
    const path = '/account/password';
    const forms = await Promise.all(browsers.map((browser) => browser.get(path)));
    const responses = await Promise.all(
      browsers.map((browser, n) =>
        browser.post(path, {
          ...hiddenFieldsOf(forms[n]!, path),
          current: 'wrong',
          fresh,
          repeated: fresh,
        }),
      ),
    );
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      422, 422, 503, 503,
    ]);
    const busy = responses.find(({ status }) => status === 503);
    expect(busy?.headers.get('Retry-After')).toBe('2');
    expect(busy?.text).toContain('Too many people are signing in at this moment.');
  });
});
