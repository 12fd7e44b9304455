import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import changelog from '../../CHANGELOG.md?raw';
import { insertLinkStatement, makeLinkToken } from '../../src/accounts/sign-in/one-use-links.ts';
import { deactivateUser, reactivateUser } from '../../src/accounts/users/activate-user.ts';
import { confirmEmail } from '../../src/accounts/users/change-email.ts';
import { eraseUser } from '../../src/accounts/users/erase-user.ts';
import { sendChangelog } from '../../src/accounts/users/profile.ts';
import { settingsOf } from '../../src/base/settings.ts';
import { entriesIn, parseChangelog } from '../../src/docs/build/changelog.ts';
import { type ChangelogDay, mailChangelog } from '../../src/mail/changelog.ts';
import type { RenderedMail } from '../../src/mail/render.tsx';
import { type MailSender, sendDueMails } from '../../src/mail/send-mail.ts';
import { makeUnsubscribeLink } from '../../src/mail/unsubscribe.ts';
import { actionOf } from '../support/action.ts';
import { countingDatabase, noCost } from '../support/api/measure.ts';
import { Browser } from '../support/browser/browser.ts';
import { createTestUser } from '../support/fixtures/members.ts';
import { operatorAction } from '../support/jobs.ts';
import { sentMails } from '../support/mail.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Days that no other file has; cron looks at minute 17. */
const lookAt = (date: string) => Date.parse(`${date}T03:17:30Z`);

const dayWith = (date: string, ...titles: string[]): ChangelogDay => ({
  day: date,
  titles: {
    en: titles.map((title) => `Added: ${title}`),
    'pt-BR': titles.map((title) => `Novo: ${title}`),
    es: titles.map((title) => `Nuevo: ${title}`),
  },
});

const first = dayWith('2040-01-01', 'one');
const second = dayWith('2040-01-05', 'two', 'three');

/** The bindings of a release with these days, newest first. */
const releaseOf = (days: readonly ChangelogDay[], changed: Partial<Env> = {}): Env => ({
  ...env,
  ASSETS: { fetch: () => Promise.resolve(Response.json(days)) } as unknown as Fetcher,
  ...changed,
});

const before = releaseOf([first]);
const after = releaseOf([second, first]);
const due = lookAt('2040-01-06');

/** A user who asked for the changelog while `first` was the newest day. */
async function createReader(language?: string) {
  const user = await createTestUser();
  await env.DIRECTORY.prepare('update users set language = ? where id = ?')
    .bind(language ?? null, user.userId)
    .run();
  const action = { ...actionOf(user.userId, Date.parse('2040-01-02')), env: before };
  await sendChangelog(action, user.userId);
  return user;
}

const dayOf = (userId: number) =>
  env.DIRECTORY.prepare('select changelog_day as day from users where id = ?')
    .bind(userId)
    .first<string>('day');

const mailsTo = (email: string) => sentMails(email, 'changelog');

/** Sends what is due; returns the mails. */
async function sendAll(at: number) {
  const mails: RenderedMail[] = [];
  const sender: MailSender = {
    send: (mail) => {
      mails.push(mail);
      return Promise.resolve({ outcome: 'sent' });
    },
  };
  await sendDueMails(env, { now: () => at, sender });
  return mails;
}

beforeEach(async () => {
  // Files of one isolate share the directory.
  await env.DIRECTORY.batch([
    env.DIRECTORY.prepare('update users set changelog_day = null where changelog_day is not null'),
    env.DIRECTORY.prepare('update mails set due_at = null where due_at is not null'),
  ]);
});

describe('the changelog by mail', () => {
  it('goes once to those who asked, in their language, with what is new to them and a way to stop it', async () => {
    const [ana, bia] = [await createReader(), await createReader('pt-BR')];
    const other = await createTestUser();
    for (const at of [due, due + minute, due + 60 * minute, due + day]) {
      await mailChangelog(after, at);
    }
    expect(await mailsTo(other.email)).toEqual([]);
    expect(await dayOf(ana.userId)).toBe('2040-01-05');
    const [mail, ...more] = await mailsTo(ana.email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('What changed in the API: January 5, 2040');
    expect(mail?.text).toContain('* Added: two\n* Added: three\n');
    expect(mail?.text).not.toContain('one');
    expect(mail?.text).toContain('/docs/guides/versions#2040-01-05');
    expect((await mailsTo(bia.email)).map(({ subject }) => subject)).toEqual([
      'Novidades da API: 5 de janeiro de 2040',
    ]);
    const sent = await sendAll(due);
    const { origin } = new URL(settingsOf(env).linkOrigin);
    for (const { unsubscribe } of sent) {
      expect(unsubscribe?.startsWith(`${origin}/e-mail/unsubscribe?token=`)).toBe(true);
    }
    expect(sent.map(({ to }) => to.email).toSorted()).toEqual([ana.email, bia.email].toSorted());
    expect(sent[0]?.text).toContain(`Stop e-mails of this kind: ${sent[0]?.unsubscribe}`);
  });

  it('waits until the day is over, since a later release may add to it', async () => {
    const { userId, email } = await createReader();
    await mailChangelog(after, lookAt('2040-01-05'));
    expect(await dayOf(userId)).toBe('2040-01-01');
    expect(await mailsTo(email)).toEqual([]);
  });

  it('names all days of one release in one mail, twelve entries at most', async () => {
    const { email } = await createReader();
    const titles = Array.from({ length: 11 }, (_, index) => `entry ${index}`);
    const newest = dayWith('2040-01-05', ...titles);
    const days = [newest, dayWith('2040-01-03', 'older', 'oldest'), first];
    await mailChangelog(releaseOf(days), due);
    const [mail, ...more] = await mailsTo(email);
    expect(more).toEqual([]);
    expect(mail?.text).toContain('* Added: entry 10\n* Added: older\n* …\n');
    expect(mail?.text).not.toContain('oldest');
  });

  it('costs no call in 59 of 60 minutes, one when nothing is new, and one more for each 200 users', async () => {
    const cost = noCost();
    const DIRECTORY = countingDatabase(env.DIRECTORY, cost);
    await mailChangelog(releaseOf([second, first], { DIRECTORY }), due + minute);
    expect(cost.roundTrips).toBe(0);
    await createReader();
    await mailChangelog(releaseOf([first], { DIRECTORY }), due);
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(cost.rowsRead).toBeLessThan(3);
    await env.DIRECTORY.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 449)
       insert into users (email, name, created_at, updated_at, changelog_day)
       select 'reader-' || i || '@changelog.test', 'R', 0, 0, '2040-01-01' from n`,
    ).run();
    const many = noCost();
    await mailChangelog(
      releaseOf([second, first], { DIRECTORY: countingDatabase(env.DIRECTORY, many) }),
      due,
    );
    // The look, and batches of 200, 200 and 50.
    expect(many.roundTrips).toBe(4);
    expect(many.rowsRead / 450).toBeLessThan(10);
    expect(many.rowsWritten / 450).toBeLessThan(9);
    const written = await env.DIRECTORY.prepare(
      `select count(*) as n, count(distinct user_id) as users from mails where key like 'changelog-2040-01-05-%' and due_at = ?`,
    )
      .bind(due)
      .first();
    expect(written).toEqual({ n: 450, users: 450 });
    await env.DIRECTORY.batch([
      env.DIRECTORY.prepare(`delete from mails where to_address like '%@changelog.test'`),
      env.DIRECTORY.prepare(`delete from users where email like '%@changelog.test'`),
    ]);
  });

  it('is one mail for each user when eight workers run at once', async () => {
    const readers = await Promise.all(Array.from({ length: 6 }, () => createReader()));
    await Promise.all(Array.from({ length: 8 }, () => mailChangelog(after, due)));
    for (const { email } of readers) expect(await mailsTo(email)).toHaveLength(1);
  });

  it.each([1, 2, 3])(
    'is one mail when the run dies at call %i, before or after the database did it',
    async (call) => {
      for (const isDone of [false, true]) {
        const { email, userId } = await createReader();
        let calls = 0;
        const dying = (result: () => Promise<unknown>) => {
          calls += 1;
          if (calls !== call) return result();
          if (!isDone) return Promise.reject(new Error('the isolate ended'));
          return result().then(() => Promise.reject(new Error('the isolate ended')));
        };
        const DIRECTORY = {
          prepare: (query: string) => env.DIRECTORY.prepare(query),
          batch: (statements: D1PreparedStatement[]) =>
            dying(() => env.DIRECTORY.batch(statements)),
        } as unknown as D1Database;
        const wakeups = { sendBatch: () => dying(() => Promise.resolve()) } as unknown as Queue;
        await mailChangelog(releaseOf([second, first], { DIRECTORY, MAIL: wakeups }), due);
        expect(calls).toBeGreaterThanOrEqual(call);
        await mailChangelog(after, due + 60 * minute);
        expect(await mailsTo(email)).toHaveLength(1);
        expect(await dayOf(userId)).toBe('2040-01-05');
      }
    },
  );

  it('without the file of the build it changes nothing', async () => {
    const { userId } = await createReader();
    const ASSETS = { fetch: () => Promise.resolve(new Response(null, { status: 404 })) };
    await mailChangelog({ ...env, ASSETS } as unknown as Env, due);
    expect(await dayOf(userId)).toBe('2040-01-01');
  });
});

describe('whom it does not reach', () => {
  it('a user who stopped it after it was written, or wants no optional mail', async () => {
    const [ana, bia, eva] = [await createReader(), await createReader(), await createReader()];
    const forbid = env.DIRECTORY.prepare('update users set allow_notifications = 0 where id = ?');
    await forbid.bind(bia.userId).run();
    await mailChangelog(after, due);
    expect(await mailsTo(bia.email)).toEqual([]);
    const content = { user_id: ana.userId, kind: 'changelog' };
    const link = new URL((await makeUnsubscribeLink(settingsOf(env), content, Date.now()))!);
    const browser = new Browser();
    const path = link.pathname + link.search;
    const sent = await browser.post(path, { 'List-Unsubscribe': 'One-Click' }, {});
    expect(sent.status).toBe(200);
    expect(sent.text).toContain('The API has changed');
    expect(await dayOf(ana.userId)).toBeNull();
    expect((await sendAll(due)).map(({ to }) => to.email)).toEqual([eva.email]);
  });

  it('a user who was deactivated before or after it was written, also when active again', async () => {
    const [ana, bia] = [await createReader(), await createReader()];
    const reason = 'A test';
    await deactivateUser(operatorAction(), { userId: ana.userId, reason });
    await mailChangelog(after, due);
    await deactivateUser(operatorAction(), { userId: bia.userId, reason });
    expect(await mailsTo(ana.email)).toEqual([]);
    expect(await sendAll(due)).toEqual([]);
    await reactivateUser(operatorAction(), { userId: ana.userId, reason });
    await mailChangelog(after, due + 60 * minute);
    expect(await mailsTo(ana.email)).toEqual([]);
  });

  it('a user who was erased', async () => {
    const { userId, email } = await createReader();
    await mailChangelog(after, due);
    await eraseUser(operatorAction(), { userId, reason: 'A test' });
    expect(await dayOf(userId)).toBeNull();
    expect(await mailsTo(email)).toEqual([]);
    expect(await sendAll(due)).toEqual([]);
  });

  it('an address that waits for its confirmation; once confirmed, a waiting mail follows to it', async () => {
    const { userId, email } = await createReader();
    const newEmail = `new-${email}`;
    await env.DIRECTORY.prepare('update users set temporary_email = ? where id = ?')
      .bind(newEmail, userId)
      .run();
    await mailChangelog(after, due);
    expect(await mailsTo(email)).toHaveLength(1);
    expect(await mailsTo(newEmail)).toEqual([]);
    const action = actionOf(userId);
    const { hash } = await makeLinkToken();
    const link = { hash, kind: 'confirm_email', userId, email: newEmail, now: action.now } as const;
    await action.directory.batch([insertLinkStatement(action.directory, link)]);
    const user = { id: userId, name: 'Ana', email, temporaryEmail: newEmail };
    expect(await confirmEmail(action, { hash, kind: 'confirm_email', email: newEmail, user })).toBe(
      true,
    );
    const sent = await sendAll(due);
    const changelogs = sent.filter(({ key }) => key.startsWith('changelog-'));
    expect(changelogs.map(({ to }) => to.email)).toEqual([newEmail]);
  });
});

describe('/partners/changelog', () => {
  const path = '/partners/changelog';
  const isTicked = (html: string) => / name="wanted" value="yes" checked/.test(html);

  it('is off at first; a form returns 303 and switches it on from now on, and off', async () => {
    const { userId } = await createTestUser();
    const browser = await new Browser().signIn(userId);
    browser.bindings = { ASSETS: before.ASSETS };
    const shown = await browser.get(path);
    expect(shown.status).toBe(200);
    expect(isTicked(shown.html)).toBe(false);
    expect((await browser.get('/partners')).html).toContain(`href="${path}"`);
    // The test days lie in the future, so none of them is over.
    const yesterday = new Date(Date.now() - day).toISOString().slice(0, 10);
    for (const [wanted, expected] of [
      ['yes', yesterday],
      ['', null],
    ] as const) {
      const sent = await browser.submit(path, { wanted });
      expect([sent.status, sent.location]).toEqual([303, `${path}?done=saved`]);
      expect(await dayOf(userId)).toBe(expected);
      expect(isTicked((await browser.get(path)).html)).toBe(expected !== null);
    }
  });

  it('asking for it brings none of the others to a user who wanted no optional mail', async () => {
    const { userId } = await createTestUser();
    const browser = await new Browser().signIn(userId);
    await browser.submit('/account/notifications', { kinds: ['webhook_failing'] });
    await browser.submit(path, { wanted: 'yes' });
    const { html } = await browser.get('/account/notifications');
    const ticked = Array.from(
      html.matchAll(/name="kinds" value="(\w+)" checked/g),
      ([, kind]) => kind,
    );
    expect(ticked).toEqual(['changelog']);
    await browser.submit('/account/notifications', { allows: 'yes', kinds: ['webhook_failing'] });
    expect(await dayOf(userId)).toBeNull();
    await browser.submit('/account/notifications', { allows: 'yes', kinds: ['changelog'] });
    expect(await dayOf(userId)).not.toBeNull();
  });

  it('a second tick keeps the day, so nothing is missed', async () => {
    const { userId } = await createReader();
    await sendChangelog({ ...actionOf(userId, due), env: after }, userId);
    expect(await dayOf(userId)).toBe('2040-01-01');
  });
});

describe('the file of the build', () => {
  it('has the newest days whose entries every language has, with their titles', async () => {
    const response = await env.ASSETS.fetch('https://assets.invalid/mail/changelog.json');
    const days: ChangelogDay[] = await response.json();
    const translated = entriesIn(parseChangelog(changelog, new Map()), 'es');
    expect(days.map((one) => one.day)).toEqual(
      [...new Set(translated.map(({ date }) => date))].slice(0, 30),
    );
    for (const { titles } of days) {
      expect(titles.en.length).toBeGreaterThan(0);
      expect(titles.es).toHaveLength(titles.en.length);
      expect(titles['pt-BR']).toHaveLength(titles.en.length);
      for (const title of titles.en) {
        expect(title).toMatch(/^(Added|Changed|Fixed|Removed|Security): \S/);
        expect(title).not.toMatch(/[<`]|\{\{/);
      }
    }
  });

  it('is at no address of the service (404)', async () => {
    expect((await new Browser().get('/mail/changelog.json')).status).toBe(404);
  });
});
