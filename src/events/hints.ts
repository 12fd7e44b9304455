import * as z from 'zod';
import { hintQueues, queueFor } from './hint-queues.ts';

/** How many consumers may help the one that holds a lease. */
export const helpers = 7;

/** The fields of a hint; a strict object, so that a message of another kind is not taken for one. */
export const Hint = z.strictObject({
  v: z.literal(1),
  shard: z.int().min(0),
  endpoint: z.int().min(1),
  help: z
    .strictObject({ generation: z.int().min(1), worker: z.int().min(1).max(helpers) })
    .optional(),
});

/**
 * A queue message: this endpoint of this shard may have something due, or with `help`, whoever holds the lease of that
 * generation has more than it can send and calls for a further consumer. It carries no fact of its own.
 */
export type Hint = z.output<typeof Hint>;

/** An endpoint and when it wants to be looked at, in epoch milliseconds. */
export interface Wake {
  endpoint: number;
  wakeAt: number;
  /** By the rule of `slow-lane.ts`; 1 and 0 are what a database answers. */
  isSlow: boolean | 0 | 1;
}

/** What `Queue.sendBatch` takes at once. */
const chunkSize = 100;

/** How far ahead a hint is sent with a delay; what is due later is left to the sweep. */
export const lookAheadMs = 60_000;

/**
 * Sends a hint for each endpoint that wants to be woken by `now` (epoch milliseconds) or within the look-ahead,
 * delayed by whole seconds and never too early, each to its own queue. Rejects when a queue does not take the hints.
 */
export async function sendWakes(
  env: Env,
  shard: number,
  wakes: readonly Wake[],
  now: number,
): Promise<void> {
  const queues = hintQueues(env);
  const soon = wakes.filter(({ wakeAt }) => wakeAt <= now + lookAheadMs);
  const byQueue = Map.groupBy(soon, ({ endpoint, isSlow }) =>
    queueFor(queues, endpoint, Boolean(isSlow)),
  );
  await Promise.all(
    [...byQueue].map(async ([queue, group]) => {
      const hints = group.map(({ endpoint, wakeAt }) => ({
        body: { v: 1, shard, endpoint } satisfies Hint,
        delaySeconds: Math.max(0, Math.ceil((wakeAt - now) / 1000)),
      }));
      for (let start = 0; start < hints.length; start += chunkSize) {
        await queue.sendBatch(hints.slice(start, start + chunkSize));
      }
    }),
  );
}

/** Calls so many consumers (7 at most) to help on a lane, through other queues. Rejects when one does not take its hint. */
export async function callHelpers(
  env: Env,
  shard: number,
  endpoint: number,
  generation: number,
  count: number,
): Promise<void> {
  const queues = hintQueues(env);
  const calls = Array.from({ length: Math.min(count, helpers) }, (_, index) => {
    const help = { generation, worker: index + 1 };
    const body = { v: 1, shard, endpoint, help } satisfies Hint;
    return queueFor(queues, endpoint + help.worker, false).sendBatch([{ body }]);
  });
  await Promise.all(calls);
}
