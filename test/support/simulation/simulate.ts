import { slots } from '../../../src/events/deliver-pool.ts';
import { violations } from '../invariants.ts';
import { actions, changing, consume, cron, followCall, resume } from './actions.ts';
import { instantCrypto } from './instant-crypto.ts';
import type { Fate } from './process.ts';
import { rng } from './rng.ts';
import { World } from './world.ts';

const steps = 40;
const faultRate = 0.06;
const fates: readonly Fate[] = [
  'fails before',
  'fails after',
  'dies before',
  'dies after',
  'freezes before',
  'freezes after',
];

const tables = [
  'simulated_changes',
  ...[
    'endpoints',
    'subscriptions',
    'events',
    'deliveries',
    'attempts',
    'replays',
    'pings',
    'notices',
    'dead_hints',
    'audit',
  ].map((name) => `webhook_${name}`),
];

/** What a seed came to. */
export interface Simulated {
  violations: string[];
  arrivals: number;
  repeated: number;
  /** How often each fate was met, by failpoint. */
  met: Record<string, number>;
  /** What happened, to be compared with another run of the seed. */
  trace: string;
}

/**
 * One life of the delivery: changes, consumers, cron and owners in an order that the seed determines, with failures,
 * deaths and stops at every place where the program touches the database, a queue or a receiver. Then all is well
 * again, what can arrive does, and the invariants are checked. `vi.useFakeTimers` must be on.
 */
export async function simulate(seed: number, db: D1Database): Promise<Simulated> {
  const random = rng(seed);
  using _crypto = instantCrypto(random);
  await forget(db);
  const world = new World(db, random);
  world.onCall = (call) => followCall(world, call);
  const count = 1 + Math.floor(random() * 3);
  // Every third life begins with more than one consumer sends.
  const isBusy = seed % 3 === 0;
  for (let index = 0; index < count; index += 1) {
    const concurrency = isBusy ? slots : 1 + Math.floor(random() * 3);
    await world.addEndpoint(!isBusy && random() < 0.3, concurrency);
  }
  for (let event = 0; isBusy && event < 12; event += 1) await world.invoke(changing(world));
  world.fateAt = () =>
    random() < faultRate ? (fates[Math.floor(random() * fates.length)] ?? 'goes on') : 'goes on';
  for (let step = 0; step < steps; step += 1) {
    await actions[Math.floor(random() * actions.length)]?.(world);
  }
  const before = await judge(world, false);
  await recover(world);
  const after = await judge(world, true);
  const keys = world.arrivals.map(
    ({ headers, isAccepted }) => `${headers['webhook-id']} ${isAccepted}`,
  );
  return {
    violations: [...before, ...after].map((violation) => `seed ${seed}: ${violation}`),
    arrivals: world.arrivals.length,
    repeated: world.mayRepeat.size,
    met: world.met,
    trace: keys.join('\n'),
  };
}

/** Empties a database for the next life, down to the ids it gives: a seed alone is as it was among others. */
export const forget = (db: D1Database) =>
  db.batch([...tables, 'sqlite_sequence'].map((table) => db.prepare(`delete from ${table}`)));

/** Everything becomes well: who was stopped goes on, receivers answer, owners let go what is held. */
async function recover(world: World): Promise<void> {
  world.fateAt = () => 'goes on';
  for (const process of world.processes) process.thaw();
  await world.settle();
  for (const endpoint of world.endpoints) {
    if (endpoint.mood !== 'picky') endpoint.mood = 'well';
  }
  for (const endpoint of world.endpoints) {
    world.pass(10_000);
    await resume(world, endpoint);
  }
  // Every refused event is tried until its schedule ends, each in a turn of its own.
  for (let turn = 0; turn < 300; turn += 1) {
    await cron(world);
    for (let batch = 0; batch < 20; batch += 1) await consume(world, true);
    const next = await world.db
      .prepare(
        // What is open on an inactive lane waits for the end of its lease.
        `select min(iif(status = 0, wake_at, lease_until)) as at from webhook_endpoints
         where wake_at is not null`,
      )
      .first<number | null>('at');
    if (next === null) return;
    world.pass(Math.max(next - world.now, 60_000));
  }
}

/** What the world breaks; `isOver` when everything should have arrived. */
export async function judge(world: World, isOver: boolean): Promise<string[]> {
  const { db, endpoints, arrivals, mayRepeat } = world;
  const found = await violations({ db, endpoints, arrivals, mayRepeat, isOver });
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
