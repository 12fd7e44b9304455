import { maxConcurrentSends } from '../../../../src/webhooks/delivery/leased-endpoint.ts';
import { findViolations } from '../invariants.ts';
import {
  actions,
  beginChange,
  change,
  createChange,
  consumeMessages,
  runCron,
  acceptJoinRequest,
  resumeHeld,
} from './actions.ts';
import { drawOutcome } from './process.ts';
import { seededRandom } from './seeded-random.ts';
import { useSynchronousCrypto } from './synchronous-crypto.ts';
import { SimulatedWorld } from './world.ts';

const steps = 40;
/** Requests after which a run ends. The delivery as it is needs at most some 120. */
const endlessArrivals = 1_000;
const faultRate = 0.06;

const tables = [
  'simulated_changes',
  'store_notices',
  'store_audit',
  'event_budgets',
  ...[
    'endpoints',
    'subscriptions',
    'events',
    'deliveries',
    'attempts',
    'replays',
    'pings',
    'trials',
    'notices',
    'archives',
  ].map((name) => `webhook_${name}`),
];

export interface SimulationResult {
  violations: string[];
  arrivals: number;
  allowedDuplicates: number;
  /** Number of each outcome by failpoint. */
  outcomeCounts: Record<string, number>;
  /** The requests in order, to compare with another run of the seed. */
  trace: string;
}

/**
 * Simulates one run: changes, consumers, sweeps and owners in an order that the seed determines,
 * with a possible fault at every failpoint. Then all faults end, everything that can arrive does,
 * and the invariants are checked. Needs `useSimulatedRuntime`.
 */
export async function simulateRun(seed: number, db: D1Database): Promise<SimulationResult> {
  const random = seededRandom(seed);
  using _crypto = useSynchronousCrypto(random);
  await clearTables(db);
  const world = new SimulatedWorld(db, random);
  world.onJoinRequest = (call) => acceptJoinRequest(world, call);
  const count = 1 + Math.floor(random() * 3);
  // Every third life begins with more than one consumer sends.
  const isBusy = seed % 3 === 0;
  for (let index = 0; index < count; index += 1) {
    const concurrency = isBusy ? maxConcurrentSends : 1 + Math.floor(random() * 3);
    await world.addEndpoint(!isBusy && random() < 0.3, concurrency);
  }
  for (let event = 0; isBusy && event < 12; event += 1) await world.invoke(createChange(world));
  world.chooseOutcome = () => drawOutcome(random, faultRate);
  for (let step = 0; step < steps; step += 1) {
    const arrivalsBefore = world.arrivals.length;
    await actions[Math.floor(random() * actions.length)]?.(world);
    await noteOrders(world, arrivalsBefore);
  }
  const before = await checkWorld(world, false);
  await recover(world);
  const after = await checkWorld(world, true);
  const keys = world.arrivals.map(
    ({ headers, isAccepted }) => `${headers['webhook-id']} ${isAccepted}`,
  );
  return {
    violations: [...before, ...after].map((violation) => `seed ${seed}: ${violation}`),
    arrivals: world.arrivals.length,
    allowedDuplicates: world.mayRepeat.size,
    outcomeCounts: world.outcomeCounts,
    trace: keys.join('\n'),
  };
}

/** Seconds between two sweeps. */
const minute = 60;

/**
 * Simulates a Worker that is killed three times within some 15 seconds, with all that it holds,
 * while receivers are well. Each start begins with a sweep. Returns the violations of the
 * invariants, and by which sweep after the last start every event had been attempted.
 */
export async function simulateKills(seed: number, db: D1Database) {
  const random = seededRandom(seed);
  using _crypto = useSynchronousCrypto(random);
  await clearTables(db);
  const world = new SimulatedWorld(db, random);
  world.onJoinRequest = (call) => acceptJoinRequest(world, call);
  await world.addEndpoint(random() < 0.3, 1 + Math.floor(random() * maxConcurrentSends));
  const load = [change, change, beginChange, consumeMessages, consumeMessages];
  // Runs before this one may have left claims.
  world.kill();
  for (let kill = 0; kill < 3; kill += 1) {
    // What is frozen is under way when the kill comes.
    world.chooseOutcome = () => (random() < faultRate ? 'freezes after' : 'goes on');
    await runCron(world);
    for (let step = Math.floor(random() * 12); step > 0; step -= 1) {
      await load[Math.floor(random() * load.length)]?.(world);
    }
    world.kill();
    world.advanceTime(Math.floor(random() * 3_000));
  }
  world.chooseOutcome = () => 'goes on';
  for (let sweeps = 1; ; sweeps += 1) {
    await runCron(world);
    for (let second = 0; second < minute; second += 1) {
      for (let batch = 0; batch < 5; batch += 1) await consumeMessages(world, true);
      world.advanceTime(1_000);
    }
    const waiting = await db
      .prepare('select count(*) as n from webhook_deliveries where attempts = 0')
      .first<number>('n');
    if (waiting === 0 || sweeps === 9) {
      return { violations: await checkWorld(world, true), sweeps, arrivals: world.arrivals.length };
    }
  }
}

/**
 * Empties a database for the next run, including its id sequences, so that a run depends on its
 * seed only.
 */
export const clearTables = (db: D1Database) =>
  db.batch([...tables, 'sqlite_sequence'].map((table) => db.prepare(`delete from ${table}`)));

/**
 * Notes which endpoints got or lost their order in a step, maybe by a process that was frozen
 * before. Deliveries may be under way if a worker holds a lease or is frozen.
 */
async function noteOrders(world: SimulatedWorld, arrivalsBefore: number): Promise<void> {
  const { results } = await world.db
    .prepare('select id, ordered, last_seq, lease_until > ? as is_leased from webhook_endpoints')
    .bind(world.now)
    .all<{ id: number; ordered: 0 | 1; last_seq: number; is_leased: 0 | 1 }>();
  for (const { id, ordered: isOrdered, last_seq: last, is_leased: isLeased } of results) {
    const ordered = isOrdered === 1;
    if (world.orders.findLast(({ endpoint }) => endpoint === id)?.ordered === ordered) continue;
    world.orders.push({
      endpoint: id,
      ordered,
      at: ordered ? world.arrivals.length : arrivalsBefore,
      underWayTo: isLeased === 1 || world.processes.length > 0 ? last : 0,
    });
  }
}

/** Ends all faults: frozen processes continue, receivers respond, owners resume their endpoints. */
async function recover(world: SimulatedWorld): Promise<void> {
  world.chooseOutcome = () => 'goes on';
  const arrivalsBefore = world.arrivals.length;
  for (const process of world.processes) process.unfreeze();
  await world.settle();
  await noteOrders(world, arrivalsBefore);
  for (const endpoint of world.endpoints) {
    if (endpoint.behaviour !== 'picky') endpoint.behaviour = 'well';
  }
  for (const endpoint of world.endpoints) {
    world.advanceTime(10_000);
    await resumeHeld(world, endpoint);
  }
  // Each turn advances to the next retry, until the schedules of rejected events end.
  for (let turn = 0; turn < 300; turn += 1) {
    await runCron(world);
    for (let batch = 0; batch < 20; batch += 1) await consumeMessages(world, true);
    // A broken delivery sends for ever; deliveries that are open then break an invariant.
    if (world.arrivals.length > endlessArrivals) return;
    const next = await world.db
      .prepare(
        // Open deliveries of an inactive endpoint wait for the end of its lease.
        `select min(iif(status = 0, next_attempt_at, lease_until)) as at from webhook_endpoints e
         where next_attempt_at is not null
           and exists (select 1 from webhook_deliveries d where d.endpoint_id = e.id and d.state = 0)`,
      )
      .first<number | null>('at');
    if (next === null) return;
    world.advanceTime(Math.max(next - world.now, 60_000));
  }
}

/** Returns the violations of the invariants; with `hasEnded`, everything must have arrived. */
export async function checkWorld(world: SimulatedWorld, hasEnded: boolean): Promise<string[]> {
  const { db, endpoints, arrivals, orders, mayRepeat } = world;
  const found = await findViolations({ db, endpoints, arrivals, orders, mayRepeat, hasEnded });
  const [changes, missing] = await db.batch<{ n: number }>([
    db.prepare(
      `select (select count(*) from simulated_changes) - (select count(*) from webhook_events) as n
       where exists (select 1 from webhook_endpoints where status <> 3)`,
    ),
    db.prepare(
      `select count(*) as n from webhook_endpoints e join webhook_events v
       where e.status <> 3 and not exists (select 1 from webhook_deliveries d
         where d.endpoint_id = e.id and d.event_id = v.id)`,
    ),
  ]);
  const [unpublished, undelivered] = [changes?.results[0]?.n ?? 0, missing?.results[0]?.n ?? 0];
  return [
    ...found,
    ...(unpublished === 0 ? [] : [`I1 ${unpublished} changes without an event`]),
    ...(undelivered === 0 ? [] : [`I1 ${undelivered} events without a delivery to a subscriber`]),
  ];
}
