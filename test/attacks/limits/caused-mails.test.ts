import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../../src/base/settings.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { insertMail, prepareMail } from '../../../src/mail/outbox.ts';
import { mailForms, type MailForm } from '../../../src/mail/render.tsx';
import type { RenderedMail } from '../../../src/mail/render.tsx';
import { sendDueMails } from '../../../src/mail/send-mail.ts';
import { englishMails } from '../../../src/mail/templates/en.ts';
import { spanishMails } from '../../../src/mail/templates/es.ts';
import type { TemplateName } from '../../../src/mail/templates/mail-texts.ts';
import { portugueseMails } from '../../../src/mail/templates/pt-br.ts';
import { createSite, fakeLimiter, limitBindings } from '../../support/api/limits.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { freshAddress, withPassword } from '../../support/fixtures/invitations.ts';
import { createTestUser } from '../../support/fixtures/members.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { mailExamples } from '../../support/mail-examples.ts';
import { sentMails } from '../../support/mail.ts';

const day = 86_400_000;
const team = '/partners/team';

const site = createSite();
let networks = 0;

/** An address in a /64 and a /48 that no other request uses. */
const newNetwork = () => `2001:db9:${(networks += 1).toString(16)}::1`;

/**
 * A user, and their invitations to their team, each from a network of its own unless one is given.
 */
async function createInviter(age: number, isOperator = false) {
  const { userId } = await createTestUser({ created_at: Date.now() - age, super_user: isOperator });
  const browser = await new Browser().signIn(userId);
  const fields = hiddenFieldsOf(await browser.get(team), team);
  const invite = (email = freshAddress(), from = newNetwork()) =>
    browser.post(
      team,
      { ...fields, email },
      { 'Sec-Fetch-Site': 'same-origin', 'CF-Connecting-IP': from },
    );
  return { userId, browser, invite };
}

const invitationsOf = (userId: number) =>
  env.DIRECTORY.prepare('select count(*) as n from invitations where invited_by = ?')
    .bind(userId)
    .first<number>('n');

/** Statuses, and the wait of the last one in seconds. */
async function inviteMany(count: number, invite: () => ReturnType<Browser['post']>) {
  const statuses: number[] = [];
  let wait = 0;
  for (let n = 0; n < count; n += 1) {
    const { status, headers } = await invite();
    statuses.push(status);
    wait = Number(headers.get('Retry-After'));
  }
  return { statuses, wait };
}

const allowed = (count: number) => Array.from({ length: count }, () => 303);

describe('mails that a user causes', () => {
  it('are 20 a day for a new account: then 429 beside the field with the wait, and no mail', async () => {
    const { userId, invite } = await createInviter(6 * day);
    const { statuses } = await inviteMany(20, invite);
    expect(statuses).toEqual(allowed(20));
    const email = freshAddress();
    const refused = await invite(email);
    expect([refused.status, Number(refused.headers.get('Retry-After'))]).toEqual([
      429,
      expect.toSatisfy((wait: number) => wait > 23 * 3600 && wait <= 24 * 3600),
    ]);
    expect(refused.html).toMatch(/<input[^>]*name="email"[^>]*aria-invalid="true"/);
    expect(refused.text).toContain('Too many e-mails. Try again in 24 hours.');
    expect(await sentMails(email)).toEqual([]);
    expect(await invitationsOf(userId)).toBe(20);
  });

  it.each([
    ['an account of a week', 7 * day + 1, false],
    ['a new operator', 0, true],
  ])('are not limited by the day for %s: 429 after 20, for half a minute', async (_, age, is) => {
    const { invite } = await createInviter(age, is);
    const { statuses, wait } = await inviteMany(21, invite);
    expect(statuses).toEqual([...allowed(20), 429]);
    expect(wait).toBeLessThanOrEqual(30);
  });

  it('count all at once: of 30 at the same time, 20 are sent and the others are 429', async () => {
    const { userId, invite } = await createInviter(0);
    const answers = await Promise.all(Array.from({ length: 30 }, () => invite()));
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([...allowed(20), ...Array.from({ length: 10 }, () => 429)]);
    expect(await invitationsOf(userId)).toBe(20);
  });

  it('are three to an address, by all senders together, and do not delay its reset of a password', async () => {
    const [one, two] = [await createInviter(0), await createInviter(8 * day)];
    const { email, userId } = await createTestUser();
    await withPassword(userId);
    expect((await one.invite(email)).status).toBe(303);
    expect((await two.invite(email.toUpperCase())).status).toBe(303);
    expect((await two.invite(email)).status).toBe(303);
    const refused = await one.invite(email);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '30']);
    const forgotten = await new Browser().submit('/password/forgotten', { email });
    expect(forgotten.status).toBe(303);
    expect(await sentMails(email, 'password_reset')).toHaveLength(1);
  });

  it('are 20 from a network, by all senders together', async () => {
    const [one, two] = [await createInviter(8 * day), await createInviter(8 * day)];
    const from = (n: number) => `${site}:7::${n.toString(16)}`;
    let n = 0;
    const invite = () => (n % 2 ? one : two).invite(freshAddress(), from((n += 1)));
    const { statuses } = await inviteMany(21, invite);
    expect(statuses).toEqual([...allowed(20), 429]);
    expect((await two.invite()).status).toBe(303);
  });

  it('count when an open invitation is sent again: 429 with the wait, and the old link stays', async () => {
    const store = await createTestStore();
    const browser = await new Browser().signIn(store.userId);
    const list = `/account/stores/${store.alias}/members`;
    const email = freshAddress();
    await browser.submit(`${list}/invite`, { email, role: 'viewer' });
    const openPath = async () =>
      /href="([^"]+\/invitations\/\d+)"/.exec((await browser.get(list)).html)?.[1] ?? '';
    for (const _ of [2, 3]) {
      const sent = await browser.submit(await openPath(), { action: 'send' });
      expect([sent.status, sent.location]).toEqual([303, `${list}?done=invited`]);
    }
    const open = await openPath();
    const refused = await browser.submit(open, { action: 'send' });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '30']);
    expect(refused.text).toContain('Too many e-mails. Try again in 30 seconds.');
    expect(await openPath()).toBe(open);
    expect(await sentMails(email)).toHaveLength(3);
    expect((await browser.submit(open, { action: 'withdraw' })).status).toBe(303);
  });
});

describe('mails that an operator causes by a form', () => {
  it('count, too: the fourth reset of the password of a user is 429, and no mail', async () => {
    const [operator, user] = [await createTestOperator(), await createTestUser()];
    await withPassword(user.userId);
    const browser = await new Browser().signIn(operator.userId);
    const path = `/operator/users/${user.userId}/password-reset`;
    const statuses = [];
    for (let n = 0; n < 4; n += 1) {
      statuses.push((await browser.submit(path, { reason: 'They asked.' })).status);
    }
    expect(statuses).toEqual([...allowed(3), 429]);
    expect(await sentMails(user.email, 'password_reset')).toHaveLength(3);
  });

  it('count for a new store by its owner: 429 beside that field', async () => {
    const browser = await new Browser().signIn((await createTestOperator()).userId);
    const create = (owner_email: string) =>
      browser.submit('/operator/stores/new', {
        reason: 'They asked.',
        alias: `a${crypto.randomUUID().slice(0, 12)}`,
        name: 'Nova',
        timezone: 'America/Sao_Paulo',
        owner_email,
      });
    const email = freshAddress();
    for (const _ of [1, 2, 3]) expect((await create(email)).status).toBe(303);
    const refused = await create(email);
    expect(refused.status).toBe(429);
    expect(refused.html).toMatch(/<input[^>]*name="owner_email"[^>]*aria-invalid="true"/);
    expect((await create(freshAddress())).status).toBe(303);
  });
});

describe('every form of a signed-in user', () => {
  it.each([
    ['/account/profile', { name: 'Ana', language: '' }],
    ['/account/notifications', {}],
    ['/account/password', { current: 'x', fresh: 'a', repeated: 'b' }],
  ])('%s is limited by user: 429 with Retry-After', async (path, fields) => {
    const browser = await new Browser().signIn((await createTestUser()).userId);
    browser.bindings = limitBindings({ ME_LIMIT: fakeLimiter(false), ME_PER_MINUTE: '20' });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await browser.submit(path, fields)).status);
    expect(statuses.slice(0, 2)).not.toContain(429);
    expect(statuses[2]).toBe(429);
  });
});

describe('the cap of mails of an address', () => {
  it('holds for runs side by side: 20 of a kind in an hour, and the others wait', async () => {
    await env.DIRECTORY.prepare('update mails set due_at = null where due_at is not null').run();
    const directory = openDatabase(env.DIRECTORY);
    const settings = settingsOf(env);
    const address = freshAddress();
    const link = `${settings.linkOrigin}/password/forgotten`;
    const at = Date.UTC(2041, 0, 1);
    for (let n = 0; n < 40; n += 1) {
      const mail = await prepareMail(settings, {
        kind: 'sign_up_known',
        data: { link },
      });
      await directory.batch([insertMail(directory, mail, { address, language: 'en' }, at)]);
    }
    const sent: RenderedMail[] = [];
    const sender = {
      send: (mail: RenderedMail) => {
        sent.push(mail);
        return Promise.resolve({ outcome: 'sent' } as const);
      },
    };
    const run = (now: number) => sendDueMails(env, { now: () => now, sender });
    await Promise.all(Array.from({ length: 8 }, (_, n) => run(at + n)));
    expect(sent).toHaveLength(20);
    await run(at + day);
    expect(sent).toHaveLength(40);
  });
});

describe('the subject of a mail', () => {
  const harmless = new Set(['service', 'store', 'country', 'hours', 'date', 'percent']);
  const words = { language: 'en', roles: englishMails.roles } as const;
  const ofStores = new Set(
    mailExamples.flatMap(({ kind, data }) => {
      const form = (mailForms[kind] as (data: unknown, given: typeof words) => MailForm)(
        data,
        words,
      );
      return form.reason === 'store' ? [form.template] : [];
    }),
  );

  it.each(Object.entries({ englishMails, spanishMails, portugueseMails }))(
    'holds no name that a stranger typed: %s',
    (_, { mails }) => {
      for (const template of Object.keys(mails) as TemplateName[]) {
        const { subject } = mails[template];
        const names = [...subject.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
        expect(
          names.filter((name) => !harmless.has(name)),
          template,
        ).toEqual([]);
        // Only people of a store read its name.
        if (names.includes('store')) expect(ofStores, template).toContain(template);
      }
    },
  );
});
