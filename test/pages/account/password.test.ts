import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../../src/accounts/sign-in/password.ts';
import { newAddress } from '../../support/api/limits.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestStore } from '../../support/fixtures/store.ts';

const path = '/account/password';
const current = 'the old password';
const fresh = 'four words of mine';
let hash = '';

beforeAll(async () => {
  hash = await hashPassword(current);
});

async function merchant() {
  const own = await createTestStore();
  await env.DIRECTORY.prepare('insert into passwords values (?, ?, 0)')
    .bind(own.userId, hash)
    .run();
  const browser = await new Browser().signIn(own.userId);
  return { own, browser, from: { 'CF-Connecting-IP': newAddress() } };
}

const hashOf = (userId: number) =>
  env.DIRECTORY.prepare('select hash from passwords where user_id = ?').bind(userId).first('hash');

const sessionsOf = async (userId: number) =>
  (await env.DIRECTORY.prepare('select * from sessions where user_id = ?').bind(userId).all())
    .results;

describe('POST /account/password', () => {
  it('returns 303 with a new session here, ends all other sessions, and accepts the new password', async () => {
    const { own, browser } = await merchant();
    const elsewhere = await new Browser().signIn(own.userId);
    const before = browser.cookies.get('__Host-session');
    const response = await browser.submit(path, { current, fresh, repeated: fresh });
    expect([response.status, response.location]).toEqual([303, '/account?done=password']);
    expect(browser.cookies.get('__Host-session')).not.toBe(before);
    expect((await browser.get(response.location ?? '')).text).toContain(
      'Your password has been changed.',
    );
    expect((await elsewhere.get('/account')).text).toContain('E-mail address');
    expect(await sessionsOf(own.userId)).toHaveLength(1);

    const email = await env.DIRECTORY.prepare('select email from users where id = ?')
      .bind(own.userId)
      .first<string>('email');
    const signIn = (password: string) =>
      new Browser().submit('/session', { email: email ?? '', password });
    expect((await signIn(current)).status).toBe(422);
    expect((await signIn(fresh)).status).toBe(303);
  });

  it.each([
    [{ current: '', fresh, repeated: fresh }, 'current', 'Enter your current password.'],
    [{ current: 'wrong', fresh, repeated: fresh }, 'current', 'The current password is wrong.'],
    [
      { current, fresh: 'x'.repeat(11), repeated: 'x'.repeat(11) },
      'fresh',
      'The new password needs at least 12 characters.',
    ],
    [
      { current, fresh: 'x'.repeat(257), repeated: 'x'.repeat(257) },
      'fresh',
      'The new password has more than 256 characters.',
    ],
    [
      { current, fresh: current, repeated: current },
      'fresh',
      'The new password is the same as the current one.',
    ],
    [{ current, fresh, repeated: `${fresh}!` }, 'repeated', 'The two new passwords do not match.'],
  ])(
    'returns 422 with the error beside the field and in the summary, and changes nothing: %j',
    async (fields, field, text) => {
      const { own, browser } = await merchant();
      const page = await browser.submit(path, fields);
      expect(page.status).toBe(422);
      expect(page.html).toContain(`<a href="#${field}">${text}</a>`);
      expect(page.html).toContain(`id="${field}-error">${text}</p>`);
      // A password is never sent back.
      expect(page.html).not.toContain(`value="${fresh}`);
      expect(page.html).not.toContain(`value="${current}`);
      expect(await hashOf(own.userId)).toBe(hash);
      expect((await browser.get('/account')).text).toContain('Your account');
    },
  );

  it('returns 429 with Retry-After after five wrong passwords, even for the right one', async () => {
    const { own, browser } = await merchant();
    const guess = (given: string) =>
      browser.submit(path, { current: given, fresh, repeated: fresh });
    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await guess('wrong')).status);
    expect(statuses).toEqual([422, 422, 422, 422, 429]);
    const response = await guess(current);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(response.text).toMatch(/Too many attempts\. Try again in \d+ seconds?/);
    expect(await hashOf(own.userId)).toBe(hash);
  });

  it('changes the password once when two browsers submit at the same time', async () => {
    const { own, browser } = await merchant();
    const other = await new Browser().signIn(own.userId);
    const responses = await Promise.all(
      [browser, other].map((one, index) => {
        const chosen = `${fresh} ${index}`;
        return one.submit(path, { current, fresh: chosen, repeated: chosen });
      }),
    );
    const changed = responses.filter(({ location }) => location === '/account?done=password');
    expect(changed).toHaveLength(1);
    expect(await sessionsOf(own.userId)).toHaveLength(1);
  });
});
