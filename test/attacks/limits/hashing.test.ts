import { describe, expect, it } from 'vitest';
import { runInHashingSlot } from '../../../src/accounts/sign-in/hashing-slots.ts';
import { requestPasswordReset } from '../../../src/accounts/users/reset-password.ts';
import { requestSignUp } from '../../../src/accounts/users/sign-up.ts';
import { actionOf } from '../../support/action.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { freshAddress, inviteTo } from '../../support/fixtures/invitations.ts';
import { createTestUser } from '../../support/fixtures/members.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { lastLink } from '../../support/mail.ts';
import { givePassword, testPassword } from '../../support/password.ts';

let networks = 0;

/** An address in a /64 and a /48 that no other request uses. */
const newNetwork = () => `2001:dba:${(networks += 1).toString(16)}::1`;

const headersFrom = (address: string) => ({
  'Sec-Fetch-Site': 'same-origin',
  'CF-Connecting-IP': address,
});

async function createUser() {
  const user = await createTestUser();
  await givePassword(user.userId);
  return user;
}

/** Signs in with a new browser, which no account knows. */
async function signIn(email: string, from: string, password = testPassword) {
  const browser = new Browser();
  const page = await browser.get('/session', headersFrom(from));
  const fields = { ...hiddenFieldsOf(page, '/session'), email, password };
  return browser.post('/session', fields, headersFrom(from));
}

const fresh = 'four words of mine';
const newPassword = { name: 'Ana', password: fresh, repeated: fresh };

/**
 * Links that set a password, each used once. Returns the path, and sends its form again as it was
 * opened before.
 */
const usedLinks = {
  async password_reset() {
    const { userId, email } = await createUser();
    await requestPasswordReset(actionOf(userId), email);
    return lastLink(email, 'password_reset');
  },
  async sign_up() {
    const email = freshAddress();
    await requestSignUp(actionOf(0), email, 'en');
    return lastLink(email, 'sign_up');
  },
  async invitation() {
    return inviteTo(await createTestStore(), freshAddress());
  },
};

describe.each(Object.entries(usedLinks))('the form of a used link: %s', (_kind, make) => {
  it('answers without a hash, also while both slots are taken', async () => {
    const link = await make();
    const [path] = link.split('?') as [string];
    const browser = new Browser();
    const other = new Browser();
    const [opened, openedToo] = [await browser.get(link), await other.get(link)];
    const used = await browser.post(path, { ...hiddenFieldsOf(opened, path), ...newPassword });
    expect(used.status).toBe(303);

    const ends: (() => void)[] = [];
    const hold = () => new Promise<object>((resolve) => ends.push(() => resolve({})));
    const slot = { now: Date.now(), address: undefined };
    const held = [runInHashingSlot(slot, hold), runInHashingSlot(slot, hold)];
    try {
      const late = await other.post(path, { ...hiddenFieldsOf(openedToo, path), ...newPassword });
      // An invitation leads to its page, which says that it was used.
      expect([late.status, late.location]).toEqual(
        path.startsWith('/invitations') ? [303, path] : [404, null],
      );
    } finally {
      for (const end of ends) end();
      await Promise.all(held);
    }
  });
});

const manyTimes = async (count: number, send: (n: number) => Promise<{ status: number }>) => {
  const statuses = [];
  for (let n = 0; n < count; n += 1) statuses.push((await send(n)).status);
  return statuses;
};

const times = (count: number, status: number) => Array.from({ length: count }, () => status);

describe('hashes of passwords', () => {
  it('are ten a minute for an account, right ones too: then 429 with the wait in the form', async () => {
    const { email } = await createUser();
    const statuses = await manyTimes(10, () => signIn(email, newNetwork()));
    expect(statuses).toEqual(times(10, 303));
    const refused = await signIn(email, newNetwork());
    const wait = Number(refused.headers.get('Retry-After'));
    expect([refused.status, wait > 0 && wait <= 60]).toEqual([429, true]);
    expect(refused.text).toContain('Too many attempts. Try again in');
    expect(refused.html).toContain(`value="${email}"`);
  });

  it('are ten a minute for a browser that the account knows, which strangers do not use up', async () => {
    const { email } = await createUser();
    const browser = new Browser();
    const from = newNetwork();
    const signInHere = async () => {
      const page = await browser.get('/session', headersFrom(from));
      if (page.location !== null) throw new Error('still signed in');
      const fields = { ...hiddenFieldsOf(page, '/session'), email, password: testPassword };
      const signedIn = await browser.post('/session', fields, headersFrom(from));
      browser.cookies.delete('__Host-session');
      return signedIn;
    };
    expect((await signInHere()).status).toBe(303);
    await manyTimes(10, () => signIn(email, newNetwork()));
    expect((await signIn(email, newNetwork())).status).toBe(429);
    expect((await signInHere()).status).toBe(303);
  });

  it('are thirty a minute for a network, of any accounts: then 429 there and 303 elsewhere', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, createUser));
    const from = newNetwork();
    const emailOf = (n: number) => users[n % 4]!.email;
    expect(await manyTimes(30, (n) => signIn(emailOf(n), from))).toEqual(times(30, 303));
    expect((await signIn(emailOf(0), from)).status).toBe(429);
    expect((await signIn(freshAddress(), from, 'wrong')).status).toBe(429);
    expect((await signIn(emailOf(0), newNetwork())).status).toBe(303);
  });

  it('count for a new password by a link: 429 with the wait in the form, and the link stays', async () => {
    const { userId, email } = await createUser();
    await manyTimes(10, () => signIn(email, newNetwork()));
    await requestPasswordReset(actionOf(userId), email);
    const link = await lastLink(email, 'password_reset');
    const browser = new Browser();
    const path = '/password/reset';
    const page = await browser.get(link);
    const fields = { ...hiddenFieldsOf(page, path), ...newPassword };
    const refused = await browser.post(path, fields);
    expect(refused.status).toBe(429);
    expect(refused.text).toContain('Too many attempts. Try again in');
    expect((await browser.get(link)).status).toBe(200);
  });

  it('count twice for a change of the password, which checks one and hashes another', async () => {
    const { userId } = await createUser();
    const browser = await new Browser().signIn(userId);
    const path = '/account/password';
    const passwords = ['', 'a', 'b', 'c', 'd', 'e', 'f'].map((word) => word.padEnd(12, '-word-'));
    const statuses = await manyTimes(6, (n) => {
      const [current, next] = [n === 0 ? testPassword : passwords[n]!, passwords[n + 1]!];
      return browser.submit(path, { current, fresh: next, repeated: next });
    });
    expect(statuses).toEqual([...times(5, 303), 429]);
  });
});

describe('one browser that signs in ninety times a minute', () => {
  it('gets thirty hashes, one at a time, and no other network waits for a slot', async () => {
    const users = await Promise.all(Array.from({ length: 9 }, createUser));
    const from = newNetwork();
    const others: number[] = [];
    const own: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      const other = await createUser();
      // Three at once from one network with right passwords, and then one from elsewhere.
      const sent = [0, 1, 2].map((n) => signIn(users[(round * 3 + n) % 9]!.email, from));
      const elsewhere = await signIn(other.email, newNetwork());
      const here = await Promise.all(sent);
      others.push(elsewhere.status);
      own.push(...here.map(({ status }) => status));
    }
    expect(others).toEqual(times(30, 303));
    const hashed = own.filter((status) => status === 303).length;
    expect(hashed).toBeGreaterThan(0);
    expect(hashed).toBeLessThanOrEqual(30);
    expect(own.filter((status) => status === 429 || status === 503)).toHaveLength(90 - hashed);
  });
});
