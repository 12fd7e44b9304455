import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';
import { givePassword, testPassword } from '../../support/password.ts';
import { addSecondFactor, codeOf, timeStep } from '../../support/second-factor.ts';

let networks = 0;

/** An IPv4 address that no other test uses. */
const ownNetwork = () => `100.65.${(networks += 1) >> 8}.${networks & 255}`;

/** Enters the password, and then codes as often as needed, from one network. */
async function enterPassword(email: string, browser = new Browser(), from = ownNetwork()) {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'CF-Connecting-IP': from };
  const fields = hiddenFieldsOf(await browser.get('/session'), '/session');
  const step = await browser.post(
    '/session',
    { ...fields, email, password: testPassword },
    headers,
  );
  const token = hiddenFieldsOf(step, '/session/code');
  return (code: string) => browser.post('/session/code', { ...token, code }, headers);
}

/** A user with a second factor, and a browser that signed in to their account before. */
async function createUser() {
  const { userId, alias } = await createTestStore();
  await givePassword(userId);
  const email = `${alias}@store.test`;
  const { secret } = await addSecondFactor(userId);
  const known = new Browser();
  const first = await (await enterPassword(email, known))(codeOf(secret, Date.now() - timeStep));
  expect(first.status).toBe(303);
  known.cookies.delete('__Host-session');
  return { userId, email, secret, known };
}

/**
 * Wrong codes of a thief who has the password, from many networks, until every unknown browser has
 * to wait.
 */
async function guess(email: string) {
  const statuses = [];
  for (let network = 0; network < 7; network += 1) {
    const enter = await enterPassword(email);
    for (let count = 0; count < 4; count += 1) statuses.push((await enter('000000')).status);
  }
  return statuses;
}

describe('a thief with the password only', () => {
  it('attack: makes other networks wait (429) by twenty wrong codes, but never a browser that the user knows (303)', async () => {
    const { email, secret, known } = await createUser();
    const statuses = await guess(email);
    expect(statuses.slice(0, 19)).toEqual(Array.from({ length: 19 }, () => 422));
    expect(statuses.at(-1)).toBe(429);
    expect((await (await enterPassword(email))(codeOf(secret))).status).toBe(429);
    expect((await (await enterPassword(email, known))(codeOf(secret))).status).toBe(303);
  });

  it('attack: makes no proof of a signed-in user wait (303)', async () => {
    const { userId, email, secret } = await createUser();
    const owner = await new Browser().signIn(userId, Date.now() - 11 * 60_000);
    await guess(email);
    const path = '/account/security/second-factor/off';
    const fields = hiddenFieldsOf(await owner.submit(path), '/session/proof');
    const proof = await owner.post('/session/proof', { ...fields, code: codeOf(secret) });
    expect([proof.status, proof.location]).toEqual([303, path]);
  });

  it('attack: gets five codes from one network, from a known browser, and in a session (429)', async () => {
    const { userId, email, known } = await createUser();
    for (const browser of [new Browser(), known]) {
      const enter = await enterPassword(email, browser);
      const statuses = [];
      for (let n = 0; n < 6; n += 1) statuses.push((await enter('000000')).status);
      expect(statuses).toEqual([422, 422, 422, 422, 429, 429]);
    }
    const owner = await new Browser().signIn(userId, Date.now() - 11 * 60_000);
    const path = '/account/security/second-factor/off';
    const fields = hiddenFieldsOf(await owner.submit(path), '/session/proof');
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push((await owner.post('/session/proof', { ...fields, code: '000000' })).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 429, 429]);
  });
});

describe('a thief with the password and the cookie of a remembered device', () => {
  /** A session as the device opens it: without a code. */
  const signInWithoutCode = async (userId: number) => {
    const browser = await new Browser().signIn(userId, Date.now() - 11 * 60_000);
    await env.DIRECTORY.prepare('update sessions set factor_at = null where id_hash = ?')
      .bind(await sha256(browser.cookies.get('__Host-session') ?? ''))
      .run();
    return browser;
  };
  const path = '/account/security/second-factor/off';
  const prove = async (browser: Browser, code: string) => {
    const fields = hiddenFieldsOf(await browser.submit(path), '/session/proof');
    return (await browser.post('/session/proof', { ...fields, code })).status;
  };

  it('attack: gets twenty codes in all sessions and known browsers together, of which one mail tells (429)', async () => {
    const { userId, email, secret, known } = await createUser();
    // Older than the sessions, so that a code shown in one still counts.
    await env.DIRECTORY.prepare('update second_factors set created_at = 1 where user_id = ?')
      .bind(userId)
      .run();
    const owner = await new Browser().signIn(userId, Date.now() - 11 * 60_000);
    const statuses = [];
    for (let session = 0; session < 4; session += 1) {
      const thief = await signInWithoutCode(userId);
      for (let n = 0; n < 4; n += 1) statuses.push(await prove(thief, '000000'));
    }
    expect(await sentMails(email, 'codes_guessed')).toEqual([]);
    const enter = await enterPassword(email, known);
    for (let n = 0; n < 3; n += 1) statuses.push((await enter('000000')).status);
    expect(statuses).toEqual(Array.from({ length: 19 }, () => 422));
    const thief = await signInWithoutCode(userId);
    expect([await prove(thief, '000000'), (await enter('000000')).status]).toEqual([429, 429]);
    expect(await prove(await signInWithoutCode(userId), codeOf(secret))).toBe(429);
    expect((await sentMails(email, 'codes_guessed')).map(({ data }) => data)).toEqual([
      { count: 20 },
    ]);
    // A session that has shown a code waits for nobody.
    expect(await prove(owner, codeOf(secret))).toBe(303);
  });
});

describe('the sessions of a user', () => {
  it('attack: are fifty at most: the next sign-in ends the oldest one', async () => {
    const { userId, alias } = await createTestStore();
    const { userId: otherId } = await createTestStore();
    await givePassword(userId);
    const at = Date.now() - 30 * 60_000;
    const oldest = await new Browser().signIn(userId, at);
    const other = await new Browser().signIn(otherId, at);
    for (let n = 1; n < 50; n += 1) await new Browser().signIn(userId, at + n);
    const count = () =>
      env.DIRECTORY.prepare('select count(*) as n from sessions where user_id = ?')
        .bind(userId)
        .first('n');
    const isSignedIn = async (browser: Browser) =>
      (await browser.get('/account')).text.includes('Your account');
    expect([await count(), await isSignedIn(oldest)]).toEqual([50, true]);
    const browser = new Browser();
    const fields = hiddenFieldsOf(await browser.get('/session'), '/session');
    const email = `${alias}@store.test`;
    expect((await browser.post('/session', { ...fields, email, password: testPassword })).status) //
      .toBe(303);
    expect([await count(), await isSignedIn(browser)]).toEqual([50, true]);
    expect([await isSignedIn(oldest), await isSignedIn(other)]).toEqual([false, true]);
  });
});
