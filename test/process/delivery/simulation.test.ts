import { describe, expect, it } from 'vitest';
import { eventNames } from '../../../src/data/grants/event-catalogue.ts';
import { archiveBodies } from '../../../src/webhooks/archive/archive-store.ts';
import { readFeed } from '../../../src/webhooks/events/feed.ts';
import { isSlow, runsOf } from '../../support/slow.ts';
import { createChange } from '../../support/webhooks/simulation/actions.ts';
import { faults, type FailpointOutcome } from '../../support/webhooks/simulation/process.ts';
import { simulationSchema } from '../../support/webhooks/simulation/schema.ts';
import { seededRandom } from '../../support/webhooks/simulation/seeded-random.ts';
import { useSimulatedRuntime } from '../../support/webhooks/simulation/setup.ts';
import {
  simulateKills,
  simulateRun,
  clearTables,
} from '../../support/webhooks/simulation/simulate.ts';
import { createSqliteD1 } from '../../support/webhooks/simulation/sqlite-d1.ts';
import { useSynchronousCrypto } from '../../support/webhooks/simulation/synchronous-crypto.ts';
import { SimulatedWorld } from '../../support/webhooks/simulation/world.ts';

/**
 * Number of simulated runs: twice those that find the rarest of the faults below. 10,000 take some
 * minutes.
 */
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
      'and endpoint.lease_until <= ?',
      'and endpoint.lease_until = 0 * ?',
    ],
    [
      'a claim that outlasts the sweep',
      'state = 0)), ? + 20000, 0)',
      'state = 0)), ? + 140000, 0)',
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
      'select max(due_at, result.not_before, webhook_endpoints.lease_backoff_until)',
      'select null',
      2,
    ],
    [
      'a page that two workers claim',
      'delivery.seq > endpoint.lease_claimed_seq and',
      'delivery.seq > endpoint.lease_claimed_seq - 2 and',
      3,
    ],
    [
      'a lease that does not exclude others',
      'lease_until <= ? and next_attempt_at <= ?',
      '0 * ? = 0 and next_attempt_at <= ?',
      1,
    ],
    ['a claim that nobody finds', 'state = 0)) then ?', 'state = 0)) then ? * null', 88],
    [
      'a delivery that a request sends without a claim',
      'and state = 0)), ? + 20000, 0)',
      'and state = 0)), 0 * ?, 0)',
      166,
    ],
    ['a flush that loses results', 'set state = result.state', 'set state = 0', 1],
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

const weekMs = 7 * 86_400_000;

/** Runs the task of the sweep once. */
const archive = (world: SimulatedWorld) =>
  world.invoke(({ env, deps: { now } }) =>
    archiveBodies({ env, shard: 0, db: env.STORE_0, now, hasTime: () => true }),
  );

/** The bodies of all events, as the feed reads them. */
async function feedOf(world: SimulatedWorld): Promise<unknown> {
  let rows: unknown;
  await world.invoke(async ({ openStore }) => {
    rows = await readFeed(openStore(), { afterId: undefined, names: eventNames, limit: 100 });
  });
  return rows;
}

/**
 * Archives a week-old store with a fault at the nth call. Returns whether there was such a call.
 */
async function archiveWithFault(db: D1Database, nth: number, outcome: FailpointOutcome) {
  const random = seededRandom(nth + 1);
  using _crypto = useSynchronousCrypto(random);
  await clearTables(db);
  const world = new SimulatedWorld(db, random);
  await world.addEndpoint(false, 1);
  for (let event = 0; event < 5; event += 1) await world.invoke(createChange(world));
  world.advanceTime(weekMs);
  const before = await feedOf(world);
  let calls = 0;
  world.chooseOutcome = () => (calls++ === nth ? outcome : 'goes on');
  await archive(world);
  const wasReached = calls > nth;
  world.chooseOutcome = () => 'goes on';
  expect(await feedOf(world)).toEqual(before);
  // Another sweep, while the first one may be frozen.
  await archive(world);
  expect(await feedOf(world)).toEqual(before);
  for (const process of world.processes) process.unfreeze();
  await world.settle();
  expect(await feedOf(world)).toEqual(before);
  const left = 'select count(body) as bodies, count(*) as events from webhook_events';
  expect(await db.prepare(left).first()).toEqual({ bodies: 0, events: 5 });
  expect(await db.prepare('select count(*) as n from webhook_archives').first('n')).toBe(1);
  expect(world.objects.size).toBe(1);
  return wasReached;
}

it.skipIf(isSlow)(
  'no body is lost or doubled when a sweep fails, dies or freezes at any call while it archives',
  async () => {
    const db = createSqliteD1(simulationSchema);
    let count = 0;
    for (const outcome of faults) {
      let nth = 0;
      while (await archiveWithFault(db, nth, outcome)) nth += 1;
      // The due stores, the first event, the bodies, the object, and the batch that clears the
      // bodies.
      expect(nth).toBeGreaterThanOrEqual(5);
      count += nth;
    }
    process.stdout.write(`${count} faults while archiving\n`);
  },
);
