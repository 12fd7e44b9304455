import { scryptSync } from 'node:crypto';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { passwordCounters } from '../../../src/accounts/sign-in/credential-counters.ts';
import { hashPassword } from '../../../src/accounts/sign-in/password.ts';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { settingsOf } from '../../../src/base/settings.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { countAttempt, keyCounters } from '../../../src/data/directory/attempt-counters.ts';
import { createSite, newAddress } from '../../support/api/limits.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { authorizeUrl } from '../../support/oauth/consent.ts';
import { createTestApp } from '../../support/oauth/partner.ts';

const password = 'correct horse';
let hash = '';

beforeAll(async () => {
  hash = await hashPassword(password);
});

/** Creates a merchant with a store and a password. */
async function createMerchant() {
  const store = await createTestStore();
  await env.DIRECTORY.prepare('insert into passwords values (?, ?, 0)')
    .bind(store.userId, hash)
    .run();
  return { ...store, email: `${store.alias}@store.test` };
}

/** Opens the sign-in page in a new browser, by default on a network of its own. */
async function openSignInPage(from = newAddress()) {
  const browser = new Browser();
  const page = await browser.get('/session');
  return {
    browser,
    page,
    signIn: (email: string, given: string, more: Record<string, string> = {}) =>
      browser.post(
        '/session',
        { ...hiddenFieldsOf(page, '/session'), email, password: given, ...more },
        { 'Sec-Fetch-Site': 'same-origin', 'CF-Connecting-IP': from },
      ),
  };
}

const sessionsOf = async (userId: number) =>
  (await env.DIRECTORY.prepare('select * from sessions where user_id = ?').bind(userId).all())
    .results;

describe('POST /session', () => {
  it('attack C18, C19: returns 303 with a new cookie, of which only the digest is stored', async () => {
    const { email, userId } = await createMerchant();
    const { browser, page, signIn } = await openSignInPage();
    const before = browser.cookies.get('__Host-session') ?? '';
    expect(page.headers.getSetCookie()).toHaveLength(1);
    const response = await signIn(email.toUpperCase(), password);
    expect([response.status, response.location]).toEqual([303, '/account']);
    const after = browser.cookies.get('__Host-session') ?? '';
    expect(after).not.toBe(before);
    const [session = '', ...others] = response.headers.getSetCookie();
    expect(others).toEqual([expect.stringMatching(/^__Host-known-browser=/)]);
    for (const cookie of [...page.headers.getSetCookie(), session]) {
      expect(cookie).toMatch(/^__Host-session=[\w-]{43}; /);
      for (const attribute of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) {
        expect(cookie.split('; ')).toContain(attribute);
      }
      expect(cookie).not.toMatch(/Domain/i);
    }
    expect(await sessionsOf(userId)).toMatchObject([{ id_hash: await sha256(after) }]);
    expect((await browser.get('/account')).text).toContain(`Signed in as Test Owner (${email}).`);
    browser.cookies.set('__Host-session', before);
    expect((await browser.get('/account')).text).toContain('E-mail address');
  });

  it('ends the previous session of the browser', async () => {
    const [one, other] = [await createMerchant(), await createMerchant()];
    const { browser, signIn } = await openSignInPage();
    await browser.signIn(one.userId);
    const { form_token: formToken = '' } = hiddenFieldsOf(
      await staleSignInPage(browser),
      '/session',
    );
    await signIn(other.email, password, { form_token: formToken });
    expect(await sessionsOf(one.userId)).toEqual([]);
    expect(await sessionsOf(other.userId)).toHaveLength(1);
  });

  it('returns 422 with the same message for a wrong password, an unknown address and an inactive user', async () => {
    const [{ email }, inactive] = [await createMerchant(), await createMerchant()];
    await env.DIRECTORY.prepare('update users set active = 0 where id = ?')
      .bind(inactive.userId)
      .run();
    const { browser, signIn } = await openSignInPage();
    const texts = new Set<string>();
    for (const [address, given] of [
      [email, 'wrong'],
      [email, `${password} `],
      ['nobody@store.test', password],
      [inactive.email, password],
    ] as const) {
      const response = await signIn(address, given);
      expect(response.status).toBe(422);
      expect(response.html).not.toContain(password);
      texts.add(response.text);
    }
    expect([...texts]).toEqual([
      expect.stringContaining('The e-mail address or the password is wrong.'),
    ]);
    expect((await browser.get('/account')).text).toContain('E-mail address');
  });

  it('returns 422 and names the empty fields, without counting an attempt', async () => {
    const { email } = await createMerchant();
    const { signIn } = await openSignInPage();
    for (let count = 0; count < 7; count += 1) {
      expect((await signIn(email, '')).text).toContain('Enter your password.');
    }
    const response = await signIn('', '');
    expect(response.status).toBe(422);
    expect(response.html).toContain('aria-describedby="email-error"');
    expect((await signIn(email, password)).status).toBe(303);
  });

  it('attack C17: redirects to the requested page, never to an address in the form', async () => {
    const { email } = await createMerchant();
    for (const next of ['https://evil.test', '//evil.test', String.raw`/\evil.test`]) {
      const { signIn } = await openSignInPage();
      const response = await signIn(email, password, { next, to: next, redirect: next });
      expect(response.location).toBe('/account');
    }
    const requestUrl = authorizeUrl(await createTestApp());
    const browser = new Browser();
    const page = await browser.get(`${requestUrl}&lang=es&next=https%3A%2F%2Fevil.test`);
    expect(page.text).toContain('Test App quiere conectarse a tu tienda.');
    const fields = { ...hiddenFieldsOf(page, '/session'), email, password };
    const response = await browser.post('/session', fields);
    expect(response.location).toBe(`${requestUrl}&next=https%3A%2F%2Fevil.test`);
    expect((await browser.get(response.location ?? '')).text).toContain('Autorizar');
  });

  it('attack C18: returns 403 for a form of another browser, from another site or without a form token', async () => {
    const { email, userId } = await createMerchant();
    const [attacker, victim] = [await openSignInPage(), await openSignInPage()];
    const { form_token: formToken = '' } = hiddenFieldsOf(attacker.page, '/session');
    expect((await victim.signIn(email, password, { form_token: formToken })).status).toBe(403);
    expect((await victim.signIn(email, password, { form_token: '' })).status).toBe(403);
    const fields = { ...hiddenFieldsOf(victim.page, '/session'), email, password };
    const foreignHeaders: Record<string, string>[] = [
      { Origin: 'https://evil.test' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ];
    for (const headers of foreignHeaders) {
      const response = await victim.browser.post('/session', fields, headers);
      expect(response.status).toBe(403);
    }
    expect(await sessionsOf(userId)).toEqual([]);
  });

  it('costs one round trip for a wrong password and two for a right one', async () => {
    const { email } = await createMerchant();
    const { browser, signIn } = await openSignInPage();
    const cost = noCost();
    browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
    await signIn(email, 'wrong');
    expect(cost.roundTrips).toBe(1);
    await signIn(email, password);
    expect(cost.roundTrips).toBe(3);
  });
});

describe('POST /session: passwords and addresses of other keyboards', () => {
  const typed = 'canção-da-manhã-26';

  /** A hash as it was made before passwords had one form, of the cost of tests. */
  function hashAsTyped(form: string): string {
    const salt = Buffer.from('0123456789abcdef');
    const key = scryptSync(form, salt, 32, { N: 64, r: 8, p: 3 });
    return `$scrypt$ln=6,r=8,p=3$${salt.toString('base64url')}$${key.toString('base64url')}`;
  }

  const setHash = (userId: number, stored: string) =>
    env.DIRECTORY.prepare('update passwords set hash = ?2 where user_id = ?1')
      .bind(userId, stored)
      .run();

  const tryAll = async (email: string, forms: readonly string[]) => {
    const statuses: number[] = [];
    for (const form of forms) {
      const { signIn } = await openSignInPage();
      statuses.push((await signIn(email, form)).status);
    }
    return statuses;
  };

  it('returns 303 in whatever form the letters and spaces of a password are typed', async () => {
    for (const set of [typed, typed.normalize('NFD')]) {
      const { email, userId } = await createMerchant();
      await setHash(userId, await hashPassword(`${set}\u00a0x`));
      const right = [`${typed} x`, `${typed.normalize('NFD')} x`, `${typed}\u3000x`];
      expect(await tryAll(email, [...right, 'cancao-da-manha-26 x', `${typed}x`])).toEqual([
        ...right.map(() => 303),
        422,
        422,
      ]);
    }
  });

  it('returns 303 for a password that was hashed as typed, once more so typed, and then in any form', async () => {
    const { email, userId } = await createMerchant();
    const decomposed = typed.normalize('NFD');
    await setHash(userId, hashAsTyped(decomposed));
    expect(await tryAll(email, [typed])).toEqual([422]);
    const { browser, signIn } = await openSignInPage();
    const cost = noCost();
    browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
    expect((await signIn(email, decomposed)).status).toBe(303);
    expect(cost.roundTrips).toBe(3);
    expect(await tryAll(email, [typed, decomposed, typed])).toEqual([303, 303, 303]);
    await setHash(userId, hashAsTyped(typed));
    expect(await tryAll(email, [decomposed, typed])).toEqual([303, 303]);
  });

  it('returns 303 for an address in both spellings of its host', async () => {
    const { userId, alias } = await createMerchant();
    await env.DIRECTORY.prepare('update users set email = ?2 where id = ?1')
      .bind(userId, `${alias}@xn--mller-kva.example`)
      .run();
    for (const host of ['müller.example', 'xn--mller-kva.example', 'MÜLLER.Example\u200b']) {
      const { browser, signIn } = await openSignInPage();
      expect((await signIn(` ${alias.toUpperCase()}@${host}`, password)).status, host).toBe(303);
      expect((await browser.get('/account')).text).toContain(`${alias}@müller.example`);
    }
  });
});

describe('POST /session: guessing', () => {
  it('attack J3: returns 429 with Retry-After after five failures of an account from one network', async () => {
    const { email } = await createMerchant();
    const from = '198.51.100.210';
    for (let count = 1; count <= 4; count += 1) {
      expect((await (await openSignInPage(from)).signIn(email, 'wrong')).status, `${count}`).toBe(
        422,
      );
    }
    const fifth = await (await openSignInPage(from)).signIn(email, 'wrong');
    expect(fifth.status).toBe(429);
    expect(fifth.headers.get('Retry-After')).toBe('30');
    expect(fifth.text).toContain('Too many attempts. Try again in 30 seconds.');
    const right = await (await openSignInPage(from)).signIn(email, password);
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('Retry-After'))).toBeGreaterThan(25);
  });

  it('attack J3: treats an unknown address in the same way', async () => {
    const email = `${crypto.randomUUID()}@nobody.test`;
    const statuses = [];
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await (await openSignInPage('198.51.100.211')).signIn(email, 'wrong')).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 429, 429]);
  });

  it('doubles the wait after each further failure up to 15 minutes, and resets it after an hour', async () => {
    const count = countAttemptsOf(`${crypto.randomUUID()}@nobody.test`);
    let now = Date.UTC(2026, 0, 1);
    const waits: number[] = [];
    for (let number = 0; number < 12; number += 1) {
      const { isAllowed, waitSeconds } = await count(now);
      expect(isAllowed, `${number}`).toBe(true);
      const wait = waitSeconds * 1000;
      waits.push(waitSeconds);
      if (wait > 0) expect((await count(now + wait - 1)).isAllowed, `${number}`).toBe(false);
      now += wait;
    }
    expect(waits).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900]);
    expect((await count(now + 3_600_000)).waitSeconds).toBe(0);
  });

  it('attack J3: allows no more guesses when they are sent in parallel', async () => {
    const count = countAttemptsOf(`${crypto.randomUUID()}@nobody.test`);
    const now = Date.now();
    const attempts = await Promise.all(Array.from({ length: 12 }, () => count(now)));
    expect(attempts.filter(({ isAllowed }) => isAllowed)).toHaveLength(5);
    expect(attempts.filter(({ waitSeconds }) => waitSeconds === 0)).toHaveLength(4);
  });

  it('attack J3: returns 429 for a network after thirty failures of any accounts; successes do not count', async () => {
    const { email } = await createMerchant();
    const site = createSite();
    const address = `${site}:2::1`;
    const network = await keyWithLimit({ email: '', address }, 30);
    await env.DIRECTORY.prepare('insert into sign_in_failures values (?, 28, ?, 0)')
      .bind(network, Date.now())
      .run();
    const attempt = async (from: string, ...given: [string, string]) =>
      (await (await openSignInPage(from)).signIn(...given)).status;
    expect(await attempt(address, email, password)).toBe(303);
    expect(await attempt(address, 'first@nobody.test', 'wrong')).toBe(422);
    expect(await attempt(`${site}:2:ffff::9`, 'second@nobody.test', 'wrong')).toBe(429);
    expect(await attempt(address, email, password)).toBe(429);
    expect(await attempt(`${site}:3::1`, email, password)).toBe(303);
  });

  it('attack J3: returns 429 for a /48 after ten times as many failures of any networks', async () => {
    const { email } = await createMerchant();
    const site = createSite();
    const key = await keyWithLimit({ email: '', address: `${site}::1` }, 300);
    await env.DIRECTORY.prepare('insert into sign_in_failures values (?, 298, ?, 0)')
      .bind(key, Date.now())
      .run();
    const attempt = async (from: string, ...given: [string, string]) =>
      (await (await openSignInPage(from)).signIn(...given)).status;
    expect(await attempt(`${site}:1::1`, email, password)).toBe(303);
    expect(await attempt(`${site}:2::1`, 'first@nobody.test', 'wrong')).toBe(422);
    expect(await attempt(`${site}:3::1`, 'second@nobody.test', 'wrong')).toBe(429);
    expect(await attempt(`${site}:4::1`, email, password)).toBe(429);
    expect(await attempt(newAddress(), email, password)).toBe(303);
  });

  it('stores no e-mail address and no network address', async () => {
    const { email } = await createMerchant();
    const { signIn } = await openSignInPage('203.0.113.77');
    await signIn(email, 'wrong');
    const { results } = await env.DIRECTORY.prepare('select key from sign_in_failures').all();
    const keys = results.map(({ key }) => key);
    const settings = settingsOf(env);
    const attempt = { email, address: '203.0.113.77' };
    const expected = await keyCounters(settings, passwordCounters(settings, attempt));
    expect(keys).toEqual(expect.arrayContaining(expected.map(({ key }) => key)));
    expect(keys.join(' ')).not.toMatch(/@|203\.0/);
    // A plain hash of an address, which anyone could compute, is not in the table.
    expect(keys).not.toContain(await sha256(JSON.stringify(['account', email])));
  });
});

describe('POST /session/end', () => {
  it('redirects to the signed-out page (303) and ends the session', async () => {
    const { userId } = await createMerchant();
    const browser = await new Browser().signIn(userId);
    const page = await browser.get('/account');
    const response = await browser.post('/session/end', hiddenFieldsOf(page, '/session/end'));
    expect(response.status).toBe(303);
    expect((await browser.get(response.location ?? '')).text).toContain('You are signed out.');
    expect(await sessionsOf(userId)).toEqual([]);
  });

  it('ends all sessions of the user with /session/end-everywhere, and no others', async () => {
    const [{ userId }, other] = [await createMerchant(), await createMerchant()];
    const [here, there] = [await new Browser().signIn(userId), await new Browser().signIn(userId)];
    await new Browser().signIn(other.userId);
    const page = await here.get('/account');
    const everywhere = '/session/end-everywhere';
    const response = await here.post(everywhere, hiddenFieldsOf(page, everywhere));
    expect((await here.get(response.location ?? '')).text).toContain('signed out on all devices');
    expect((await there.get('/account')).text).toContain('E-mail address');
    expect(await sessionsOf(other.userId)).toHaveLength(1);
  });

  it('returns 403 without a form token and 405 for GET', async () => {
    const { userId } = await createMerchant();
    const browser = await new Browser().signIn(userId);
    expect((await browser.post('/session/end', {})).status).toBe(403);
    expect((await browser.get('/session/end')).status).toBe(405);
    expect(await sessionsOf(userId)).toHaveLength(1);
  });
});

/**
 * Returns a function that counts attempts at an account from one network, without checking a
 * password.
 */
function countAttemptsOf(email: string) {
  const [settings, directory] = [settingsOf(env), openDatabase(env.DIRECTORY)];
  const counters = passwordCounters(settings, { email, address: newAddress() });
  return (now: number) => countAttempt({ directory, settings, now }, counters);
}

/** Returns the key of the counter with a limit. */
async function keyWithLimit(attempt: { email: string; address: string }, limit: number) {
  const settings = settingsOf(env);
  const counters = await keyCounters(settings, passwordCounters(settings, attempt));
  return counters.find(({ max }) => max === limit)?.key;
}

/** Returns the sign-in page that another tab of a signed-in browser still shows. */
async function staleSignInPage(browser: Browser) {
  const cookie = browser.cookies.get('__Host-session') ?? '';
  const idHash = await sha256(cookie);
  const row = await env.DIRECTORY.prepare('select * from sessions where id_hash = ?')
    .bind(idHash)
    .first();
  await env.DIRECTORY.prepare('update sessions set expires_at = 0 where id_hash = ?')
    .bind(idHash)
    .run();
  const page = await browser.get('/session');
  await env.DIRECTORY.prepare('update sessions set expires_at = ? where id_hash = ?')
    .bind(row?.expires_at, idHash)
    .run();
  return page;
}
