import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { withdrawApp } from '../../../src/data/directory/apps.ts';
import { declaredChanges } from '../../../src/data/shards/long-changes.ts';
import { findServiceHealth } from '../../../src/ops/service-health.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';

const operator = await createTestOperator();
const reason = 'Sends spam';

async function makeApp() {
  const clientId = `app-${crypto.randomUUID()}`;
  const now = Date.now();
  return (await env.DIRECTORY.prepare(
    `insert into apps (client_id, owner_id, name, publisher, redirect_uris, scopes, state, created_at, updated_at)
      values (?, ?, 'App', 'Publisher', '[]', 1, 'published', ?, ?) returning id, client_id as clientId`,
  )
    .bind(clientId, operator.userId, now, now)
    .first<{ id: number; clientId: string }>())!;
}

async function ask(request: string, body?: object) {
  const response = await operator.api(request, body);
  return { status: response.status, data: (response.body as { data: { state: string } }).data };
}

describe('the actions on an app', () => {
  it('disables it once, so that its partner cannot take that back, and gives it back as a draft', async () => {
    const { id, clientId } = await makeApp();
    const action = (name: string) => ask(`POST /operator/apps/${id}/${name}`, { reason });
    for (const { status, data } of await Promise.all([action('disable'), action('disable')])) {
      expect(status).toBe(200);
      expect(data).toMatchObject({ state: 'disabled', disabled_reason: reason });
    }
    const directory = openDatabase(env.DIRECTORY);
    await withdrawApp(directory, { clientId, state: 'draft', now: Date.now() });
    expect((await ask(`GET /operator/apps/${id}`)).data.state).toBe('disabled');
    for (const { data } of [await action('enable'), await action('enable')]) {
      expect(data).toMatchObject({ state: 'draft', disabled_reason: null });
    }
    const { results } = await env.DIRECTORY.prepare(
      "select action from audit where target_kind = 'app' and target_id = ? order by id",
    )
      .bind(clientId)
      .all<{ action: string }>();
    expect(results.map(({ action }) => action)).toEqual(['app.disabled', 'app.enabled']);
    const partner = await env.DIRECTORY.prepare('select email from users where id = ?')
      .bind(operator.userId)
      .first<string>('email');
    const told = await sentMails(partner ?? '', 'app_disabled');
    expect(told.filter(({ text }) => text.includes(reason))).toHaveLength(1);
  });

  it('finds apps by client id, and returns 400 for an unknown state', async () => {
    const { id, clientId } = await makeApp();
    const { body } = await operator.api(`GET /operator/apps?client_id=${clientId}&state=published`);
    expect(body).toMatchObject({ data: [{ id, partner_id: operator.userId }] });
    expect((await ask('GET /operator/apps?state=lost')).status).toBe(400);
  });
});

describe('GET /operator/health', () => {
  it('returns 200 with every database and what waits', async () => {
    const { body } = await operator.api('GET /operator/health');
    expect(body).toMatchObject({ data: { mail: { configured: true }, jobs: {} } });
    expect(body.data.copies).toEqual({ configured: false, late: 0 });
    // An alarm that is always on is none.
    expect(body.data.problems).not.toContainEqual(expect.stringMatching(/outside the account/));
  });

  it('shows how far each long change of the release is, as its page does', async () => {
    await env.DIRECTORY.prepare(
      'insert into shards (number) values (0), (1) on conflict do nothing',
    ).run();
    await createTestStore({ shard: 0 });
    await createTestStore({ shard: 1 });
    const name = declaredChanges[0]!.name;
    const set = (db: D1Database, finishedAt: number | null) =>
      db
        .prepare(
          'insert or replace into long_changes (name, rows, started_at, finished_at) values (?, 7, 1, ?)',
        )
        .bind(name, finishedAt)
        .run();
    await set(env.STORE_0, 2);
    await set(env.STORE_1, null);
    const { body } = await operator.api('GET /operator/health');
    const change = body.data.changes.find((one: { name: string }) => one.name === name);
    expect(change.unfinished).toContain(1);
    expect(change.unfinished).not.toContain(0);
    expect(change.rows).toBeGreaterThanOrEqual(14);
    const page = await (await new Browser().signIn(operator.userId)).get('/operator');
    expect(page.text).toContain('Long changes of this release');
    expect(page.html).toContain(`<code>${name}</code>`);
    await set(env.STORE_1, 2);
  });

  it('shows the databases whose long changes fail', async () => {
    const name = declaredChanges[0]!.name;
    const number = 77_101;
    const jobs = (sql: string) => env.DIRECTORY.prepare(sql).bind(number).run();
    // No database: its sweep never runs.
    await jobs('insert into shards (number, state) values (?, 2) on conflict do nothing');
    const isFailing = async () => {
      const { body } = await operator.api('GET /operator/health');
      const found = body.data.changes.find((one: { name: string }) => one.name === name);
      return found.failing.includes(number);
    };
    expect(await isFailing()).toBe(false);
    await jobs(
      "insert into jobs (kind, shard, requested_by, created_at, due_at, error) values ('shard_change', ?, 0, 1, 8e12, 'will_be_tried_again')",
    );
    expect(await isFailing()).toBe(true);
    await jobs('delete from jobs where shard = ?');
    await jobs('delete from shards where number = ?');
  });

  it('counts stores and bytes as they are now, before they were ever recorded', async () => {
    await env.DIRECTORY.prepare(
      'insert into shards (number) values (0), (1) on conflict do nothing',
    ).run();
    const directory = openDatabase(env.DIRECTORY);
    const storesOf = async () =>
      (await findServiceHealth(env, directory, { now: Date.now() })).shards.map(
        ({ stores }) => stores,
      );
    const before = await storesOf();
    await createTestStore({ shard: 0 });
    const after = await storesOf();
    expect(after[0]).toBe((before[0] ?? 0) + 1);
    const { shards } = await findServiceHealth(env, directory, { now: Date.now() });
    expect(shards[0]?.bytes).toBeGreaterThan(4_096);
  });

  it('is no warning between two hourly records, and one when a record is missing', async () => {
    const now = Date.now();
    const problemsAfter = async (minutes: number) => {
      await env.DIRECTORY.prepare('update shards set seen_at = ? where number = 0')
        .bind(now - minutes * 60_000)
        .run();
      return (await findServiceHealth(env, openDatabase(env.DIRECTORY), { now })).problems;
    };
    const unswept = 'Database 0 has had no upkeep for more than an hour.';
    for (const minutes of [0, 11, 59, 69])
      expect(await problemsAfter(minutes)).not.toContain(unswept);
    expect(await problemsAfter(71)).toContain(unswept);
    await problemsAfter(0);
  });

  it('is of 100 databases at a time by API and page, and judges the others by what the directory knows', async () => {
    const from = 88_000;
    const insert = (first: number, last: number, columns: string) =>
      env.DIRECTORY.prepare(
        `with recursive n(number) as (select ${first} union all select number + 1 from n where number < ${last})
         insert into shards (number, state, ${columns} from n`,
      ).run();
    await insert(from, from + 99, 'bytes) select number, 2, 0');
    await insert(from + 100, from + 100, 'bytes, seen_at) select number, 2, 9000000000, 1');
    const path = `GET /operator/health?from_shard=${from}`;
    const { data } = (await operator.api(path)).body;
    expect(data.shards.map(({ shard }: { shard: number }) => shard)).toEqual(
      Array.from({ length: 100 }, (_, n) => from + n),
    );
    expect(data.next_shard).toBe(from + 100);
    expect(data.problems).toContain(`Database ${from} does not respond.`);
    expect(data.problems).toContain(`Database ${from + 100} is nearly full: move stores away.`);
    expect(data.problems).toContain(
      `Database ${from + 100} has had no upkeep for more than an hour.`,
    );
    expect(data.problems).not.toContain(`Database ${from + 100} does not respond.`);
    const last = (await operator.api(`GET /operator/health?from_shard=${from + 100}`)).body.data;
    expect([last.shards.length, last.next_shard]).toEqual([1, null]);
    expect((await operator.api('GET /operator/health?from_shard=x')).status).toBe(400);

    const browser = await new Browser().signIn(operator.userId);
    const first = await browser.get(`/operator?from_shard=${from}`);
    expect(first.html).toContain(`href="/operator?from_shard=${from + 100}" rel="next"`);
    const next = await browser.get(`/operator?from_shard=${from + 100}`);
    expect(next.html).not.toContain('rel="next"');
    await env.DIRECTORY.prepare('delete from shards where number >= ?').bind(from).run();
  });

  it('names a database that does not respond instead of failing', async () => {
    await env.DIRECTORY.prepare(
      'insert into shards (number) values (0), (1) on conflict do nothing',
    ).run();
    const batch = () => Promise.reject(new Error('D1_ERROR: Network connection lost.'));
    const broken = new Proxy(env.STORE_1, {
      get: (target, name) => (name === 'batch' ? batch : (Reflect.get(target, name) as unknown)),
    });
    const directory = openDatabase(env.DIRECTORY);
    const now = Date.now();
    const whole = await findServiceHealth(env, directory, { now });
    const health = await findServiceHealth({ ...env, STORE_1: broken }, directory, { now });
    expect(health.status).toBe('attention');
    expect(health.problems).toContain('Database 1 does not respond.');
    // Files share the databases, so other tests may have created work that waits.
    const withoutBroken = ({ shards }: typeof health) => shards.filter(({ shard }) => shard !== 1);
    expect(withoutBroken(health)).toEqual(withoutBroken(whole));
    expect(health.shards.slice(0, 2)).toMatchObject([
      { shard: 0, state: 'ok', backlog: expect.any(Number) },
      { shard: 1, state: 'failed', backlog: null, oldest_seconds: null, timers_late_seconds: null },
    ]);
  });
});
