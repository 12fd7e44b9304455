import * as z from 'zod';
import { log } from '../../log.ts';
import { recordPoint, type MetricBindings } from '../../metrics.ts';
import { WakeupMessage } from './message.ts';

/** A wake-up that was given up. Without an error, the queue moved it here itself. */
const DeadLetter = WakeupMessage.extend({ error: z.string().default('unknown') });

/** A wake-up with the reason of its last failure. */
export type DeadLetter = z.input<typeof DeadLetter>;

/**
 * Consumer of the dead-letter queue: wake-ups that failed six times because a database did not respond. Logs one line
 * that alerts the operator and acknowledges the batch. Nothing is lost and nothing is sent again: `next_attempt_at` of
 * the endpoint is still set, so the sweep finds it.
 */
export function handleDeadLetters(batch: MessageBatch, env: MetricBindings = {}): void {
  const wakeups = batch.messages.flatMap(({ body }) => DeadLetter.safeParse(body).data ?? []);
  const malformed = batch.messages.length - wakeups.length;
  log('error', 'webhook_wakeups_dead', { alert: true, wakeups, malformed });
  recordPoint(env, 'dead_letters', { names: [], values: [wakeups.length, malformed] });
  batch.ackAll();
}
