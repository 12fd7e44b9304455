import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runScheduledTasks } from '../../src/app/cron.ts';
import worker from '../../src/index.ts';
import { sweepShard } from '../../src/ops/run-sweep.ts';
import { handleSweeps } from '../../src/ops/sweep-queue.ts';
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
  // A directory in which other tests leave no work.
  const directory = env.QUIET_DIRECTORY;
  const user = 1_985;

  beforeAll(async () => {
    await applyD1Migrations(directory, env.DIRECTORY_MIGRATIONS);
    await directory
      .prepare(
        `insert into users (id, email, name, created_at, updated_at) values (?, 'cron@store.test', '', 0, 0)`,
      )
      .bind(user)
      .run();
  });

  afterAll(async () => {
    await directory.prepare('delete from users where id = ?').bind(user).run();
  });

  /** Runs cron so many minutes after `idle`. Returns its calls of the directory. */
  async function runCron(minute = 0) {
    const cost = noCost();
    const { queue } = recordingQueue();
    const bindings = { ...env, DIRECTORY: countingDatabase(directory, cost), SWEEP: queue };
    await runScheduledTasks(bindings, idle + minute * 60_000);
    return cost.roundTrips;
  }

  it('makes one call of the queue for 60 shards, and one of the directory in an idle minute', async () => {
    const { calls, queue } = recordingQueue();
    const cost = noCost();
    const bindings = {
      ...env,
      ...shardsOf(60),
      DIRECTORY: countingDatabase(directory, cost),
      SWEEP: queue,
    };
    await runScheduledTasks(bindings, idle);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toHaveLength(60);
    expect(calls[0]).toContainEqual({ v: 1, shard: 59, round: 0 });
    expect(cost.roundTrips).toBe(1);
    expect(cost.rowsWritten).toBe(0);
  });

  it('reads as many rows in an idle minute beside a thousand sessions and a thousand mails that were sent', async () => {
    const measure = async () => {
      const cost = noCost();
      const bindings = {
        DIRECTORY: countingDatabase(directory, cost),
        SWEEP: recordingQueue().queue,
      };
      await runScheduledTasks({ ...env, ...bindings }, idle);
      return cost.rowsRead;
    };
    const before = await measure();
    const numbers =
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)';
    await directory.batch([
      directory
        .prepare(
          `insert into sessions (id_hash, user_id, created_at, seen_at, expires_at)
           ${numbers} select 'kept-' || i, ?, 0, 0, ? from n`,
        )
        .bind(user, idle + 1),
      directory
        .prepare(
          `insert into mails (key, kind, language, to_address, data, created_at, sent_at)
           ${numbers} select 'kept-' || i, 'sign_up', 'en', '', '', ?1, ?1 from n`,
        )
        .bind(idle),
    ]);
    expect(await measure()).toBe(before);
    await directory.batch(
      ['sessions where id_hash', 'mails where key'].map((rows) =>
        directory.prepare(`delete from ${rows} like 'kept-%'`),
      ),
    );
  });

  it('makes at most two calls of the directory in each minute of an idle hour', async () => {
    const calls: number[] = [];
    for (let minute = 0; minute < 60; minute += 1) calls.push(await runCron(minute));
    expect(Math.max(...calls)).toBe(2);
    // Old refusals, lines of the audit, tombstones and unused assistants are looked for once an
    // hour each, in minutes of their own.
    expect(calls.filter((count) => count === 2)).toHaveLength(4);
  });

  it('makes one call of the directory while a previous sealing key is set and no text remains to seal', async () => {
    const cost = noCost();
    const bindings = {
      ...env,
      DIRECTORY: countingDatabase(directory, cost),
      SWEEP: recordingQueue().queue,
      SEALING_KEY_PREVIOUS: btoa('another root key, of 32 bytes...'),
    } as Env;
    await runScheduledTasks(bindings, idle);
    expect(cost.roundTrips).toBe(1);
  });

  it.each([
    [
      'an expired session',
      'sessions (id_hash, user_id, created_at, seen_at, expires_at)',
      `'x', ${user}, 0, 0, ?`,
    ],
    ['a failed sign-in', 'sign_in_failures (key, failures, first_at)', `'x', 1, ?`],
    [
      'an expired link',
      'one_use_links (token_hash, kind, email, created_at, expires_at)',
      `'x', 'sign_up', '', 0, ?`,
    ],
    [
      'an old invitation',
      'invitations (kind, email, language, invited_by, token_hash, created_at, expires_at)',
      `'operator', '', 'en', ${user}, 'x', 0, ?`,
    ],
    [
      'an old mail',
      'mails (key, kind, language, to_address, data, created_at)',
      `'x', 'sign_up', 'en', '', '', ?`,
    ],
    [
      'an old delivery to an app',
      'app_deliveries (key, event_id, client_id, store_id, event, body, created_at)',
      `'x', '', '', 1, '', '', ?`,
    ],
  ])('deletes %s', async (_name, columns, values) => {
    const table = columns.slice(0, columns.indexOf(' '));
    const count = () => directory.prepare(`select count(*) as n from ${table}`).first<number>('n');
    const before = await count();
    const longAgo = idle - 31 * 86_400_000;
    await directory.prepare(`insert into ${columns} values (${values})`).bind(longAgo).run();
    await runCron();
    expect(await count()).toBe(before);
    expect(await runCron()).toBe(1);
  });

  it('looks at the webhook of an app that is due', async () => {
    await directory
      .prepare(
        `insert into app_webhooks (client_id, url, secret_current, next_at, created_at, updated_at)
         values ('cron', 'https://hooks.partner.test', '', ?, 0, 0)`,
      )
      .bind(idle)
      .run();
    await runCron();
    const webhook = directory.prepare(`select next_at from app_webhooks where client_id = 'cron'`);
    expect(await webhook.first('next_at')).toBeNull();
    await directory.prepare(`delete from app_webhooks where client_id = 'cron'`).run();
  });

  it('runs every task when it cannot look what is due, and logs an alert', async () => {
    using logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const failing = {
      prepare: () => {
        throw new Error('D1_ERROR: D1 DB is overloaded');
      },
    };
    const bindings = { ...env, DIRECTORY: failing, SWEEP: recordingQueue().queue };
    await runScheduledTasks(bindings as unknown as Env, idle);
    const events = logged.mock.calls.map(([line]) => JSON.parse(String(line)).event);
    expect(events).toContain('directory_look_failed');
    expect(events).toContain('session_purge_failed');
    expect(events).toContain('mail_run_failed');
    expect(events).toContain('app_events_failed');
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
    await handleSweeps(batch, bindings, { now: () => idle });
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
      await handleSweeps(batch, bindings, { now: () => idle });
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
       insert into carts (id, store_id, token, value_shipment, edited_at, due_at, created_at, updated_at)
       select -(abs(random()) >> 12), ?2 + i, 'round-' || i, 0, 0, ?3, 0, 0 from n`,
    );
    const lost = 2 ** 40;
    await insert.bind(stores, lost, idle).run();
    await env.STORE_0.prepare(
      `insert into placements (store_id, works) select store_id, 1 from carts where store_id > ? and store_id <= ?`,
    )
      .bind(lost, lost + stores)
      .run();
    const bindings = { ...quiet, SWEEP: queue };
    for (const round of [0, 8]) {
      await handleSweeps(batchOf({ v: 1, shard: 0, round }), bindings, { now: () => idle });
    }
    expect(calls).toEqual([[{ v: 1, shard: 0, round: 1 }]]);
    await env.STORE_0.prepare('delete from carts where store_id > ? and store_id <= ?')
      .bind(lost, lost + stores)
      .run();
  });
});
