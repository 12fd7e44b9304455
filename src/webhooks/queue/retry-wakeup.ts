import { log } from '../../base/log.ts';
import { messageSchemas } from '../../data/queues/queue-messages.ts';
import { send } from '../../data/queues/wake.ts';

/** Bounds of the pause after a database failure, in seconds. */
const minDelaySeconds = 10;
const maxDelaySeconds = 60;

/** The last attempt of a message: `max_retries` of the wake-up queues (wrangler.toml) and the first delivery. */
const lastAttempt = 6;

/**
 * Retries a batch after its leases, which last `leaseMs`, have expired. A message on its last attempt goes to the
 * dead-letter queue with the reason, which the platform would leave out; if that fails too, the platform moves it.
 */
export async function retryWakeups(
  batch: MessageBatch,
  env: Env,
  leaseMs: number,
  failure: unknown,
): Promise<void> {
  const delaySeconds = Math.min(
    Math.max(Math.ceil(leaseMs / 1000), minDelaySeconds),
    maxDelaySeconds,
  );
  const error = (failure instanceof Error ? failure.message : String(failure)).slice(0, 300);
  const spent = batch.messages.filter(({ attempts }) => attempts >= lastAttempt);
  log('error', 'webhook_wakeups_retried', {
    count: batch.messages.length,
    spent: spent.length,
    delaySeconds,
    message: error,
  });
  const dead = spent.flatMap((message) => {
    const wakeup = messageSchemas['webhook-fast'].safeParse(message.body).data;
    return wakeup ? [{ message, body: { ...wakeup, error } }] : [];
  });
  if (dead.length > 0) {
    try {
      await send(
        env,
        'webhook-dead-letters',
        dead.map(({ body }) => ({ body })),
      );
      for (const { message } of dead) message.ack();
    } catch (reason) {
      log('warn', 'webhook_dead_letters_not_sent', { message: String(reason).slice(0, 300) });
    }
  }
  batch.retryAll({ delaySeconds });
}
