import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { handleSweeps } from '../../src/platform/sweep/queue.ts';
import { sweepShard } from '../../src/platform/sweep/run.ts';
import { runScheduledTasks } from '../../src/scheduled.ts';
import { countingDatabase, noCost } from '../support/api/measure.ts';
import { wakeupBindings } from '../support/webhooks/wakeup-queues.ts';
import '../support/fixtures/first-shard.ts';

// Long before the records of other tests, so that nothing is due.
const idle = Date.UTC(1985, 0, 1);

/** Shards by number, as bindings. */
const shardsOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, shard) => [`STORE_${shard}`, env.STORE_0]));

/** A queue that keeps what is sent to it, call by call. */
function recordingQueue() {
  const calls: unknown[][] = [];
  const sendBatch = (messages: Iterable<{ body: unknown }>) => {
    calls.push([...messages].map(({ body }) => body));
    return Promise.resolve();
  };
  return { calls, queue: { sendBatch } as unknown as Queue };
}

function batchOf(...bodies: unknown[]) {
  const batch = { queue: 'sweep', messages: bodies.map((body) => ({ body })), ackAll: vi.fn() };
  return batch as unknown as MessageBatch & typeof batch;
}

describe('cron', () => {
  it('makes one call of the queue for 60 shards, and at most seven of the directory, for any number of shards', async () => {
    const { calls, queue } = recordingQueue();
    const cost = noCost();
    const bindings = {
      ...env,
      ...shardsOf(60),
      DIRECTORY: countingDatabase(env.DIRECTORY, cost),
      SWEEP: queue,
    };
    await runScheduledTasks(bindings, idle);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toHaveLength(60);
    expect(calls[0]).toContainEqual({ v: 1, shard: 59, round: 0 });
    expect(cost.roundTrips).toBeLessThanOrEqual(7);
  });

  it('logs an alert when the queue rejects, and leaves out a shard that is being restored', async () => {
    using logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const full = { sendBatch: () => Promise.reject(new Error('Too Many Requests')) };
    const bindings = { ...env, SWEEP: full, RESTORING_SHARDS: '1' } as unknown as Env;
    await runScheduledTasks(bindings, idle);
    expect(JSON.parse(String(logged.mock.calls[0]?.[0]))).toMatchObject({
      event: 'sweeps_not_sent',
      alert: true,
      shards: [0],
    });
  });
});

describe('the sweep of one shard', () => {
  const quiet = { ...env, ...wakeupBindings(() => recordingQueue().queue) };

  it('acknowledges its message and touches no other shard', async () => {
    const [own, other] = [noCost(), noCost()];
    const bindings = {
      ...quiet,
      STORE_0: countingDatabase(env.STORE_0, own),
      STORE_1: countingDatabase(env.STORE_1, other),
    };
    const batch = batchOf({ v: 1, shard: 0, round: 0 });
    await handleSweeps(batch, bindings, () => idle);
    expect(batch.ackAll).toHaveBeenCalledOnce();
    expect(own.roundTrips).toBeGreaterThan(10);
    expect(other.roundTrips).toBe(0);
  });

  it('is what a message of the queue starts', async () => {
    const cost = noCost();
    const bindings = { ...quiet, STORE_0: countingDatabase(env.STORE_0, cost) };
    const context = { waitUntil: () => undefined } as unknown as ExecutionContext;
    await worker.queue(batchOf({ v: 1, shard: 0, round: 0 }), bindings, context);
    expect(cost.roundTrips).toBeGreaterThan(10);
  });

  it('ignores a message that is malformed or names an unknown shard, with an alert, and one of a restored shard without', async () => {
    using logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const cost = noCost();
    const bindings = {
      ...quiet,
      STORE_0: countingDatabase(env.STORE_0, cost),
      RESTORING_SHARDS: '0',
    } as unknown as Env;
    for (const body of [{ v: 1, shard: 999, round: 0 }, { v: 2 }, { v: 1, shard: 0, round: 0 }]) {
      const batch = batchOf(body);
      await handleSweeps(batch, bindings, () => idle);
      expect(batch.ackAll).toHaveBeenCalledOnce();
    }
    expect(logged).toHaveBeenCalledTimes(2);
    expect(cost.roundTrips).toBe(0);
  });

  it('asks for another round while a task reaches its limit', async () => {
    const swept = { env: quiet, shard: 0, db: env.STORE_0, now: () => idle };
    const task = (count: number) => ({
      name: 'moved',
      run: () => Promise.resolve(count),
      untilMs: 1,
      limit: 200,
    });
    expect(await sweepShard(swept, [[task(199)]])).toBe(false);
    expect(await sweepShard(swept, [[task(1)], [task(200)]])).toBe(true);
  });

  it('asks for no further round after the eighth, so that a failure cannot go on forever', async () => {
    const { calls, queue } = recordingQueue();
    const stores = 450;
    const insert = env.STORE_0.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
       insert into carts (store_id, token, value_shipment, edited_at, due_at, created_at, updated_at)
       select ?2 + i, 'round-' || i, 0, 0, ?3, 0, 0 from n`,
    );
    const lost = 2 ** 40;
    await insert.bind(stores, lost, idle).run();
    await env.STORE_0.prepare(
      `insert into residents (store_id) select store_id from carts where store_id > ? and store_id <= ?`,
    )
      .bind(lost, lost + stores)
      .run();
    const bindings = { ...quiet, SWEEP: queue };
    for (const round of [0, 8]) {
      await handleSweeps(batchOf({ v: 1, shard: 0, round }), bindings, () => idle);
    }
    expect(calls).toEqual([[{ v: 1, shard: 0, round: 1 }]]);
    await env.STORE_0.prepare('delete from carts where store_id > ? and store_id <= ?')
      .bind(lost, lost + stores)
      .run();
  });
});
