import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { runScheduledTasks } from '../../src/app/cron.ts';
import { seal } from '../../src/base/crypto/seal.ts';
import { settingsOf } from '../../src/base/settings.ts';
import { openDatabase } from '../../src/data/core/open-database.ts';
import type { MailData, MailKind } from '../../src/mail/kinds.ts';
import {
  insertMail,
  insertMailToMembers,
  mailSealContext,
  prepareMail,
  type PreparedMail,
} from '../../src/mail/outbox.ts';
import type { RenderedMail } from '../../src/mail/render.tsx';
import { type MailSender, sendDueMails, type SendResult } from '../../src/mail/send-mail.ts';
import { handleMailWakeups } from '../../src/ops/outbox-queue.ts';
import { countingDatabase, noCost } from '../support/api/measure.ts';
import { deployedEnv } from '../support/fixtures/deployed-env.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { sentMails } from '../support/mail.ts';

const directory = openDatabase(env.DIRECTORY);
const settings = settingsOf(env);
const minute = 60_000;
const day = 24 * 60 * minute;
const start = Date.UTC(2040, 0, 1);
const link = `${settings.linkOrigin}/invitations/secret-token`;

const newAddress = () => `${crypto.randomUUID().slice(0, 8)}@mail.test`;

/**
 * A sender that keeps what it is given, and answers with the results one after the other; the last
 * one stays.
 */
function fakeSender(...results: SendResult[]): MailSender & { mails: RenderedMail[] } {
  const mails: RenderedMail[] = [];
  return {
    mails,
    send: (mail) => {
      mails.push(mail);
      return Promise.resolve(
        (results.length > 1 ? results.shift() : results[0]) ?? { outcome: 'sent' },
      );
    },
  };
}

/** Puts a mail into the outbox. */
async function post<K extends MailKind>(
  kind: K,
  data: MailData[K],
  to: { address: string; userId?: number; name?: string },
  { at = start, key }: { at?: number; key?: string } = {},
) {
  const mail = await prepareMail(settings, { kind, data, ...(key && { key }) });
  await directory.batch([
    insertMail(directory, mail as PreparedMail<never>, { ...to, language: 'en' }, at),
  ]);
}

const run = (sender: MailSender, at = start) => sendDueMails(env, { now: () => at, sender });

const failed: SendResult = { outcome: 'retry', code: 'E_INTERNAL_SERVER_ERROR' };

beforeEach(async () => {
  // Other files put mails into the same outbox.
  await env.DIRECTORY.prepare('update mails set due_at = null where due_at is not null').run();
});

describe('sending', () => {
  it('sends a mail once, to its address, with its key', async () => {
    const address = newAddress();
    await post('password_reset', { link }, { address, name: 'Ana' }, { key: `key-${address}` });
    const sender = fakeSender();
    expect(await run(sender)).toEqual({ sent: 1, hasMore: false });
    expect(await run(sender, start + day)).toEqual({ sent: 0, hasMore: false });
    expect(sender.mails).toMatchObject([
      { key: `key-${address}`, to: { email: address, name: 'Ana' } },
    ]);
    expect(sender.mails[0]?.text).toContain(link);
    expect(sender.mails[0]?.html).toContain(link);
  });

  it('sends a mail once that its cause wrote twice', async () => {
    const address = newAddress();
    for (const _ of [1, 2])
      await post('password_changed', {}, { address }, { key: `twice-${address}` });
    const sender = fakeSender();
    await run(sender);
    expect(sender.mails).toHaveLength(1);
  });

  it('sends each mail once in eight runs side by side', async () => {
    const addresses = Array.from({ length: 40 }, newAddress);
    await Promise.all(addresses.map((address) => post('password_changed', {}, { address })));
    const sender = fakeSender();
    await Promise.all(Array.from({ length: 8 }, () => run(sender)));
    expect(sender.mails.map(({ to }) => to.email).sort()).toEqual(addresses.sort());
  });

  it('sends again, with the same key, what a run leased and never recorded', async () => {
    const address = newAddress();
    await post('password_changed', {}, { address });
    const lost: MailSender = { send: () => Promise.reject(new Error('the isolate ended')) };
    await expect(run(lost)).rejects.toThrow('the isolate ended');
    const sender = fakeSender();
    expect((await run(sender, start + 4 * minute)).sent).toBe(0);
    expect((await run(sender, start + 6 * minute)).sent).toBe(1);
  });

  it('tries again after a minute, then later and later, and gives up after three days', async () => {
    const address = newAddress();
    await post('password_changed', {}, { address });
    const sender = fakeSender(failed);
    const attempts: number[] = [];
    for (let at = start; at < start + 4 * day;) {
      const before = sender.mails.length;
      await run(sender, at);
      if (sender.mails.length > before) attempts.push((at - start) / minute);
      // Cron runs more often; later attempts are hours apart.
      at += attempts.length < 5 ? 10 * minute : 60 * minute;
    }
    expect(attempts.slice(0, 5)).toEqual([0, 10, 20, 40, 100]);
    expect(attempts.at(-1)).toBeGreaterThan(2.5 * 24 * 60);
    const [mail] = await sentMails(address);
    expect(mail?.dropped).toBe('too_late');
  });

  it('needs one round trip when nothing is due, and reads as little beside a thousand mails that were sent', async () => {
    await env.DIRECTORY.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
       insert into mails (key, kind, language, to_address, data, created_at, sent_at)
       select 'kept-' || i, 'sign_up', 'en', 'kept@mail.test', '', ?1, ?1 from n`,
    )
      .bind(start)
      .run();
    const options = { now: () => start, sender: fakeSender(), isSweep: true };
    // Files of one isolate share the directory: mails of other files go first, a number of them at
    // a time.
    let cost = noCost();
    for (let run = 0; run < 20; run += 1) {
      cost = noCost();
      const DIRECTORY = countingDatabase(env.DIRECTORY, cost);
      await sendDueMails({ ...env, DIRECTORY }, options);
      if (cost.rowsWritten === 0) break;
    }
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(cost.rowsRead).toBeLessThan(12);
  });
});

describe('without a sender', () => {
  it.each([
    ['no binding', { ...env, EMAIL: undefined }],
    ['no sender address', { ...env, MAIL_FROM: '' }],
  ])('mails wait (%s) and are sent once there is one', async (_, bindings) => {
    const address = newAddress();
    await post('password_changed', {}, { address });
    expect(await sendDueMails(bindings as Env, { now: () => start })).toEqual({
      sent: 0,
      hasMore: false,
    });
    const sender = fakeSender();
    expect((await run(sender)).sent).toBe(1);
  });

  it('sends by the binding of the platform, in its simulation', async () => {
    const address = newAddress();
    await post('password_changed', {}, { address, name: 'José "Zé"\r\nBcc: x@evil.test' });
    expect(await sendDueMails(env, { now: () => start })).toEqual({ sent: 1, hasMore: false });
  });
});

describe('unsent mails', () => {
  it('an address that the platform no longer sends to gets resets and nothing else', async () => {
    const address = newAddress();
    await post('password_changed', {}, { address });
    await run(fakeSender({ outcome: 'bounced', code: 'E_RECIPIENT_SUPPRESSED' }));
    await post('password_changed', {}, { address: address.toUpperCase() });
    await post('password_reset', { link }, { address });
    const sender = fakeSender();
    await run(sender);
    expect(sender.mails.map(({ subject }) => subject)).toEqual(['Choose a new password']);
    expect((await sentMails(address)).map(({ kind, dropped }) => [kind, dropped])).toEqual([
      ['password_reset', null],
      ['password_changed', 'bounce'],
      ['password_changed', 'bounce'],
    ]);
  });

  it('a user gets what they did not switch off, and always what is about security', async () => {
    const { userId } = await createTestStore();
    const address = newAddress();
    const setUser = (allows: number, muted: string[]) =>
      env.DIRECTORY.prepare(
        'update users set allow_notifications = ?, muted_mails = ? where id = ?',
      )
        .bind(allows, JSON.stringify(muted), userId)
        .run();
    const postThree = async () => {
      await post(
        'webhook_failing',
        { store: 'Nova', host: 'a.test', hours: 24 },
        { address, userId },
      );
      await post('export_ready', { store: 'Nova', link }, { address, userId });
      await post('password_changed', {}, { address, userId });
    };
    const sender = fakeSender();
    await setUser(1, ['webhook_failing']);
    await postThree();
    await run(sender);
    expect(sender.mails).toHaveLength(2);
    await setUser(0, []);
    await postThree();
    await run(sender);
    expect(sender.mails).toHaveLength(3);
    expect(sender.mails.at(-1)?.subject).toBe('Your password was changed');
  });

  it('an address gets 20 mails of a kind in an hour; the others wait', async () => {
    const address = newAddress();
    for (let count = 0; count < 23; count += 1) await post('sign_up_known', { link }, { address });
    const sender = fakeSender();
    for (let count = 0; count < 4; count += 1) await run(sender);
    expect(sender.mails.length).toBeGreaterThanOrEqual(20);
    expect(sender.mails.length).toBeLessThan(26);
    await post('password_reset', { link }, { address });
    await run(sender);
    expect(sender.mails.at(-1)?.subject).toBe('Choose a new password');
    await run(sender, start + 61 * minute);
    expect(sender.mails).toHaveLength(24);
  });

  it('a link to another host is never sent', async () => {
    const address = newAddress();
    await post('password_reset', { link: 'https://evil.test/x' }, { address });
    await post('password_reset', { link: '//evil.test/x' }, { address });
    await post('password_reset', { link: 'javascript:alert(1)' }, { address });
    const sender = fakeSender();
    await run(sender);
    expect(sender.mails).toEqual([]);
  });
});

describe('the outbox', () => {
  it('holds no link in clear, and in a deployment none at all once it is sent', async () => {
    const address = newAddress();
    await post('password_reset', { link }, { address });
    const dataOf = async () =>
      (await env.DIRECTORY.prepare('select data from mails where to_address = ?')
        .bind(address)
        .first<string>('data')) ?? undefined;
    const sealed = await dataOf();
    expect(sealed).toMatch(/^v2\./);
    const deployed = deployedEnv;
    const { sealingKeys } = settingsOf(deployed);
    await env.DIRECTORY.prepare('update mails set data = ? where to_address = ?')
      .bind(
        await seal(
          sealingKeys,
          JSON.stringify({ link: `${settingsOf(deployed).linkOrigin}/x` }),
          mailSealContext,
        ),
        address,
      )
      .run();
    const sender = fakeSender();
    await sendDueMails(deployed, { now: () => start, sender });
    expect(sender.mails).toHaveLength(1);
    expect(await dataOf()).toBe('');
  });

  it('writes one mail for each member with a role, in their language', async () => {
    const { id: storeId, userId, alias } = await createTestStore();
    await env.DIRECTORY.prepare(`update users set language = 'pt-BR' where id = ?`)
      .bind(userId)
      .run();
    const viewer = newAddress();
    const insertUser = (address: string, role: string) => [
      env.DIRECTORY.prepare(
        `insert into users (email, name, created_at, updated_at) values (?, 'V', 0, 0)`,
      ).bind(address),
      env.DIRECTORY.prepare(
        `insert into memberships (user_id, store_id, role, created_at)
         values ((select id from users where email = ?), ?, ?, 0)`,
      ).bind(address, storeId, role),
    ];
    const manager = newAddress();
    await env.DIRECTORY.batch([...insertUser(viewer, 'viewer'), ...insertUser(manager, 'manager')]);
    const mail = await prepareMail(settings, {
      kind: 'store_reactivated',
      data: { store: 'Nova' },
    });
    for (const _ of [1, 2]) {
      await directory.batch([
        insertMailToMembers(directory, mail, { storeId, roles: ['owner', 'manager'] }, start),
      ]);
    }
    expect(await sentMails(viewer)).toEqual([]);
    expect(await sentMails(manager)).toMatchObject([{ subject: 'A loja Nova está ativa de novo' }]);
    expect(await sentMails(`${alias}@store.test`)).toMatchObject([
      { subject: 'A loja Nova está ativa de novo', language: 'pt-BR' },
    ]);
  });

  it('cron sends a mail whose wake-up was lost', async () => {
    const address = newAddress();
    await post('password_changed', {}, { address }, { at: Date.now() - minute });
    await runScheduledTasks(env, Date.now());
    const sentAt = await env.DIRECTORY.prepare('select sent_at from mails where to_address = ?')
      .bind(address)
      .first<number>('sent_at');
    expect(sentAt).toBeGreaterThan(0);
  });

  it('the queue sends what is due, and confirms even if the database fails', async () => {
    const address = newAddress();
    await post('password_changed', {}, { address }, { at: Date.now() });
    let acknowledged = 0;
    const batch = {
      queue: 'mail',
      messages: [{ body: { v: 1 } }],
      ackAll: () => void (acknowledged += 1),
    } as unknown as MessageBatch;
    await handleMailWakeups(batch, { ...env, DIRECTORY: undefined } as unknown as Env);
    await handleMailWakeups(batch, env);
    const row = await env.DIRECTORY.prepare('select sent_at from mails where to_address = ?')
      .bind(address)
      .first<{ sent_at: number | null }>();
    expect(row?.sent_at).toBeGreaterThan(0);
    expect(acknowledged).toBe(2);
  });
});
