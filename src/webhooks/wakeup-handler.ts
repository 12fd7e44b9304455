import { log } from '../base/log.ts';
import { recordPoint } from '../base/metrics.ts';
import { settingsOf, type Settings } from '../base/settings.ts';
import { failureOf } from '../data/core/data-errors.ts';
import { shardBinding } from '../data/core/open-database.ts';
import {
  consumerOf,
  messageSchemas,
  type QueueMessage,
  type QueueRun,
  sendOrLog,
} from '../data/queues.ts';
import { createCachedHostCheck } from './check-url.ts';
import type { LeaseRequest } from './delivery/acquire.ts';
import { DeliveryRun, type RunOptions } from './delivery/delivery-run.ts';
import { defaultDeliveryDeps, type DeliveryDeps } from './delivery/deps.ts';
import { shardSource } from './delivery/result-buffer.ts';
import { StallDetector } from './delivery/stall-detector.ts';
import { sendJoinRequests, sendWakeups } from './wake-endpoints.ts';

/**
 * No send starts later. With the longest timeout, a run ends within the 30 s that a runtime update
 * leaves.
 */
const budgetMs = 20_000;

/** A run that took at most this long has time for overdue endpoints. */
const spareTimeLimitMs = 5_000;

/**
 * Memory for bodies of all detached runs of an isolate, in bytes. Every run counts at least
 * `minRunBytes`.
 */
const maxDetachedBytes = 32_000_000;
const minRunBytes = 64_000;
let detachedBytes = 0;

/**
 * Consumer of the wake-up queues, fast and slow. Only a database failure makes the queue retry the
 * batch. The endpoints that are due within a minute are woken again.
 */
export const handleWakeups = consumerOf<QueueMessage<'webhook-fast'>, DeliveryDeps>({
  name: 'webhook-fast',
  schema: messageSchemas['webhook-fast'],
  isPerShard: true,
  consume: deliverAll,
  onFailure: { retrySeconds: secondsOfLease, lastAttempt: 6, deadLetters: 'webhook-dead-letters' },
});

/**
 * Delivers for every endpoint in the batch, then for overdue ones if time remains. Throws the first
 * failure of a database.
 *
 * A run that only waits for receivers is detached, unless a database has failed. Its batch is
 * acknowledged, and `context` keeps it alive, so that the queue continues. If it dies there, its
 * leases expire and the sweep wakes its endpoints.
 */
async function deliverAll(
  wakeups: readonly QueueMessage<'webhook-fast'>[],
  { env, batch, ports, context }: QueueRun<DeliveryDeps>,
): Promise<void> {
  const settings = settingsOf(env);
  const baseDeps = { ...defaultDeliveryDeps, archive: env.ARCHIVE, ...ports };
  const deps = { checkHost: createCachedHostCheck(env, settings, baseDeps), ...baseDeps };
  const isSlow = /slow-\d+$/.test(batch.queue);
  const stallDetector = new StallDetector();
  const startedAt = deps.now();
  const run = deliver(leaseRequests(wakeups, env), env, settings, deps, {
    isSlow,
    stallDetector,
  }).then((failure) => {
    recordRun(batch, env, { failure, isSlow, ms: deps.now() - startedAt });
    return failure;
  });
  const isStalled = await Promise.race([
    run.then(() => false),
    stallDetector.stalled.then(() => true),
  ]);
  const bytes = minRunBytes + stallDetector.bodyBytes;
  const mayDetach = isStalled && !stallDetector.mustRetry;
  if (context && mayDetach && detachedBytes + bytes < maxDetachedBytes) {
    detachedBytes += bytes;
    stallDetector.isDetached = true;
    context.waitUntil(run.then(logRunFailure).finally(() => (detachedBytes -= bytes)));
    return;
  }
  const failure = await run;
  if (failure !== undefined) throw failure;
}

/**
 * Records a data point of a run: how many wake-ups it had and how long it took, and a failure by
 * kind.
 */
function recordRun(
  { messages, queue }: MessageBatch,
  env: Env,
  { failure, isSlow, ms }: { failure: unknown; isSlow: boolean; ms: number },
): void {
  const failed = failure === undefined ? '' : (failureOf(failure) ?? 'other');
  recordPoint(env, 'run', {
    names: [queue, failed],
    values: [messages.length, Number(isSlow), Number(failed !== ''), ms],
  });
}

/** For a detached run: its batch is acknowledged, and the sweep finds the rest. */
function logRunFailure(failure: unknown): void {
  if (failure === undefined) return;
  log('error', 'webhook_run_failed', { message: String(failure).slice(0, 300) });
}

/** One request per shard. */
const leaseRequests = (
  wakeups: readonly QueueMessage<'webhook-fast'>[],
  env: Env,
): LeaseRequest[] =>
  [...Map.groupBy(wakeups, ({ shard }) => shard)].map(([shard, ofShard]) => ({
    shard,
    db: shardBinding(env, shard),
    joins: ofShard.flatMap(({ endpoint, join }) => (join ? [{ endpoint, ...join }] : [])),
    endpoints: ofShard.filter(({ join }) => !join).map(({ endpoint }) => endpoint),
  }));

/**
 * Runs the requests, then overdue endpoints if time remains. Returns the first failure of a
 * database.
 */
async function deliver(
  requests: LeaseRequest[],
  env: Env,
  settings: Settings,
  deps: DeliveryDeps,
  runOptions: Pick<RunOptions, 'isSlow' | 'stallDetector'>,
): Promise<unknown> {
  const startedAt = deps.now();
  const queue = runOptions.isSlow ? 'webhook-slow' : 'webhook-fast';
  const options: Omit<RunOptions, 'budgetMs'> = {
    ...runOptions,
    wake: (shard, released) =>
      sendOrLog(queue, released.length, sendWakeups(env, shard, released, deps.now())),
    requestWorkers: ({ shard, id, generation }, count) =>
      sendOrLog(queue, count, sendJoinRequests(env, shard, id, generation, count)),
  };
  const { failure, overdue } = await new DeliveryRun(settings, deps, {
    ...options,
    budgetMs,
  }).execute(requests.map(shardSource));
  const elapsedMs = deps.now() - startedAt;
  if (failure !== undefined || overdue.length === 0 || elapsedMs > spareTimeLimitMs) return failure;
  log('error', 'webhook_endpoints_overdue', {
    alert: true,
    endpoints: overdue.map(({ shard, endpoints }) => ({ shard, endpoints })),
  });
  // These endpoints are not in the batch, so a failure here is no reason to retry it.
  const remaining = { ...options, budgetMs: budgetMs - elapsedMs };
  await new DeliveryRun(settings, deps, remaining).execute(overdue.map(shardSource));
  return undefined;
}

/**
 * Returns the pause after a database failure: the leases of the run have expired by then. At least
 * ten seconds.
 */
function secondsOfLease(env: Env): number {
  return Math.min(Math.max(Math.ceil(settingsOf(env).leaseMs / 1000), 10), 60);
}

/**
 * Consumer of the dead-letter queue: wake-ups that failed six times because a database did not
 * respond. Logs one line that alerts the operator and acknowledges the batch. Nothing is lost and
 * nothing is sent again: `next_attempt_at` of the endpoint is still set, so the sweep finds it.
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
