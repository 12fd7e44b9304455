import { hourMs, minuteMs } from '../../base/durations.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import type { AttemptResult, WebhookResponse } from './attempt.ts';
import type { DeliveryDeps } from './deps.ts';
import type { DueDelivery, LeasedEndpoint, EndpointHealth } from './leased-endpoint.ts';
import type { Outcome } from './outcome.ts';

/** An attempt whose result is not in the database yet. */
export interface CompletedAttempt {
  endpoint: LeasedEndpoint;
  delivery: DueDelivery;
  response: WebhookResponse;
  host: string;
  next: DeliveryUpdate;
  /**
   * The suspect, when this attempt showed that only it may be failing: it gets its own retry
   * schedule.
   */
  isolated: { seq: number; dueAt: number } | null;
}

/** Decides what follows for the delivery, and updates the health of the endpoint. */
export function applyResult(
  endpoint: LeasedEndpoint,
  delivery: DueDelivery,
  { response, outcome, retryAfterMs, host }: AttemptResult,
  deps: Pick<DeliveryDeps, 'now' | 'random'>,
): CompletedAttempt {
  const { random } = deps;
  const now = deps.now();
  const { ordered, suspect } = endpoint;
  const isWell = endpoint.health.consecutiveFailures === 0;
  const next = updateDelivery(delivery, outcome, { now, random, ordered, isWell });
  endpoint.health = updateHealth(endpoint.health, {
    outcome,
    now,
    durationMs: response.durationMs,
    retryAfterMs,
    blocksEndpoint: ordered && next.state === DeliveryState.open,
    isReplay: delivery.isReplay,
    random,
  });
  const isDelivered = outcome === 'delivered';
  endpoint.hasDelivered ||= isDelivered;
  endpoint.hasSent ||= outcome !== 'unsendable';
  if (isDelivered) endpoint.provenAt ??= now;
  // Due at once: after an outage it succeeds now, and an event that always fails starts its own
  // schedule.
  const isolated = isDelivered && suspect ? { seq: suspect.seq, dueAt: now } : null;
  return { endpoint, delivery, response, host, next, isolated };
}

/** An attempt, as far as it concerns the health of its endpoint. */
export interface HealthResult {
  outcome: Outcome;
  /** Epoch milliseconds. */
  now: number;
  durationMs: number;
  /** The pause that the response asked for. */
  retryAfterMs: number | null;
  /** An ordered endpoint must wait, because this delivery was rejected and stays open. */
  blocksEndpoint: boolean;
  /** Failed replays do not count towards disabling the endpoint. */
  isReplay: boolean;
  random: () => number;
}

/**
 * Returns the health after one more attempt. All failures of one run count as one backoff step. A
 * success that was in flight beside a failure does not end the backoff; otherwise the failed
 * delivery would be retried at once.
 */
export function updateHealth(health: EndpointHealth, result: HealthResult): EndpointHealth {
  const { outcome, now, durationMs } = result;
  if (outcome === 'unsendable') return health;
  const { latencyMs: before } = health;
  const latencyMs = before === 0 ? durationMs : Math.round(before * 0.8 + durationMs * 0.2);
  const measured = { ...health, latencyMs };
  const isBackingOff = health.backoffUntil !== null;
  if (outcome === 'delivered') {
    const succeeded = { ...measured, lastSuccessAt: now };
    return isBackingOff
      ? succeeded
      : { ...succeeded, consecutiveFailures: 0, failureCount: 0, firstFailureAt: null };
  }
  if (outcome === 'gone') return { ...measured, goneAt: now - durationMs, backoffUntil: now };
  if (outcome === 'payload_rejected' && !result.blocksEndpoint) {
    return isBackingOff ? measured : { ...measured, consecutiveFailures: 0 };
  }
  const requestedUntil = now + (outcome === 'throttled' ? (result.retryAfterMs ?? 0) : 0);
  if (isBackingOff) {
    return { ...measured, backoffUntil: Math.max(health.backoffUntil ?? 0, requestedUntil) };
  }
  const consecutiveFailures = health.consecutiveFailures + 1;
  const backoffUntil = Math.max(
    now + retryDelayAfter(consecutiveFailures, result.random),
    requestedUntil,
  );
  const backedOff = { ...measured, consecutiveFailures, backoffUntil };
  return outcome === 'endpoint_failure' && !result.isReplay
    ? {
        ...backedOff,
        failureCount: health.failureCount + 1,
        firstFailureAt: health.firstFailureAt ?? now,
      }
    : backedOff;
}

const second = 1_000;

/**
 * Delays after the first, second, ... failure in a row, in milliseconds; about 75.7 hours in all.
 */
export const retryDelaysMs: readonly number[] = [
  5 * second,
  30 * second,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  8 * hourMs,
  12 * hourMs,
  12 * hourMs,
  12 * hourMs,
  12 * hourMs,
  12 * hourMs,
];

/** Counted failures after which a delivery is given up: the first one, and one after each delay. */
export const maxCountedFailures = retryDelaysMs.length + 1;

/**
 * Share of a delay that is added at most. It is only added, so no retry is earlier than promised.
 */
const jitter = 0.2;

/** Milliseconds to wait after `failures` failures in a row (from 1). The last delay repeats. */
export function retryDelayAfter(failures: number, random: () => number): number {
  const index = Math.min(Math.max(failures, 1), retryDelaysMs.length) - 1;
  const delay = retryDelaysMs[index] ?? hourMs;
  return Math.round(delay * (1 + jitter * random()));
}

/** A delivery after one more attempt. */
interface DeliveryUpdate {
  state: number;
  attempts: number;
  countedFailures: number;
  /** Epoch milliseconds of its own retry; 0 if only the backoff of the endpoint delays it. */
  dueAt: number;
}

/**
 * After this many rejections, an ordered endpoint skips a delivery: a later retry would be out of
 * order.
 */
const maxOrderedRejections = 3;

interface UpdateOptions {
  /** Epoch milliseconds. */
  now: number;
  random: () => number;
  ordered: boolean;
  /** The endpoint was not failing before this attempt. */
  isWell: boolean;
}

/**
 * Decides on a delivery after an attempt. A failure of the endpoint leaves it due as soon as the
 * backoff of the endpoint ends. A rejected payload, and a delivery that already had its own retry
 * schedule, gets its own next time.
 *
 * Counted failures are rejections of the payload, failures by its own schedule while the endpoint
 * is well, and failures of a replay. Nothing else would end a replay. After 15 counted failures the
 * delivery is given up. Failures while the endpoint is down are not counted.
 */
export function updateDelivery(
  delivery: Pick<DueDelivery, 'attempts' | 'countedFailures' | 'dueAt' | 'isReplay'>,
  outcome: Outcome,
  { now, random, ordered, isWell }: UpdateOptions,
): DeliveryUpdate {
  const isRejected = outcome === 'payload_rejected';
  const failsAlone = outcome === 'endpoint_failure' && delivery.dueAt > 0 && isWell;
  const isFailedReplay =
    delivery.isReplay && (outcome === 'endpoint_failure' || outcome === 'throttled');
  const countedFailures =
    delivery.countedFailures + (isRejected || failsAlone || isFailedReplay ? 1 : 0);
  const isExhausted =
    countedFailures >= maxCountedFailures ||
    (isRejected && ordered && countedFailures >= maxOrderedRejections);
  const state =
    outcome === 'delivered'
      ? DeliveryState.delivered
      : outcome === 'unsendable' || isExhausted
        ? DeliveryState.gaveUp
        : DeliveryState.open;
  const hasOwnSchedule = !ordered && (isRejected || delivery.dueAt > 0);
  return {
    state,
    attempts: delivery.attempts + 1,
    countedFailures,
    dueAt: hasOwnSchedule ? now + retryDelayAfter(countedFailures, random) : 0,
  };
}
