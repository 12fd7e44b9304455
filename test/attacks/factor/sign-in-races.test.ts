import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { fakeDatabase } from '../../support/fakes/fake-database.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { givePassword, testPassword } from '../../support/password.ts';
import { addSecondFactor, codeOf } from '../../support/second-factor.ts';

/** The directory, in which something happens just before one of the batches, counted from 1. */
function interruptedDirectory(before: number, happens: () => Promise<unknown>): Partial<Env> {
  let batches = 0;
  const DIRECTORY = fakeDatabase({
    prepare: (text: string) => env.DIRECTORY.prepare(text),
    batch: async (statements: D1PreparedStatement[]) => {
      batches += 1;
      if (batches === before) await happens();
      return env.DIRECTORY.batch(statements);
    },
  });
  return { DIRECTORY };
}

async function createUser() {
  const { userId, alias } = await createTestStore();
  await givePassword(userId);
  return { userId, email: `${alias}@store.test` };
}

const changePassword = (userId: number) =>
  env.DIRECTORY.prepare("update passwords set hash = 'another', changed_at = ? where user_id = ?")
    .bind(Date.now() - 1, userId)
    .run();

const sessionsOf = (userId: number) =>
  env.DIRECTORY.prepare('select count(*) as n from sessions where user_id = ?')
    .bind(userId)
    .first('n');

/**
 * Signs in while something happens between the check of the password and the start of the session.
 */
async function signInWhile(email: string, happens: () => Promise<unknown>) {
  const browser = new Browser();
  const fields = hiddenFieldsOf(await browser.get('/session'), '/session');
  browser.bindings = interruptedDirectory(2, happens);
  const answer = await browser.post('/session', { ...fields, email, password: testPassword });
  browser.bindings = {};
  return { browser, answer };
}

describe('attack: a sign-in whose password was right a moment ago', () => {
  it.each([
    ['another password is set', changePassword],
    ['two-step sign-in is set up', addSecondFactor],
  ])(
    'starts no session (303 to the sign-in), and makes no browser known, when %s',
    async (_what, happens) => {
      const { userId, email } = await createUser();
      const { browser, answer } = await signInWhile(email, () => happens(userId));
      expect([answer.status, answer.location]).toEqual([303, '/session']);
      expect(await sessionsOf(userId)).toBe(0);
      expect(browser.cookies.has('__Host-known-browser')).toBe(false);
      expect((await browser.get('/account')).text).toContain('E-mail address');
    },
  );

  it('starts no session (303 to the sign-in) by its code when another password is set', async () => {
    const { userId, email } = await createUser();
    const { secret } = await addSecondFactor(userId);
    const browser = new Browser();
    const fields = hiddenFieldsOf(await browser.get('/session'), '/session');
    const step = await browser.post('/session', { ...fields, email, password: testPassword });
    const code = { ...hiddenFieldsOf(step, '/session/code'), code: codeOf(secret) };
    browser.bindings = interruptedDirectory(2, () => changePassword(userId));
    const answer = await browser.post('/session/code', code);
    expect([answer.status, answer.location]).toEqual([303, '/session']);
    expect(await sessionsOf(userId)).toBe(0);
  });
});

describe('a new password', () => {
  it('leaves its session as trusted as it was: by the code that it had shown, and by nothing else', async () => {
    const { userId } = await createUser();
    await addSecondFactor(userId);
    const owner = await new Browser().signIn(userId);
    const fresh = 'a new one of four words';
    const changed = await owner.submit('/account/password', {
      current: testPassword,
      fresh,
      repeated: fresh,
    });
    expect(changed.location).toBe('/account?done=password');
    const path = '/account/security/second-factor/off';
    expect((await owner.get(path)).text).toContain('Switch two-step sign-in off?');
    await env.DIRECTORY.prepare('update sessions set factor_at = null where user_id = ?')
      .bind(userId)
      .run();
    expect((await owner.get('/account/password')).text).toContain('Enter a code to go on');
  });
});
