import { log } from '../log.ts';
import { wakeMail } from '../mail/wake.ts';
import { sendAppEvents } from './send.ts';

/**
 * Sends what waits for the webhooks of apps: on each wake-up of the outbox, and each minute, when it also deletes old
 * deliveries. Never rejects: the next minute looks again.
 */
export async function runAppEvents(env: Env, { isSweep = false } = {}): Promise<void> {
  try {
    const { hasMore } = await sendAppEvents(env, { isSweep });
    if (hasMore) await wakeMail(env);
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 300) : '';
    log('error', 'app_events_failed', { alert: true, message });
  }
}
