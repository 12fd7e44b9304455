import * as z from 'zod';
import { hintQueues, queueFor } from './hint-queues.ts';

/** The fields of a hint; a strict object, so that a message of another kind is not taken for one. */
export const Hint = z.strictObject({
  v: z.literal(1),
  shard: z.int().min(0),
  endpoint: z.int().min(1),
});

/** A queue message: this endpoint of this shard may have something due. It carries no fact of its own. */
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
