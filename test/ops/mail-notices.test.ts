import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../src/base/settings.ts';
import { shardBinding } from '../../src/data/core/open-database.ts';
import { mailNotices } from '../../src/ops/mail-notices.ts';
import { emptyOutboxes } from '../support/empty-outboxes.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { sentMails } from '../support/mail.ts';

emptyOutboxes();

const now = Date.UTC(2040, 0, 1);

const ownerOf = ({ alias }: TestStore) => `${alias}@store.test`;

/** The mails to the owner, without those about the new webhook of {@link fail}. */
const mailsToOwner = async (store: TestStore) =>
  (await sentMails(ownerOf(store))).filter(({ kind }) => kind !== 'webhook_destination');

/** Creates the mails of the notices in the shard of a store. */
const mailShard = (store: TestStore, bindings: Env = env) =>
  mailNotices({
    env: bindings,
    shard: store.shard,
    db: shardBinding(env, store.shard),
    now: () => now,
    hasTime: () => true,
  });

/** Writes what a trigger takes for a cause: a line of the audit, or a notice about a webhook. */
const record = ({ shard, id }: TestStore, action: string, clientId: string) =>
  shardBinding(env, shard)
    .prepare(
      `insert into store_audit (store_id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id)
       values (?, ?, 'system', '', '', ?, 'app', ?)`,
    )
    .bind(id, now, action, clientId)
    .run();

async function fail({ api, id, shard }: TestStore, kinds: readonly string[]) {
  const { body } = await api('POST /webhooks', {
    name: 'ERP',
    url: 'https://hooks.example.com/secret-path',
    events: ['product.created'],
  });
  const endpoint = body.data.id as number;
  await shardBinding(env, shard).batch(
    kinds.map((kind) =>
      shardBinding(env, shard)
        .prepare(
          'insert into webhook_notices (store_id, endpoint_id, kind, at) values (?, ?, ?, ?)',
        )
        .bind(id, endpoint, kind, now),
    ),
  );
}

describe('notices of shards', () => {
  it('a failing and a disabled webhook are reported to the owner, once, with its host only', async () => {
    const store = await createTestStore();
    await fail(store, ['failing_24h', 'failing_72h', 'disabled', 'throttled_24h', 'restored']);
    await mailShard(store);
    await mailShard(store);
    const mails = await mailsToOwner(store);
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'A webhook of Test Store has been failing for 24 hours',
      'A webhook of Test Store has been failing for 72 hours',
      'A webhook of Test Store was switched off',
    ]);
    for (const { text } of mails) expect(text).not.toContain('secret-path');
    expect(mails[0]?.text).toContain('hooks.example.com');
  });

  it('an app that is connected or disconnected is reported by its name', async () => {
    const store = await createTestStore();
    await record(store, 'app.connected', 'demo-unknown');
    await record(store, 'app.disconnected', 'demo-unknown');
    await record(store, 'settings.changed', 'demo-unknown');
    await mailShard(store);
    expect((await mailsToOwner(store)).map(({ kind }) => kind)).toEqual([
      'app_disconnected',
      'app_connected',
    ]);
  });

  it('a run that fails before it deletes the notices creates no second mail', async () => {
    const store = await createTestStore();
    await fail(store, ['disabled']);
    const db = shardBinding(env, store.shard);
    const broken = {
      prepare: (sql: string) => {
        if (sql.startsWith('delete')) throw new Error('Network connection lost.');
        return db.prepare(sql);
      },
      batch: (statements: D1PreparedStatement[]) => db.batch(statements),
    } as unknown as D1Database;
    const context = { env, shard: store.shard, now: () => now, hasTime: () => true };
    await expect(mailNotices({ ...context, db: broken })).rejects.toThrow();
    expect(await mailsToOwner(store)).toHaveLength(1);
    await mailShard(store);
    expect(await mailsToOwner(store)).toHaveLength(1);
    const { results } = await db
      .prepare('select 1 from store_notices where store_id = ?')
      .bind(store.id)
      .all();
    expect(results).toEqual([]);
  });

  it('a notice that is copied here with a moving store creates no mail', async () => {
    const store = await createTestStore();
    const other = shardBinding(env, 1 - store.shard);
    await other
      .prepare(
        `insert into webhook_notices (store_id, endpoint_id, kind, at) values (?, 1, 'disabled', ?)`,
      )
      .bind(store.id, now)
      .run();
    const { results } = await other
      .prepare('select 1 from store_notices where store_id = ?')
      .bind(store.id)
      .all();
    expect(results).toEqual([]);
  });
});

describe('bounces', () => {
  it('an address that another service reports gets no more mail', async () => {
    const { Reports } = await import('../../src/app/event-reports.ts');
    const { createExecutionContext } = await import('cloudflare:test');
    const reports = new Reports(createExecutionContext(), env);
    const address = `${crypto.randomUUID().slice(0, 8)}@Gone.test`;
    expect(await reports.mailBounced({ address, reason: 'bounce' })).toEqual({ ok: true });
    expect(await reports.mailBounced({ address, reason: 'complaint' })).toEqual({ ok: true });
    expect(await reports.mailBounced({ address, reason: 'bounce' })).toEqual({ ok: true });
    const row = await env.DIRECTORY.prepare(
      'select reason from blocked_addresses where address = ?',
    )
      .bind(address.toLowerCase())
      .first();
    expect(row).toEqual({ reason: 'complaint' });
    // @ts-expect-error A service may send anything.
    expect(await reports.mailBounced({ address: 'x', reason: 'spam' })).toEqual({
      ok: false,
      errors: ['address', 'reason'],
    });
  });
});

describe('/demo/mail', () => {
  const origin = 'http://localhost:8787';
  const get = (path: string) => exports.default.fetch(`${origin}${path}`);

  it('shows what was sent, newest first, as JSON, as a list and as the mail itself', async () => {
    const to = `${crypto.randomUUID().slice(0, 8)}@demo.test`;
    const { openDatabase } = await import('../../src/data/core/open-database.ts');
    const { insertMail, prepareMail } = await import('../../src/mail/outbox.ts');
    const { sendDueMails } = await import('../../src/mail/send-mail.ts');
    const directory = openDatabase(env.DIRECTORY);
    const link = `${settingsOf(env).linkOrigin}/password/reset?token=abc`;
    for (const content of [
      { kind: 'password_changed', data: {} },
      { kind: 'password_reset', data: { link } },
    ] as const) {
      const mail = await prepareMail(settingsOf(env), content);
      await directory.batch([
        insertMail(directory, mail as never, { address: to, language: 'es' }, Date.now()),
      ]);
      await sendDueMails(env, { now: Date.now });
    }
    const response = await get(`/demo/mail.json?to=${encodeURIComponent(to.toUpperCase())}`);
    const mails = await response.json<Record<string, string>[]>();
    expect(mails.map(({ kind }) => kind)).toEqual(['password_reset', 'password_changed']);
    expect(Object.keys(mails[0]!).sort()).toEqual(['at', 'html', 'kind', 'subject', 'text', 'to']);
    expect(mails[0]).toMatchObject({ to, subject: 'Elige una contraseña nueva' });
    expect(mails[0]?.['text']).toContain(link);
    const list = await (await get(`/demo/mail?to=${encodeURIComponent(to)}`)).text();
    expect(list).toContain('Elige una contraseña nueva');
    const [, path] = /href="(\/demo\/mail\/\d+)"/.exec(list) ?? [];
    const page = await get(path!);
    expect(await page.text()).toBe(mails[0]?.['html']);
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  });

  it('returns 404 for a mail that does not exist', async () => {
    expect((await get('/demo/mail/999999999')).status).toBe(404);
  });
});
