import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { maxDevices } from '../../../src/accounts/sign-in/remembered-devices.ts';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { deleteExpiredSessions } from '../../../src/data/directory/sessions.ts';
import { newAddress } from '../../support/api/limits.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { fakeDatabase } from '../../support/fakes/fake-database.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';
import { givePassword, testPassword } from '../../support/password.ts';
import { addSecondFactor } from '../../support/second-factor.ts';

const day = 86_400_000;
const cookieName = '__Host-remembered-device';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const ours = { 'Sec-Fetch-Site': 'same-origin', 'User-Agent': firefox };

afterEach(() => void vi.useRealTimers());

/**
 * A merchant with a password and a second factor. `nextCode` returns a recovery code that was not
 * used.
 */
async function createMerchant() {
  const { userId, alias } = await createTestStore();
  await givePassword(userId);
  const { recoveryCodes } = await addSecondFactor(userId);
  const nextCode = () => recoveryCodes.pop() ?? '';
  return { userId, alias, email: `${alias}@store.test`, nextCode };
}

type Merchant = Awaited<ReturnType<typeof createMerchant>>;

/** Enters the password in a browser; each time from another network, so that no limit is met. */
async function enterPassword(browser: Browser, email: string, password = testPassword) {
  const hidden = hiddenFieldsOf(await browser.get('/session'), '/session');
  return browser.post(
    '/session',
    { ...hidden, email, password },
    { ...ours, 'CF-Connecting-IP': newAddress() },
  );
}

const signOut = (browser: Browser) => browser.cookies.delete('__Host-session');

/** Signs in with both steps, ticks the box, and signs out again. */
async function remember({ email, nextCode }: Merchant, browser = new Browser()) {
  const step = await enterPassword(browser, email);
  const fields = { ...hiddenFieldsOf(step, '/session/code'), code: nextCode(), remember: 'yes' };
  expect((await browser.post('/session/code', fields, ours)).status).toBe(303);
  signOut(browser);
  return browser;
}

/** Whether the password alone signs a browser in: `session`, else `code` for the second step. */
async function entry(browser: Browser, { email }: Pick<Merchant, 'email'>) {
  const answer = await enterPassword(browser, email);
  if (answer.status === 303) {
    expect((await browser.get('/account/security')).text).toContain('Two-step sign-in');
    signOut(browser);
    return 'session';
  }
  expect([answer.status, answer.text.includes('Enter your code')]).toEqual([200, true]);
  return 'code';
}

const devicesOf = async (userId: number) =>
  (
    await env.DIRECTORY.prepare('select * from remembered_devices where user_id = ? order by id')
      .bind(userId)
      .all()
  ).results;

const auditOf = async (userId: number) =>
  (
    await env.DIRECTORY.prepare(
      "select action from audit where target_kind = 'user' and target_id = ? and action like 'user.device%' order by id",
    )
      .bind(String(userId))
      .all()
  ).results.map(({ action }) => action);

describe('a remembered device', () => {
  it('is a box that the user ticks at the second step; without it nothing is stored and no cookie set', async () => {
    const merchant = await createMerchant();
    const browser = new Browser();
    const step = await enterPassword(browser, merchant.email);
    expect(step.text).toContain('Remember this device for 30 days');
    expect(step.html).toContain('<input type="checkbox" name="remember" value="yes"/>');
    const fields = { ...hiddenFieldsOf(step, '/session/code'), code: merchant.nextCode() };
    expect((await browser.post('/session/code', fields)).status).toBe(303);
    expect(await devicesOf(merchant.userId)).toEqual([]);
    expect(browser.cookies.has(cookieName)).toBe(false);
  });

  it('signs in with the password alone, in two round trips with one look at the session, for 30 days', async () => {
    const merchant = await createMerchant();
    const browser = await remember(merchant);
    expect(await entry(new Browser(), merchant)).toBe('code');
    const cost = noCost();
    const hidden = hiddenFieldsOf(await browser.get('/session'), '/session');
    browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
    const fields = { ...hidden, email: merchant.email, password: testPassword };
    expect((await browser.post('/session', fields, ours)).status).toBe(303);
    expect(cost.roundTrips).toBe(2);
    browser.bindings = {};
    signOut(browser);
    const [row] = await devicesOf(merchant.userId);
    const expiresAt = Number(row?.['expires_at']);
    expect(expiresAt - Number(row?.['created_at'])).toBe(30 * day);
    vi.useFakeTimers({ toFake: ['Date'], now: expiresAt - 1 });
    expect(await entry(browser, merchant)).toBe('session');
    const [used] = await devicesOf(merchant.userId);
    expect(used?.['used_day']).toBe(expiresAt - 1 - ((expiresAt - 1) % day));
    vi.setSystemTime(expiresAt);
    expect(await entry(browser, merchant)).toBe('code');
  });

  it('does not replace the password: a wrong one is refused (422)', async () => {
    const merchant = await createMerchant();
    const browser = await remember(merchant);
    expect((await enterPassword(browser, merchant.email, 'wrong password!')).status).toBe(422);
  });

  it('stores the digest of 32 random bytes only, in a cookie that no script and no other site gets', async () => {
    const merchant = await createMerchant();
    const browser = new Browser();
    const step = await enterPassword(browser, merchant.email);
    const answer = await browser.post(
      '/session/code',
      { ...hiddenFieldsOf(step, '/session/code'), code: merchant.nextCode(), remember: 'yes' },
      ours,
    );
    const header = answer.headers.getSetCookie().find((one) => one.startsWith(cookieName)) ?? '';
    expect(header).toMatch(
      /^__Host-remembered-device=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const token = browser.cookies.get(cookieName) ?? '';
    const [row] = await devicesOf(merchant.userId);
    expect(row).toMatchObject({ token_hash: await sha256(token), device: 'Firefox, Linux' });
    expect(JSON.stringify(row)).not.toContain(token);
    expect(await auditOf(merchant.userId)).toEqual(['user.device_remembered']);
    const [mail] = await sentMails(merchant.email, 'device_remembered');
    expect(mail?.data).toEqual({ device: 'Firefox, Linux' });
  });

  it('attack: neither the cookie of another user nor its digest opens an account', async () => {
    const [one, other] = [await createMerchant(), await createMerchant()];
    const browser = await remember(one);
    expect(await entry(browser, other)).toBe('code');
    const [row] = await devicesOf(one.userId);
    const thief = new Browser();
    for (const cookie of [String(row?.['token_hash']), 'x'.repeat(43), "' or 1=1 --"]) {
      thief.cookies.set(cookieName, cookie);
      expect(await entry(thief, one)).toBe('code');
    }
  });

  it('is remembered for several users of one browser', async () => {
    const [one, other] = [await createMerchant(), await createMerchant()];
    const browser = await remember(other, await remember(one));
    expect([await entry(browser, one), await entry(browser, other)]).toEqual([
      'session',
      'session',
    ]);
  });

  it('skips no proof: what is dangerous asks for a code, as do the pages that need two-step sign-in', async () => {
    const merchant = await createMerchant();
    const browser = await remember(merchant);
    await enterPassword(browser, merchant.email);
    for (const path of ['/account/keys/new', '/account/security/second-factor/off']) {
      const page = await browser.submit(path, { name: 'A key', access: 'read' });
      expect([path, page.text.includes('Enter a code to go on')]).toEqual([path, true]);
    }
    await env.DIRECTORY.prepare('update stores set mfa_required = 1 where owner_id = ?')
      .bind(merchant.userId)
      .run();
    expect((await browser.get(`/account/stores/${merchant.alias}`)).html).toContain('name="code"');
  });

  it(`is one of at most ${maxDevices}: the next one replaces the oldest`, async () => {
    const merchant = await createMerchant();
    const oldest = await remember(merchant);
    const second = await remember(merchant);
    await env.DIRECTORY.prepare(
      `insert into remembered_devices (user_id, token_hash, device, created_at, used_day, expires_at)
        select user_id, 'filled-' || value || '-' || user_id, device, created_at + value, 0, expires_at + value
        from remembered_devices, json_each('[1,2,3,4,5,6,7,8]')
        where remembered_devices.id = (select max(id) from remembered_devices where user_id = ?)`,
    )
      .bind(merchant.userId)
      .run();
    expect(await devicesOf(merchant.userId)).toHaveLength(maxDevices);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
    const newest = await remember(merchant);
    expect(await devicesOf(merchant.userId)).toHaveLength(maxDevices);
    expect(await entry(oldest, merchant)).toBe('code');
    expect(await entry(second, merchant)).toBe('session');
    expect(await entry(newest, merchant)).toBe('session');
  });

  it('replaces its own row when it is remembered once more', async () => {
    const merchant = await createMerchant();
    const browser = await remember(merchant);
    await env.DIRECTORY.prepare('update remembered_devices set expires_at = 1 where user_id = ?')
      .bind(merchant.userId)
      .run();
    await remember(merchant, browser);
    expect(await devicesOf(merchant.userId)).toHaveLength(1);
    expect(await entry(browser, merchant)).toBe('session');
  });

  it('is purged after its end', async () => {
    const merchant = await createMerchant();
    await remember(merchant);
    await env.DIRECTORY.prepare('update remembered_devices set expires_at = 1 where user_id = ?')
      .bind(merchant.userId)
      .run();
    await deleteExpiredSessions(env.DIRECTORY, 2);
    expect(await devicesOf(merchant.userId)).toEqual([]);
  });
});

describe('a remembered device ends', () => {
  const fresh = 'another horse battery';
  const forget: Record<string, (merchant: Merchant) => Promise<unknown>> = {
    'when two-step sign-in is switched off and set up again': async ({ userId }) => {
      const browser = await new Browser().signIn(userId);
      await browser.submit('/account/security/second-factor/off');
      await addSecondFactor(userId);
    },
    'when the user signs out everywhere': async ({ userId }) => {
      const browser = await new Browser().signIn(userId);
      const page = await browser.get('/account');
      await browser.post(
        '/session/end-everywhere',
        hiddenFieldsOf(page, '/session/end-everywhere'),
      );
    },
    'when the user signs all other devices out': async ({ userId }) =>
      (await new Browser().signIn(userId)).submit('/account/sessions/end-others'),
    'when an operator ends the sessions': async ({ userId }) => {
      const operator = await createTestOperator();
      await operator.api(`POST /operator/users/${userId}/end-sessions`, { reason: 'A test' });
    },
  };

  it.each(Object.entries(forget))('%s', async (_when, act) => {
    const merchant = await createMerchant();
    const browser = await remember(merchant);
    await act(merchant);
    expect(await devicesOf(merchant.userId)).toEqual([]);
    expect(await entry(browser, merchant)).toBe('code');
  });

  it('when the password changes', async () => {
    const merchant = await createMerchant();
    const browser = await remember(merchant);
    const mine = await new Browser().signIn(merchant.userId);
    const change = { current: testPassword, fresh, repeated: fresh };
    expect((await mine.submit('/account/password', change)).status).toBe(303);
    expect(await devicesOf(merchant.userId)).toEqual([]);
    const answer = await enterPassword(browser, merchant.email, fresh);
    expect(answer.text).toContain('Enter your code');
  });

  it.each([
    ['password', 'update passwords set changed_at = ? where user_id = ?'],
    ['second factor', 'update second_factors set created_at = ? where user_id = ?'],
  ])('with a later %s, even if nothing deleted its row', async (_what, change) => {
    const merchant = await createMerchant();
    const browser = await remember(merchant);
    await env.DIRECTORY.prepare(change)
      .bind(Date.now() + 1, merchant.userId)
      .run();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 });
    expect(await entry(browser, merchant)).toBe('code');
  });

  it.each([
    ['is forgotten', 'delete from remembered_devices where user_id = ?'],
    ['loses its password', 'update passwords set changed_at = changed_at + 1 where user_id = ?'],
  ])(
    'attack: between the password and its batch, when it %s, no session starts',
    async (_what, change) => {
      const merchant = await createMerchant();
      const browser = await remember(merchant);
      const hidden = hiddenFieldsOf(await browser.get('/session'), '/session');
      let batches = 0;
      browser.bindings = {
        DIRECTORY: fakeDatabase({
          prepare: (text: string) => env.DIRECTORY.prepare(text),
          batch: async (statements: D1PreparedStatement[]) => {
            batches += 1;
            if (batches === 2) await env.DIRECTORY.prepare(change).bind(merchant.userId).run();
            return env.DIRECTORY.batch(statements);
          },
        }),
      };
      const fields = { ...hidden, email: merchant.email, password: testPassword };
      const answer = await browser.post('/session', fields, ours);
      expect([answer.status, answer.text.includes('Enter your code')]).toEqual([200, true]);
      const sessions = 'select count(*) as n from sessions where user_id = ? and created_at > 0';
      const kept = await env.DIRECTORY.prepare(sessions).bind(merchant.userId).first('n');
      // The session in which the device was remembered.
      expect(kept).toBe(1);
    },
  );

  it('attack: of two uses of one code at once, one session starts and one device is remembered', async () => {
    const merchant = await createMerchant();
    const code = merchant.nextCode();
    const browsers = [new Browser(), new Browser()];
    const steps = [];
    for (const browser of browsers) {
      const step = await enterPassword(browser, merchant.email);
      steps.push({ browser, fields: { ...hiddenFieldsOf(step, '/session/code'), code } });
    }
    const answers = await Promise.all(
      steps.map(({ browser, fields }) =>
        browser.post('/session/code', { ...fields, remember: 'yes' }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 422]));
    expect(await devicesOf(merchant.userId)).toHaveLength(1);
    expect(browsers.filter(({ cookies }) => cookies.has(cookieName))).toHaveLength(1);
  });
});

describe('GET /account/security', () => {
  it('lists the remembered devices of the user, and forgets one after a question (303, 404 for others)', async () => {
    const [merchant, other] = [await createMerchant(), await createMerchant()];
    const browser = await remember(merchant);
    const mine = await new Browser().signIn(merchant.userId);
    const page = await mine.get('/account/security');
    expect(page.text).toContain('Remembered devices');
    expect(page.text).toContain('Firefox, Linux');
    const [, path = ''] =
      /href="(\/account\/security\/devices\/\d+\/forget)"/.exec(page.html) ?? [];
    const stranger = await new Browser().signIn(other.userId);
    expect((await stranger.get(path)).status).toBe(404);
    expect((await mine.get(path)).text).toContain('Forget Firefox, Linux?');
    const done = await mine.submit(path);
    expect([done.status, done.location]).toEqual([303, '/account/security?done=forgotten']);
    expect((await mine.get('/account/security?done=forgotten')).text).toContain(
      'The device is forgotten.',
    );
    expect((await mine.get(path)).status).toBe(404);
    expect(await entry(browser, merchant)).toBe('code');
    expect(await auditOf(merchant.userId)).toEqual([
      'user.device_remembered',
      'user.device_forgotten',
    ]);
  });

  it('attack: the form of one user forgets no device of another', async () => {
    const [merchant, thief] = [await createMerchant(), await createMerchant()];
    const browser = await remember(merchant);
    await remember(thief);
    const [row] = await devicesOf(merchant.userId);
    const [own] = await devicesOf(thief.userId);
    const theirs = await new Browser().signIn(thief.userId);
    const ownPath = `/account/security/devices/${String(own?.['id'])}/forget`;
    const fields = hiddenFieldsOf(await theirs.get(ownPath), ownPath);
    const path = `/account/security/devices/${String(row?.['id'])}/forget`;
    expect((await theirs.post(path, fields)).status).toBe(403);
    expect(await entry(browser, merchant)).toBe('session');
  });
});
