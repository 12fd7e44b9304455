import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { sendWakeups } from '../../../src/webhooks/wake-endpoints.ts';
import { placementsStatement } from '../../support/fixtures/shards.ts';
import { sweepAll } from '../../support/sweep.ts';
import { wakeupBindings } from '../../support/webhooks/wakeup-queues.ts';

const shards = { 0: env.STORE_0, 1: env.STORE_1 };

// Years before all other tests, so that a sweep at this time sees only the endpoints of this file.
const start = Date.UTC(2001, 0, 1);

/** No test creates stores with these ids. */
const noStore = 2 ** 42;
const crowd = 2 ** 44;

beforeAll(async () => {
  for (const db of Object.values(shards)) await placementsStatement(db, noStore, crowd).run();
});

// Rows of their endpoints then belong to no store, and are due for no other file.
afterAll(async () => {
  for (const db of Object.values(shards)) {
    await db.prepare('delete from placements where store_id in (?, ?)').bind(noStore, crowd).run();
  }
});

interface RowOptions {
  shard?: 0 | 1;
  nextAttemptAt: number | null;
  status?: number;
  leaseUntil?: number;
  open?: number;
}

async function createEndpointRow({
  shard = 0,
  nextAttemptAt,
  status = 0,
  leaseUntil = 0,
  open = 1,
}: RowOptions) {
  const db = shards[shard];
  const row = await db
    .prepare(
      `insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, status,
         secret_current, next_attempt_at, lease_until, created_at, updated_at)
       values (${noStore}, 'https://a.example', 'https://a.example', 'n', 'n', ?, 's', ?, ?, 0, 0) returning id`,
    )
    .bind(status, nextAttemptAt, leaseUntil)
    .first<{ id: number }>();
  const id = row?.id ?? 0;
  await db
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
       insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at)
       select ?1, i, 'evt_none', 0, 0, 0 from n`,
    )
    .bind(id, open)
    .run();
  return {
    id,
    nextAttemptAt: () =>
      db
        .prepare('select next_attempt_at from webhook_endpoints where id = ?')
        .bind(id)
        .first('next_attempt_at'),
    async states() {
      const all = db.prepare('select distinct state from webhook_deliveries where endpoint_id = ?');
      return (await all.bind(id).all<{ state: number }>()).results.map(({ state }) => state);
    },
  };
}

function createRecorder() {
  const wakeups: { shard: number; endpoint: number; delaySeconds: number | undefined }[] = [];
  const chunks: number[] = [];
  const sendBatch = (messages: MessageSendRequest<{ v: 1; shard: number; endpoint: number }>[]) => {
    chunks.push(messages.length);
    for (const { body, delaySeconds } of messages) {
      wakeups.push({ shard: body.shard, endpoint: body.endpoint, delaySeconds });
    }
    return Promise.resolve();
  };
  const queue = { sendBatch } as unknown as Queue;
  const world: Env = { ...env, ...wakeupBindings(() => queue) };
  return {
    wakeups,
    chunks,
    queue,
    world,
    of: (id: number) => wakeups.filter((wakeup) => wakeup.endpoint === id),
  };
}

describe('sweep', () => {
  it('fault 7: wakes all endpoints of every shard that are due within a minute, with the exact delay', async () => {
    const { of, world, wakeups } = createRecorder();
    const overdue = await createEndpointRow({ nextAttemptAt: 0 });
    const elsewhere = await createEndpointRow({ nextAttemptAt: start, shard: 1 });
    const soon = await createEndpointRow({ nextAttemptAt: start + 42_001 });
    const later = await createEndpointRow({ nextAttemptAt: start + 60_001 });
    await sweepAll(world, () => start);
    expect(of(overdue.id)).toContainEqual({ shard: 0, endpoint: overdue.id, delaySeconds: 0 });
    expect(wakeups).toContainEqual({ shard: 1, endpoint: elsewhere.id, delaySeconds: 0 });
    expect(of(soon.id)).toContainEqual({ shard: 0, endpoint: soon.id, delaySeconds: 43 });
    expect(of(later.id).filter((wakeup) => wakeup.shard === 0)).toEqual([]);
  });

  it('wakes a leased endpoint only after its lease has expired', async () => {
    const { of, world } = createRecorder();
    const leased = await createEndpointRow({ nextAttemptAt: start, leaseUntil: start + 60_000 });
    await sweepAll(world, () => start + 59_999);
    expect(of(leased.id).filter((wakeup) => wakeup.shard === 0)).toEqual([]);
    await sweepAll(world, () => start + 60_000);
    expect(of(leased.id)).toContainEqual({ shard: 0, endpoint: leased.id, delaySeconds: 0 });
  });

  it('fault 22: pages through all endpoints, even if thousands are due at the same time', async () => {
    const db = env.STORE_1;
    await db
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
         insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, secret_current,
           next_attempt_at, created_at, updated_at) select ${crowd}, '', '', '', '', '', ?, 0, 0 from n`,
      )
      .bind(start)
      .run();
    await db
      .prepare(
        `insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at)
         select id, 1, '', 0, 0, 0 from webhook_endpoints where store_id = ${crowd}`,
      )
      .run();
    const { world, wakeups, chunks } = createRecorder();
    await sweepAll(world, () => start);
    const mine = await db
      .prepare(`select id from webhook_endpoints where store_id = ${crowd}`)
      .all<{ id: number }>();
    const swept = wakeups.filter((wakeup) => wakeup.shard === 1).map((wakeup) => wakeup.endpoint);
    expect(new Set(swept).size).toBe(swept.length);
    expect(mine.results.filter(({ id }) => !swept.includes(id))).toEqual([]);
    expect(Math.max(...chunks)).toBe(100);
    await db.batch([
      db.prepare(`delete from webhook_deliveries where event_id = ''`),
      db.prepare(`update webhook_endpoints set next_attempt_at = null where store_id = ${crowd}`),
    ]);
  });

  it.each([
    ['paused', EndpointStatus.paused, DeliveryState.held],
    ['disabled', EndpointStatus.autoDisabled, DeliveryState.held],
    ['deleted', EndpointStatus.deleted, DeliveryState.cancelled],
  ])(
    'faults 45 and 46: closes the open deliveries of a %s endpoint',
    async (_name, status, state) => {
      const { of, world } = createRecorder();
      const stopped = await createEndpointRow({ nextAttemptAt: start, status, open: 3 });
      const leased = await createEndpointRow({
        nextAttemptAt: start,
        status,
        leaseUntil: start + 1,
      });
      await sweepAll(world, () => start);
      expect(of(stopped.id).filter((wakeup) => wakeup.shard === 0)).toEqual([]);
      expect(await stopped.states()).toEqual([state]);
      expect(await stopped.nextAttemptAt()).toBeNull();
      expect(await leased.states()).toEqual([DeliveryState.open]);
    },
  );

  it('makes an orphaned endpoint due', async () => {
    const { world } = createRecorder();
    const orphan = await createEndpointRow({ nextAttemptAt: null, open: 5 });
    const paused = await createEndpointRow({ nextAttemptAt: null, status: EndpointStatus.paused });
    const empty = await createEndpointRow({ nextAttemptAt: null, open: 1 });
    await env.STORE_0.prepare('update webhook_deliveries set state = 1 where endpoint_id = ?')
      .bind(empty.id)
      .run();
    await sweepAll(world, () => start);
    expect(await orphan.nextAttemptAt()).toBe(start);
    expect(await paused.nextAttemptAt()).toBeNull();
    expect(await empty.nextAttemptAt()).toBeNull();
  });

  it('finds orphans without reading every open delivery', async () => {
    const { world } = createRecorder();
    await createEndpointRow({ nextAttemptAt: start + 1e9, open: 20_000 });
    let read = 0;
    const counting = (statement: D1PreparedStatement): D1PreparedStatement =>
      new Proxy(statement, {
        get: (target, name) => {
          if (name === 'bind') return (...values: unknown[]) => counting(target.bind(...values));
          if (name !== 'all') return Reflect.get(target, name);
          return async () => {
            const result = await target.all();
            read += result.meta.rows_read;
            return result;
          };
        },
      });
    const shard = {
      prepare: (text: string) => counting(env.STORE_0.prepare(text)),
      batch: (all: D1PreparedStatement[]) => env.STORE_0.batch(all),
    } as unknown as D1Database;
    const { STORE_1: _other, ...one } = world;
    await sweepAll({ ...one, STORE_0: shard } as unknown as Env, () => start);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(5_000);
  });

  it('goes on with the other shards when one fails', async () => {
    const { world, wakeups } = createRecorder();
    const due = await createEndpointRow({ nextAttemptAt: start, shard: 1 });
    const dead = {
      prepare: () => {
        throw new Error('D1 DB is overloaded.');
      },
    } as unknown as D1Database;
    await sweepAll({ ...world, STORE_0: dead }, () => start);
    expect(wakeups).toContainEqual({ shard: 1, endpoint: due.id, delaySeconds: 0 });
  });
});

describe('the tasks of a sweep', () => {
  it('go on after a failed task, and stop when the time is over', async () => {
    const { world } = createRecorder();
    const stopped = await createEndpointRow({
      nextAttemptAt: start,
      status: EndpointStatus.autoDisabled,
      open: 5_001,
    });
    const full = { sendBatch: () => Promise.reject(new Error('Too Many Requests')) };
    const due = await createEndpointRow({ nextAttemptAt: start });
    await sweepAll({ ...world, ...wakeupBindings(() => full) }, () => start);
    expect(await stopped.states()).toEqual([DeliveryState.held]);
    expect(await stopped.nextAttemptAt()).toBeNull();
    expect(await due.nextAttemptAt()).toBe(start);
    const late = await createEndpointRow({
      nextAttemptAt: start,
      status: EndpointStatus.autoDisabled,
    });
    let calls = 0;
    const clock = () => start + 25_000 * Math.min(1, (calls += 1) - 1);
    await sweepAll(world, clock);
    expect(await late.states()).toEqual([DeliveryState.open]);
  });
});

it('sends wake-ups in chunks of 100 to the queues of their shard, and rejects when the queue does', async () => {
  const { chunks, wakeups, queue } = createRecorder();
  const other = createRecorder();
  const world: Env = { ...env, ...wakeupBindings(() => queue), WAKEUP_SLOW_1: other.queue };
  const batch = Array.from({ length: 1_000 }, (_, index) => ({
    endpoint: index + 1,
    nextAttemptAt: start,
    isSlow: false,
  }));
  await sendWakeups(world, 4, batch, start);
  expect(chunks).toEqual(Array(10).fill(100));
  expect(new Set(wakeups.map(({ endpoint }) => endpoint)).size).toBe(1_000);
  const slow = [7, 8, 9].map((endpoint) => ({
    endpoint,
    nextAttemptAt: start + 6_500,
    isSlow: true,
  }));
  await sendWakeups(world, 1, slow, start);
  expect(other.wakeups).toEqual(
    [7, 8, 9].map((endpoint) => ({ shard: 1, endpoint, delaySeconds: 7 })),
  );
  const full = { sendBatch: () => Promise.reject(new Error('Too Many Requests')) };
  const fullEnv: Env = { ...env, ...wakeupBindings(() => full) };
  await expect(sendWakeups(fullEnv, 0, batch, start)).rejects.toThrow('Too Many');
});
