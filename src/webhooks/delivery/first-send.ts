import { log } from '../../base/log.ts';
import { settingsOf, type Settings } from '../../base/settings.ts';
import { shardBinding } from '../../data/core/open-database.ts';
import type { ClaimedDelivery } from '../../data/core/store-db.ts';
import { sendOrLog } from '../../data/queues.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import { createCachedHostCheck } from '../check-url.ts';
import { claimMs, quickMs } from '../events/fan-out.ts';
import { sendWakeups } from '../wake-endpoints.ts';
import { applyResult, type CompletedAttempt } from './apply-result.ts';
import { attemptDelivery } from './attempt.ts';
import { defaultDeliveryDeps, type DeliveryDeps } from './deps.ts';
import { maxConcurrentSends } from './leased-endpoint.ts';
import { type LeasedEndpointRow, toLeasedEndpoint } from './load-endpoints.ts';
import { type EndpointSource, ResultBuffer } from './result-buffer.ts';
import { writeDelivered, writeResults } from './write-results.ts';

/** A send that starts by then ends within the claim, with its timeout. */
const startWithinMs = claimMs - 12_000;

/**
 * The most deliveries that all requests of an isolate hold at once, and characters of their bodies.
 */
const maxHeld = 32;
const maxHeldCharacters = 4_000_000;
const held = new Set<{ until: number; deliveries: number; characters: number }>();

/**
 * Whether a request may claim deliveries of its events. Work that the runtime cancelled counts
 * until its claim ends.
 */
export function mayClaim(now: number): boolean {
  let [deliveries, characters] = [0, 0];
  for (const one of held) {
    if (one.until <= now) held.delete(one);
    deliveries += one.deliveries;
    characters += one.characters;
  }
  return deliveries < maxHeld && characters < maxHeldCharacters;
}

/**
 * Sends deliveries that a request claimed in the batch of their event: after its response, without
 * a message or a lease. A success writes one row. Any other result is written as by a run, so the
 * queues go on. Never rejects: what is left behind is due again at the end of its claim.
 */
export async function sendFirst(
  env: Env,
  shard: number,
  deliveries: readonly ClaimedDelivery[],
  ports: Partial<DeliveryDeps> = {},
): Promise<void> {
  const settings = settingsOf(env);
  const base = { ...defaultDeliveryDeps, ...ports };
  const deps = { checkHost: createCachedHostCheck(env, settings, base), ...base };
  const characters = deliveries.reduce((sum, { body }) => sum + body.length, 0);
  const own = { until: base.now() + claimMs, deliveries: deliveries.length, characters };
  held.add(own);
  const waiting = [...deliveries];
  const sendWaiting = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await sendClaimed(env, shard, next, settings, deps);
  };
  try {
    await Promise.all(Array.from({ length: maxConcurrentSends }, sendWaiting));
  } catch (error) {
    log('warn', 'webhook_first_send_failed', { shard, message: String(error).slice(0, 300) });
  } finally {
    held.delete(own);
  }
}

/** Sends one delivery and writes its result. Rejects when the database fails. */
async function sendClaimed(
  env: Env,
  shard: number,
  { endpoint: row, seq, eventId, event, body, changed, triggeredAt }: ClaimedDelivery,
  settings: Settings,
  deps: DeliveryDeps,
): Promise<void> {
  const due = {
    seq,
    event_id: eventId,
    attempts: 0,
    counted_failures: 0,
    // Not the end of the claim: the delivery has no retry schedule of its own.
    due_at: 0,
    trigger: 'event',
    event,
    body,
    archived: null,
    changed,
    triggered_at: triggeredAt,
    may_receive: 1,
  } as const;
  const options = { ...settings, now: deps.now(), worker: 0 };
  const endpoint = await toLeasedEndpoint(
    shard,
    row as unknown as LeasedEndpointRow,
    [due],
    options,
  );
  const [delivery] = endpoint.deliveries;
  const isLate = deps.now() > triggeredAt + startWithinMs;
  if (isLate || !delivery || !endpoint.secrets) return;
  const result = await attemptDelivery(endpoint, delivery, settings, deps);
  const db = shardBinding(env, shard);
  const write = async (...[attempts, releasing, now]: Parameters<EndpointSource['write']>) => {
    if (!attempts.every(isQuickSuccess)) return writeResults(db, attempts, releasing, now);
    await writeDelivered(db, attempts);
    return [];
  };
  const buffer = new ResultBuffer({ write }, [endpoint], {
    now: deps.now,
    isDone: () => true,
    onReleased: (released) =>
      sendOrLog('webhook-fast', released.length, sendWakeups(env, shard, released, deps.now())),
  });
  buffer.add(applyResult(endpoint, delivery, result, deps));
  await buffer.close();
}

/** Nothing of the endpoint has to change. */
const isQuickSuccess = ({ next, response }: CompletedAttempt) =>
  next.state === DeliveryState.delivered && response.durationMs <= quickMs;
