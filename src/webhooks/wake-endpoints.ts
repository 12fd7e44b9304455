import { minuteMs } from '../base/durations.ts';
import { maxJoiningWorkers, send, sendOrLog } from '../data/queues.ts';

/** An endpoint to wake. */
export interface Wakeup {
  endpoint: number;
  /** Epoch milliseconds. */
  nextAttemptAt: number;
  /** Selects the slow queues (see `isSlowSql`). SQLite returns 0 or 1. */
  isSlow: boolean | 0 | 1;
}

/** How far ahead wake-ups are sent with a delay; later ones are left to the sweep. */
export const lookAheadMs = minuteMs;

/**
 * Sends a wake-up for each endpoint that is due at `now` (epoch milliseconds) or within the
 * look-ahead. The queue is a fast one, or a slow one for an endpoint that fails or is slow. The
 * delay is in whole seconds and never too short. Rejects when a queue rejects the messages.
 */
export async function sendWakeups(
  env: Env,
  shard: number,
  wakeups: readonly Wakeup[],
  now: number,
): Promise<void> {
  const soon = wakeups.filter(({ nextAttemptAt }) => nextAttemptAt <= now + lookAheadMs);
  const toMessage = ({ endpoint, nextAttemptAt }: Wakeup) => ({
    body: { v: 1, shard, endpoint } as const,
    delaySeconds: Math.max(0, Math.ceil((nextAttemptAt - now) / 1000)),
  });
  const [slow, fast] = [true, false].map((isSlow) =>
    soon.filter((wakeup) => Boolean(wakeup.isSlow) === isSlow).map(toMessage),
  );
  await Promise.all([send(env, 'webhook-fast', fast ?? []), send(env, 'webhook-slow', slow ?? [])]);
}

/**
 * Invites `count` workers (7 at most) to join a lease, each through another queue. Rejects when a
 * queue rejects.
 */
export async function sendJoinRequests(
  env: Env,
  shard: number,
  endpoint: number,
  generation: number,
  count: number,
): Promise<void> {
  const requests = Array.from({ length: Math.min(count, maxJoiningWorkers) }, (_, index) => ({
    body: { v: 1, shard, endpoint, join: { generation, worker: index + 1 } } as const,
  }));
  await send(env, 'webhook-fast', requests);
}

/**
 * Sends wake-ups for endpoints that have something to deliver, after the commit that made it due.
 * Never rejects: without the wake-up, the sweep finds the endpoint within a minute.
 */
export async function wakeEndpoints(
  env: Env,
  shard: number,
  endpoints: readonly number[],
  isSlow = false,
): Promise<void> {
  const wakeups = endpoints.map((endpoint) => ({ endpoint, nextAttemptAt: 0, isSlow }));
  await sendOrLog(
    isSlow ? 'webhook-slow' : 'webhook-fast',
    endpoints.length,
    sendWakeups(env, shard, wakeups, 0),
  );
}
