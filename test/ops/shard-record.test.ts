import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { recordThisShard } from '../../src/ops/shard-record.ts';
import { callWithBindings } from '../support/api/measure.ts';
import { fakeDatabase } from '../support/fakes/fake-database.ts';
import '../support/fixtures/first-shard.ts';
import { createTestStore } from '../support/fixtures/store.ts';

const gigabyte = 1_000_000_000;
const number = 4_711;

/** A shard database of a size, whose busiest store kept it at work for some milliseconds. */
const databaseOf = (bytes: number, ms: number) => {
  const loads = ms === 0 ? [] : [{ store: 7, ms, total: ms * 2 }];
  return {
    prepare: () => ({ bind: () => ({}) }),
    batch: () =>
      Promise.resolve([
        { results: [{ number, stores: 1 }], meta: { size_after: bytes } },
        { results: loads, meta: {} },
        { results: [], meta: {} },
      ]),
  } as unknown as D1Database;
};

/** Records the shard at an hour of a day, in the minute of this shard. Returns the alerts. */
async function recordAt(hour: number, bytes: number, ms = 0) {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const now = Date.UTC(2031, 2, 5, hour, number % 60);
  await recordThisShard({
    env,
    shard: number,
    db: databaseOf(bytes, ms),
    now: () => now,
    hasTime: () => true,
  });
  const lines = error.mock.calls.map(([line]) => JSON.parse(String(line)));
  error.mockRestore();
  return lines.map(({ event, alert, percent, days }) => [event, alert, percent ?? days]);
}

describe('the size of a shard', () => {
  it('alerts once when it passes 70 and 85 %, and again on each day', async () => {
    await env.DIRECTORY.prepare(
      `insert into shards (number, state) values (?, 2) on conflict do nothing`,
    )
      .bind(number)
      .run();
    const alerts = [];
    for (const [hour, size] of [
      [20, 6.9],
      [21, 7.2],
      [22, 7.3],
      [23, 8.6],
      [0, 8.7],
      [1, 8.7],
    ] as const) {
      const all = await recordAt(hour, size * gigabyte);
      alerts.push(all.filter(([event]) => event === 'shard_nearly_full'));
    }
    const alertOf = (percent: number) => [['shard_nearly_full', true, percent]];
    expect(alerts).toEqual([[], alertOf(72), [], alertOf(86), alertOf(87), []]);
    const row = await env.DIRECTORY.prepare('select bytes from shards where number = ?')
      .bind(number)
      .first('bytes');
    expect(row).toBe(8.7 * gigabyte);
  });

  it('alerts 45 days before the shard is full, once, and again on each day', async () => {
    await env.DIRECTORY.prepare(
      'update shards set bytes = 0, growth = 0, seen_at = 0 where number = ?',
    )
      .bind(number)
      .run();
    const alerts = [];
    for (const [hour, size] of [
      [1, 2],
      [2, 2.35],
      [3, 3.7],
      [4, 3.71],
      [0, 3.71],
    ] as const) {
      alerts.push(await recordAt(hour, size * gigabyte));
    }
    // 6.3 GB are free; the growth of 1.7 GB counts a seventh in the mean of a week.
    expect(alerts).toEqual([
      [],
      [],
      [['shard_full_soon', true, 25]],
      [],
      [['shard_full_soon', true, expect.any(Number)]],
    ]);
  });

  it('alerts of 45 days, and not of 46', async () => {
    const alertsAt = async (days: number) => {
      // An hour without growth takes a 168th off the mean of a week.
      const growth = Math.round(((9 * gigabyte) / days) * (168 / 167));
      const seenAt = Date.UTC(2031, 2, 4, 23, number % 60);
      await env.DIRECTORY.prepare(
        'update shards set bytes = ?, growth = ?, seen_at = ? where number = ?',
      )
        .bind(gigabyte, growth, seenAt, number)
        .run();
      return recordAt(0, gigabyte);
    };
    expect(await alertsAt(45.5)).toEqual([['shard_full_soon', true, 45]]);
    expect(await alertsAt(46.5)).toEqual([]);
  });
});

describe('the load of a shard', () => {
  it('is the share of the last hour in which requests kept it at work, and a busy store alerts', async () => {
    await env.DIRECTORY.prepare(
      'update shards set bytes = 0, growth = 0, seen_at = 0, load = 0 where number = ?',
    )
      .bind(number)
      .run();
    const hour = 3_600_000;
    const loads = [];
    const alerts = [];
    for (const [at, share] of [
      [1, 0.9],
      [2, 0.29],
      [3, 0.3],
      [4, 0.8],
      [5, 0],
    ] as const) {
      alerts.push(await recordAt(at, 1_000, share * hour));
      loads.push(
        await env.DIRECTORY.prepare('select load from shards where number = ?')
          .bind(number)
          .first('load'),
      );
    }
    // Nobody knows how long the time before the first record was.
    expect(loads).toEqual([0, 580, 600, 1_000, 0]);
    const busy = (percent: number) => [['store_busy', true, percent]];
    expect(alerts).toEqual([[], [], busy(30), busy(80), []]);
  });

  it('is counted by the successes that the log samples, and begins anew with each record', async () => {
    const store = await createTestStore({ shard: 0 });
    let added = 0;
    // Counted on its way, since other files record this shard, too.
    const prepare = (sql: string): D1PreparedStatement => {
      const statement = env.STORE_0.prepare(sql);
      if (!sql.startsWith('insert into store_loads')) return statement;
      const bind = (...values: unknown[]) => {
        if (values[0] === store.id) added += Number(values[1]);
        return statement.bind(...values);
      };
      return new Proxy(statement, {
        get: (_, name) => (name === 'bind' ? bind : Reflect.get(statement, name)),
      });
    };
    const STORE_0 = fakeDatabase({
      prepare,
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await env.STORE_0.batch(statements);
        return results.map((result) => ({ ...result, meta: { ...result.meta, duration: 2 } }));
      },
    });
    const random = vi.spyOn(Math, 'random');
    const bindings = { STORE_0, SUCCESSES_PER_ROW: '100' } as unknown as Partial<Env>;
    const msOf = () =>
      env.STORE_0.prepare('select ms from store_loads where store_id = ?')
        .bind(store.id)
        .first('ms');
    // An isolate stores a number of rows in a minute, and files of tests share it: this minute has
    // none yet.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    for (const value of [0.5, 0.001, 0.001]) {
      random.mockReturnValue(value);
      await callWithBindings(store, 'GET /catalog/brands/1', undefined, bindings);
      await callWithBindings(store, 'GET /config/settings', undefined, bindings);
    }
    vi.useRealTimers();
    random.mockRestore();
    // The guard and the record, twice. A refusal is no part of the sample.
    expect(added).toBe(2 * 2 * 2 * 100);
    const now = Date.UTC(2031, 2, 5, 7, 0);
    await recordThisShard({ env, shard: 0, db: env.STORE_0, now: () => now, hasTime: () => true });
    expect(await msOf()).toBeNull();
  });
});
