import { log } from '../log.ts';
import { sendHints } from './hints.ts';

/**
 * Tells the queue, after a commit, which endpoints of a shard have something to deliver. Never rejects: a hint that
 * was not taken costs latency only, the sweep finds the mailbox.
 */
export async function wake(env: Env, shard: number, endpoints: readonly number[]): Promise<void> {
  try {
    await sendHints(env.HINTS, shard, endpoints);
  } catch (error) {
    log('warn', 'hint not sent', { reason: String(error).slice(0, 200) });
  }
}
