import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sendWakes } from '../../src/events/hints.ts';
import { sweep } from '../../src/events/sweep.ts';
import { hintsTo } from '../support/queues.ts';

const shards = { 0: env.STORE_0, 1: env.STORE_1 };

// Years before any other test's lanes, so that a sweep at this time sees the lanes of this file alone.
const start = Date.UTC(2001, 0, 1);

/** No store that a test makes has this id. */
const noStore = 2 ** 42;

interface Wanted {
  shard?: 0 | 1;
  wakeAt: number | null;
  status?: number;
  leaseUntil?: number;
  open?: number;
}

async function lane({ shard = 0, wakeAt, status = 0, leaseUntil = 0, open = 1 }: Wanted) {
  const db = shards[shard];
  const row = await db
    .prepare(
      `insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, status,
         secret_current, wake_at, lease_until, created_at, updated_at)
       values (${noStore}, 'https://a.example', 'https://a.example', 'n', 'n', ?, 's', ?, ?, 0, 0) returning id`,
    )
    .bind(status, wakeAt, leaseUntil)
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
    wakeAt: () =>
      db.prepare('select wake_at from webhook_endpoints where id = ?').bind(id).first('wake_at'),
    async states() {
      const all = db.prepare('select distinct state from webhook_deliveries where endpoint_id = ?');
      return (await all.bind(id).all<{ state: number }>()).results.map(({ state }) => state);
    },
  };
}

function recorder() {
  const hints: { shard: number; endpoint: number; delaySeconds: number | undefined }[] = [];
  const chunks: number[] = [];
  const sendBatch = (messages: MessageSendRequest<{ v: 1; shard: number; endpoint: number }>[]) => {
    chunks.push(messages.length);
    for (const { body, delaySeconds } of messages) {
      hints.push({ shard: body.shard, endpoint: body.endpoint, delaySeconds });
    }
    return Promise.resolve();
  };
  const queue = { sendBatch } as unknown as Queue;
  const world: Env = { ...env, ...hintsTo(() => queue) };
  return {
    hints,
    chunks,
    queue,
    world,
    of: (id: number) => hints.filter((h) => h.endpoint === id),
  };
}

describe('sweep', () => {
  it('fault 7: hints what is due or will be within a minute, with the exact delay, in every shard', async () => {
    const { of, world, hints } = recorder();
    const overdue = await lane({ wakeAt: 0 });
    const elsewhere = await lane({ wakeAt: start, shard: 1 });
    const soon = await lane({ wakeAt: start + 42_001 });
    const later = await lane({ wakeAt: start + 60_001 });
    await sweep(world, () => start);
    expect(of(overdue.id)).toContainEqual({ shard: 0, endpoint: overdue.id, delaySeconds: 0 });
    expect(hints).toContainEqual({ shard: 1, endpoint: elsewhere.id, delaySeconds: 0 });
    expect(of(soon.id)).toContainEqual({ shard: 0, endpoint: soon.id, delaySeconds: 43 });
    expect(of(later.id).filter((hint) => hint.shard === 0)).toEqual([]);
  });

  it('leaves a lane alone while its lease runs, and takes it up when its consumer never came back', async () => {
    const { of, world } = recorder();
    const leased = await lane({ wakeAt: start, leaseUntil: start + 60_000 });
    await sweep(world, () => start + 59_999);
    expect(of(leased.id).filter((hint) => hint.shard === 0)).toEqual([]);
    await sweep(world, () => start + 60_000);
    expect(of(leased.id)).toContainEqual({ shard: 0, endpoint: leased.id, delaySeconds: 0 });
  });

  it('fault 22: pages through all lanes, also those that want to be woken at the same moment', async () => {
    const db = env.STORE_1;
    await db
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
         insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, secret_current,
           wake_at, created_at, updated_at) select 77, '', '', '', '', '', ?, 0, 0 from n`,
      )
      .bind(start)
      .run();
    const { world, hints, chunks } = recorder();
    await sweep(world, () => start);
    const mine = await db
      .prepare('select id from webhook_endpoints where store_id = 77')
      .all<{ id: number }>();
    const swept = hints.filter((hint) => hint.shard === 1).map((hint) => hint.endpoint);
    expect(new Set(swept).size).toBe(swept.length);
    expect(mine.results.filter(({ id }) => !swept.includes(id))).toEqual([]);
    expect(Math.max(...chunks)).toBe(100);
    await db.prepare('update webhook_endpoints set wake_at = null where store_id = 77').run();
  });

  it.each([
    ['paused', 1, 3],
    ['disabled', 2, 3],
    ['deleted', 3, 4],
  ])(
    'faults 45 and 46: settles what is open on the lane of a %s endpoint',
    async (_name, status, state) => {
      const { of, world } = recorder();
      const stopped = await lane({ wakeAt: start, status, open: 3 });
      const busy = await lane({ wakeAt: start, status, leaseUntil: start + 1 });
      await sweep(world, () => start);
      expect(of(stopped.id).filter((hint) => hint.shard === 0)).toEqual([]);
      expect(await stopped.states()).toEqual([state]);
      expect(await stopped.wakeAt()).toBeNull();
      expect(await busy.states()).toEqual([0]);
    },
  );

  it('wakes an active lane that was forgotten with open deliveries', async () => {
    const { world } = recorder();
    const forgotten = await lane({ wakeAt: null, open: 5 });
    const paused = await lane({ wakeAt: null, status: 1 });
    const empty = await lane({ wakeAt: null, open: 1 });
    await env.STORE_0.prepare('update webhook_deliveries set state = 1 where endpoint_id = ?')
      .bind(empty.id)
      .run();
    await sweep(world, () => start);
    expect(await forgotten.wakeAt()).toBe(start);
    expect(await paused.wakeAt()).toBeNull();
    expect(await empty.wakeAt()).toBeNull();
  });

  it('finds forgotten lanes without reading every open delivery', async () => {
    const { world } = recorder();
    await lane({ wakeAt: start + 1e9, open: 20_000 });
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
    const { STORE_1: _other, ...one } = world as Env & { STORE_1: unknown };
    await sweep({ ...one, STORE_0: shard }, () => start);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(5_000);
  });

  it('goes on with the other shards when one does not answer', async () => {
    const { world, hints } = recorder();
    const due = await lane({ wakeAt: start, shard: 1 });
    const dead = {
      prepare: () => {
        throw new Error('D1 DB is overloaded.');
      },
    } as unknown as D1Database;
    await sweep({ ...world, STORE_0: dead }, () => start);
    expect(hints).toContainEqual({ shard: 1, endpoint: due.id, delaySeconds: 0 });
  });
});

describe('the duties of cron', () => {
  it('hold up neither each other nor the time: what fails is logged, what is late waits', async () => {
    const { world } = recorder();
    const stopped = await lane({ wakeAt: start, status: 2, open: 5_001 });
    const full = { sendBatch: () => Promise.reject(new Error('Too Many Requests')) };
    const due = await lane({ wakeAt: start });
    await sweep({ ...world, ...hintsTo(() => full) }, () => start);
    expect(await stopped.states()).toEqual([3]);
    expect(await stopped.wakeAt()).toBeNull();
    expect(await due.wakeAt()).toBe(start);
    const late = await lane({ wakeAt: start, status: 2 });
    let calls = 0;
    const clock = () => start + 25_000 * Math.min(1, (calls += 1) - 1);
    await sweep(world, clock);
    expect(await late.states()).toEqual([0]);
  });
});

it('hints go in chunks of 100 to the queue of their lane, and reject when it does', async () => {
  const { chunks, hints, queue } = recorder();
  const other = recorder();
  const world: Env = { ...env, ...hintsTo(() => queue), HINTS_SLOW_1: other.queue };
  const wakes = Array.from({ length: 1_000 }, (_, index) => ({
    endpoint: index + 1,
    wakeAt: start,
    isSlow: false,
  }));
  await sendWakes(world, 4, wakes, start);
  expect(chunks).toEqual(Array(10).fill(100));
  expect(new Set(hints.map(({ endpoint }) => endpoint)).size).toBe(1_000);
  const slow = [7, 8, 9].map((endpoint) => ({ endpoint, wakeAt: start + 6_500, isSlow: true }));
  await sendWakes(world, 4, slow, start);
  expect(other.hints).toEqual([
    { shard: 4, endpoint: 7, delaySeconds: 7 },
    { shard: 4, endpoint: 9, delaySeconds: 7 },
  ]);
  const full = { sendBatch: () => Promise.reject(new Error('Too Many Requests')) };
  const jammed: Env = { ...env, ...hintsTo(() => full) };
  await expect(sendWakes(jammed, 0, wakes, start)).rejects.toThrow('Too Many');
});
