import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { acceptInvitation } from '../../../src/accounts/members/accept-invitation.ts';
import { invite } from '../../../src/accounts/members/invite.ts';
import { dummyPasswordHash } from '../../../src/accounts/sign-in/password.ts';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { findInvitation } from '../../../src/data/directory/invitations.ts';
import { actionOf } from '../../support/action.ts';
import { Browser } from '../../support/browser/browser.ts';
import { freshAddress, inviteTo, withPassword } from '../../support/fixtures/invitations.ts';
import { createTestUser, roleOf } from '../../support/fixtures/members.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { lastLink, sentMails } from '../../support/mail.ts';

const accountForm = {
  name: 'Clara',
  password: 'correct horse battery',
  repeated: 'correct horse battery',
};

const tokenOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

const countAll = async (sql: string, ...values: unknown[]) =>
  env.DIRECTORY.prepare(`select count(*) as n from ${sql}`)
    .bind(...values)
    .first<number>('n');

describe('an invitation to an address without an account', () => {
  it('creates user, membership and session in one batch, and notifies the owner', async () => {
    const [store, email] = [await createTestStore(), freshAddress()];
    const path = await inviteTo(store, email, 'manager');
    const browser = new Browser();
    const page = await browser.get(path);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Test Store')]);
    expect(page.text).toContain(`Choose a name and a password for ${email}.`);
    const answer = await browser.submit(path, accountForm);
    expect([answer.status, answer.location]).toEqual([303, '/account?done=joined']);
    const account = await browser.get('/account?done=joined');
    expect(account.text).toContain('Welcome! You have accepted the invitation.');
    expect(account.text).toContain('You manage this store');
    const owner = `${store.alias}@store.test`;
    const [mail] = await sentMails(owner, 'member_added');
    expect(mail?.data).toEqual({ member: 'Clara', store: 'Test Store', role: 'manager' });
    const line = env.DIRECTORY.prepare(
      "select actor_name, changes from audit where store_id = ? and action = 'member.joined'",
    );
    expect(await line.bind(store.id).first()).toEqual({
      actor_name: 'Clara',
      changes: JSON.stringify({ email: [null, email], role: [null, 'manager'] }),
    });
  });

  it('stores no token, and a GET uses nothing up', async () => {
    const [store, email] = [await createTestStore(), freshAddress()];
    const path = await inviteTo(store, email);
    const rows = await env.DIRECTORY.prepare('select * from invitations where email = ?')
      .bind(email)
      .all();
    expect(JSON.stringify(rows.results)).not.toContain(tokenOf(path));
    for (let visit = 0; visit < 2; visit += 1) {
      expect((await new Browser().get(path)).status).toBe(200);
    }
    expect(await countAll('users where email = ?', email)).toBe(0);
  });

  it('asks again (422) for a short password or no name, and changes nothing', async () => {
    const [store, email] = [await createTestStore(), freshAddress()];
    const path = await inviteTo(store, email);
    const browser = new Browser();
    const form = { name: ' ', password: 'short', repeated: 'short' };
    const { status, text } = await browser.submit(path, form);
    expect(status).toBe(422);
    expect(text).toContain('Enter your name.');
    expect(text).toContain('The password needs at least 12 characters.');
    expect(await countAll('users where email = ?', email)).toBe(0);
  });

  it('gives a user whom an operator made their password, and keeps the role of the owner', async () => {
    const store = await createTestStore();
    const { email, userId } = await createTestUser();
    const action = actionOf(store.userId);
    await env.DIRECTORY.batch([
      env.DIRECTORY.prepare('update memberships set user_id = ? where store_id = ?').bind(
        userId,
        store.id,
      ),
    ]);
    const { statements } = await invite(action, {
      kind: 'store',
      email,
      storeId: store.id,
      storeName: 'Test Store',
      role: 'owner',
    });
    await action.directory.batch([...statements]);
    const path = await lastLink(email, 'invitation');
    const browser = new Browser();
    expect((await browser.get(path)).text).toContain('You are its owner.');
    expect((await browser.submit(path, accountForm)).status).toBe(303);
    expect(await roleOf(store, userId)).toBe('owner');
    expect((await browser.get(`/account/stores/${store.alias}`)).status).toBe(200);
  });
});

describe('an invitation to a user with an account', () => {
  it('asks them to sign in, then to accept; nothing happens before', async () => {
    const [store, user] = [await createTestStore(), await createTestUser()];
    await withPassword(user.userId);
    const path = await inviteTo(store, user.email);
    const browser = new Browser();
    const first = await browser.get(path);
    expect(first.text).toContain('Sign in to accept it.');
    expect((await browser.get(`${path}?sign-in`)).text).toContain('E-mail address');
    await browser.signIn(user.userId);
    const answer = await browser.submit(path);
    expect([answer.status, answer.location]).toEqual([303, '/account?done=joined']);
    expect(await roleOf(store, user.userId)).toBe('viewer');
  });

  it('is of no use to another person (403), who learns whose it is and may sign out', async () => {
    const store = await createTestStore();
    const [user, other] = [await createTestUser(), await createTestUser()];
    await withPassword(user.userId);
    const path = await inviteTo(store, user.email);
    const browser = await new Browser().signIn(other.userId);
    const page = await browser.get(path);
    expect([page.status, page.text]).toEqual([403, expect.stringContaining(user.email)]);
    expect(page.text).not.toContain('Test Store');
    // Also with the digest in hand: the action itself compares the address.
    const tokenHash = await sha256(tokenOf(path));
    const action = actionOf(other.userId);
    const invitation = await findInvitation(action.directory, tokenHash, Date.now());
    const presented = { invitation: invitation!, tokenHash };
    const stranger = { id: other.userId, name: other.name };
    expect(await acceptInvitation(action, presented, stranger)).toBe(false);
    expect(await roleOf(store, other.userId)).toBeNull();
  });

  it('never sets a new password: the form of a new account is refused once there is one', async () => {
    const [store, user] = [await createTestStore(), await createTestUser()];
    const path = await inviteTo(store, user.email);
    const browser = new Browser();
    await browser.get(path);
    const page = await browser.get(path);
    await withPassword(user.userId);
    const hidden = /name="form_token" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const answer = await browser.post(path, { form_token: hidden, ...accountForm });
    expect([answer.status, answer.location]).toEqual([303, path]);
    expect(
      await countAll('passwords where user_id = ? and hash <> ?', user.userId, dummyPasswordHash),
    ).toBe(0);
    expect(await roleOf(store, user.userId)).toBeNull();
  });
});

describe('the link of an invitation', () => {
  it('works once: a second use is a page that says so (404)', async () => {
    const [store, user] = [await createTestStore(), await createTestUser()];
    await withPassword(user.userId);
    const path = await inviteTo(store, user.email);
    const browser = await new Browser().signIn(user.userId);
    const again = await browser.get(path);
    await browser.submit(path);
    const hidden = /name="form_token" value="([^"]+)"/.exec(again.html)?.[1] ?? '';
    expect((await browser.post(path, { form_token: hidden })).location).toBe(path);
    const { status, text } = await browser.get(path);
    expect([status, text]).toEqual([
      404,
      expect.stringContaining('You have used this link already'),
    ]);
  });

  it('has one winner among parallel uses, and creates one membership and one mail', async () => {
    const [store, user] = [await createTestStore(), await createTestUser()];
    await withPassword(user.userId);
    const tokenHash = await sha256(tokenOf(await inviteTo(store, user.email)));
    const action = actionOf(user.userId);
    const invitation = await findInvitation(action.directory, tokenHash, Date.now());
    const presented = { invitation: invitation!, tokenHash };
    const results = await Promise.all(
      Array.from({ length: 5 }, () =>
        acceptInvitation(action, presented, { id: user.userId, name: user.name }),
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await sentMails(`${store.alias}@store.test`, 'member_added')).toHaveLength(1);
  });

  it('ends after seven days, when it is withdrawn, and when it is sent again (404)', async () => {
    const store = await createTestStore();
    const emails = [freshAddress(), freshAddress(), freshAddress()];
    const late = await inviteTo(store, emails[0]!, 'viewer', Date.now() - 7 * 86_400_000 - 1);
    const withdrawn = await inviteTo(store, emails[1]!);
    const replaced = await inviteTo(store, emails[2]!);
    const fresh = await inviteTo(store, emails[2]!.toUpperCase());
    await env.DIRECTORY.prepare('update invitations set revoked_at = 1 where email = ?')
      .bind(emails[1])
      .run();
    const browser = new Browser();
    for (const [path, text] of [
      [late, 'This invitation has expired'],
      [withdrawn, 'This invitation was withdrawn'],
      [replaced, 'This invitation was withdrawn'],
      [`/invitations/${'A'.repeat(43)}`, 'This link does not work'],
      ['/invitations/short', 'This link does not work'],
    ] as const) {
      const page = await browser.get(path);
      expect([page.status, page.text]).toEqual([404, expect.stringContaining(text)]);
      expect(page.text).not.toContain('Test Store');
    }
    expect((await browser.get(fresh)).status).toBe(200);
  });

  it('does nothing for a user who was deactivated', async () => {
    const [store, user] = [await createTestStore(), await createTestUser({ active: false })];
    const path = await inviteTo(store, user.email);
    const answer = await new Browser().submit(path, accountForm);
    expect([answer.status, answer.location]).toEqual([303, path]);
    expect(await roleOf(store, user.userId)).toBeNull();
    expect(await countAll('passwords where user_id = ?', user.userId)).toBe(0);
  });
});
