import { expect, it } from 'vitest';
import { hourMs, minuteMs } from '../../../src/base/durations.ts';
import { dayOf } from '../../support/webhooks/day/plans.ts';
import { accountsOf, assertAccounts, groupsOf } from '../../support/webhooks/day/report.ts';
import { runDay } from '../../support/webhooks/day/run-day.ts';

/** The hours of the campaign with its faults, for a tenth of the stores. */
const plan = dayOf(100, {
  stores: 5_000,
  simulated: { from: 20 * hourMs, until: 21.6 * hourMs },
});

it(
  'loses no event on a day with a stalled shard, a data centre that is down and a release, and delays no other shard',
  { timeout: 30 * minuteMs },
  async () => {
    const report = await runDay(plan);
    const accounts = accountsOf(report);
    expect(accounts.committed).toBeGreaterThan(1_500);
    expect(accounts).toMatchObject({ lost: 0, invented: 0, unfinished: 0 });
    expect(accounts.causes).not.toHaveProperty('unexplained');
    const groups = Object.fromEntries(groupsOf(report).map((group) => [group.name, group]));
    const calm = groups['without a fault'];
    expect(calm).toMatchObject({ late: 0, refused: 0 });
    for (const name of ['shard stalls: others of its queue', 'data centre down: the other one']) {
      expect(groups[name]?.events, name).toBeGreaterThan(50);
      expect(groups[name], name).toMatchObject({ late: 0, refused: 0 });
      expect(groups[name]?.p99, name).toBeLessThan(2 * (calm?.p99 ?? 0));
    }
    // The faults are real: what they touch is refused.
    expect(groups['shard stalls: the shard']?.refused).toBeGreaterThan(20);
    expect(groups['data centre down: its shards']?.refused).toBeGreaterThan(50);
  },
);

it(
  'tells a loss: without the sweep, nothing finds what a data centre that was down left',
  {
    timeout: 30 * minuteMs,
  },
  async () => {
    const report = await runDay(
      // Only what is under way when the data centre goes down can be lost.
      dayOf(100, { simulated: { from: 20.97 * hourMs, until: 21.05 * hourMs }, isSwept: false }),
    );
    expect(accountsOf(report).lost).toBeGreaterThan(0);
    expect(() => assertAccounts(report)).toThrow(/^100 shards: \d+ lost/);
  },
);
