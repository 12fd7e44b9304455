import { authLifetimes } from '../../../src/base/auth-lifetimes.ts';
import { rotateGrant } from '../../../src/data/grants/rotate.ts';
// Loaded ahead: a run imports it when it needs it, and simulated time does not wait for the file
// system.
import '../../../src/stores/move/run-move.ts';
import { inShardOfGrant } from '../../../src/oauth/token/grant-steps.ts';
import { runJobs } from '../../../src/ops/jobs/run-jobs.ts';
import { runTimers } from '../../../src/ops/shard-timers.ts';
import { abortMove } from '../../../src/stores/move/abort-move.ts';
import { tidyMoves } from '../../../src/stores/move/tidy.ts';
import { sweepAll } from '../sweep.ts';
import { findViolations } from '../webhooks/invariants.ts';
import { consumeMessages, createChange } from '../webhooks/simulation/actions.ts';
import type { Invocation } from '../webhooks/simulation/invocation.ts';
import { drawOutcome } from '../webhooks/simulation/process.ts';
import { seededRandom } from '../webhooks/simulation/seeded-random.ts';
import { useSynchronousCrypto } from '../webhooks/simulation/synchronous-crypto.ts';
import { MovingWorld } from './moving-world.ts';
import { insertStoreRows } from './store-rows.ts';

/** The outcome of one run. */
export interface MoveSimulation {
  violations: string[];
  /** Moves that ended in another shard, and moves that were aborted. */
  moves: number;
  aborts: number;
  /** Accepted changes, and refreshes of the grant. */
  changes: number;
  refreshes: number;
  arrivals: number;
  /** Failures, deaths and freezes by failpoint. */
  faults: number;
}

const timers = 5;
const steps = 70;

/**
 * Simulates a store that moves, back and forth, while it is changed, delivers, refreshes a token
 * and has timers. Every call of a database may fail, die or freeze. Then all faults end, and
 * everything must be in one shard, once. Needs `useSimulatedRuntime`.
 */
export async function simulateMove(
  seed: number,
  rewrite?: (sql: string) => string,
): Promise<MoveSimulation> {
  const random = seededRandom(seed);
  using _crypto = useSynchronousCrypto(random);
  const world = new MovingWorld(random, rewrite);
  await insertStoreRows(world.db, world.now, timers);
  for (let count = 0; count < 2; count += 1) await world.addEndpoint(random() < 0.5, 2);
  const counts = { refreshes: 0, aborts: 0 };
  // The faults of the platform are for the move; a client repeats what failed.
  const faultRate = [0, 0.01, 0.03, 0.1][seed % 4] ?? 0;
  const withFaults = async (action: () => Promise<unknown>) => {
    world.chooseOutcome = () => drawOutcome(random, faultRate);
    await action();
    world.chooseOutcome = () => 'goes on';
  };
  const sweepOf =
    (shard: 0 | 1) =>
    async ({ env, deps }: Invocation) => {
      const startedAt = deps.now();
      const db = shard === 0 ? env.STORE_0 : env.STORE_1;
      const hasTime = () => deps.now() < startedAt + 20_000;
      const context = { env, shard, db, now: deps.now, hasTime };
      await Promise.all([runJobs(context), tidyMoves(context)]);
    };
  const actions: readonly (() => Promise<unknown>)[] = [
    ...Array<() => Promise<unknown>>(5).fill(() =>
      withFaults(() => world.invoke(createChange(world))),
    ),
    ...Array<() => Promise<unknown>>(3).fill(() => withFaults(() => consumeMessages(world))),
    ...Array<() => Promise<unknown>>(8).fill(() =>
      withFaults(() => world.invoke(sweepOf(random() < 0.5 ? 0 : 1))),
    ),
    // Two sweeps of a shard at once.
    () =>
      withFaults(async () => {
        world.begin(sweepOf(0));
        await world.invoke(sweepOf(0));
      }),
    () => withFaults(() => world.invoke(({ env, deps }) => sweepAll(env, deps.now))),
    // Without faults: processes of a simulation share the memory in which writers of a record wait
    // in a line.
    () =>
      world.invoke(({ env, deps }) => {
        const [shard, db] = random() < 0.5 ? [0, env.STORE_0] : [1, env.STORE_1];
        return runTimers({ env, shard, db, now: deps.now, hasTime: () => true });
      }),
    async () => world.advanceTime([1_000, 20_000, 60_000][Math.floor(random() * 3)] ?? 0),
    async () => world.advanceTime(61_000),
    () => refresh(world, counts),
    () =>
      withFaults(() =>
        world.invoke((invocation) => requestMove(invocation, random() < 0.5 ? 0 : 1)),
      ),
    () =>
      world.invoke(async ({ env, deps }) => {
        const { ok } = await abortMove(env, 1, { now: deps.now() });
        if (ok) counts.aborts += 1;
      }),
    async () => {
      world.processes[Math.floor(random() * world.processes.length)]?.unfreeze();
      await world.settle();
    },
  ];
  for (let count = 0; count < 4; count += 1) await world.invoke(createChange(world));
  await world.invoke((invocation) => requestMove(invocation, 1));
  for (let step = 0; step < steps; step += 1) {
    await actions[Math.floor(random() * actions.length)]?.();
  }
  await recover(world, sweepOf);
  const { moves, changes, found } = await check(world, counts);
  return {
    violations: [...world.violations, ...found].map((violation) => `seed ${seed}: ${violation}`),
    moves,
    ...counts,
    changes,
    arrivals: world.arrivals.length,
    faults: Object.values(world.outcomeCounts).reduce((sum, count) => sum + count, 0),
  };
}

/** Asks for a move by a job, unless one is under way. */
const requestMove = ({ env, deps }: Invocation, toShard: number) =>
  env.DIRECTORY.prepare(
    `insert into jobs (kind, shard, store_id, progress, requested_by, created_at, due_at)
      select 'store_move', shard, id, ?1, 1, ?2, ?2 from stores
      where not exists (select 1 from jobs where finished_at is null)`,
  )
    .bind(JSON.stringify({ toShard }), deps.now())
    .run();

/** Refreshes with a token that names shard 0, as if it had been issued before any move. */
const refresh = (world: MovingWorld, counts: { refreshes: number }) =>
  world.invoke(async ({ env, deps }) => {
    const generation = counts.refreshes + 1;
    const { grant, isRotated } = await inShardOfGrant(env, 0, 'g', (database) =>
      rotateGrant(database, {
        grantId: 'g',
        clientId: 'app',
        generation,
        presentedHash: `token-${generation}`,
        successorHash: `token-${generation + 1}`,
        encryptedSuccessor: '',
        scopes: 0,
        resource: undefined,
        lifetime: authLifetimes.refreshToken,
        proof: undefined,
        now: deps.now(),
      }),
    );
    if (isRotated) counts.refreshes += 1;
    if (!grant || grant.revoked_at !== null) world.violations.push('a token without its grant');
  });

/** Ends all faults, ends the moves, delivers everything and runs the timers. */
async function recover(
  world: MovingWorld,
  sweepOf: (shard: 0 | 1) => (invocation: Invocation) => Promise<void>,
): Promise<void> {
  world.chooseOutcome = () => 'goes on';
  for (const process of world.processes) process.unfreeze();
  await world.settle();
  for (let turn = 0; turn < 12; turn += 1) {
    world.advanceTime(61_000);
    for (const shard of [0, 1] as const) await world.invoke(sweepOf(shard));
    await world.invoke(async ({ env, deps }) => {
      for (const [shard, db] of [env.STORE_0, env.STORE_1].entries()) {
        await runTimers({ env, shard, db, now: deps.now, hasTime: () => true });
      }
    });
    await world.invoke(({ env, deps }) => sweepAll(env, deps.now));
    for (let batch = 0; batch < 12; batch += 1) await consumeMessages(world, true);
  }
}

async function check(world: MovingWorld, { refreshes }: { refreshes: number }) {
  const home = await world.home();
  const [db, other] = home === 0 ? world.shards : [world.shards[1], world.shards[0]];
  const count = async (from: D1Database, sql: string) =>
    Number(await from.prepare(`select (${sql}) as n`).first('n'));
  const { endpoints, arrivals, mayRepeat } = world;
  const found = await findViolations({ db, endpoints, arrivals, mayRepeat, hasEnded: true });
  const changes =
    (await count(db, 'select count(*) from simulated_changes')) +
    (await count(other, 'select count(*) from simulated_changes'));
  const expected: [name: string, from: D1Database, sql: string, value: number][] = [
    ['the home does not own the store', db, 'select state from placements', 0],
    [
      'the other shard owns the store',
      other,
      'select count(*) from placements where state <> 2',
      0,
    ],
    ['an unfinished move', db, 'select count(*) from outgoing_moves where state <> 5', 0],
    [
      'an unfinished move in the other shard',
      other,
      'select count(*) from outgoing_moves where state <> 5',
      0,
    ],
    [
      'an unfinished job',
      world.directory,
      'select count(*) from jobs where finished_at is null',
      0,
    ],
    ['an incoming move', db, 'select count(*) from incoming_moves', 0],
    ['an incoming move in the other shard', other, 'select count(*) from incoming_moves', 0],
    ['changes without their event', db, 'select count(*) from webhook_events', changes],
    ['events without their deliveries', db, 'select count(*) from webhook_deliveries', 2 * changes],
    [
      'deliveries that are not done',
      db,
      'select count(*) from webhook_deliveries where state <> 1',
      0,
    ],
    [
      'refreshes',
      db,
      'select generation from oauth_grants where revoked_at is null',
      refreshes + 1,
    ],
    ['categories', db, 'select sum(parent_id) from categories', 4],
    [
      'carts that did not expire once',
      db,
      `select count(*) from carts where status = 'expired' and revision = 2`,
      timers,
    ],
    ['a lease of a move', db, 'select count(*) from webhook_endpoints where lease_until > 1e15', 0],
  ];
  for (const [name, from, sql, value] of expected) {
    const actual = await count(from, sql);
    if (actual !== value) found.push(`${name}: ${actual}, not ${value}`);
  }
  const moves = await world.directory.prepare('select epoch from stores').first<number>('epoch');
  return { found, changes, moves: moves ?? 0 };
}
