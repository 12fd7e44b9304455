import type { Consumer, QueueName } from '../data/queues.ts';

/**
 * The consumer of each queue. It is imported by the first message, so that requests start sooner.
 */
const consumers: Readonly<Record<QueueName, () => Promise<Consumer>>> = {
  'webhook-fast': async () => (await import('../webhooks/wakeup-handler.ts')).handleWakeups,
  'webhook-slow': async () => (await import('../webhooks/wakeup-handler.ts')).handleWakeups,
  'webhook-dead-letters': async () =>
    (await import('../webhooks/wakeup-handler.ts')).handleDeadLetters,
  sweep: async () => (await import('../ops/sweep-queue.ts')).handleSweeps,
  transfers: async () => (await import('../catalog/transfers/transfer-queue.ts')).handleTransfers,
  mail: async () => (await import('../ops/outbox-queue.ts')).handleMailWakeups,
};

/** The consumer of `webhook-fast-0`, and of `shop-webhook-fast-0` in a deployment named `shop`. */
function loadConsumer(queue: string): Promise<Consumer> {
  const kind = `-${queue.replace(/-\d+$/, '')}`;
  const found = Object.entries(consumers).find(([name]) => kind.endsWith(`-${name}`));
  if (!found) throw new Error(`no consumer of the queue ${queue}`);
  return found[1]();
}

/** Hands a batch of messages to the consumer of its queue. */
export const handleQueue: ExportedHandlerQueueHandler<Env> = async (batch, env, context) => {
  const consume = await loadConsumer(batch.queue);
  await consume(batch, env, undefined, context);
};
