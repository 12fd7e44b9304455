import { findDatabaseFailure } from '../../db/core/database-failures.ts';
import { restoringShards, shardBindings } from '../../db/shards/shards.ts';
import { log } from '../../log.ts';
import { recordPoint } from '../../metrics.ts';
import { settingsOf, type Settings } from '../../settings.ts';
import { defaultDeliveryDeps, type DeliveryDeps } from '../delivery/deps.ts';
import { DeliveryRun, type RunOptions } from '../delivery/run.ts';
import { StallDetector } from '../delivery/stall-detector.ts';
import type { LeaseRequest } from '../lease/acquire.ts';
import { createCachedHostCheck } from '../url-policy/cached-check.ts';
import { sendJoinRequests, sendWakeups, WakeupMessage } from './message.ts';
import { retryWakeups } from './retry.ts';

/** No send starts later. With the longest timeout, a run ends within the 30 s that a runtime update leaves. */
const budgetMs = 20_000;

/** A run without progress for this long only waits for receivers. */
const stallMs = 150;

/** A run that took at most this long has time for overdue endpoints. */
const spareTimeLimitMs = 5_000;

/** Memory for bodies of all detached runs of an isolate, in bytes. Every run counts at least `minRunBytes`. */
const maxDetachedBytes = 32_000_000;
const minRunBytes = 64_000;
let detachedBytes = 0;

/**
 * Consumer of the wake-up queues. Delivers for every endpoint in the batch, then for overdue ones if time remains, and
 * acknowledges the batch. Wakes again the endpoints that are due within a minute. Malformed messages are logged and
 * acknowledged. Only a database failure makes the queue retry the batch.
 *
 * A run that only waits for receivers is detached: its batch is acknowledged, and `context` keeps it alive, so that the
 * queue goes on. If it dies there, its leases expire and the sweep wakes its endpoints.
 */
export async function handleWakeups(
  batch: MessageBatch,
  env: Env,
  injected: Partial<DeliveryDeps> = {},
  context?: Pick<ExecutionContext, 'waitUntil'>,
): Promise<void> {
  const settings = settingsOf(env);
  const baseDeps = { ...defaultDeliveryDeps, archive: env.ARCHIVE, ...injected };
  const deps = { checkHost: createCachedHostCheck(env, settings, baseDeps), ...baseDeps };
  const isSlow = /slow-\d+$/.test(batch.queue);
  const stallDetector = new StallDetector(stallMs);
  const startedAt = deps.now();
  const run = deliver(parseLeaseRequests(batch, env), env, settings, deps, {
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
  if (context && isStalled && detachedBytes + bytes < maxDetachedBytes) {
    detachedBytes += bytes;
    stallDetector.isDetached = true;
    batch.ackAll();
    context.waitUntil(run.then(logRunFailure).finally(() => (detachedBytes -= bytes)));
    return;
  }
  const failure = await run;
  if (failure === undefined) batch.ackAll();
  else await retryWakeups(batch, env, settings.leaseMs, failure);
}

/** Records a data point of a run: how many wake-ups it had and how long it took, and a failure by kind. */
function recordRun(
  { messages, queue }: MessageBatch,
  env: Env,
  { failure, isSlow, ms }: { failure: unknown; isSlow: boolean; ms: number },
): void {
  const failed = failure === undefined ? '' : (findDatabaseFailure(String(failure)) ?? 'other');
  recordPoint(env, 'run', {
    names: [queue, failed],
    values: [messages.length, Number(isSlow), Number(failed !== ''), ms],
  });
}

/** For a detached run: its batch is acknowledged, and the sweep finds what it leaves. */
function logRunFailure(failure: unknown): void {
  if (failure === undefined) return;
  log('error', 'webhook_run_failed', { message: String(failure).slice(0, 300) });
}

/** Parses the messages of a batch into one request per shard. */
function parseLeaseRequests(batch: MessageBatch, env: Env): LeaseRequest[] {
  const bindings = shardBindings(env);
  const messages = batch.messages.flatMap(({ body }) => WakeupMessage.safeParse(body).data ?? []);
  // After the restore of a shard, the sweep finds its endpoints.
  const restoring = restoringShards(env);
  const isKnown = ({ shard }: WakeupMessage) => bindings.has(shard) || restoring.has(shard);
  const malformed = batch.messages.length - messages.filter(isKnown).length;
  if (malformed > 0) log('error', 'webhook_wakeups_malformed', { alert: true, count: malformed });
  return [...Map.groupBy(messages, ({ shard }) => shard)].flatMap(([shard, ofShard]) => {
    const db = bindings.get(shard);
    if (!db) return [];
    const joins = ofShard.flatMap(({ endpoint, join }) => (join ? [{ endpoint, ...join }] : []));
    const endpoints = ofShard.filter(({ join }) => !join).map(({ endpoint }) => endpoint);
    return [{ shard, db, endpoints, joins }];
  });
}

/** Runs the requests, then overdue endpoints if time remains. Returns the first failure of a database. */
async function deliver(
  requests: LeaseRequest[],
  env: Env,
  settings: Settings,
  deps: DeliveryDeps,
  runOptions: Pick<RunOptions, 'isSlow' | 'stallDetector'>,
): Promise<unknown> {
  const startedAt = deps.now();
  const options: Omit<RunOptions, 'budgetMs'> = {
    ...runOptions,
    wake: (shard, released) =>
      logSendFailure(released.length, sendWakeups(env, shard, released, deps.now())),
    requestWorkers: ({ shard, id, generation }, count) =>
      logSendFailure(count, sendJoinRequests(env, shard, id, generation, count)),
  };
  const { failure, overdue } = await new DeliveryRun(settings, deps, {
    ...options,
    budgetMs,
  }).execute(requests);
  const elapsedMs = deps.now() - startedAt;
  if (failure !== undefined || overdue.length === 0 || elapsedMs > spareTimeLimitMs) return failure;
  log('error', 'webhook_endpoints_overdue', {
    alert: true,
    endpoints: overdue.map(({ shard, endpoints }) => ({ shard, endpoints })),
  });
  // These endpoints are not in the batch, so a failure here is no reason to retry it.
  const remaining = { ...options, budgetMs: budgetMs - elapsedMs };
  await new DeliveryRun(settings, deps, remaining).execute(overdue);
  return undefined;
}

/** A wake-up that was not sent costs up to a minute: then the sweep finds the endpoint. */
async function logSendFailure(count: number, sending: Promise<void>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('warn', 'webhook_wakeup_failed', { count, message });
  }
}
