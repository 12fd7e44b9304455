import { log } from '../../base/log.ts';
import { shardBindings } from '../core/open-database.ts';
import type { QueueMessage, QueueName } from './queue-messages.ts';

/** A message and its delay. */
interface Sending<Name extends QueueName> {
  body: QueueMessage<Name>;
  delaySeconds?: number;
}

/** Messages that `Queue.sendBatch` accepts at once. */
const chunkSize = 100;

/**
 * Sends messages to a queue, 100 in a call. Rejects when the queue rejects some of them. See {@link wake} for one whose loss costs a
 * minute only.
 */
export async function send<Name extends QueueName>(
  env: Env,
  name: Name,
  messages: readonly Sending<Name>[],
): Promise<void> {
  if (messages.length === 0) return;
  const queueFor = queues[name](env);
  const calls: Promise<unknown>[] = [];
  for (const [queue, group] of Map.groupBy(messages, ({ body }) => queueFor(body))) {
    for (let start = 0; start < group.length; start += chunkSize) {
      calls.push(queue.sendBatch(group.slice(start, start + chunkSize)));
    }
  }
  await Promise.all(calls);
}

/**
 * Sends a message after the commit of the change that it is about. Never rejects: without the message, the sweep finds
 * the work within a minute.
 */
export async function wake<Name extends QueueName>(
  env: Env,
  name: Name,
  body: QueueMessage<Name>,
  delaySeconds = 0,
): Promise<void> {
  await sendOrLog(name, 1, send(env, name, [{ body, delaySeconds }]));
}

/** Logs a failure of `sending`, which sends `count` messages. */
export async function sendOrLog(
  queue: QueueName,
  count: number,
  sending: Promise<void>,
): Promise<void> {
  try {
    await sending;
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 300) : '';
    log('warn', 'wakeup_not_sent', { queue, count, message });
  }
}

/** By the name of a queue, which binding takes a message. */
const queues: {
  readonly [Name in QueueName]: (env: Env) => (message: QueueMessage<Name>) => Queue;
} = {
  'webhook-fast': (env) => spread(env, 'WAKEUP_FAST_'),
  'webhook-slow': (env) => spread(env, 'WAKEUP_SLOW_'),
  'webhook-dead-letters': (env) => () => env.WAKEUP_DLQ,
  sweep: (env) => () => env.SWEEP,
  transfers: (env) => () => env.TRANSFERS,
  mail: (env) => () => env.MAIL,
};

/**
 * Chooses among the queues whose bindings have a prefix and a number: `WAKEUP_FAST_0`, ..., as many as wrangler.toml has. A
 * shard has a queue to itself as long as there are as many queues as shards: then a batch leases and writes once for all its
 * endpoints. Spare queues are divided among the endpoints of each shard, so that one that hangs delays fewer others.
 */
function spread(env: Env, prefix: string) {
  const bindings = env as unknown as Record<string, Queue | undefined>;
  const all: Queue[] = [];
  for (let queue; (queue = bindings[`${prefix}${all.length}`]);) all.push(queue);
  const perShard = Math.max(1, Math.floor(all.length / Math.max(1, shardBindings(env).size)));
  return ({ shard, endpoint, join }: QueueMessage<'webhook-fast'>): Queue => {
    const queue =
      all[(shard * perShard + (endpoint % perShard) + (join?.worker ?? 0)) % all.length];
    if (!queue) throw new Error(`no binding ${prefix}0`);
    return queue;
  };
}
