import { z } from 'zod';

const Hint = z.strictObject({
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
}

/** What `Queue.sendBatch` takes at once. */
const chunkSize = 100;

/** How far ahead a hint is sent with a delay; what is due later is left to the sweep. */
export const lookAheadMs = 60_000;

/** The hint in a message, or `undefined` when it is malformed or of another version. */
export function parseHint(body: unknown): Hint | undefined {
  return Hint.safeParse(body).data;
}

/** Asks for a look at these endpoints after `delaySeconds`. Rejects when the queue does not take the hints. */
export async function sendHints(
  queue: Queue,
  shard: number,
  endpointIds: readonly number[],
  delaySeconds = 0,
): Promise<void> {
  await sendAll(
    queue,
    endpointIds.map((endpoint) => request(shard, endpoint, delaySeconds)),
  );
}

/**
 * Sends a hint for each endpoint that wants to be woken by `now` (epoch milliseconds) or within the look-ahead,
 * delayed by whole seconds and never too early. Rejects when the queue does not take the hints.
 */
export async function sendWakes(
  queue: Queue,
  shard: number,
  wakes: readonly Wake[],
  now: number,
): Promise<void> {
  const soon = wakes.filter(({ wakeAt }) => wakeAt <= now + lookAheadMs);
  await sendAll(
    queue,
    soon.map(({ endpoint, wakeAt }) =>
      request(shard, endpoint, Math.max(0, Math.ceil((wakeAt - now) / 1000))),
    ),
  );
}

function request(shard: number, endpoint: number, delaySeconds: number): MessageSendRequest<Hint> {
  return { body: { v: 1, shard, endpoint }, delaySeconds };
}

async function sendAll(queue: Queue, messages: MessageSendRequest<Hint>[]): Promise<void> {
  for (let start = 0; start < messages.length; start += chunkSize) {
    await queue.sendBatch(messages.slice(start, start + chunkSize));
  }
}
