import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import type { DueDelivery, LeasedEndpoint } from '../lease/leased-endpoint.ts';
import type { DeliveryDeps } from './deps.ts';
import { updateHealth } from './endpoint-health.ts';
import type { WebhookResponse } from './http.ts';
import type { Outcome } from './outcome.ts';
import { updateDelivery, type DeliveryUpdate } from './retry-policy.ts';

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
  /** The suspect, when this attempt showed that only it may be failing: it gets its own retry schedule. */
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
  // Due at once: after an outage it succeeds now, and an event that always fails starts its own schedule.
  const isolated = isDelivered && suspect ? { seq: suspect.seq, dueAt: now } : null;
  return { endpoint, delivery, response, host, next, isolated };
}
