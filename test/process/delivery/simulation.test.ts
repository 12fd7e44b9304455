import { describe, expect, it } from 'vitest';
import { isSlow, runsOf } from '../../support/slow.ts';
import { simulationSchema } from '../../support/webhooks/simulation/schema.ts';
import { useSimulatedRuntime } from '../../support/webhooks/simulation/setup.ts';
import { simulateKills, simulateRun } from '../../support/webhooks/simulation/simulate.ts';
import { createSqliteD1 } from '../../support/webhooks/simulation/sqlite-d1.ts';

/** Number of simulated runs: twice those that find the rarest of the faults below. 10,000 take some minutes. */
const seeds = Number(process.env.SEEDS ?? runsOf(340, 40));

/** A database that runs other text than the program sends, and whether it was sent. */
function breakStatements(original: string, broken: string) {
  let isReplaced = false;
  const db = createSqliteD1(simulationSchema, (sql) => {
    isReplaced ||= sql.includes(original);
    return sql.replace(original, broken);
  });
  return { db, wasReplaced: () => isReplaced };
}

useSimulatedRuntime();

describe('the simulated delivery', () => {
  it(
    `fault 73: keeps all invariants in ${seeds} runs with failures, crashes and stalls at every failpoint`,
    { timeout: 1_800_000 },
    async () => {
      const db = createSqliteD1(simulationSchema);
      const met: Record<string, number> = {};
      let arrivals = 0;
      for (let seed = 1; seed <= seeds; seed += 1) {
        const run = await simulateRun(seed, db);
        expect(run.violations).toEqual([]);
        arrivals += run.arrivals;
        for (const [name, count] of Object.entries(run.outcomeCounts))
          met[name] = (met[name] ?? 0) + count;
      }
      const outcomes = ['fails', 'dies', 'freezes'].flatMap((outcome) => [
        `${outcome} before`,
        `${outcome} after`,
      ]);
      const failpoints = ['database', 'queue', 'receiver'];
      const expected = failpoints.flatMap((point) =>
        outcomes.map((outcome) => `${point} ${outcome}`),
      );
      expect(Object.keys(met).toSorted()).toEqual(expected.toSorted());
      process.stdout.write(`${seeds} seeds, ${arrivals} requests, ${JSON.stringify(met)}\n`);
    },
  );

  it.skipIf(isSlow)('repeats a run exactly from its seed', async () => {
    const db = createSqliteD1(simulationSchema);
    for (const seed of [1, 2, 3, 4, 5]) {
      const [first, second] = [await simulateRun(seed, db), await simulateRun(seed, db)];
      expect(second).toEqual(first);
      expect(first.trace.length).toBeGreaterThan(0);
    }
  });

  const lives = runsOf(1_000, 20);

  it(`fault 13: attempts every event by the second sweep after three kills of the whole process, in ${lives} runs`, async () => {
    const db = createSqliteD1(simulationSchema);
    const bySweep: Record<number, number> = {};
    for (let seed = 1; seed <= lives; seed += 1) {
      const { violations, sweeps } = await simulateKills(seed, db);
      expect([seed, violations]).toEqual([seed, []]);
      bySweep[sweeps] = (bySweep[sweeps] ?? 0) + 1;
    }
    expect(Object.keys(bySweep)).toEqual(['1', '2']);
    process.stdout.write(`${lives} lives, by sweep ${JSON.stringify(bySweep)}\n`);
  });

  it.each([
    ['a lease that outlasts the sweep', 'set lease_until = ?', 'set lease_until = 60000 + ?'],
    [
      'a sweep that leaves what a killed worker leased',
      'and e.lease_until <= ?',
      'and e.lease_until = 0 * ?',
    ],
    [
      'a claim that outlasts the sweep',
      'd.state = 0)), ? + 20000, 0)',
      'd.state = 0)), ? + 140000, 0)',
    ],
  ])('finds late after kills: %s', async (_name, original, broken) => {
    const { db, wasReplaced } = breakStatements(original, broken);
    let sweeps = 0;
    for (let seed = 1; seed <= 60 && sweeps <= 2; seed += 1) {
      ({ sweeps } = await simulateKills(seed, db));
    }
    expect(wasReplaced()).toBe(true);
    expect(sweeps).toBeGreaterThan(2);
  });

  // Each with the first seed whose run shows it today; later ones follow it.
  it.runIf(isSlow).each([
    [
      'a release that ignores open deliveries',
      'select max(due_at, j.not_before, webhook_endpoints.lease_backoff_until)',
      'select null',
      2,
    ],
    [
      'a page that two workers claim',
      'd.seq > e.lease_claimed_seq and',
      'd.seq > e.lease_claimed_seq - 2 and',
      3,
    ],
    [
      'a lease that does not exclude others',
      'lease_until <= ? and next_attempt_at <= ?',
      '0 * ? = 0 and next_attempt_at <= ?',
      1,
    ],
    ['a claim that nobody finds', 'd.state = 0)) then ?', 'd.state = 0)) then ? * null', 88],
    [
      'a delivery that a request sends without a claim',
      'and d.state = 0)), ? + 20000, 0)',
      'and d.state = 0)), 0 * ?, 0)',
      166,
    ],
    ['a flush that loses results', 'set state = j.state', 'set state = 0', 1],
    [
      'a sequence number that is skipped',
      'set last_seq = last_seq + ',
      'set last_seq = last_seq + 1 + ',
      1,
    ],
    [
      'deliveries out of order',
      'order by due_at, seq\n        limit',
      'order by seq desc\n        limit',
      3,
    ],
  ])('detects %s', async (_name, original, broken, first) => {
    const { db, wasReplaced } = breakStatements(original, broken);
    const violations: string[] = [];
    for (let seed = first; seed < first + 200 && violations.length === 0; seed += 1) {
      const run = await simulateRun(seed, db).catch((error: unknown) => ({
        violations: [String(error)],
      }));
      violations.push(...run.violations);
    }
    expect(wasReplaced()).toBe(true);
    expect(violations).not.toEqual([]);
  });
});
