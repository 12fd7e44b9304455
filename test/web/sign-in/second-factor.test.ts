import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { newAddress } from '../../support/api/limits.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';
import { givePassword, testPassword } from '../../support/password.ts';
import { addSecondFactor, codeOf, showCode, timeStep } from '../../support/second-factor.ts';

const factorPath = '/account/security/second-factor';

/** A merchant with a password and, as a rule, a second factor. */
async function createMerchant() {
  const { userId, alias } = await createTestStore();
  await givePassword(userId);
  return { userId, email: `${alias}@store.test`, ...(await addSecondFactor(userId)) };
}

/** Takes the first step of signing in; `enter` takes the second one, as often as needed. */
async function enterPassword(email: string) {
  const browser = new Browser();
  const page = await browser.get('/session');
  const fields = { ...hiddenFieldsOf(page, '/session'), email, password: testPassword };
  const step = await browser.post('/session', fields, {
    'CF-Connecting-IP': newAddress(),
    'Sec-Fetch-Site': 'same-origin',
  });
  return {
    browser,
    step,
    enter: (code: string) =>
      browser.post('/session/code', { ...hiddenFieldsOf(step, '/session/code'), code }),
  };
}

const sessionsOf = (userId: number) =>
  env.DIRECTORY.prepare('select count(*) as n from sessions where user_id = ?')
    .bind(userId)
    .first<number>('n');

const userRow = (userId: number) =>
  env.DIRECTORY.prepare('select * from users where id = ?').bind(userId).first();

describe('setting up two-step sign-in', () => {
  it('stores nothing before a code of the app is right, then shows ten codes once and notifies the user', async () => {
    const { userId, alias } = await createTestStore();
    const browser = await new Browser().signIn(userId);
    const page = await browser.get(factorPath);
    expect(page.html).toMatch(/<svg class="qr-code" role="img" aria-label="QR code/);
    const secret =
      /<pre><code>([A-Z2-7 ]+)<\/code>/.exec(page.html)?.[1]?.replaceAll(' ', '') ?? '';
    expect(secret).toHaveLength(32);
    // The phone that shows the page cannot scan its picture.
    expect(page.html).toMatch(new RegExp(`<a href="otpauth://totp/[^"]*secret=${secret}`));
    const fields = hiddenFieldsOf(page, factorPath);
    expect(Object.keys(fields)).toEqual(['form_token', 'secret_token']);
    const wrong = await browser.post(factorPath, { ...fields, code: '000000' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('This code is wrong. Enter the one that the app shows now');
    expect(await userRow(userId)).toMatchObject({ mfa_enabled: 0 });

    const done = await browser.post(factorPath, { ...fields, code: codeOf(secret) });
    expect([done.status, done.location]).toEqual([303, `${factorPath}/codes`]);
    const codes = (await browser.get(`${factorPath}/codes`)).html.match(
      /(?:[a-z0-9]{4}-){3}[a-z0-9]{4}/g,
    );
    expect(codes).toHaveLength(10);
    expect((await browser.get(`${factorPath}/codes`)).text).toContain('already shown');
    expect(await userRow(userId)).toMatchObject({ mfa_enabled: 1 });
    const stored = await env.DIRECTORY.prepare(
      'select secret, (select group_concat(code_hash) from recovery_codes r where r.user_id = f.user_id) as codes from second_factors f where user_id = ?',
    )
      .bind(userId)
      .first();
    expect(JSON.stringify(stored)).not.toContain(secret);
    for (const code of codes ?? [])
      expect(JSON.stringify(stored)).not.toContain(code.replaceAll('-', ''));
    const [mail] = await sentMails(`${alias}@store.test`, 'second_factor_changed');
    expect(mail?.data).toEqual({ change: 'on' });
  });

  it('takes the secret of this browser and user only (303 to a new one)', async () => {
    const [one, other] = [await createTestStore(), await createTestStore()];
    const first = await new Browser().signIn(one.userId);
    const { secret_token: token = '' } = hiddenFieldsOf(await first.get(factorPath), factorPath);
    const second = await new Browser().signIn(other.userId);
    const fields = {
      ...hiddenFieldsOf(await second.get(factorPath), factorPath),
      secret_token: token,
    };
    const response = await second.post(factorPath, { ...fields, code: '123456' });
    expect([response.status, response.location]).toEqual([303, factorPath]);
  });

  it('switches it off after a question, ends its codes, and notifies the user', async () => {
    const { userId, email } = await createMerchant();
    const browser = await new Browser().signIn(userId);
    const off = await browser.submit(`${factorPath}/off`);
    expect(off.location).toBe('/account/security?done=off');
    expect(await userRow(userId)).toMatchObject({ mfa_enabled: 0 });
    const left = await env.DIRECTORY.prepare('select * from recovery_codes where user_id = ?')
      .bind(userId)
      .all();
    expect(left.results).toEqual([]);
    expect((await sentMails(email, 'second_factor_changed'))[0]?.data).toEqual({ change: 'off' });
  });

  it('creates new recovery codes in place of the old ones', async () => {
    const { userId, email, recoveryCodes } = await createMerchant();
    const browser = await new Browser().signIn(userId);
    expect((await browser.submit(`${factorPath}/codes/new`)).location).toBe(`${factorPath}/codes`);
    const page = await browser.get(`${factorPath}/codes`);
    expect(page.html).not.toContain(recoveryCodes[0]);
    const [fresh = ''] = /(?:[a-z0-9]{4}-){3}[a-z0-9]{4}/.exec(page.html) ?? [];
    const { enter } = await enterPassword(email);
    expect((await enter(recoveryCodes[0] ?? '')).status).toBe(422);
    expect((await enter(fresh.toUpperCase().replaceAll('-', ' '))).status).toBe(303);
  });
});

describe('POST /session/code', () => {
  it('starts a session (303) only after the code, in one round trip for a wrong one and two for a right one', async () => {
    const { userId, email, secret } = await createMerchant();
    const { browser, step, enter } = await enterPassword(email);
    expect([step.status, step.location]).toEqual([200, null]);
    expect(step.text).toContain('Enter your code');
    expect(await sessionsOf(userId)).toBe(0);
    expect((await browser.get('/account')).text).toContain('E-mail address');
    const cost = noCost();
    browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
    expect((await enter('')).text).toContain('Enter the code.');
    expect(cost.roundTrips).toBe(0);
    expect((await enter('000000')).status).toBe(422);
    expect(cost.roundTrips).toBe(1);
    const right = await enter(codeOf(secret));
    expect([right.status, right.location]).toEqual([303, '/account']);
    expect(cost.roundTrips).toBe(3);
    expect((await browser.get('/account')).text).toContain('Your account');
  });

  it('attack: a code is not accepted twice (422), nor one before it, and of three parallel uses one wins', async () => {
    const { userId, email, secret } = await createMerchant();
    const steps = [await enterPassword(email), await enterPassword(email)];
    const now = Date.now();
    const code = codeOf(secret, now);
    const uses = await Promise.all([...steps, steps[0]!].map(({ enter }) => enter(code)));
    expect(uses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 422, 422]);
    expect(await sessionsOf(userId)).toBe(1);
    const late = await enterPassword(email);
    expect((await late.enter(code)).status).toBe(422);
    expect((await late.enter(codeOf(secret, now - timeStep))).status).toBe(422);
    expect((await late.enter(codeOf(secret, now + timeStep))).status).toBe(303);
  });

  it('attack: a recovery code works once, also in parallel, and for its own user only', async () => {
    const [own, other] = [await createMerchant(), await createMerchant()];
    const [code = ''] = own.recoveryCodes;
    const stranger = await enterPassword(other.email);
    expect((await stranger.enter(code)).status).toBe(422);
    const { enter } = await enterPassword(own.email);
    const uses = await Promise.all([enter(code), enter(code), enter(code)]);
    expect(uses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 422, 422]);
    expect((await (await enterPassword(own.email)).enter(code)).status).toBe(422);
    // One mail tells its owner, whoever used it.
    const told = await sentMails(own.email, 'recovery_code_used');
    expect(told.map(({ data }) => data)).toEqual([{ left: 9 }]);
  });

  it('says on the step of the code whom to write to without phone and codes, and how long it takes', async () => {
    const { email } = await createMerchant();
    const { step } = await enterPassword(email);
    expect(step.text).toContain('I have neither my phone nor a recovery code');
    expect(step.text).toContain('two-step sign-in ends 24 hours later, unless you object');
    expect(step.text).toMatch(/Write to (?:the people who run this service|\S+@\S+)/);
  });

  it('attack: guessing returns 429 after five codes, from any network, and a right one does not help then', async () => {
    const { email, secret } = await createMerchant();
    const statuses = [];
    for (let count = 0; count < 2; count += 1) {
      const { enter } = await enterPassword(email);
      for (let guess = 0; guess < 3; guess += 1) statuses.push((await enter('000000')).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 429, 429]);
    const { enter } = await enterPassword(email);
    expect((await enter(codeOf(secret))).status).toBe(429);
  });

  it('attack: the second step is worthless in another browser (403), without its token (403), and after a new password (303)', async () => {
    const { userId, email, secret } = await createMerchant();
    const { browser, step, enter } = await enterPassword(email);
    const fields = { ...hiddenFieldsOf(step, '/session/code'), code: codeOf(secret) };
    const elsewhere = new Browser();
    await elsewhere.get('/session');
    expect((await elsewhere.post('/session/code', fields)).status).toBe(403);
    expect((await browser.post('/session/code', { code: fields.code })).status).toBe(403);
    await env.DIRECTORY.prepare('update passwords set changed_at = 1 where user_id = ?')
      .bind(userId)
      .run();
    const response = await enter(fields.code);
    expect([response.status, response.location]).toEqual([303, '/session']);
    expect(await sessionsOf(userId)).toBe(0);
  });
});

describe('the proof of who the user is', () => {
  it('is asked for after ten minutes, with the code of two-step sign-in, and leads back (303)', async () => {
    const { userId, secret } = await createMerchant();
    const browser = await new Browser().signIn(userId, Date.now() - 11 * 60_000);
    const path = `${factorPath}/off`;
    const page = await browser.submit(path);
    expect(page.text).toContain('Confirm that it is you');
    const fields = hiddenFieldsOf(page, '/session/proof');
    const tries = [];
    for (const code of ['', '123456', codeOf(secret)]) {
      tries.push(await browser.post('/session/proof', { ...fields, code }));
    }
    expect(tries.map(({ status }) => status)).toEqual([422, 422, 303]);
    expect(tries.at(-1)?.location).toBe(path);
    const again = await browser.get(path);
    expect(again.text).toContain('Switch two-step sign-in off?');
    expect(again.text).toContain('Nothing has been done yet.');
    // The proof is of this session only.
    const other = await new Browser().signIn(userId, Date.now() - 11 * 60_000);
    expect((await other.submit(path)).text).toContain('Confirm that it is you');
  });

  it('is asked for with the password without two-step sign-in, and its failures make it wait (429)', async () => {
    const { userId } = await createTestStore();
    await givePassword(userId);
    const browser = await new Browser().signIn(userId, Date.now() - 11 * 60_000);
    const fields = hiddenFieldsOf(await browser.get(factorPath), '/session/proof');
    const prove = (given: string) => browser.post('/session/proof', { ...fields, password: given });
    expect((await prove('wrong')).text).toContain('The password is wrong.');
    expect((await prove(testPassword)).location).toBe(factorPath);
  });

  it('changes nothing while it is old: the form asks for one', async () => {
    const { userId } = await createMerchant();
    const browser = await new Browser().signIn(userId);
    const path = `${factorPath}/off`;
    const fields = hiddenFieldsOf(await browser.get(path), path);
    await showCode(userId, 0);
    const { text } = await browser.post(path, fields);
    expect(text).toContain('Confirm that it is you');
    expect(await userRow(userId)).toMatchObject({ mfa_enabled: 1 });
  });
});

describe('a page that demands two-step sign-in', () => {
  it('returns 403 with the way to it: one of operators, and one of a store whose owner demands it', async () => {
    const { id, userId, alias } = await createTestStore();
    await env.DIRECTORY.batch([
      env.DIRECTORY.prepare('update stores set mfa_required = 1 where id = ?').bind(id),
      env.DIRECTORY.prepare('update users set super_user = 1 where id = ?').bind(userId),
    ]);
    const browser = await new Browser().signIn(userId);
    browser.bindings = { OPERATOR_MFA: 'required' } as unknown as Partial<Env>;
    for (const path of ['/operator', `/account/stores/${alias}`]) {
      const page = await browser.get(path);
      expect(page.status, path).toBe(403);
      expect(page.html).toContain(`href="${factorPath}"`);
    }
    await addSecondFactor(userId, await sha256(browser.cookies.get('__Host-session') ?? ''));
    const opened = await browser.get(`/account/stores/${alias}`);
    expect([opened.status, opened.text]).toEqual([200, expect.stringContaining('Alias')]);
    await env.DIRECTORY.prepare('update users set super_user = 0 where id = ?').bind(userId).run();
  });
});
