import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changing, consume } from '../support/simulation/actions.ts';
import { instantCrypto } from '../support/simulation/instant-crypto.ts';
import { rng } from '../support/simulation/rng.ts';
import { forget, judge, simulate } from '../support/simulation/simulate.ts';
import { sqliteD1 } from '../support/simulation/sqlite-d1.ts';
import { World } from '../support/simulation/world.ts';

/** How many lives are simulated; 10,000 take some minutes. */
const seeds = Number(process.env.SEEDS ?? 1_200);

const folder = 'drizzle/store';
const schema = [
  ...readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8')),
  'create table simulated_changes (number integer primary key)',
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  for (const level of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation(() => undefined);
  }
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the delivery, simulated', () => {
  it(
    `fault 73: ${seeds} seeds of failures, deaths and stops at every failpoint break no invariant`,
    { timeout: 1_800_000 },
    async () => {
      const db = sqliteD1(schema);
      const met: Record<string, number> = {};
      let arrivals = 0;
      for (let seed = 1; seed <= seeds; seed += 1) {
        const one = await simulate(seed, db);
        expect(one.violations).toEqual([]);
        arrivals += one.arrivals;
        for (const [name, count] of Object.entries(one.met)) met[name] = (met[name] ?? 0) + count;
      }
      const sides = ['fails', 'dies', 'freezes'].flatMap((fate) => [
        `${fate} before`,
        `${fate} after`,
      ]);
      const failpoints = ['database', 'queue', 'receiver'];
      const everything = failpoints.flatMap((point) => sides.map((side) => `${point} ${side}`));
      expect(Object.keys(met).toSorted()).toEqual(everything.toSorted());
      process.stdout.write(`${seeds} seeds, ${arrivals} requests, ${JSON.stringify(met)}\n`);
    },
  );

  it('fault 69: an event at any moment of a drain is delivered without cron, 10,000 times', async () => {
    const random = rng(69);
    using _crypto = instantCrypto(random);
    const db = sqliteD1(schema);
    const moments: Record<string, number> = {};
    for (let turn = 0; turn < 10_000; turn += 1) {
      await forget(db);
      const world = new World(db, random);
      await world.addEndpoint(random() < 0.5, 2);
      await world.invoke(changing(world));
      // The lease, one send, and the flush that gives the lane back: before or after each.
      let [left, moment] = [Math.floor(random() * 6), ''];
      world.meanwhile = async (failpoint, side) => {
        if (left === 0) {
          moment = `${side} ${failpoint}`;
          world.meanwhile = undefined;
          await world.begin(changing(world)).ended;
        }
        left -= 1;
      };
      for (let batch = 0; batch < 6; batch += 1) await consume(world, true);
      moments[moment] = (moments[moment] ?? 0) + 1;
      expect([await judge(world, true), world.arrivals.length]).toEqual([[], 2]);
    }
    expect(Object.keys(moments).toSorted()).toEqual([
      'after database',
      'after receiver',
      'before database',
      'before receiver',
    ]);
  });

  it('a seed repeats itself', async () => {
    const db = sqliteD1(schema);
    for (const seed of [1, 2, 3, 4, 5]) {
      const [one, other] = [await simulate(seed, db), await simulate(seed, db)];
      expect(other).toEqual(one);
      expect(one.trace.length).toBeGreaterThan(0);
    }
  });

  it.each([
    [
      'a release that forgets what is open',
      'select max(due_at, j.not_before, webhook_endpoints.lease_rest)',
      'select null',
    ],
    ['a page that two take', 'd.seq > e.lease_claimed and', 'd.seq > e.lease_claimed - 2 and'],
    ['a lease that is no lease', 'lease_until <= ?2 and wake_at <= ?2', 'wake_at <= ?2'],
    ['a flush that forgets what arrived', 'set state = j.state', 'set state = 0'],
    ['a number that is given twice', 'set last_seq = last_seq + 1', 'set last_seq = last_seq + 2'],
    [
      'an order that is none',
      'order by due_at, seq\n        limit',
      'order by seq desc\n        limit',
    ],
  ])('finds %s', async (_name, ours, spoilt) => {
    let isSpoilt = false;
    const db = sqliteD1(schema, (sql) => {
      if (sql.includes(ours)) isSpoilt = true;
      return sql.replace(ours, spoilt);
    });
    const found: string[] = [];
    for (let seed = 1; seed <= 100 && found.length === 0; seed += 1) {
      const lives = await simulate(seed, db).catch((error: unknown) => ({
        violations: [String(error)],
      }));
      found.push(...lives.violations);
    }
    expect(isSpoilt).toBe(true);
    expect(found).not.toEqual([]);
  });
});
