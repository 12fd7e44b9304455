import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { withQueryParameter } from '../../../src/base/page-paths.ts';
import { purgeExpiredSessions } from '../../../src/ops/purge-directory.ts';
import { sessionExpiry } from '../../../src/web/sign-in/browser-session.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestStore } from '../../support/fixtures/store.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

async function sessionRow(browser: Browser) {
  const idHash = await sha256(browser.cookies.get('__Host-session') ?? '');
  return env.DIRECTORY.prepare('select * from sessions where id_hash = ?')
    .bind(idHash)
    .first<{ seen_at: number; expires_at: number }>();
}

describe('a session', () => {
  it('ends after 12 hours without use and after 7 days in any case', () => {
    expect(sessionExpiry(0, 0)).toBe(12 * hour);
    expect(sessionExpiry(0, 6 * day)).toBe(6 * day + 12 * hour);
    expect(sessionExpiry(0, 7 * day - hour)).toBe(7 * day);
  });

  it('is extended by use, at most once in five minutes', async () => {
    const { userId } = await createTestStore();
    const now = Date.now();
    const recent = await new Browser().signIn(userId, now - 4 * minute);
    const before = await sessionRow(recent);
    await recent.get('/account');
    expect(await sessionRow(recent)).toEqual(before);

    const started = now - 6 * minute;
    const used = await new Browser().signIn(userId, started);
    await used.get('/account');
    const after = await sessionRow(used);
    expect(after?.seen_at).toBeGreaterThanOrEqual(now);
    expect(after?.expires_at).toBe((after?.seen_at ?? 0) + 12 * hour);
  });

  it('does not sign in once it expired, and is deleted by the next run of cron', async () => {
    const { userId } = await createTestStore();
    const now = Date.now();
    const expired = await new Browser().signIn(userId, now - 2 * hour);
    const active = await new Browser().signIn(userId, now);
    expect((await expired.get('/account')).text).toContain('E-mail address');
    await purgeExpiredSessions(env.DIRECTORY, now);
    expect(await sessionRow(expired)).toBeNull();
    expect(await sessionRow(active)).not.toBeNull();
  });

  it('is not looked up without a cookie or with a malformed one', async () => {
    const cost = noCost();
    const browser = new Browser();
    browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
    await browser.get('/session');
    browser.cookies.set('__Host-session', 'x'.repeat(44));
    await browser.get('/session');
    expect(cost.roundTrips).toBe(0);
  });
});

describe('purgeExpiredSessions', () => {
  it('keeps failures that still count, deletes the others, and never rejects', async () => {
    const now = Date.now();
    const rows = [
      ['old', now - 25 * hour, 0],
      ['of today', now - 23 * hour, 0],
      ['waiting', now - 25 * hour, now + minute],
      ['fresh', now - minute, 0],
    ] as const;
    const name = crypto.randomUUID();
    const insert = env.DIRECTORY.prepare('insert into sign_in_failures values (?, 1, ?, ?)');
    await env.DIRECTORY.batch(rows.map(([key, ...rest]) => insert.bind(key + name, ...rest)));
    await purgeExpiredSessions(env.DIRECTORY, now);
    const remaining = await env.DIRECTORY.prepare(
      'select key from sign_in_failures where instr(key, ?) order by key',
    )
      .bind(name)
      .all();
    expect(remaining.results).toEqual([
      { key: `fresh${name}` },
      { key: `of today${name}` },
      { key: `waiting${name}` },
    ]);
    await expect(purgeExpiredSessions({} as D1Database, now)).resolves.toBeUndefined();
  });

  it('deletes everything that has expired, however much, in one run', async () => {
    const now = Date.UTC(2020, 0, 1);
    const { userId } = await createTestStore();
    await env.DIRECTORY.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500)
       insert into sessions (id_hash, user_id, created_at, seen_at, expires_at)
       select 'bulk-' || ?1 || '-' || i, ?1, 0, 0, ?2 from n`,
    )
      .bind(userId, now - 1)
      .run();
    const countSessions = async () =>
      (await env.DIRECTORY.prepare('select count(*) as n from sessions where user_id = ?')
        .bind(userId)
        .first<{ n: number }>())!.n;
    await purgeExpiredSessions(env.DIRECTORY, now);
    expect(await countSessions()).toBe(0);
  });
});

describe('withQueryParameter', () => {
  it.each([
    ['/a', 'lang', 'es', '/a?lang=es'],
    ['/a?b=%2f&lang=en&c', 'lang', 'es', '/a?b=%2f&c&lang=es'],
    ['/a?lang=en', 'lang', undefined, '/a'],
    ['/a?b=1?2', 'lang', undefined, '/a?b=1?2'],
    ['/a?b=1', 'store', 'x&y', '/a?b=1&store=x%26y'],
  ])('sets in %s the parameter %s to %s: %s', (path, name, value, expected) => {
    expect(withQueryParameter(path, name, value)).toBe(expected);
  });
});
