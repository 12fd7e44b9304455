import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/crypto/sha256.ts';
import { openShard } from '../../src/db/open.ts';
import { countAttempt } from '../../src/db/sign-in.ts';
import { hashPassword } from '../../src/session/password.ts';
import { attemptKeys, throttle } from '../../src/session/throttle.ts';
import { settingsOf } from '../../src/settings.ts';
import { Browser } from '../support/browser.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { counting } from '../support/counted.ts';
import { requestOf } from '../support/consent.ts';
import { app } from '../support/partner.ts';
import { store } from '../support/store.ts';

const password = 'correct horse';
let hash = '';

beforeAll(async () => {
  hash = await hashPassword(password);
});

/** Somebody with a store and a password. */
async function merchant() {
  const made = await store();
  await env.DIRECTORY.prepare('insert into passwords values (?, ?, 0)')
    .bind(made.userId, hash)
    .run();
  return { ...made, email: `${made.alias}@store.test` };
}

let networks = 0;

/** A browser on a network of its own before the sign-in page. */
async function visitor(from = `198.51.100.${(networks += 1)}`) {
  const browser = new Browser();
  const page = await browser.get('/session');
  return {
    browser,
    page,
    signIn: (email: string, given: string, more: Record<string, string> = {}) =>
      browser.post(
        '/session',
        { ...fieldsOf(page, '/session'), email, password: given, ...more },
        { 'Sec-Fetch-Site': 'same-origin', 'CF-Connecting-IP': from },
      ),
  };
}

const sessionsOf = async (userId: number) =>
  (await env.DIRECTORY.prepare('select * from sessions where user_id = ?').bind(userId).all())
    .results;

describe('POST /session', () => {
  it('303 with a new cookie, of which only the digest is kept (C18, C19)', async () => {
    const { email, userId } = await merchant();
    const { browser, page, signIn } = await visitor();
    const before = browser.cookies.get('__Host-session') ?? '';
    expect(page.headers.getSetCookie()).toHaveLength(1);
    const answer = await signIn(email.toUpperCase(), password);
    expect([answer.status, answer.location]).toEqual([303, '/account']);
    const after = browser.cookies.get('__Host-session') ?? '';
    expect(after).not.toBe(before);
    for (const cookie of [...page.headers.getSetCookie(), ...answer.headers.getSetCookie()]) {
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

  it('ends the session that the browser had', async () => {
    const [one, other] = [await merchant(), await merchant()];
    const { browser, signIn } = await visitor();
    await browser.signedIn(one.userId);
    const { ticket = '' } = fieldsOf(await signInPage(browser), '/session');
    await signIn(other.email, password, { ticket });
    expect(await sessionsOf(one.userId)).toEqual([]);
    expect(await sessionsOf(other.userId)).toHaveLength(1);
  });

  it('422 with one sentence for a wrong password, a wrong address and an inactive user', async () => {
    const [{ email }, inactive] = [await merchant(), await merchant()];
    await env.DIRECTORY.prepare('update users set active = 0 where id = ?')
      .bind(inactive.userId)
      .run();
    const { browser, signIn } = await visitor();
    const texts = new Set<string>();
    for (const [address, given] of [
      [email, 'wrong'],
      [email, `${password} `],
      ['nobody@store.test', password],
      [inactive.email, password],
    ] as const) {
      const answer = await signIn(address, given);
      expect(answer.status).toBe(422);
      expect(answer.html).not.toContain(password);
      texts.add(answer.text);
    }
    expect([...texts]).toEqual([
      expect.stringContaining('The e-mail address or the password is wrong.'),
    ]);
    expect((await browser.get('/account')).text).toContain('E-mail address');
  });

  it('422 naming the fields that are empty, without counting an attempt', async () => {
    const { email } = await merchant();
    const { signIn } = await visitor();
    for (let count = 0; count < 7; count += 1) {
      expect((await signIn(email, '')).text).toContain('Enter your password.');
    }
    const answer = await signIn('', '');
    expect(answer.status).toBe(422);
    expect(answer.html).toContain('aria-describedby="email-error"');
    expect((await signIn(email, password)).status).toBe(303);
  });

  it('goes on to where the page was asked for, never to where a form says (C17)', async () => {
    const { email } = await merchant();
    for (const next of ['https://evil.test', '//evil.test', String.raw`/\evil.test`]) {
      const { signIn } = await visitor();
      const answer = await signIn(email, password, { next, to: next, redirect: next });
      expect(answer.location).toBe('/account');
    }
    const asking = requestOf(await app());
    const browser = new Browser();
    const page = await browser.get(`${asking}&lang=es&next=https%3A%2F%2Fevil.test`);
    expect(page.text).toContain('Test App quiere conectarse a tu tienda.');
    const fields = { ...fieldsOf(page, '/session'), email, password };
    const answer = await browser.post('/session', fields);
    expect(answer.location).toBe(`${asking}&next=https%3A%2F%2Fevil.test`);
    expect((await browser.get(answer.location ?? '')).text).toContain('Autorizar');
  });

  it('403 for a form of another browser, from another site, or without a ticket (C18)', async () => {
    const { email, userId } = await merchant();
    const [attacker, victim] = [await visitor(), await visitor()];
    const { ticket = '' } = fieldsOf(attacker.page, '/session');
    expect((await victim.signIn(email, password, { ticket })).status).toBe(403);
    expect((await victim.signIn(email, password, { ticket: '' })).status).toBe(403);
    const fields = { ...fieldsOf(victim.page, '/session'), email, password };
    const elsewhere: Record<string, string>[] = [
      { Origin: 'https://evil.test' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ];
    for (const headers of elsewhere) {
      const answer = await victim.browser.post('/session', fields, headers);
      expect(answer.status).toBe(403);
    }
    expect(await sessionsOf(userId)).toEqual([]);
  });

  it('is one round trip when wrong, two when right', async () => {
    const { email } = await merchant();
    const { browser, signIn } = await visitor();
    const cost = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
    browser.bindings = { DIRECTORY: counting(env.DIRECTORY, cost) };
    await signIn(email, 'wrong');
    expect(cost.trips).toBe(1);
    await signIn(email, password);
    expect(cost.trips).toBe(3);
  });
});

describe('guessing', () => {
  it('429 with the time to wait after five failures of an account, from any network (J3)', async () => {
    const { email } = await merchant();
    for (let count = 1; count <= 4; count += 1) {
      expect((await (await visitor()).signIn(email, 'wrong')).status, `${count}`).toBe(422);
    }
    const fifth = await (await visitor()).signIn(email, 'wrong');
    expect(fifth.status).toBe(429);
    expect(fifth.headers.get('Retry-After')).toBe('30');
    expect(fifth.text).toContain('Too many attempts. Try again in 30 seconds.');
    const right = await (await visitor()).signIn(email, password);
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('Retry-After'))).toBeGreaterThan(25);
  });

  it('treats an address that nobody has the same way (J3)', async () => {
    const email = `${crypto.randomUUID()}@nobody.test`;
    const statuses = [];
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await (await visitor()).signIn(email, 'wrong')).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 429, 429]);
  });

  it('takes as long for an address that nobody has as for a wrong password (J3)', async () => {
    const { email } = await merchant();
    const timed = async (address: string) => {
      const { signIn } = await visitor();
      const start = performance.now();
      await signIn(address, 'wrong');
      return performance.now() - start;
    };
    const known = [await timed(email), await timed(email)];
    const unknown = [await timed('a@nobody.test'), await timed('b@nobody.test')];
    // Without a hash it would be a hundredth.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
  });

  it('waits twice as long after each further failure, at most 15 minutes, and forgets after an hour', async () => {
    const keys = { account: crypto.randomUUID(), network: crypto.randomUUID() };
    const email = 'nobody@nobody.test';
    const count = (now: number) =>
      countAttempt(openShard(env.DIRECTORY), { keys, email, throttle, now });
    let now = Date.UTC(2026, 0, 1);
    const waits: number[] = [];
    for (let number = 0; number < 12; number += 1) {
      const { isAllowed, blockedUntil } = await count(now);
      expect(isAllowed, `${number}`).toBe(true);
      const wait = Math.max(0, blockedUntil - now);
      waits.push(wait / 1000);
      if (wait > 0) expect((await count(now + wait - 1)).isAllowed, `${number}`).toBe(false);
      now += wait;
    }
    expect(waits).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900]);
    expect((await count(now + 3_600_000)).blockedUntil).toBe(0);
  });

  it('lets no more through when guesses come in parallel (J3)', async () => {
    const { email, userId } = await merchant();
    const browsers = await Promise.all(Array.from({ length: 12 }, () => visitor()));
    const answers = await Promise.all(browsers.map(({ signIn }) => signIn(email, 'wrong')));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(4);
    expect(await sessionsOf(userId)).toEqual([]);
  });

  it('429 for a network after thirty failures, whatever the account; successes do not count (J3)', async () => {
    const { email } = await merchant();
    const address = '2001:db8:1:2::1';
    const { network } = await attemptKeys(settingsOf(env), '', address);
    await env.DIRECTORY.prepare('insert into sign_in_failures values (?, 28, ?, 0)')
      .bind(network, Date.now())
      .run();
    const attempt = async (from: string, ...given: [string, string]) =>
      (await (await visitor(from)).signIn(...given)).status;
    expect(await attempt(address, email, password)).toBe(303);
    expect(await attempt(address, 'first@nobody.test', 'wrong')).toBe(422);
    expect(await attempt('2001:db8:1:2:ffff::9', 'second@nobody.test', 'wrong')).toBe(429);
    expect(await attempt(address, email, password)).toBe(429);
    expect(await attempt('2001:db8:1:3::1', email, password)).toBe(303);
  });

  it('keeps no address, neither of people nor of networks', async () => {
    const { email } = await merchant();
    const { signIn } = await visitor('203.0.113.77');
    await signIn(email, 'wrong');
    const { results } = await env.DIRECTORY.prepare('select key from sign_in_failures').all();
    const keys = results.map(({ key }) => key);
    const expected = await attemptKeys(settingsOf(env), email, '203.0.113.77');
    expect(keys).toEqual(expect.arrayContaining(Object.values(expected)));
    expect(keys.join(' ')).not.toMatch(/@|203\.0/);
    // Anybody can hash an address; without the key it is not in the table.
    expect(keys).not.toContain(await sha256(`account ${email}`));
  });
});

describe('POST /session/end', () => {
  it('303 to the signed-out page; the session is gone', async () => {
    const { userId } = await merchant();
    const browser = await new Browser().signedIn(userId);
    const page = await browser.get('/account');
    const answer = await browser.post('/session/end', fieldsOf(page, '/session/end'));
    expect(answer.status).toBe(303);
    expect((await browser.get(answer.location ?? '')).text).toContain('You are signed out.');
    expect(await sessionsOf(userId)).toEqual([]);
  });

  it('everywhere: ends all sessions of the user, and no other', async () => {
    const [{ userId }, other] = [await merchant(), await merchant()];
    const [here, there] = [
      await new Browser().signedIn(userId),
      await new Browser().signedIn(userId),
    ];
    await new Browser().signedIn(other.userId);
    const page = await here.get('/account');
    const everywhere = '/session/end-everywhere';
    const answer = await here.post(everywhere, fieldsOf(page, everywhere));
    expect((await here.get(answer.location ?? '')).text).toContain('signed out on all devices');
    expect((await there.get('/account')).text).toContain('E-mail address');
    expect(await sessionsOf(other.userId)).toHaveLength(1);
  });

  it('403 without a ticket, 405 for GET', async () => {
    const { userId } = await merchant();
    const browser = await new Browser().signedIn(userId);
    expect((await browser.post('/session/end', {})).status).toBe(403);
    expect((await browser.get('/session/end')).status).toBe(405);
    expect(await sessionsOf(userId)).toHaveLength(1);
  });
});

/** The sign-in page of a browser that is signed in already: as another tab still shows it. */
async function signInPage(browser: Browser) {
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
