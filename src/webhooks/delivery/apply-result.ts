import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import type { DeliveryDeps } from './deps.ts';
import type { WebhookResponse } from './http.ts';
import type { DueDelivery, LeasedEndpoint, EndpointHealth } from './leased-endpoint.ts';
import type { Outcome } from './outcome.ts';
import { updateDelivery, type DeliveryUpdate, retryDelayAfter } from './retry-policy.ts';

export interface AttemptResult {
  response: WebhookResponse;
  outcome: Outcome;
  /** The pause that the response asked for. */
  retryAfterMs: number | null;
  host: string;
}

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
