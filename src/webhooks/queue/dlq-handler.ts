import { log } from '../../base/log.ts';
import { recordPoint } from '../../base/metrics.ts';
import { consumerOf } from '../../data/queues/consume.ts';
import { messageSchemas } from '../../data/queues/queue-messages.ts';

/**
 * Consumer of the dead-letter queue: wake-ups that failed six times because a database did not respond. Logs one line
 * that alerts the operator and acknowledges the batch. Nothing is lost and nothing is sent again: `next_attempt_at` of
 * the endpoint is still set, so the sweep finds it.
 */
export const handleDeadLetters = consumerOf({
  name: 'webhook-dead-letters',
  // A malformed letter belongs into the same line.
  schema: messageSchemas['webhook-dead-letters'].nullable().catch(null),
  consume(letters, { env }) {
    const wakeups = letters.filter((letter) => letter !== null);
    const malformed = letters.length - wakeups.length;
    log('error', 'webhook_wakeups_dead', { alert: true, wakeups, malformed });
    recordPoint(env, 'dead_letters', { names: [], values: [wakeups.length, malformed] });
  },
});
