import * as z from 'zod';
import { shardBindings } from '../../db/shards/shards.ts';

/** Workers that may join the one that holds a lease. */
export const maxJoiningWorkers = 7;

/**
 * A queue message: this endpoint of this shard may have something due. With `join`, it invites a worker to join a shared
 * lease. It carries no data, so a lost or repeated message loses and repeats nothing.
 */
export const WakeupMessage = z.strictObject({
  v: z.literal(1),
  shard: z.int().min(0),
  endpoint: z.int().min(1),
  join: z
    .strictObject({ generation: z.int().min(1), worker: z.int().min(1).max(maxJoiningWorkers) })
    .optional(),
});

export type WakeupMessage = z.output<typeof WakeupMessage>;

/** An endpoint to wake. */
export interface Wakeup {
  endpoint: number;
  /** Epoch milliseconds. */
  nextAttemptAt: number;
  /** Selects the slow queues (see `isSlowSql`). SQLite returns 0 or 1. */
  isSlow: boolean | 0 | 1;
}

/** The bindings with this prefix and a number, as many as wrangler.toml has: `WAKEUP_FAST_0`, ... */
function queuesWithPrefix(env: Env, prefix: string): readonly Queue[] {
  const bindings = env as unknown as Record<string, Queue | undefined>;
  const queues: Queue[] = [];
  for (let queue; (queue = bindings[`${prefix}${queues.length}`]);) queues.push(queue);
  if (queues.length === 0) throw new Error(`no binding ${prefix}0`);
  return queues;
}

/**
 * Chooses among the fast queues, for endpoints that are well, or the slow ones, for those that fail or are slow. A shard
 * has a queue to itself as long as there are as many queues as shards: then a batch leases and writes once for all its
 * endpoints. Spare queues are divided among the endpoints of each shard, so that one that hangs delays fewer others.
 */
function queueChooser(env: Env, shard: number) {
  const fast = queuesWithPrefix(env, 'WAKEUP_FAST_');
  const slow = queuesWithPrefix(env, 'WAKEUP_SLOW_');
  const shardCount = Math.max(1, shardBindings(env).size);
  return (endpoint: number, isSlow: boolean, worker = 0): Queue => {
    const candidates = isSlow ? slow : fast;
    const spread = Math.max(1, Math.floor(candidates.length / shardCount));
    const queue = candidates[(shard * spread + (endpoint % spread) + worker) % candidates.length];
    if (!queue) throw new Error('no wake-up queue');
    return queue;
  };
}

/** Messages that `Queue.sendBatch` accepts at once. */
const chunkSize = 100;

/** How far ahead wake-ups are sent with a delay; later ones are left to the sweep. */
export const lookAheadMs = 60_000;

/**
 * Sends a wake-up for each endpoint that is due at `now` (epoch milliseconds) or within the look-ahead, to its
 * queue. The delay is in whole seconds and never too short. Rejects when a queue rejects the messages.
 */
export async function sendWakeups(
  env: Env,
  shard: number,
  wakeups: readonly Wakeup[],
  now: number,
): Promise<void> {
  const queueFor = queueChooser(env, shard);
  const soon = wakeups.filter(({ nextAttemptAt }) => nextAttemptAt <= now + lookAheadMs);
  const byQueue = Map.groupBy(soon, ({ endpoint, isSlow }) => queueFor(endpoint, Boolean(isSlow)));
  await Promise.all(
    [...byQueue].map(async ([queue, group]) => {
      const messages = group.map(({ endpoint, nextAttemptAt }) => ({
        body: { v: 1, shard, endpoint } satisfies WakeupMessage,
        delaySeconds: Math.max(0, Math.ceil((nextAttemptAt - now) / 1000)),
      }));
      for (let start = 0; start < messages.length; start += chunkSize) {
        await queue.sendBatch(messages.slice(start, start + chunkSize));
      }
    }),
  );
}

/** Invites `count` workers (7 at most) to join a lease, each through another queue. Rejects when a queue rejects. */
export async function sendJoinRequests(
  env: Env,
  shard: number,
  endpoint: number,
  generation: number,
  count: number,
): Promise<void> {
  const queueFor = queueChooser(env, shard);
  const requests = Array.from({ length: Math.min(count, maxJoiningWorkers) }, (_, index) => {
    const join = { generation, worker: index + 1 };
    const body = { v: 1, shard, endpoint, join } satisfies WakeupMessage;
    return queueFor(endpoint, false, join.worker).sendBatch([{ body }]);
  });
  await Promise.all(requests);
}
