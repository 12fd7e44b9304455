import { expect, it } from 'vitest';
import { eventNames } from '../../../src/data/grants/event-catalogue.ts';
import { archiveBodies } from '../../../src/webhooks/archive/archive-store.ts';
import { readFeed } from '../../../src/webhooks/events/feed.ts';
import { createChange } from '../../support/webhooks/simulation/actions.ts';
import { faults, type FailpointOutcome } from '../../support/webhooks/simulation/process.ts';
import { simulationSchema } from '../../support/webhooks/simulation/schema.ts';
import { seededRandom } from '../../support/webhooks/simulation/seeded-random.ts';
import { useSimulatedRuntime } from '../../support/webhooks/simulation/setup.ts';
import { clearTables } from '../../support/webhooks/simulation/simulate.ts';
import { createSqliteD1 } from '../../support/webhooks/simulation/sqlite-d1.ts';
import { useSynchronousCrypto } from '../../support/webhooks/simulation/synchronous-crypto.ts';
import { SimulatedWorld } from '../../support/webhooks/simulation/world.ts';

const weekMs = 7 * 86_400_000;

useSimulatedRuntime();

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

/** Archives a week-old store with a fault at the nth call. Returns whether there was such a call. */
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

it('no body is lost or doubled when a sweep fails, dies or freezes at any call while it archives', async () => {
  const db = createSqliteD1(simulationSchema);
  let count = 0;
  for (const outcome of faults) {
    let nth = 0;
    while (await archiveWithFault(db, nth, outcome)) nth += 1;
    // The due stores, the first event, the bodies, the object, and the batch that clears the bodies.
    expect(nth).toBeGreaterThanOrEqual(5);
    count += nth;
  }
  process.stdout.write(`${count} faults while archiving\n`);
});
