import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { sweepShard } from '../../src/ops/run-sweep.ts';
import { handleDeadLetters, handleWakeups } from '../../src/webhooks/wakeup-handler.ts';
import { countingDatabase, noCost } from '../support/api/measure.ts';
import { failingDatabase } from '../support/fakes/failing-database.ts';
import '../support/fixtures/first-shard.ts';
import { placementsStatement } from '../support/fixtures/shards.ts';

// Long before the records of other tests, so that nothing is due.
const idle = Date.UTC(1985, 0, 1);

/** No test creates a store with this id. */
const noStore = 2 ** 44 + 1;

/** Bindings that keep the data points. */
function recordingEnv(more: object = {}) {
  const points: AnalyticsEngineDataPoint[] = [];
  const METRICS = { writeDataPoint: (point = {}) => void points.push(point) };
  const CF_VERSION_METADATA = { id: 'v-7', tag: '', timestamp: '' };
  return { points, bindings: { ...env, METRICS, CF_VERSION_METADATA, ...more } as Env };
}

const task = (name: string, run: () => Promise<number>) => ({
  name,
  run,
  untilMs: 1_000,
  limit: 5,
});

const batchOf = (queue: string, ...bodies: unknown[]) =>
  ({
    queue,
    messages: bodies.map((body) => ({ body, attempts: 1 })),
    ackAll: vi.fn(),
    retryAll: vi.fn(),
  }) as unknown as MessageBatch;

/** Measures a shard with endpoints that have been due for so many milliseconds. */
async function sweepDue(bindings: Env, late: readonly number[]): Promise<void> {
  await placementsStatement(env.STORE_1, noStore).run();
  const ids = await Promise.all(
    late.map((ms) =>
      env.STORE_1.prepare(
        `insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, secret_current, next_attempt_at, created_at, updated_at)
         values (${noStore}, '', '', '', '', '', ?, 0, 0) returning id`,
      )
        .bind(idle - ms)
        .first<number>('id'),
    ),
  );
  const values = JSON.stringify(ids);
  await env.STORE_1.prepare(
    `insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at)
     select value, seq, 'evt_' || seq, 0, 0, 0 from json_each(?), (select 1 as seq union all select 2)`,
  )
    .bind(values)
    .run();
  await sweepShard({ env: bindings, shard: 1, db: env.STORE_1, now: () => idle }, []);
  await env.STORE_1.batch([
    ...['webhook_deliveries where endpoint_id', 'webhook_endpoints where id'].map((rows) =>
      env.STORE_1.prepare(`delete from ${rows} in (select value from json_each(?))`).bind(values),
    ),
    env.STORE_1.prepare('delete from placements where store_id = ?').bind(noStore),
  ]);
}

describe('a sweep', () => {
  it('records the size of its shard, what is due, unfinished tasks and failures by kind, in one call', async () => {
    const { points, bindings } = recordingEnv();
    const cost = noCost();
    const overloaded = new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.');
    using _error = vi.spyOn(console, 'error').mockReturnValue();
    const swept = { env: bindings, shard: 0, db: countingDatabase(env.STORE_0, cost) };
    await sweepShard({ ...swept, now: () => idle }, [
      [
        task('moved', () => Promise.resolve(5)),
        task('woken', () => Promise.reject(overloaded)),
        task('purged', () => Promise.resolve(2)),
      ],
    ]);
    expect(points).toEqual([
      {
        indexes: ['sweep'],
        blobs: ['v-7', '0', 'overloaded'],
        // Endpoints of other tests may be due.
        doubles: [expect.any(Number), expect.any(Number), expect.any(Number), 1, 1, 7, 0],
      },
    ]);
    expect(points[0]?.doubles?.[0]).toBeGreaterThan(100_000);
    expect(cost.roundTrips).toBe(1);
    // Two for each endpoint of other tests that has open deliveries.
    expect(cost.rowsRead).toBeLessThan(2_100);
  });

  it('reports how late the oldest due endpoint is, and how many are due', async () => {
    const { points, bindings } = recordingEnv();
    await sweepDue(bindings, [90_000, 30_000]);
    expect(points[0]?.doubles?.slice(1, 3)).toEqual([90_000, 2]);
  });

  it.each([
    [119_999, []],
    [120_000, [{ shard: 1, seconds: 120, endpoints: 1 }]],
  ])('alerts when nothing sends what it wakes, due for %i ms', async (late, alerts) => {
    using error = vi.spyOn(console, 'error').mockReturnValue();
    await sweepDue(recordingEnv().bindings, [late]);
    const lines = error.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
    const alert = { level: 'error', event: 'webhook_deliveries_late', alert: true };
    expect(lines).toEqual(alerts.map((fields) => ({ ...alert, ...fields })));
  });

  it('does not fail when it cannot be measured', async () => {
    const { points, bindings } = recordingEnv();
    const db = { prepare: () => ({ bind: () => ({ all: () => Promise.reject(new Error('x')) }) }) };
    const swept = { env: bindings, shard: 0, db: db as unknown as D1Database, now: () => idle };
    using warn = vi.spyOn(console, 'warn').mockReturnValue();
    expect(await sweepShard(swept, [])).toBe(false);
    expect([points, warn.mock.calls.length]).toEqual([[], 1]);
  });
});

describe('a run of a queue', () => {
  it('records its messages, and a failure by kind', async () => {
    const { database } = failingDatabase(
      env.STORE_0,
      'D1 DB exceeded its CPU time limit and was reset.',
    );
    const { points, bindings } = recordingEnv({ STORE_0: database });
    using _error = vi.spyOn(console, 'error').mockReturnValue();
    const wakeup = { v: 1, shard: 0, endpoint: 1 };
    await handleWakeups(batchOf('shop-webhook-slow-1', wakeup), bindings);
    expect(points).toEqual([
      {
        indexes: ['run'],
        blobs: ['v-7', 'shop-webhook-slow-1', 'too_heavy'],
        doubles: [1, 1, 1, expect.any(Number)],
      },
    ]);
  });

  it('of the fast queues of a deployment with "slow" in its name is a fast one', async () => {
    const { points, bindings } = recordingEnv();
    await handleWakeups(batchOf('slow-shop-webhook-fast-0'), bindings);
    expect(points[0]).toMatchObject({ doubles: [0, 0, 0, expect.any(Number)] });
  });

  it('records dead wake-ups', async () => {
    const { points, bindings } = recordingEnv();
    using _error = vi.spyOn(console, 'error').mockReturnValue();
    await handleDeadLetters(
      batchOf('webhook-dead-letters', { v: 1, shard: 0, endpoint: 1 }, 'x'),
      bindings,
    );
    expect(points).toEqual([{ indexes: ['dead_letters'], blobs: ['v-7'], doubles: [1, 1] }]);
  });
});
