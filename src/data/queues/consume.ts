import type * as z from 'zod';
import { log } from '../../base/log.ts';
import { restoringShards, shardBindings } from '../core/open-database.ts';
import type { QueueName } from './queue-messages.ts';

/** A batch in work. */
export interface QueueRun<Ports> {
  env: Env;
  batch: MessageBatch;
  /** The outside world, as far as a test replaces it. */
  ports: Partial<Ports>;
  /** Keeps the Worker alive for work that continues after the batch is acknowledged. */
  context: Pick<ExecutionContext, 'waitUntil'> | undefined;
}

interface Consumption<Message, Ports> {
  name: QueueName;
  schema: z.ZodType<Message>;
  /** Every message names a shard. One of a shard that is being restored is skipped: the sweep looks afterwards. */
  isPerShard?: true;
  /** Works on the valid messages of a batch, of which there may be none. */
  consume: (messages: readonly Message[], run: QueueRun<Ports>) => Promise<void> | void;
  /** Logs a failure, and retries or acknowledges. By default it is logged and acknowledged: the sweep looks again. */
  onFailure?: (
    failure: unknown,
    messages: readonly Message[],
    run: QueueRun<Ports>,
  ) => Promise<void>;
}

/** A consumer, as the Worker calls it. */
export type Consumer = (
  batch: MessageBatch,
  env: Env,
  ports?: undefined,
  context?: QueueRun<never>['context'],
) => Promise<void>;

/** The outside world of most consumers. */
interface Clock {
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * Creates the consumer of a queue: it parses the messages of a batch, works on them and acknowledges the batch.
 * Malformed messages are logged with an alert and acknowledged. The consumer never rejects.
 */
export const consumerOf =
  <Message, Ports = Clock>({
    name,
    schema,
    isPerShard,
    consume,
    onFailure,
  }: Consumption<Message, Ports>) =>
  async (
    batch: MessageBatch,
    env: Env,
    ports: Partial<Ports> = {},
    context?: QueueRun<Ports>['context'],
  ): Promise<void> => {
    const messages = parse(batch, env, { name, schema, isPerShard: isPerShard ?? false });
    const run = { env, batch, ports, context };
    try {
      await consume(messages, run);
    } catch (failure) {
      if (onFailure) return onFailure(failure, messages, run);
      const message = failure instanceof Error ? failure.message.slice(0, 300) : '';
      log('error', 'queue_run_failed', { alert: true, queue: name, message });
    }
    batch.ackAll();
  };

function parse<Message>(
  { messages }: MessageBatch,
  env: Env,
  {
    name,
    schema,
    isPerShard,
  }: { name: QueueName; schema: z.ZodType<Message>; isPerShard: boolean },
): Message[] {
  const bindings = shardBindings(env);
  const restoring = restoringShards(env);
  let malformed = 0;
  const parsed = messages.flatMap(({ body }) => {
    const { success, data } = schema.safeParse(body);
    const { shard = -1 } = isPerShard && success ? (data as { shard?: number }) : {};
    if (success && (!isPerShard || bindings.has(shard))) return [data];
    if (!restoring.has(shard)) malformed += 1;
    return [];
  });
  if (malformed > 0) log('error', 'messages_malformed', { alert: true, queue: name, malformed });
  return parsed;
}
