import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { purgeExpiredSessions } from '../../../src/ops/purge-directory.ts';
import { newAddress } from '../../support/api/limits.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { lastLink, sentMails } from '../../support/mail.ts';
import { givePassword } from '../../support/password.ts';
import { addSecondFactor } from '../../support/second-factor.ts';

const fresh = 'four words of mine';
const newPassword = { password: fresh, repeated: fresh };

/** A browser on a network of its own. */
function browserElsewhere() {
  const from = {
    'CF-Connecting-IP': newAddress(),
    'Sec-Fetch-Site': 'same-origin',
  };
  const browser = new Browser();
  return {
    browser,
    ask: async (path: string, email: string) =>
      browser.post(path, { ...hiddenFieldsOf(await browser.get(path), path), email }, from),
  };
}

async function createUser() {
  const { userId, alias } = await createTestStore();
  await givePassword(userId);
  return { userId, email: `${alias}@store.test` };
}

const userRow = (userId: number) =>
  env.DIRECTORY.prepare('select * from users where id = ?').bind(userId).first();

describe('a forgotten password', () => {
  it('is replaced by the link of a mail: all sessions end, two-step sign-in stays, and the user is notified', async () => {
    const { userId, email } = await createUser();
    await addSecondFactor(userId);
    const before = await new Browser().signIn(userId);
    const { browser, ask } = browserElsewhere();
    const asked = await ask('/password/forgotten', email.toUpperCase());
    expect([asked.status, asked.location]).toEqual([303, '/password/forgotten?sent=yes']);
    const sent = await browser.get(asked.location ?? '');
    expect(sent.text).toContain('If an account has this address');
    expect(sent.text).not.toContain(email);

    const link = await lastLink(email, 'password_reset');
    const page = await browser.get(link);
    expect(page.text).toContain(`For ${email}.`);
    const fields = hiddenFieldsOf(page, '/password/reset');
    const short = await browser.post('/password/reset', {
      ...fields,
      password: 'x',
      repeated: 'x',
    });
    expect(short.status).toBe(422);
    expect(short.text).toContain('The password needs at least 12 characters.');
    const done = await browser.post('/password/reset', { ...fields, ...newPassword });
    expect([done.status, done.location]).toEqual([303, '/session?done=password']);
    expect((await browser.get('/session?done=password')).text).toContain(
      'Your new password is saved.',
    );
    expect((await before.get('/account')).text).toContain('E-mail address');
    const step = await browser.submit('/session', { email, password: fresh });
    expect(step.text).toContain('Enter your code');
    expect(await sentMails(email, 'password_changed')).toHaveLength(1);
    expect((await browser.post('/password/reset', { ...fields, ...newPassword })).status).toBe(404);
  });

  it('ends the links that were sent before it', async () => {
    const { email } = await createUser();
    await browserElsewhere().ask('/password/forgotten', email);
    const first = await lastLink(email, 'password_reset');
    const { browser, ask } = browserElsewhere();
    await ask('/password/forgotten', email);
    const second = await lastLink(email, 'password_reset');
    const fields = hiddenFieldsOf(await browser.get(second), '/password/reset');
    await browser.post('/password/reset', { ...fields, ...newPassword });
    expect((await browser.get(first)).status).toBe(404);
  });

  it.each([
    ['/password/forgotten', 'password_reset'],
    ['/sign-up', 'sign_up'],
  ] as const)(
    'attack: %s answers known, unknown, inactive and invited addresses alike, by text and by work',
    async (path, kind) => {
      const known = await createUser();
      const inactive = await createUser();
      await env.DIRECTORY.prepare('update users set active = 0 where id = ?')
        .bind(inactive.userId)
        .run();
      const invited = `${(await createTestStore()).alias}@store.test`;
      const unknown = `${crypto.randomUUID()}@nobody.test`;
      const answers = new Set<string>();
      for (const email of [known.email, inactive.email, invited, unknown]) {
        const { browser, ask } = browserElsewhere();
        const cost = noCost();
        browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
        const { status, location, headers } = await ask(path, email);
        const { roundTrips, statements } = cost;
        answers.add(
          JSON.stringify([status, location, [...headers.keys()], roundTrips, statements]),
        );
      }
      expect([...answers]).toHaveLength(1);
      expect(await sentMails(inactive.email)).toEqual([]);
      const [toKnown] = await sentMails(known.email);
      expect(toKnown?.kind).toBe(kind === 'sign_up' ? 'sign_up_known' : kind);
      expect((await sentMails(unknown)).map((mail) => mail.kind)).toEqual(
        kind === 'sign_up' ? ['sign_up'] : [],
      );
    },
  );

  it('attack: returns 429 after three mails to one address, also to an unknown one, and after twenty from one network', async () => {
    const [{ email }, unknown] = [await createUser(), `${crypto.randomUUID()}@nobody.test`];
    for (const address of [email, unknown]) {
      const statuses = [];
      for (let count = 0; count < 4; count += 1) {
        statuses.push((await browserElsewhere().ask('/password/forgotten', address)).status);
      }
      expect(statuses).toEqual([303, 303, 303, 429]);
    }
    expect(await sentMails(email)).toHaveLength(3);
    const { ask } = browserElsewhere();
    const statuses = [];
    for (let count = 0; count < 21; count += 1) {
      statuses.push((await ask('/sign-up', `${crypto.randomUUID()}@nobody.test`)).status);
    }
    expect(statuses.slice(19)).toEqual([303, 429]);
  });
});

describe('signing up', () => {
  it('creates a confirmed user with a session once the link is used', async () => {
    const email = `${crypto.randomUUID()}@new.test`;
    const { browser, ask } = browserElsewhere();
    browser.cookies.set('__Host-language', 'pt-BR');
    await ask('/sign-up', email);
    const none = await env.DIRECTORY.prepare('select id from users where email = ?')
      .bind(email)
      .first();
    expect(none).toBeNull();
    const page = await browser.get(await lastLink(email, 'sign_up'));
    const fields = hiddenFieldsOf(page, '/sign-up/confirm');
    const missing = await browser.post('/sign-up/confirm', {
      ...fields,
      name: ' ',
      password: fresh,
      repeated: 'x',
    });
    expect(missing.status).toBe(422);
    expect(missing.text).toContain('As duas senhas não são iguais.');
    const done = await browser.post('/sign-up/confirm', {
      ...fields,
      name: 'Nina <b>',
      ...newPassword,
    });
    expect([done.status, done.location]).toEqual([303, '/partners']);
    expect((await browser.get('/account')).status).toBe(200);
    const user = await env.DIRECTORY.prepare('select * from users where email = ?')
      .bind(email)
      .first();
    expect(user).toMatchObject({ name: 'Nina', language: 'pt-BR', active: 1, super_user: 0 });
    expect(user?.confirmed_at).toBeTypeOf('number');
    expect(user?.last_login_at).toBeTypeOf('number');
  });

  it('is closed where the deployment says so (404)', async () => {
    const browser = new Browser();
    const fields = hiddenFieldsOf(await browser.get('/sign-up'), '/sign-up');
    browser.bindings = { SIGN_UP: 'closed' } as unknown as Partial<Env>;
    const page = await browser.get('/sign-up');
    expect([page.status, page.text.includes('Accounts are by invitation')]).toEqual([404, true]);
    expect((await browser.post('/sign-up', { ...fields, email: 'a@b.test' })).status).toBe(404);
    expect((await browser.get('/session')).html).not.toContain('href="/sign-up"');
  });
});

describe('changing the address', () => {
  it('is reported to the old address, confirmed at the new one, and can be taken back, which ends everything', async () => {
    const { userId, email } = await createUser();
    const newEmail = `${crypto.randomUUID()}@new.test`;
    const browser = await new Browser().signIn(userId);
    const asked = await browser.submit('/account/profile/e-mail', { email: newEmail });
    expect([asked.status, asked.location]).toEqual([303, '/account/profile']);
    expect((await browser.get('/account/profile')).text).toContain(
      `The change to ${newEmail} waits`,
    );
    expect(await userRow(userId)).toMatchObject({ email, temporary_email: newEmail });
    expect((await sentMails(email, 'email_change_requested'))[0]?.data).toEqual({ newEmail });

    const link = await lastLink(newEmail, 'email_confirmation');
    const phone = new Browser();
    const fields = hiddenFieldsOf(await phone.get(link), '/e-mail/confirm');
    const confirmed = await phone.post('/e-mail/confirm', fields);
    expect(confirmed.location).toBe('/e-mail/confirm?done=yes');
    expect((await phone.get(confirmed.location ?? '')).status).toBe(200);
    const changed = await userRow(userId);
    expect(changed).toMatchObject({ email: newEmail, temporary_email: null });
    expect(changed?.confirmed_at).toBeTypeOf('number');
    expect((await browser.get('/account')).status).toBe(200);

    const undo = await lastLink(email, 'email_changed');
    const undone = await phone.post(
      '/e-mail/undo',
      hiddenFieldsOf(await phone.get(undo), '/e-mail/undo'),
    );
    expect(undone.status).toBe(303);
    expect((await phone.get(undone.location ?? '')).text).toContain(`For ${email}.`);
    expect(await userRow(userId)).toMatchObject({ email, temporary_email: null });
    expect((await browser.get('/account')).text).toContain('E-mail address');
    expect((await phone.get(link)).status).toBe(404);
  });

  it('attack: does not reveal a taken address, and leaves it to its owner (404)', async () => {
    const [own, taken] = [await createUser(), await createUser()];
    const browser = await new Browser().signIn(own.userId);
    const asked = await browser.submit('/account/profile/e-mail', {
      email: taken.email.toUpperCase(),
    });
    expect([asked.status, asked.location]).toEqual([303, '/account/profile']);
    const fields = hiddenFieldsOf(
      await browser.get(await lastLink(taken.email, 'email_confirmation')),
      '/e-mail/confirm',
    );
    expect((await browser.post('/e-mail/confirm', fields)).status).toBe(404);
    expect(await userRow(own.userId)).toMatchObject({ email: own.email });
    expect(await userRow(taken.userId)).toMatchObject({ email: taken.email });
  });

  it('returns 422 for the present address and for none', async () => {
    const { userId, email } = await createUser();
    const browser = await new Browser().signIn(userId);
    const path = '/account/profile/e-mail';
    expect((await browser.submit(path, { email })).text).toContain('This is your address already.');
    expect((await browser.submit(path, { email: 'ana@' })).status).toBe(422);
  });
});

describe('purgeExpiredSessions', () => {
  it('deletes links that have expired, and gives up a new address that was never confirmed', async () => {
    const { userId } = await createUser();
    const newEmail = `${crypto.randomUUID()}@new.test`;
    const browser = await new Browser().signIn(userId);
    await browser.submit('/account/profile/e-mail', { email: newEmail });
    const day = 86_400_000;
    await env.DIRECTORY.prepare('update one_use_links set expires_at = ? where user_id = ?')
      .bind(Date.now() - day, userId)
      .run();
    await purgeExpiredSessions(env.DIRECTORY, Date.now());
    expect(await userRow(userId)).toMatchObject({ temporary_email: null });
    const left = await env.DIRECTORY.prepare(
      'select count(*) as n from one_use_links where user_id = ?',
    )
      .bind(userId)
      .first('n');
    expect(left).toBe(0);
  });
});
