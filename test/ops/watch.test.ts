import { readFileSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import watch from '../../src/ops/watch/watch.ts';

vi.mock('../../src/ops/OPERATIONS.md', () => ({
  default: readFileSync('src/ops/OPERATIONS.md', 'utf8'),
}));

/** What the address of the operators received. */
interface Posted {
  event: string;
  count: number;
  text: string;
  fields: Record<string, unknown>;
  others?: Record<string, unknown>[];
}

let posted: Posted[] = [];
let heartbeats = 0;
let chatStatus = 200;
let kept = new Map<string, string>();
/** The answers of `/ready`, by path. */
let ready: Record<string, Response> = {};

/** KV without a clock: a test ends a quiet time itself. */
const memory = {
  get: (key: string, type?: 'json') => {
    const text = kept.get(key);
    if (text === undefined) return Promise.resolve(null);
    return Promise.resolve(type === 'json' ? (JSON.parse(text) as unknown) : text);
  },
  put: (key: string, text: string) => Promise.resolve(kept.set(key, text)),
  delete: (key: string) => Promise.resolve(kept.delete(key)),
  list: ({ prefix = '' }: { prefix?: string }) =>
    Promise.resolve({
      keys: [...kept.keys()].filter((name) => name.startsWith(prefix)).map((name) => ({ name })),
    }),
};

const env = {
  WATCH: memory as unknown as KVNamespace,
  DEPLOYMENT_NAME: 'store-api',
  SERVICE_URL: 'https://service.test',
  RUNBOOK_URL: '',
  ALERT_URL: 'https://chat.test',
  HEARTBEAT_URL: 'https://heartbeat.test',
  READY_KEY: 'key',
};

beforeEach(() => {
  [posted, heartbeats, chatStatus, kept, ready] = [[], 0, 200, new Map(), {}];
  vi.stubGlobal('fetch', (url: string, init: { body?: string } = {}) => {
    if (url === env.HEARTBEAT_URL) heartbeats += 1;
    const path = url.replace(env.SERVICE_URL, '');
    if (url !== env.ALERT_URL)
      return Promise.resolve(ready[path]?.clone() ?? Response.json({ checks: {} }));
    if (chatStatus === 200) posted.push(JSON.parse(init.body ?? '') as Posted);
    return Promise.resolve(new Response(null, { status: chatStatus }));
  });
});

type Line = { event: string } & Record<string, unknown>;

/** Hands over the log of one invocation. */
const log = (...lines: Line[]) => {
  const logs = lines.map((line) => ({
    message: [JSON.stringify({ level: 'error', alert: true, ...line })],
  }));
  const items = [{ outcome: 'ok', logs }] as unknown as TraceItem[];
  return watch.tail(items, env);
};

const full = (shard: number, days = 3): Line => ({ event: 'shard_full_soon', shard, days });

const minute = () =>
  watch.scheduled({ scheduledTime: 60_000 } as unknown as ScheduledController, env);

/** Ends the ten minutes after the last message of a kind. */
const endQuiet = (event: string) => kept.delete(`sent:${event}`);

it('posts alerts about other shards, which came in the ten minutes after the first, as one message when these end', async () => {
  for (const shard of [3, 4, 5, 6]) await log(full(shard));
  expect(posted.map(({ fields }) => fields.shard)).toEqual([3]);
  await minute();
  expect(posted).toHaveLength(1);
  endQuiet('shard_full_soon');
  await minute();
  expect(posted.slice(1)).toMatchObject([
    {
      event: 'shard_full_soon',
      count: 3,
      fields: { shard: 4 },
      others: [{ shard: 5 }, { shard: 6 }],
    },
  ]);
  expect(posted[1]?.text).toContain('{"shard":6,"days":3}');
  endQuiet('shard_full_soon');
  await minute();
  expect(posted).toHaveLength(2);
});

it('drops an alert about the same shard in that time, also from the message of several', async () => {
  await log(full(3));
  await log(full(3, 2), full(4));
  await log(full(4, 2));
  endQuiet('shard_full_soon');
  await minute();
  await log(full(4, 1), full(3, 1));
  endQuiet('shard_full_soon');
  await minute();
  expect(posted.map(({ count, fields }) => [count, fields.shard, fields.days])).toEqual([
    [1, 3, 3],
    [1, 4, 3],
    [1, 3, 1],
  ]);
});

it('keeps the fields of each subject in the log of one invocation, and counts the lines of each kind', async () => {
  await log(full(3), full(4), full(4), { event: 'mails_wait', waiting: 1 });
  expect(posted).toMatchObject([
    { event: 'shard_full_soon', count: 3, fields: { shard: 3 }, others: [{ shard: 4 }] },
    { event: 'mails_wait', count: 1, fields: { waiting: 1 } },
  ]);
  expect(posted[1]).not.toHaveProperty('others');
});

it('posts what the address refused in the next minute, and calls the alarm of another service only then', async () => {
  chatStatus = 503;
  await log(full(3), full(4));
  await minute();
  expect([posted, heartbeats]).toEqual([[], 0]);
  chatStatus = 200;
  await minute();
  expect(posted).toMatchObject([{ count: 2, fields: { shard: 3 }, others: [{ shard: 4 }] }]);
  expect(heartbeats).toBe(1);
});

it('holds alerts while it is quiet without silencing the alarm of another service', async () => {
  await log(full(3));
  await log(full(4));
  await minute();
  expect([posted.length, heartbeats]).toEqual([1, 1]);
});

it('spells out twenty subjects of a message, and counts all', async () => {
  await log(...Array.from({ length: 30 }, (_, shard) => full(shard)));
  expect(posted).toHaveLength(1);
  expect([posted[0]?.count, posted[0]?.others?.length]).toEqual([30, 19]);
});

it('asks about many shards in parts, and names those of all parts that fail', async () => {
  const ill = (shard: number, next?: number) =>
    Response.json(
      { checks: { directory: 'ok', [`store_${shard}`]: 'failed' }, next_shard: next },
      { status: 503 },
    );
  ready = { '/ready': ill(7, 250), '/ready?from_shard=250': ill(300) };
  await minute();
  await minute();
  expect(posted).toMatchObject([
    { event: 'service_not_ready', fields: { problem: '503: store_7, store_300' } },
  ]);
  // A part that names itself is not asked for ever.
  ready = { '/ready': ill(7, 250), '/ready?from_shard=250': ill(300, 250) };
  await minute();
  ready = { '/ready': Response.json({ checks: {}, next_shard: 250 }) };
  await minute();
  expect(posted.at(-1)).toMatchObject({ event: 'service_ready_again', fields: { minutes: 3 } });
});
