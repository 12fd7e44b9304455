import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  findLink,
  type LinkKind,
  type OpenLink,
} from '../../../src/accounts/sign-in/one-use-links.ts';
import { startSessionStatements } from '../../../src/accounts/sign-in/session-actions.ts';
import {
  confirmEmail,
  requestEmailChange,
  type UserLink,
} from '../../../src/accounts/users/change-email.ts';
import {
  keepSecondFactor,
  requestFactorRemoval,
} from '../../../src/accounts/users/request-factor-removal.ts';
import { requestPasswordReset, resetPassword } from '../../../src/accounts/users/reset-password.ts';
import { requestSignUp, signUp } from '../../../src/accounts/users/sign-up.ts';
import { undoEmailChange } from '../../../src/accounts/users/undo-email.ts';
import { actionOf } from '../../support/action.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { operatorAction } from '../../support/jobs.ts';
import { lastLink } from '../../support/mail.ts';
import { givePassword } from '../../support/password.ts';
import { addSecondFactor } from '../../support/second-factor.ts';

const newName = () => crypto.randomUUID().slice(0, 12);

async function createUser() {
  const { userId, alias } = await createTestStore();
  await givePassword(userId);
  return { userId, email: `${alias}@store.test` };
}

/** The words of the mail that lists what was done. */
const inWords = () => ({ en: '', 'pt-BR': '', es: '' });

const withUser = (link: OpenLink): UserLink => ({ ...link, user: link.user! });

/** Asks for another address of a user; returns the path of its link. */
async function askForEmail({ userId }: { userId: number }, newEmail: string) {
  await requestEmailChange(actionOf(userId), { userId, newEmail });
  return lastLink(newEmail, 'email_confirmation');
}

const open = async (path: string, kind: LinkKind) => {
  const token = path.split('token=')[1] ?? '';
  return findLink(actionOf(0).directory, { token, kind, now: Date.now() });
};

/**
 * A link of each kind: where it leads, how it is used behind its page, and what exactly one use
 * leaves.
 */
const links: Record<
  LinkKind,
  () => Promise<{
    path: string;
    use: (link: OpenLink) => Promise<boolean>;
    /** Counts the effects in the audit. */
    action: string;
    userId?: number;
  }>
> = {
  async sign_up() {
    const email = `${newName()}@new.test`;
    await requestSignUp(actionOf(0), email, 'en');
    const start =
      (id: string) =>
      (userId: Parameters<Parameters<typeof signUp>[3]>[0], where: typeof userId) => {
        const session = {
          idHash: id,
          formerIdHash: '',
          expiresAt: 1,
          factorAt: null,
          device: '',
          language: 'en',
        } as const;
        return startSessionStatements(actionOf(0), { ...session, userId }, where);
      };
    return {
      path: await lastLink(email, 'sign_up'),
      use: (link) => {
        const id = crypto.randomUUID();
        const user = { name: id, passwordHash: id, language: 'en' } as const;
        return signUp(actionOf(0), link, user, start(id));
      },
      action: 'user.signed_up',
    };
  },
  async password_reset() {
    const { userId, email } = await createUser();
    await requestPasswordReset(actionOf(userId), email);
    return {
      path: await lastLink(email, 'password_reset'),
      use: (link) => resetPassword(actionOf(userId), withUser(link), crypto.randomUUID()),
      action: 'user.password_reset',
      userId,
    };
  },
  async confirm_email() {
    const user = await createUser();
    const path = await askForEmail(user, `${newName()}@new.test`);
    const { userId } = user;
    return {
      path,
      use: (link) => confirmEmail(actionOf(userId), withUser(link)),
      action: 'user.email_changed',
      userId,
    };
  },
  async undo_email() {
    const user = await createUser();
    const { userId } = user;
    const path = await askForEmail(user, `${newName()}@new.test`);
    const link = await open(path, 'confirm_email');
    await confirmEmail(actionOf(userId), withUser(link!));
    return {
      path: await lastLink(user.email, 'email_changed'),
      use: async (undo) =>
        (await undoEmailChange(actionOf(userId), withUser(undo), 'useless', inWords)) !== undefined,
      action: 'user.email_change_undone',
      userId,
    };
  },
  async keep_second_factor() {
    const { userId, email } = await createUser();
    await addSecondFactor(userId);
    await requestFactorRemoval(operatorAction(), { userId, reason: 'The phone is lost.' });
    return {
      path: await lastLink(email, 'second_factor_removal'),
      use: (link) => keepSecondFactor(actionOf(userId), withUser(link)),
      action: 'user.second_factor_kept',
      userId,
    };
  },
};

const effectsOf = (action: string, since: number) =>
  env.DIRECTORY.prepare('select count(*) as n from audit where action = ? and id > ?')
    .bind(action, since)
    .first<number>('n');

const lastAuditId = async () =>
  (await env.DIRECTORY.prepare('select max(id) as id from audit').first<number>('id')) ?? 0;

const kinds = Object.keys(links) as LinkKind[];

describe.each(kinds)('attack: the link of a mail, %s,', (kind) => {
  it('opens as often as wanted, works once, and is dead then (404)', async () => {
    const { path, use } = await links[kind]();
    const browser = new Browser();
    expect((await browser.get(path)).status).toBe(200);
    expect((await browser.get(path)).status).toBe(200);
    const link = await open(path, kind);
    expect(await use(link!)).toBe(true);
    expect(await use(link!)).toBe(false);
    const dead = await browser.get(path);
    expect(dead.status).toBe(404);
    expect(dead.text).toContain('This link no longer works');
  });

  it('has one winner of five parallel uses, with one effect', async () => {
    const { path, use, action } = await links[kind]();
    const link = await open(path, kind);
    const since = await lastAuditId();
    const uses = await Promise.all(Array.from({ length: 5 }, () => use(link!)));
    expect(uses.filter(Boolean)).toHaveLength(1);
    expect(await effectsOf(action, since)).toBe(1);
  });

  it('is dead when it is late (404), also for a form that was opened in time', async () => {
    const { path, use } = await links[kind]();
    const link = await open(path, kind);
    await env.DIRECTORY.prepare('update one_use_links set expires_at = ? where token_hash = ?')
      .bind(Date.now(), link!.hash)
      .run();
    expect((await new Browser().get(path)).status).toBe(404);
    expect(await use(link!)).toBe(false);
  });

  it('works on its own page only (404), and its form in its own browser only (403)', async () => {
    const { path } = await links[kind]();
    const token = path.split('token=')[1] ?? '';
    const pages = {
      sign_up: '/sign-up/confirm',
      password_reset: '/password/reset',
      confirm_email: '/e-mail/confirm',
      undo_email: '/e-mail/undo',
      keep_second_factor: '/second-factor/keep',
    };
    for (const other of kinds.filter((name) => name !== kind)) {
      expect((await new Browser().get(`${pages[other]}?token=${token}`)).status).toBe(404);
    }
    for (const wrong of [
      '',
      'x',
      'A'.repeat(43),
      `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
    ]) {
      expect((await new Browser().get(`${pages[kind]}?token=${wrong}`)).status).toBe(404);
    }
    const fields = hiddenFieldsOf(await new Browser().get(path), pages[kind]);
    const elsewhere = new Browser();
    await elsewhere.get('/session');
    expect((await elsewhere.post(pages[kind], fields)).status).toBe(403);
    expect(await open(path, kind)).toBeDefined();
  });

  it('is dead for a user who is inactive by now (404)', async () => {
    const { path, use, userId } = await links[kind]();
    if (userId === undefined) return;
    const link = await open(path, kind);
    await env.DIRECTORY.prepare('update users set active = 0 where id = ?').bind(userId).run();
    expect((await new Browser().get(path)).status).toBe(404);
    expect(await use(link!)).toBe(false);
  });
});

describe('attack: a user who changes an address twice', () => {
  it('cannot make the way back to the first one worthless', async () => {
    const user = await createUser();
    const { userId, email } = user;
    const [second, third] = [`${newName()}@new.test`, `${newName()}@new.test`];
    for (const address of [second, third]) {
      const link = await open(await askForEmail(user, address), 'confirm_email');
      expect(await confirmEmail(actionOf(userId), withUser(link!))).toBe(true);
    }
    const undoLast = await open(await lastLink(second, 'email_changed'), 'undo_email');
    expect(
      await undoEmailChange(actionOf(userId), withUser(undoLast!), 'x', inWords),
    ).toBeDefined();
    const undoFirst = await open(await lastLink(email, 'email_changed'), 'undo_email');
    expect(
      await undoEmailChange(actionOf(userId), withUser(undoFirst!), 'x', inWords),
    ).toBeDefined();
    const now = await env.DIRECTORY.prepare('select email from users where id = ?')
      .bind(userId)
      .first('email');
    expect(now).toBe(email);
  });
});

describe('attack: names and addresses in mails', () => {
  it('a line break or a second address in a form is refused (422), and nothing is sent', async () => {
    const browser = new Browser();
    for (const email of [
      'a@b.test\r\nBcc: c@d.test',
      'a@b.test, c@d.test',
      '"a b"@c.test',
      'a@b',
    ]) {
      for (const path of ['/password/forgotten', '/sign-up']) {
        const response = await browser.submit(path, { email });
        expect(response.status, `${path} ${email}`).toBe(422);
      }
    }
    const sent = await env.DIRECTORY.prepare(
      "select count(*) as n from mails where to_address like '%c@d.test%'",
    ).first('n');
    expect(sent).toBe(0);
  });
});
