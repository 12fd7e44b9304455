import * as z from 'zod';

/** Workers that may join the one that holds a lease. */
export const maxJoiningWorkers = 7;

/** Further rounds of a shard in a minute. Each has the calls of an invocation of its own. */
export const maxRounds = 8;

const v = z.literal(1);
const shard = z.int().min(0);

/**
 * Wakes an endpoint of a shard that may have something due. With `join`, it invites a worker to join a shared lease.
 */
const Wakeup = z.strictObject({
  v,
  shard,
  endpoint: z.int().min(1),
  join: z
    .strictObject({ generation: z.int().min(1), worker: z.int().min(1).max(maxJoiningWorkers) })
    .optional(),
});

/**
 * The messages of each queue, by its name in wrangler.toml without a number. A message carries no data, so a lost, late or
 * repeated one loses and repeats nothing. A deployment reads the messages of the one before.
 */
export const messageSchemas = {
  'webhook-fast': Wakeup,
  'webhook-slow': Wakeup,
  /** A wake-up that was given up. Without an error, the queue moved it here itself. */
  'webhook-dead-letters': Wakeup.extend({ error: z.string().default('unknown') }),
  /** Sweep this shard. */
  sweep: z.strictObject({ v, shard, round: z.int().min(0).max(maxRounds) }),
  /** Look at the transfers of this shard. */
  transfers: z.strictObject({ v, shard }),
  /** Look at the outbox of the directory. */
  mail: z.strictObject({ v }),
};

export type QueueName = keyof typeof messageSchemas;

/** A message of a queue. */
export type QueueMessage<Name extends QueueName> = z.output<(typeof messageSchemas)[Name]>;
