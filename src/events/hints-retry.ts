import { log } from '../log.ts';
import type { DeadHint } from './dead-hints.ts';
import { Hint } from './hints.ts';

/** Bounds of the pause after a database did not answer, in seconds. */
const shortestPause = 10;
const longestPause = 60;

/** `max_retries` of the queues of hints (wrangler.toml): this delivery of a message is the last one. */
const lastAttempt = 6;

/**
 * Gives a batch back to its queue until after the leases of `leaseMs`. A message that came for the last time goes to the
 * dead hints with the reason, which the queue would leave out; if that fails too, the queue moves it there.
 */
export async function retryHints(
  batch: MessageBatch,
  env: Env,
  leaseMs: number,
  failure: unknown,
): Promise<void> {
  const pause = Math.min(Math.max(Math.ceil(leaseMs / 1000), shortestPause), longestPause);
  const error = (failure instanceof Error ? failure.message : String(failure)).slice(0, 300);
  const spent = batch.messages.filter(({ attempts }) => attempts >= lastAttempt);
  log('error', 'webhook_hints_retried', {
    count: batch.messages.length,
    spent: spent.length,
    delaySeconds: pause,
    message: error,
  });
  const dead = spent.flatMap((message) => {
    const hint = Hint.safeParse(message.body).data;
    return hint ? [{ message, body: { ...hint, error } satisfies DeadHint }] : [];
  });
  if (dead.length > 0) {
    try {
      await env.DEAD_HINTS.sendBatch(dead.map(({ body }) => ({ body })));
      for (const { message } of dead) message.ack();
    } catch (reason) {
      log('warn', 'webhook_dead_hints_not_sent', { message: String(reason).slice(0, 300) });
    }
  }
  batch.retryAll({ delaySeconds: pause });
}
