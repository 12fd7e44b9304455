import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { recordThisShard } from '../../../src/platform/move/shard-record.ts';

const gigabyte = 1_000_000_000;
const number = 4_711;

/** A shard database of a size. */
const databaseOf = (bytes: number) =>
  ({
    prepare: () => ({
      bind: () => ({
        all: () =>
          Promise.resolve({ results: [{ number, stores: 1 }], meta: { size_after: bytes } }),
      }),
    }),
  }) as unknown as D1Database;

/** Records the shard at an hour of a day, in the minute of this shard. Returns the alerts. */
async function recordAt(hour: number, bytes: number) {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const now = Date.UTC(2031, 2, 5, hour, number % 60);
  await recordThisShard({
    env,
    shard: number,
    db: databaseOf(bytes),
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
      `insert into shards (number, region) values (?, 'weur') on conflict do nothing`,
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
});
