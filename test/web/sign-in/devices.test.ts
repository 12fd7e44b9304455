import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { describeDevice } from '../../../src/web/sign-in/open-session.ts';
import { callApi } from '../../support/api/client.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';
import { givePassword, testPassword } from '../../support/password.ts';
import { addSecondFactor } from '../../support/second-factor.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function createUser() {
  const { userId, alias } = await createTestStore();
  await givePassword(userId);
  return { userId, email: `${alias}@store.test` };
}

/** Signs in by the page, from a country. */
async function signIn(email: string, country: string) {
  const browser = new Browser();
  const fields = { ...hiddenFieldsOf(await browser.get('/session'), '/session'), email };
  const response = await browser.post(
    '/session',
    { ...fields, password: testPassword },
    { 'Sec-Fetch-Site': 'same-origin', 'CF-IPCountry': country, 'User-Agent': firefox },
  );
  expect(response.status).toBe(303);
  return browser;
}

const liveSessions = (userId: number) =>
  env.DIRECTORY.prepare('select * from sessions where user_id = ?').bind(userId).all();

describe('describeDevice', () => {
  it.each([
    [firefox, 'Firefox, Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge, Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari, iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
      'Chrome, Android',
    ],
    ['curl/8.0', ''],
    [undefined, ''],
  ])('describes %s as "%s"', (header, words) => {
    expect(describeDevice(header)).toBe(words);
  });
});

describe('a sign-in', () => {
  it('from a new country is reported by mail, but not the first one and none twice', async () => {
    const { userId, email } = await createUser();
    await signIn(email, 'BR');
    await signIn(email, 'BR');
    expect(await sentMails(email, 'new_sign_in')).toEqual([]);
    await signIn(email, 'PT');
    await signIn(email, 'PT');
    const mails = await sentMails(email, 'new_sign_in');
    expect(mails.map(({ data }) => data)).toEqual([{ country: 'PT', device: 'Firefox, Linux' }]);
    // Tor and unknown places are no countries.
    await signIn(email, 'T1');
    const { results } = await liveSessions(userId);
    expect(results.map(({ country }) => String(country)).toSorted()).toEqual([
      'BR',
      'BR',
      'PT',
      'PT',
      'null',
    ]);
    const seen = await env.DIRECTORY.prepare('select last_login_at from users where id = ?')
      .bind(userId)
      .first('last_login_at');
    expect(seen).toBeTypeOf('number');
  });
});

describe('/account/sessions', () => {
  it('lists the devices of the user, marks this one, and ends one (303) or all others', async () => {
    const { userId, email } = await createUser();
    const here = await signIn(email, 'BR');
    const [other, third] = [await signIn(email, 'PT'), await signIn(email, 'BR')];
    const page = await here.get('/account/sessions');
    expect(page.text.match(/Firefox, Linux/g)).toHaveLength(3);
    expect(page.text.match(/This device/g)).toHaveLength(1);
    expect(page.text).toContain('Portugal');
    const paths = [...page.html.matchAll(/href="([^"]*\/end)"/g)].map(([, path = '']) => path);
    expect(paths).toHaveLength(2);
    const path = paths[0] ?? '';
    expect((await here.get(path)).text).toContain('Sign out Firefox, Linux?');
    const ended = await here.submit(path);
    expect([ended.status, ended.location]).toEqual([303, '/account/sessions?done=one']);
    expect((await here.get(path)).status).toBe(404);
    expect((await liveSessions(userId)).results).toHaveLength(2);
    await here.submit('/account/sessions/end-others');
    expect((await liveSessions(userId)).results).toHaveLength(1);
    expect((await here.get('/account')).text).toContain('Your account');
    for (const browser of [other, third]) {
      expect((await browser.get('/account')).text).toContain('E-mail address');
    }
  });

  it('attack: shows and ends no session of another user (404)', async () => {
    const [own, victim] = [await createUser(), await createUser()];
    await new Browser().signIn(victim.userId);
    const browser = await new Browser().signIn(own.userId);
    const { results } = await liveSessions(victim.userId);
    const path = `/account/sessions/${String(results[0]?.id_hash)}/end`;
    expect((await browser.get(path)).status).toBe(404);
    expect((await liveSessions(victim.userId)).results).toHaveLength(1);
  });
});

describe('/account/profile', () => {
  it('changes name and language (303); pages come in it until the browser chooses another one', async () => {
    const { userId } = await createUser();
    const browser = await new Browser().signIn(userId);
    const path = '/account/profile';
    expect((await browser.submit(path, { name: '', language: 'es' })).status).toBe(422);
    const saved = await browser.submit(path, { name: 'Ana Paula', language: 'es' });
    expect([saved.status, saved.location]).toEqual([303, `${path}?done=saved`]);
    expect((await browser.get(path, { 'Accept-Language': 'pt-BR' })).text).toContain('Tus datos');
    await browser.get(`${path}?lang=pt-BR`);
    expect((await browser.get(path)).text).toContain('Seus dados');
    await browser.submit(path, { name: 'Ana Paula', language: 'xx' });
    const row = await env.DIRECTORY.prepare('select name, language from users where id = ?')
      .bind(userId)
      .first();
    expect(row).toEqual({ name: 'Ana Paula', language: 'pt-BR' });
  });
});

describe('POST /auth/me', () => {
  it('shows two-step sign-in, the last sign-in, and the address that waits', async () => {
    const { userId, alias, headers } = await createTestStore();
    await givePassword(userId);
    const profile = async () => {
      const { body } = await callApi('POST', '/v2/auth/me', { headers });
      return { ...body, hasSignedIn: body.last_login_at !== null };
    };
    expect(await profile()).toMatchObject({
      mfa_enabled: false,
      hasSignedIn: false,
      temporary_email: null,
    });
    const browser = await signIn(`${alias}@store.test`, 'BR');
    const email = `${alias}@new.test`;
    await browser.submit('/account/profile/e-mail', { email });
    await addSecondFactor(userId);
    expect(await profile()).toMatchObject({
      mfa_enabled: true,
      hasSignedIn: true,
      temporary_email: email,
    });
  });
});

describe('/account/security', () => {
  it('costs one round trip for the session and one for the rest', async () => {
    const { userId } = await createUser();
    const browser = await new Browser().signIn(userId);
    const cost = noCost();
    browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
    expect((await browser.get('/account/security')).status).toBe(200);
    expect(cost.roundTrips).toBe(2);
    expect(cost.rowsRead).toBeLessThan(20);
  });
});
