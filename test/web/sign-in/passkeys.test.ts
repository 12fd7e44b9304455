import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addPasskey, maxPasskeys, passkeyHandle } from '../../../src/accounts/sign-in/passkeys.ts';
import { parsePasskeyAnswer } from '../../../src/base/crypto/webauthn.ts';
import { actionOf } from '../../support/action.ts';
import { newAddress } from '../../support/api/limits.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';
import { askedBy, Authenticator, type Asked, type Wrong } from '../../support/passkeys.ts';
import { givePassword, testPassword } from '../../support/password.ts';
import { addSecondFactor, codeOf } from '../../support/second-factor.ts';

const newPath = '/account/security/passkeys/new';
const codePath = '/session/code';

afterEach(() => void vi.useRealTimers());

async function createMerchant() {
  const { userId, alias } = await createTestStore();
  await givePassword(userId);
  return { userId, alias, email: `${alias}@store.test` };
}

const askOf = (page: { html: string }): Asked => {
  const asked = askedBy(page);
  if (!asked) throw new Error('the page asks for no passkey');
  return asked;
};

/** Opens the page of a new passkey, and returns what sends its form. */
async function openNew(browser: Browser) {
  const page = await browser.get(newPath);
  const fields = { ...hiddenFieldsOf(page, newPath), name: 'My phone' };
  return {
    page,
    asked: askOf(page),
    send: (passkey: string) => browser.post(newPath, { ...fields, passkey }),
  };
}

/** Registers a passkey in a session that has proved its user. */
async function register(browser: Browser, authenticator = new Authenticator()) {
  const { asked, send } = await openNew(browser);
  const answer = await send(authenticator.create(asked));
  expect(answer.status).toBe(303);
  return { authenticator, answer };
}

/** A merchant whose only second factor is a passkey. */
async function createPasskeyUser(authenticator = new Authenticator()) {
  const merchant = await createMerchant();
  const browser = await new Browser().signIn(merchant.userId);
  await register(browser, authenticator);
  return { ...merchant, authenticator, browser };
}

/** Enters the password in a browser, each time from another network. */
async function enterPassword(email: string, browser = new Browser()) {
  const hidden = hiddenFieldsOf(await browser.get('/session'), '/session');
  const headers = {
    'Sec-Fetch-Site': 'same-origin',
    Origin: 'null',
    'CF-Connecting-IP': newAddress(),
  };
  const step = await browser.post(
    '/session',
    { ...hidden, email, password: testPassword },
    headers,
  );
  const send = (passkey: string) =>
    browser.post(codePath, { ...hiddenFieldsOf(step, codePath), code: '', passkey });
  return { browser, step, send };
}

const rowsOf = async (userId: number) =>
  (
    await env.DIRECTORY.prepare('select * from passkeys where user_id = ? order by id')
      .bind(userId)
      .all()
  ).results;

const countOf = (table: string, userId: number) =>
  env.DIRECTORY.prepare(`select count(*) as n from ${table} where user_id = ?`)
    .bind(userId)
    .first<number>('n');

const isOn = (userId: number) =>
  env.DIRECTORY.prepare('select mfa_enabled as n from users where id = ?')
    .bind(userId)
    .first<number>('n');

const auditOf = async (userId: number) =>
  (
    await env.DIRECTORY.prepare(
      "select action from audit where target_kind = 'user' and target_id = ? and action like 'user.passkey%' order by id",
    )
      .bind(String(userId))
      .all()
  ).results.map(({ action }) => action);

/** Lets a moment pass, so that the next challenge is newer. */
const later = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 });

/** What is wrong with the use of a passkey, beside the password or alone. */
const wrongUses: Record<string, Wrong> = {
  'of another challenge': { challenge: 'x'.repeat(43) },
  'of another origin': { origin: 'https://evil.example' },
  'in a frame of another origin': { crossOrigin: true },
  'for another host': { host: 'evil.example' },
  'of a new passkey': { type: 'webauthn.create' },
  'without verification of the user': { flags: 0x01 },
  'without presence of the user': { flags: 0x04 },
  'that signs something else': { isForged: true },
  'of an unknown credential': { id: 'AAAA' },
  'with the handle of another user': { userHandle: 'x'.repeat(43) },
};

/**
 * Groups of so few that nobody is refused for guessing: what is wrong with each, under its name.
 */
const inThrees = (wrongs: Record<string, Wrong>) =>
  Object.entries(wrongs).flatMap((_, index, all) =>
    index % 3 === 0 ? [all.slice(index, index + 3)] : [],
  );

const namesOf = (wrongs: readonly (readonly [string, Wrong])[]) =>
  wrongs.map(([name]) => name).join(', ');

describe('a new passkey', () => {
  it('switches two-step sign-in on, shows recovery codes once, ends other sessions, and notifies the user', async () => {
    const { userId, email } = await createMerchant();
    const [browser, other] = [
      await new Browser().signIn(userId),
      await new Browser().signIn(userId),
    ];
    const { authenticator, answer } = await register(browser);
    expect(answer.location).toBe('/account/security/second-factor/codes');
    const codes = (await browser.get('/account/security/second-factor/codes')).html;
    expect(codes.match(/(?:[a-z0-9]{4}-){3}[a-z0-9]{4}/g)).toHaveLength(10);
    expect(await isOn(userId)).toBe(1);
    expect((await other.get('/account')).text).toContain('E-mail address');
    const [row] = await rowsOf(userId);
    expect(row).toMatchObject({
      credential_id: authenticator.id,
      public_key: authenticator.publicKey,
      name: 'My phone',
      used_at: null,
    });
    expect(await auditOf(userId)).toEqual(['user.passkey_added']);
    const [mail] = await sentMails(email, 'passkey_changed');
    expect(mail?.data).toEqual({ change: 'added', name: 'My phone' });
    const security = await browser.get('/account/security');
    expect(security.text).toContain('My phone');
    expect(security.text).toContain('Add an authenticator app');
  });

  it('asks for a proof first, of a code or passkey where there is one', async () => {
    const { userId } = await createMerchant();
    const plain = await new Browser().signIn(userId, Date.now() - 11 * 60_000);
    expect((await plain.get(newPath)).html).toContain('name="password"');
    await addSecondFactor(userId);
    const browser = await new Browser().signIn(userId, Date.now() - 11 * 60_000);
    expect((await browser.get(newPath)).html).toContain('name="code"');
  });

  it('asks without anything that names the user, excludes their passkeys, and hides its button without the API', async () => {
    const { browser, userId, authenticator } = await createPasskeyUser();
    const { page, asked } = await openNew(browser);
    expect(asked).toMatchObject({ kind: 'create', host: 'api.test', known: [authenticator.id] });
    expect(asked.challenge).toMatch(/^[\w-]{43}$/);
    const handle = (asked as unknown as { user: { id: string } }).user.id;
    expect(handle).toBe(await passkeyHandle(userId));
    expect(page.html).toMatch(/data-passkey="[^"]+"[^>]* hidden=""/);
    expect(page.html).toMatch(/<script[^>]* src="\/assets\/passkey\.[^"]+\.js"/);
  });

  it('needs a name, and an answer (422)', async () => {
    const { userId } = await createMerchant();
    const browser = await new Browser().signIn(userId);
    const fields = hiddenFieldsOf(await browser.get(newPath), newPath);
    const nameless = await browser.post(newPath, { ...fields, name: ' ', passkey: '{}' });
    expect([nameless.status, nameless.text.includes('Enter a name.')]).toEqual([422, true]);
    for (const passkey of ['', '{}', 'null', '"x"', '{"id":"a"}', '{'.repeat(900)]) {
      expect((await browser.post(newPath, { ...fields, name: 'x', passkey })).status).toBe(422);
    }
    expect(await rowsOf(userId)).toEqual([]);
  });

  const wrongs: Record<string, Wrong> = {
    'of another challenge': { challenge: 'x'.repeat(43) },
    'of another origin': { origin: 'https://api.test.evil.example' },
    'of plain http': { origin: 'http://api.test' },
    'in a frame of another origin': { crossOrigin: true },
    'below another page': { topOrigin: 'https://evil.example' },
    'for another host': { host: 'evil.example' },
    'for a parent domain': { host: 'test' },
    'of the wrong type': { type: 'webauthn.get' },
    'without verification of the user': { flags: 0x41 },
    'without presence of the user': { flags: 0x44 },
    'that is backed up but cannot be': { flags: 0x55 },
    'without a credential': { flags: 0x05 },
    'with the id of another credential': { id: 'AAAA' },
  };
  it(`attack: is refused ${Object.keys(wrongs).join(', ')} (422)`, async () => {
    const { userId } = await createMerchant();
    const browser = await new Browser().signIn(userId);
    const { asked, send } = await openNew(browser);
    const authenticator = new Authenticator();
    for (const [name, wrong] of Object.entries(wrongs)) {
      const refused = await send(authenticator.create(asked, wrong));
      const isNamed = refused.text.includes('not accepted');
      expect([name, refused.status, isNamed]).toEqual([name, 422, true]);
    }
    expect(await rowsOf(userId)).toEqual([]);
    expect((await send(authenticator.create(asked))).status).toBe(303);
  });

  it('attack: a challenge is worthless after ten minutes, in another browser and for the use of a passkey (422)', async () => {
    const { browser, userId, authenticator } = await createPasskeyUser();
    const { asked } = await openNew(browser);
    const answer = new Authenticator().create(asked);
    const other = await new Browser().signIn(userId);
    const foreign = await openNew(other);
    const { passkey_challenge: sealed = '' } = hiddenFieldsOf(await browser.get(newPath), newPath);
    const fields = { ...hiddenFieldsOf(foreign.page, newPath), name: 'x' };
    const moved = await other.post(newPath, {
      ...fields,
      passkey_challenge: sealed,
      passkey: answer,
    });
    expect(moved.status).toBe(422);
    const late = await openNew(browser);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });
    await env.DIRECTORY.prepare(
      'update sessions set factor_at = ?, proved_at = ?1 where user_id = ?',
    )
      .bind(Date.now(), userId)
      .run();
    expect((await late.send(new Authenticator().create(late.asked))).status).toBe(422);
    expect(await rowsOf(userId)).toMatchObject([{ credential_id: authenticator.id }]);
  });

  it('attack: one answer makes one passkey, and a known one is not taken over by another user (422)', async () => {
    const { userId, authenticator } = await createPasskeyUser();
    const thief = await createMerchant();
    const browser = await new Browser().signIn(thief.userId);
    const { asked, send } = await openNew(browser);
    expect((await send(authenticator.create(asked))).text).toContain('exists already');
    expect(await rowsOf(userId)).toHaveLength(1);
    expect(await isOn(thief.userId)).toBe(0);
    const fresh = await openNew(browser);
    const answer = new Authenticator().create(fresh.asked);
    const sent = await Promise.all([fresh.send(answer), fresh.send(answer), fresh.send(answer)]);
    expect(sent.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await countOf('passkeys', thief.userId)).toBe(1);
    expect(await countOf('recovery_codes', thief.userId)).toBe(10);
  });

  it('attack: keys that the service cannot verify are refused (422)', async () => {
    const { userId } = await createMerchant();
    const browser = await new Browser().signIn(userId);
    const { asked, send } = await openNew(browser);
    const authenticator = new Authenticator();
    const sent = JSON.parse(authenticator.create(asked)) as Record<string, string>;
    for (const publicKey of [
      'AAAA',
      authenticator.publicKey.slice(0, -8),
      'MCowBQYDK2VwAyEA'.padEnd(59, 'A'),
    ]) {
      expect((await send(JSON.stringify({ ...sent, publicKey }))).status).toBe(422);
    }
  });

  it(`is one of at most ${maxPasskeys} (422)`, async () => {
    const { browser, userId } = await createPasskeyUser();
    await env.DIRECTORY.prepare(
      `insert into passkeys (user_id, credential_id, public_key, sign_count, challenged_at, name, created_at)
        select ?1, 'filled-' || value || '-' || ?1, '', 0, 0, 'x', 1 from json_each('[1,2,3,4,5,6,7,8,9]')`,
    )
      .bind(userId)
      .run();
    const { asked, send } = await openNew(browser);
    expect((await send(new Authenticator().create(asked))).status).toBe(422);
    expect(await countOf('passkeys', userId)).toBe(maxPasskeys);
  });
});

describe('a passkey as the second factor', () => {
  it.each(['ec', 'rsa'] as const)(
    'starts a session that has shown it (303), in two round trips: %s',
    async (algorithm) => {
      const { userId, email, authenticator } = await createPasskeyUser(
        new Authenticator({ algorithm }),
      );
      const { browser, step, send } = await enterPassword(email);
      expect(askOf(step)).toMatchObject({ kind: 'get', host: 'api.test' });
      const answer = await authenticator.get(askOf(step), userId);
      const cost = noCost();
      browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
      const done = await send(answer);
      expect([done.status, done.location]).toEqual([303, '/account']);
      expect(cost.roundTrips).toBe(2);
      expect((await browser.get('/account/security')).text).toContain('My phone');
      const [row] = await rowsOf(userId);
      expect(row?.['used_at']).not.toBeNull();
      expect((await browser.get(newPath)).status).toBe(200);
    },
  );

  it('is offered to users who have one only', async () => {
    const { userId, email } = await createMerchant();
    await addSecondFactor(userId);
    const { step } = await enterPassword(email);
    expect(askedBy(step)).toBeUndefined();
  });

  it('attack: an answer works once, and of three at once one wins (422)', async () => {
    const { userId, email, authenticator } = await createPasskeyUser();
    const { step, send, browser } = await enterPassword(email);
    const answer = await authenticator.get(askOf(step), userId);
    const cookies = new Map(browser.cookies);
    const sent = await Promise.all([send(answer), send(answer), send(answer)]);
    expect(sent.filter(({ status }) => status === 303)).toHaveLength(1);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect((await send(answer)).status).toBe(422);
  });

  it('attack: an answer to an older challenge than the last one is refused (422)', async () => {
    const { userId, email, authenticator } = await createPasskeyUser();
    const early = await enterPassword(email);
    later();
    const late = await enterPassword(email);
    expect((await late.send(await authenticator.get(askOf(late.step), userId))).status).toBe(303);
    expect((await early.send(await authenticator.get(askOf(early.step), userId))).status).toBe(422);
  });

  it.each(inThrees(wrongUses).map((wrongs) => [namesOf(wrongs), wrongs] as const))(
    'attack: is refused %s (422)',
    async (_names, wrongs) => {
      const { userId, email, authenticator } = await createPasskeyUser();
      const { step, send } = await enterPassword(email);
      const asked = askOf(step);
      for (const [name, wrong] of wrongs) {
        const refused = await send(await authenticator.get(asked, userId, wrong));
        const isNamed = refused.text.includes('not accepted');
        expect([name, refused.status, isNamed]).toEqual([name, 422, true]);
      }
      expect((await send(await authenticator.get(asked, userId))).status).toBe(303);
    },
  );

  it('attack: the passkey of another user opens nothing (422)', async () => {
    const [one, other] = [await createPasskeyUser(), await createPasskeyUser()];
    const { step, send } = await enterPassword(one.email);
    const asked = askOf(step);
    expect((await send(await other.authenticator.get(asked, other.userId))).status).toBe(422);
    expect((await send(await other.authenticator.get(asked, one.userId))).status).toBe(422);
  });

  it('attack: a count that does not grow blocks the passkey, and notifies its user; codes still work', async () => {
    const { userId, email, authenticator } = await createPasskeyUser(
      new Authenticator({ counts: true }),
    );
    const first = await enterPassword(email);
    expect((await first.send(await authenticator.get(askOf(first.step), userId))).status).toBe(303);
    later();
    const copied = await enterPassword(email);
    const old = { count: authenticator.count };
    expect(
      (await copied.send(await authenticator.get(askOf(copied.step), userId, old))).status,
    ).toBe(422);
    expect(await rowsOf(userId)).toMatchObject([{ blocked_at: expect.any(Number) }]);
    expect(await auditOf(userId)).toEqual(['user.passkey_added', 'user.passkey_blocked']);
    const mails = await sentMails(email, 'passkey_changed');
    expect(mails.map(({ data }) => data)).toContainEqual({ change: 'blocked', name: 'My phone' });
    later();
    const right = await enterPassword(email);
    expect((await right.send(await authenticator.get(askOf(right.step), userId))).status).toBe(422);
  });

  it('attack: guessing returns 429 after five answers, also for a right one', async () => {
    const { userId, email, authenticator } = await createPasskeyUser();
    const { step, send } = await enterPassword(email);
    const asked = askOf(step);
    const statuses = [];
    for (let guess = 0; guess < 5; guess += 1) {
      statuses.push(
        (await send(await authenticator.get(asked, userId, { isForged: true }))).status,
      );
    }
    statuses.push((await send(await authenticator.get(asked, userId))).status);
    expect(statuses).toEqual([422, 422, 422, 422, 429, 429]);
  });

  it('is replaced by a recovery code once, and by no code of an app that the user has not', async () => {
    const { email, browser } = await createPasskeyUser();
    const codes = (await browser.get('/account/security/second-factor/codes')).html;
    const [code = ''] = /(?:[a-z0-9]{4}-){3}[a-z0-9]{4}/.exec(codes) ?? [];
    const { browser: fresh, step } = await enterPassword(email);
    const enter = (typed: string) =>
      fresh.post(codePath, { ...hiddenFieldsOf(step, codePath), code: typed });
    expect((await enter('000000')).status).toBe(422);
    expect((await enter(code)).status).toBe(303);
  });

  it('proves who the user is, and works beside an app', async () => {
    const { userId, email } = await createMerchant();
    const { secret } = await addSecondFactor(userId);
    const browser = await new Browser().signIn(userId);
    const { authenticator, answer } = await register(browser);
    expect(answer.location).toBe('/account/security?done=added');
    const old = await new Browser().signIn(userId, Date.now() - 11 * 60_000);
    later();
    const page = await old.get(newPath);
    expect(page.text).toContain('Confirm that it is you');
    const fields = hiddenFieldsOf(page, '/session/proof');
    const passkey = await authenticator.get(askOf(page), userId);
    const forged = await authenticator.get(askOf(page), userId, { isForged: true });
    expect((await old.post('/session/proof', { ...fields, passkey: forged })).status).toBe(422);
    const proved = await old.post('/session/proof', { ...fields, passkey });
    expect([proved.status, proved.location]).toEqual([303, newPath]);
    expect((await old.post('/session/proof', { ...fields, passkey })).status).toBe(422);
    const { browser: fresh, step } = await enterPassword(email);
    const code = { ...hiddenFieldsOf(step, codePath), code: codeOf(secret) };
    expect((await fresh.post(codePath, code)).status).toBe(303);
  });

  it('opens the pages of operators where they must have a second factor', async () => {
    const { userId } = await createMerchant();
    const makeOperator = 'update users set super_user = ? where id = ?';
    await env.DIRECTORY.prepare(makeOperator).bind(1, userId).run();
    const browser = await new Browser().signIn(userId);
    browser.bindings = { OPERATOR_MFA: 'required' } as unknown as Partial<Env>;
    const closed = await browser.get('/operator');
    expect(closed.status).toBe(403);
    await register(browser);
    expect((await browser.get('/operator')).status).toBe(200);
    await env.DIRECTORY.prepare(makeOperator).bind(0, userId).run();
  });

  it('is not offered where the service has an address and no name, or under another host of it', async () => {
    const { userId } = await createMerchant();
    const browser = await new Browser().signIn(userId);
    browser.bindings = { AUTH_URL: 'https://store.example' } as unknown as Partial<Env>;
    expect(askedBy(await browser.get(newPath))).toBeUndefined();
  });
});

describe('removing a passkey', () => {
  it('asks first, then switches two-step sign-in off with the last one, and ends other sessions', async () => {
    const { userId, email, browser } = await createPasskeyUser();
    const other = await new Browser().signIn(userId);
    const [row] = await rowsOf(userId);
    const path = `/account/security/passkeys/${Number(row?.['id'])}/remove`;
    expect((await browser.get(path)).text).toContain('your only second step');
    expect((await browser.submit(path)).location).toBe('/account/security?done=removed');
    expect([await isOn(userId), await countOf('passkeys', userId)]).toEqual([0, 0]);
    expect(await countOf('recovery_codes', userId)).toBe(0);
    expect((await other.get('/account')).text).toContain('E-mail address');
    expect(await auditOf(userId)).toEqual(['user.passkey_added', 'user.passkey_removed']);
    const mails = await sentMails(email, 'passkey_changed');
    expect(mails.map(({ data }) => data)).toContainEqual({ change: 'removed', name: 'My phone' });
    expect((await browser.get(path)).status).toBe(404);
  });

  it('keeps two-step sign-in and its codes while there is an app, as removing the app keeps them for a passkey', async () => {
    const { userId } = await createMerchant();
    await addSecondFactor(userId);
    const browser = await new Browser().signIn(userId);
    await register(browser);
    const [row] = await rowsOf(userId);
    await browser.submit(`/account/security/passkeys/${Number(row?.['id'])}/remove`);
    expect([await isOn(userId), await countOf('recovery_codes', userId)]).toEqual([1, 10]);
    await register(browser);
    const off = '/account/security/second-factor/off';
    expect((await browser.get(off)).text).toContain('Remove the authenticator app?');
    await browser.submit(off);
    expect([await isOn(userId), await countOf('second_factors', userId)]).toEqual([1, 0]);
    expect(await countOf('recovery_codes', userId)).toBe(10);
    expect((await browser.get(off)).location).toBe('/account/security');
  });

  it('attack: is a 404 for another user', async () => {
    const { userId } = await createPasskeyUser();
    const [row] = await rowsOf(userId);
    const { browser } = await createPasskeyUser();
    const path = `/account/security/passkeys/${Number(row?.['id'])}/remove`;
    expect((await browser.get(path)).status).toBe(404);
    const fields = hiddenFieldsOf(await browser.get(newPath), newPath);
    expect((await browser.post(path, fields)).status).toBe(403);
    expect(await countOf('passkeys', userId)).toBe(1);
  });
});

const alonePath = '/session/passkey';

/**
 * Opens the sign-in page in a new browser, each from another network, and returns what sends a
 * passkey alone.
 */
async function openAlone(
  browser = new Browser(),
  path = '/session',
  more: Record<string, string> = {},
) {
  const page = await browser.get(path);
  const headers = {
    'Sec-Fetch-Site': 'same-origin',
    Origin: 'null',
    'CF-Connecting-IP': newAddress(),
    ...more,
  };
  const fields = hiddenFieldsOf(page, alonePath);
  const send = (passkey: string, changed: Record<string, string> = {}) =>
    browser.post(alonePath, { ...fields, ...changed, passkey }, headers);
  return { browser, page, asked: askOf(page), fields, send };
}

/** Signs in with a passkey alone, and returns the answer of the service. */
async function signInAlone(
  { userId, authenticator }: { userId: number; authenticator: Authenticator },
  wrong?: Wrong,
) {
  const { asked, send } = await openAlone();
  return send(await authenticator.get(asked, userId, wrong));
}

const run = (sql: string, userId: number) => env.DIRECTORY.prepare(sql).bind(userId).run();
const refusal = 'This passkey was not accepted';
const sessionsOf = (userId: number) => countOf('sessions', userId);

describe('a passkey without the password', () => {
  it('starts a session that counts as both factors (303), in two round trips, and leads to the page that was asked for', async () => {
    const user = await createPasskeyUser();
    await run('update users set super_user = 1 where id = ?', user.userId);
    const { browser, page, asked, send } = await openAlone(new Browser(), '/account/security');
    expect(asked).toMatchObject({ host: 'api.test' });
    expect(JSON.stringify(asked)).not.toContain(user.authenticator.id);
    expect(page.html).toMatch(/data-passkey="[^"]+"[^>]* hidden=""/);
    const cost = noCost();
    const operators = { OPERATOR_MFA: 'required' } as unknown as Partial<Env>;
    browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost), ...operators };
    const cookie = browser.cookies.get('__Host-session');
    const done = await send(await user.authenticator.get(asked, user.userId));
    expect([done.status, done.location, cost.roundTrips]).toEqual([303, '/account/security', 2]);
    expect(browser.cookies.get('__Host-session')).not.toBe(cookie);
    expect(browser.cookies.get('__Host-known-browser')).toHaveLength(48);
    browser.bindings = operators;
    expect((await browser.get('/operator')).status).toBe(200);
    expect((await browser.get(newPath)).html).toContain('data-passkey');
    await run('update users set super_user = 0 where id = ?', user.userId);
  });

  it('opens a store that demands a second factor, and tells the user of a new country', async () => {
    const user = await createPasskeyUser();
    await run('update stores set mfa_required = 1 where owner_id = ?', user.userId);
    await run("insert into sign_in_countries (user_id, country) values (?, 'BR')", user.userId);
    const { browser, asked, send } = await openAlone(undefined, undefined, {
      'CF-IPCountry': 'PT',
    });
    expect((await send(await user.authenticator.get(asked, user.userId))).status).toBe(303);
    expect((await browser.get(`/account/stores/${user.alias}`)).status).toBe(200);
    expect(await sentMails(user.email, 'new_sign_in')).toHaveLength(1);
  });

  const wrongAlone = { ...wrongUses, 'without a handle': { userHandle: '' } };
  it.each(inThrees(wrongAlone).map((wrongs) => [namesOf(wrongs), wrongs] as const))(
    'attack: is refused %s (422), with one text',
    async (_names, wrongs) => {
      const user = await createPasskeyUser();
      const before = await sessionsOf(user.userId);
      for (const [name, wrong] of wrongs) {
        const refused = await signInAlone(user, wrong);
        const isNamed = refused.text.includes(refusal);
        expect([name, refused.status, isNamed]).toEqual([name, 422, true]);
      }
      expect(await sessionsOf(user.userId)).toBe(before);
      expect((await signInAlone(user)).status).toBe(303);
    },
  );

  it.each([
    ['was removed', 'delete from passkeys where user_id = ?'],
    ['is blocked', 'update passkeys set blocked_at = 1 where user_id = ?'],
    ['is of an inactive user', 'update users set active = 0 where id = ?'],
  ])('attack: is refused like an unknown one if it %s (422)', async (_what, change) => {
    const user = await createPasskeyUser();
    await run(change, user.userId);
    const before = await sessionsOf(user.userId);
    const [refused, unknown] = [
      await signInAlone(user),
      await signInAlone({ ...user, authenticator: new Authenticator() }),
    ];
    const shown = ({ status, text }: typeof refused) => [status, text];
    expect(shown(refused)).toEqual(shown(unknown));
    expect([refused.status, refused.text.includes(refusal)]).toEqual([422, true]);
    expect(await sessionsOf(user.userId)).toBe(before);
  });

  it('attack: an answer works once, of three at once one wins, and one to an older challenge is refused (422)', async () => {
    const { userId, authenticator } = await createPasskeyUser();
    const early = await openAlone();
    later();
    const { browser, asked, send } = await openAlone();
    const answer = await authenticator.get(asked, userId);
    const cookies = new Map(browser.cookies);
    const sent = await Promise.all([send(answer), send(answer), send(answer)]);
    expect(sent.filter(({ status }) => status === 303)).toHaveLength(1);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect((await send(answer)).status).toBe(422);
    expect((await early.send(await authenticator.get(early.asked, userId))).status).toBe(422);
  });

  it('attack: a challenge is worthless in another browser, after ten minutes, and one of a second step or proof signs no one in', async () => {
    const { userId, email, authenticator } = await createPasskeyUser();
    const before = await sessionsOf(userId);
    const [mine, foreign] = [await openAlone(), await openAlone()];
    const stolen = await authenticator.get(mine.asked, userId);
    const sealed = (fields: Record<string, string>) => ({
      passkey_challenge: fields['passkey_challenge'] ?? '',
    });
    expect((await foreign.send(stolen, sealed(mine.fields))).status).toBe(422);
    expect(
      (await foreign.browser.post(alonePath, { ...mine.fields, passkey: stolen })).status,
    ).toBe(403);
    const { browser, step } = await enterPassword(email);
    const other = await openAlone(browser);
    const answer = await authenticator.get(askOf(step), userId);
    expect((await other.send(answer, sealed(hiddenFieldsOf(step, codePath)))).status).toBe(422);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });
    expect((await mine.send(stolen)).status).toBe(422);
    expect(await sessionsOf(userId)).toBe(before);
  });

  it('attack: a count that does not grow blocks it, and notifies its user (422)', async () => {
    const user = await createPasskeyUser(new Authenticator({ counts: true }));
    expect((await signInAlone(user)).status).toBe(303);
    later();
    expect((await signInAlone(user, { count: user.authenticator.count })).status).toBe(422);
    expect(await rowsOf(user.userId)).toMatchObject([{ blocked_at: expect.any(Number) }]);
    later();
    expect((await signInAlone(user)).status).toBe(422);
  });

  it('attack: guessing returns 429 after five answers, for this passkey and network; wrong ones count as wrong passwords of the network', async () => {
    const user = await createPasskeyUser();
    const { asked, send } = await openAlone();
    const forged = await user.authenticator.get(asked, user.userId, { isForged: true });
    const statuses = [];
    for (let guess = 0; guess < 5; guess += 1) statuses.push((await send(forged)).status);
    statuses.push((await send(await user.authenticator.get(asked, user.userId))).status);
    expect(statuses).toEqual([422, 422, 422, 422, 429, 429]);
    for (let guess = 5; guess < 30; guess += 1) await send('{}');
    const stranger = await createPasskeyUser();
    const right = await stranger.authenticator.get(asked, stranger.userId);
    expect((await send(right)).status).toBe(429);
    expect((await signInAlone(stranger)).status).toBe(303);
  });

  it('attack: after a new password it opens nothing until it was the second step behind that password', async () => {
    const user = await createPasskeyUser();
    const old = await enterPassword(user.email);
    // What a new password does, by the statements of its action (`test/attacks/trust/ends.test.ts`
    // causes it).
    await run('update passkeys set replaces_password = 0 where user_id = ?', user.userId);
    await run('update passwords set changed_at = 7 where user_id = ?', user.userId);
    await run('delete from sessions where user_id = ?', user.userId);
    const refused = await signInAlone(user);
    expect([refused.status, refused.text.includes('Your password is new')]).toEqual([422, true]);
    expect(await sessionsOf(user.userId)).toBe(0);
    later();
    // A second step that began with the old password starts no session, and restores nothing.
    const late = await old.send(await user.authenticator.get(askOf(old.step), user.userId));
    expect([late.status, late.location]).not.toEqual([303, '/account']);
    expect(await rowsOf(user.userId)).toMatchObject([{ replaces_password: 0 }]);
    const { step, send } = await enterPassword(user.email);
    expect((await send(await user.authenticator.get(askOf(step), user.userId))).status).toBe(303);
    later();
    expect((await signInAlone(user)).status).toBe(303);
  });
  it('attack: none is made in a session that ended while its form was on the way', async () => {
    const { userId } = await createMerchant();
    const asked = { kind: 'create', challenge: 'x'.repeat(43), host: 'api.test' } as const;
    const answer = parsePasskeyAnswer(new Authenticator().create(asked));
    if (!answer) throw new Error('no answer');
    const request = { challenge: asked.challenge, origin: 'https://api.test', rpId: 'api.test' };
    const owner = { userId, idHash: 'ended', language: 'en', name: 'x' } as const;
    const sent = { answer, request, challengedAt: 1 };
    expect(await addPasskey(actionOf(userId), sent, owner)).toBe('refused');
    expect(await rowsOf(userId)).toEqual([]);
  });
});
