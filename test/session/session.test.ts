import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/crypto/sha256.ts';
import { endOf } from '../../src/session/current-person.ts';
import { purge } from '../../src/session/purge.ts';
import { networkOf } from '../../src/session/throttle.ts';
import { withParameter } from '../../src/session/with-parameter.ts';
import { Browser } from '../support/browser.ts';
import { counting } from '../support/counted.ts';
import { store } from '../support/store.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

async function rowOf(browser: Browser) {
  const idHash = await sha256(browser.cookies.get('__Host-session') ?? '');
  return env.DIRECTORY.prepare('select * from sessions where id_hash = ?')
    .bind(idHash)
    .first<{ seen_at: number; expires_at: number }>();
}

describe('a session', () => {
  it('ends after 12 hours without use and after 7 days with it', () => {
    expect(endOf(0, 0)).toBe(12 * hour);
    expect(endOf(0, 6 * day)).toBe(6 * day + 12 * hour);
    expect(endOf(0, 7 * day - hour)).toBe(7 * day);
  });

  it('is moved by use, at most once in five minutes', async () => {
    const { userId } = await store();
    const now = Date.now();
    const quiet = await new Browser().signedIn(userId, now - 4 * minute);
    const before = await rowOf(quiet);
    await quiet.get('/account');
    expect(await rowOf(quiet)).toEqual(before);

    const started = now - 6 * minute;
    const used = await new Browser().signedIn(userId, started);
    await used.get('/account');
    const after = await rowOf(used);
    expect(after?.seen_at).toBeGreaterThanOrEqual(now);
    expect(after?.expires_at).toBe((after?.seen_at ?? 0) + 12 * hour);
  });

  it('that is over signs nobody in, and goes with the next run of cron', async () => {
    const { userId } = await store();
    const now = Date.now();
    const over = await new Browser().signedIn(userId, now - 2 * hour);
    const alive = await new Browser().signedIn(userId, now);
    expect((await over.get('/account')).text).toContain('E-mail address');
    await purge(env.DIRECTORY, now);
    expect(await rowOf(over)).toBeNull();
    expect(await rowOf(alive)).not.toBeNull();
  });

  it('is not looked for when a browser brings no cookie, or one that is none of ours', async () => {
    const cost = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
    const browser = new Browser();
    browser.bindings = { DIRECTORY: counting(env.DIRECTORY, cost) };
    await browser.get('/session');
    browser.cookies.set('__Host-session', 'x'.repeat(44));
    await browser.get('/session');
    expect(cost.trips).toBe(0);
  });
});

describe('purge', () => {
  it('keeps failures that still count, takes away the others, and never rejects', async () => {
    const now = Date.now();
    const rows = [
      ['old', now - 2 * hour, 0],
      ['waiting', now - 2 * hour, now + minute],
      ['fresh', now - minute, 0],
    ] as const;
    const name = crypto.randomUUID();
    const insert = env.DIRECTORY.prepare('insert into sign_in_failures values (?, 1, ?, ?)');
    await env.DIRECTORY.batch(rows.map(([key, ...rest]) => insert.bind(key + name, ...rest)));
    await purge(env.DIRECTORY, now);
    const left = await env.DIRECTORY.prepare(
      'select key from sign_in_failures where instr(key, ?) order by key',
    )
      .bind(name)
      .all();
    expect(left.results).toEqual([{ key: `fresh${name}` }, { key: `waiting${name}` }]);
    await expect(purge({} as D1Database, now)).resolves.toBeUndefined();
  });

  it('takes a thousand rows at a time', async () => {
    const now = Date.UTC(2020, 0, 1);
    const { userId } = await store();
    await env.DIRECTORY.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500)
       insert into sessions select 'bulk-' || ?1 || '-' || i, ?1, 0, 0, ?2 from n`,
    )
      .bind(userId, now - 1)
      .run();
    const left = async () =>
      (await env.DIRECTORY.prepare('select count(*) as n from sessions where user_id = ?')
        .bind(userId)
        .first<{ n: number }>())!.n;
    await purge(env.DIRECTORY, now);
    expect(await left()).toBe(500);
    await purge(env.DIRECTORY, now);
    expect(await left()).toBe(0);
  });
});

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:2::9', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('%s is of %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('withParameter', () => {
  it.each([
    ['/a', 'lang', 'es', '/a?lang=es'],
    ['/a?b=%2f&lang=en&c', 'lang', 'es', '/a?b=%2f&c&lang=es'],
    ['/a?lang=en', 'lang', undefined, '/a'],
    ['/a?b=1?2', 'lang', undefined, '/a?b=1?2'],
    ['/a?b=1', 'store', 'x&y', '/a?b=1&store=x%26y'],
  ])('%s with %s = %s is %s', (path, name, value, expected) => {
    expect(withParameter(path, name, value)).toBe(expected);
  });
});
