import { log } from '../log.ts';
import { sendWakes } from './hints.ts';

/**
 * Tells the queues, after a commit, which endpoints of a shard have something to deliver. Never rejects: a hint that
 * was not taken costs latency only, the sweep finds the mailbox.
 */
export async function wake(
  env: Env,
  shard: number,
  endpoints: readonly number[],
  isSlow = false,
): Promise<void> {
  const wakes = endpoints.map((endpoint) => ({ endpoint, wakeAt: 0, isSlow }));
  try {
    await sendWakes(env, shard, wakes, 0);
  } catch (error) {
    log('warn', 'hint not sent', { reason: String(error).slice(0, 200) });
  }
}
