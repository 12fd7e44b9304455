import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { eraseUser } from '../../src/accounts/users/erase-user.ts';
import { createApp } from '../../src/app/app.ts';
import { seal } from '../../src/base/crypto/seal.ts';
import { settingsOf } from '../../src/base/settings.ts';
import { openDatabase } from '../../src/data/core/open-database.ts';
import { type MutableKind, optionalKinds } from '../../src/mail/kinds.ts';
import { insertMailToUser, prepareMail } from '../../src/mail/outbox.ts';
import { sendDueMails } from '../../src/mail/send-mail.ts';
import { makeUnsubscribeLink, openUnsubscribeToken } from '../../src/mail/unsubscribe.ts';
import { fakeLimiter, newAddress } from '../support/api/limits.ts';
import { countingDatabase, noCost } from '../support/api/measure.ts';
import { Browser } from '../support/browser/browser.ts';
import { createTestUser } from '../support/fixtures/members.ts';
import { operatorAction } from '../support/jobs.ts';
import { mailExamples } from '../support/mail-examples.ts';

const settings = settingsOf(env);
const directory = openDatabase(env.DIRECTORY);
const service = createApp();
const day = 86_400_000;
const body = 'List-Unsubscribe=One-Click';
const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Path and query of the link of a kind for a user. */
async function linkOf(userId: number, kind: MutableKind = 'webhook_failing', now = Date.now()) {
  const link = new URL((await makeUnsubscribeLink(settings, { user_id: userId, kind }, now))!);
  return link.pathname + link.search;
}

/** Sends what a mailbox sends: no cookie, no origin, no browser. */
async function press(
  path: string,
  init: RequestInit = { body, headers: urlencoded },
  bindings: Partial<Env> = {},
) {
  const context = createExecutionContext();
  const request = new Request(`https://api.test${path}`, { method: 'POST', ...init });
  const response = await service.fetch(request, { ...env, ...bindings }, context);
  const html = await response.text();
  await waitOnExecutionContext(context);
  return { status: response.status, html };
}

const mutedOf = async (userId: number): Promise<unknown> =>
  JSON.parse(
    (await env.DIRECTORY.prepare('select muted_mails as muted from users where id = ?')
      .bind(userId)
      .first<string>('muted')) ?? '',
  );

const linesOf = async (userId: number) =>
  env.DIRECTORY.prepare(
    `select count(*) as n from audit where action = 'user.notifications_changed' and target_id = ?`,
  )
    .bind(String(userId))
    .first<number>('n');

beforeEach(async () => {
  // Other files put mails into the same outbox.
  await env.DIRECTORY.prepare('update mails set due_at = null where due_at is not null').run();
});

describe('the headers', () => {
  /**
   * Sends a mail of each kind to a user with the binding of the platform; returns the headers of
   * each by its kind.
   */
  async function sendEachKind() {
    const { userId } = await createTestUser();
    const kinds = new Map(mailExamples.map((example) => [example.kind, example]));
    const mails = await Promise.all(
      [...kinds.values()].map(async ({ kind, data }) => {
        const text = JSON.stringify(data).replaceAll('https://app.test', settings.linkOrigin);
        const content = { kind, data: JSON.parse(text) as typeof data, language: 'en' as const };
        return prepareMail(settings, { ...content, key: `${kind}-${userId}` });
      }),
    );
    for (const mail of mails) {
      await directory.batch([insertMailToUser(directory, mail, userId, Date.now())]);
    }
    const headers = new Map<string, Record<string, string>>();
    const binding = {
      send: (mail: Parameters<SendEmail['send']>[0] & { headers: Record<string, string> }) => {
        headers.set(mail.headers['X-Entity-Ref-ID']!.replace(`-${userId}`, ''), mail.headers);
        return env.EMAIL.send(mail);
      },
    } as unknown as SendEmail;
    await sendDueMails({ ...env, EMAIL: binding }, { now: Date.now });
    expect(headers.size).toBe(kinds.size);
    return { userId, headers };
  }

  it('of every kind that can be switched off hold the link that does it, and no others do', async () => {
    const { userId, headers } = await sendEachKind();
    const optional = [...headers].filter(([, names]) => 'List-Unsubscribe' in names);
    expect(optional.map(([kind]) => kind).toSorted()).toEqual([...optionalKinds].toSorted());
    for (const [kind, names] of optional) {
      expect(names['List-Unsubscribe-Post']).toBe(body);
      const [, link = ''] = /^<(.+)>$/.exec(names['List-Unsubscribe']!) ?? [];
      const { origin, pathname, searchParams } = new URL(link);
      expect([origin, pathname]).toEqual([settings.linkOrigin, '/e-mail/unsubscribe']);
      const opened = await openUnsubscribeToken(settings, searchParams.get('token')!, Date.now());
      expect(opened).toEqual({ userId, kind });
    }
  });
});

describe('POST /e-mail/unsubscribe', () => {
  it('returns 200 and switches one kind off without cookie or origin, also in parts and again', async () => {
    const { userId } = await createTestUser();
    const path = await linkOf(userId);
    const parts = new FormData();
    parts.append('List-Unsubscribe', 'One-Click');
    for (const init of [undefined, { body: parts }, undefined]) {
      const { status, html } = await press(path, init);
      expect(status).toBe(200);
      expect(html).toContain('A webhook has been failing for a day or longer');
      expect(html).not.toContain('@');
    }
    expect(await mutedOf(userId)).toEqual(['webhook_failing']);
    expect(await linesOf(userId)).toBe(1);
    await press(await linkOf(userId, 'export_ready'));
    expect(await mutedOf(userId)).toEqual(['webhook_failing', 'export_ready']);
  });

  it('writes the kind once when ten arrive at once, each in one round trip', async () => {
    const { userId } = await createTestUser();
    const path = await linkOf(userId);
    const costs = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const cost = noCost();
        await press(path, undefined, { DIRECTORY: countingDatabase(env.DIRECTORY, cost) });
        return cost;
      }),
    );
    expect(costs.map(({ roundTrips }) => roundTrips)).toEqual(costs.map(() => 1));
    expect(Math.max(...costs.map(({ rowsRead }) => rowsRead))).toBeLessThan(12);
    expect(await mutedOf(userId)).toEqual(['webhook_failing']);
    expect(await linesOf(userId)).toBe(1);
  });

  it('a mail that waits is not sent after that', async () => {
    const { userId } = await createTestUser();
    const data = { store: 'Nova', host: 'a.test', hours: 24 };
    const content = { kind: 'webhook_failing', data, language: 'en' } as const;
    const mail = await prepareMail(settings, content);
    await directory.batch([insertMailToUser(directory, mail, userId, Date.now())]);
    await press(await linkOf(userId));
    await sendDueMails(env, { now: Date.now });
    const dropped = env.DIRECTORY.prepare('select dropped from mails where user_id = ?');
    expect(await dropped.bind(userId).first('dropped')).toBe('muted');
  });

  it.each([
    ['nothing', ''],
    ['another value', 'List-Unsubscribe=Two-Clicks'],
    ['more than that', `${body}&other=1`],
    ['it twice', `${body}&${body}`],
  ])('returns 400 and changes nothing for a body with %s', async (_, text) => {
    const { userId } = await createTestUser();
    expect((await press(await linkOf(userId), { body: text, headers: urlencoded })).status).toBe(
      400,
    );
    expect(await mutedOf(userId)).toEqual([]);
  });

  it('returns 415 for JSON, 413 for a long body, and 405 for another method', async () => {
    const path = await linkOf((await createTestUser()).userId);
    const json = { body: '{}', headers: { 'Content-Type': 'application/json' } };
    expect((await press(path, json)).status).toBe(415);
    const long = { body: `${body}&a=${'x'.repeat(2_000)}`, headers: urlencoded };
    expect((await press(path, long)).status).toBe(413);
    expect((await press(path, { ...json, method: 'PUT' })).status).toBe(405);
  });

  it('returns 404 with a page that says so for a link that was changed, is of another use, or has expired', async () => {
    const { userId } = await createTestUser();
    const path = await linkOf(userId);
    const at = path.length - 20;
    const changed = path.slice(0, at) + (path[at] === 'A' ? 'B' : 'A') + path.slice(at + 1);
    const mail = await seal(
      settings.sealingKeys,
      JSON.stringify([userId, 'webhook_failing', Date.now() + day]),
      'mail',
    );
    const foreign = [
      changed,
      await linkOf(userId, undefined, Date.now() - 181 * day),
      `/e-mail/unsubscribe?token=${mail}`,
      '/e-mail/unsubscribe?token=',
      `/e-mail/unsubscribe?token=v1.${'A'.repeat(90)}`,
      `/e-mail/unsubscribe?token=${encodeURIComponent('v1.é\u0000')}`,
    ];
    for (const link of foreign) {
      const { status, html } = await press(link);
      expect(status, link).toBe(404);
      expect(html).toContain('This link no longer works');
      expect((await new Browser().get(link)).status, link).toBe(404);
    }
    expect(await mutedOf(userId)).toEqual([]);
  });

  it('a link of the time before the last rotation of the key works', async () => {
    const { userId } = await createTestUser();
    const path = await linkOf(userId);
    const { current } = settings.tokenKeys;
    const bindings = { TOKEN_KEY: btoa('k'.repeat(32)), TOKEN_KEY_PREVIOUS: current };
    expect((await press(path, undefined, bindings as Partial<Env>)).status).toBe(200);
    expect(await mutedOf(userId)).toEqual(['webhook_failing']);
  });

  it('looks the same for a user who is inactive, erased or never was, and writes nothing about one who is erased', async () => {
    const { userId } = await createTestUser();
    const paths = [await linkOf(userId), await linkOf(999_999_999)];
    const { html: known } = await press(paths[0]!);
    await eraseUser(operatorAction(), { userId, reason: 'A test' });
    const before = await linesOf(userId);
    for (const path of paths) {
      const { status, html } = await press(path);
      expect([status, html]).toEqual([200, known]);
    }
    expect(await mutedOf(userId)).toEqual([]);
    expect(await linesOf(userId)).toBe(before);
  });

  it('counts as every page of a network: a flood of it gets 429', async () => {
    const { userId } = await createTestUser();
    const path = await linkOf(userId);
    const headers = { ...urlencoded, 'CF-Connecting-IP': newAddress() };
    const bindings = {
      PAGES_PER_MINUTE: '5',
      PAGES_LIMIT: fakeLimiter(false),
    };
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      statuses.push((await press(path, { body, headers }, bindings as Partial<Env>)).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('the page of the link', () => {
  it('opens without a session and changes nothing; its button returns 303 to what was done', async () => {
    const { userId } = await createTestUser();
    const path = await linkOf(userId);
    const browser = new Browser();
    for (const _ of [1, 2]) {
      const page = await browser.get(path);
      expect(page.status).toBe(200);
      expect(page.text).toContain('Stop these e-mails?');
      expect(page.text).toContain('A webhook has been failing for a day or longer');
    }
    expect(await mutedOf(userId)).toEqual([]);
    const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(
      (await browser.get(path)).html,
    )!;
    const sent = await browser.post('/e-mail/unsubscribe', { form_token: token });
    expect([sent.status, sent.location]).toEqual([303, '/e-mail/unsubscribe?done=webhook_failing']);
    expect(await mutedOf(userId)).toEqual(['webhook_failing']);
    expect((await browser.get(sent.location!)).text).toContain('These e-mails are stopped');
  });

  it('its form returns 403 from another site and from another browser', async () => {
    const { userId } = await createTestUser();
    const browser = new Browser();
    const { html } = await browser.get(await linkOf(userId));
    const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(html)!;
    const fields = { form_token: token };
    const site = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.test' };
    expect((await browser.post('/e-mail/unsubscribe', fields, site)).status).toBe(403);
    expect((await new Browser().post('/e-mail/unsubscribe', fields)).status).toBe(403);
    expect(await mutedOf(userId)).toEqual([]);
  });

  it('the page of all e-mails shows what a link switched off', async () => {
    const { userId } = await createTestUser();
    await press(await linkOf(userId, 'export_ready'));
    const { html } = await (await new Browser().signIn(userId)).get('/account/notifications');
    expect(html).toContain('value="webhook_failing" checked');
    expect(html).not.toContain('value="export_ready" checked');
  });
});
