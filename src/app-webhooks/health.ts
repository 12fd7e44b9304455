import type { AppWebhook, AppWebhookHealth } from '../db/directory/app-webhooks.ts';
import type { AttemptResult } from '../webhooks/delivery/apply-result.ts';
import type { DeliveryDeps } from '../webhooks/delivery/deps.ts';
import { maxCountedFailures, retryDelayAfter } from '../webhooks/delivery/retry-policy.ts';

/** A webhook that accepted nothing for so long is switched off. */
const switchOffMs = 72 * 60 * 60_000;

/** The health of a webhook during a run. */
export type Health = AppWebhookHealth;

/** The health of a webhook as it was leased. */
export const healthOf = ({
  failures,
  failing_since: failingSince,
  proven_at: provenAt,
}: Pick<AppWebhook, 'failures' | 'failing_since' | 'proven_at'>): Health => ({
  active: true,
  failures,
  failingSince,
  provenAt,
  backoffUntil: 0,
});

/** Whether a run must not send more to the webhook. */
export const isStop = ({ active, backoffUntil }: Health) => !active || backoffUntil > 0;

/**
 * Decides what follows from an attempt, which is the `attempts`-th: for the webhook, and when the delivery is tried again
 * (null: never). Every failure delays its delivery, so that others are tried before it; 15 of them end it. A receiver that
 * rejects only this payload stays well.
 */
export function afterAttempt(
  health: Health,
  attempts: number,
  { response, outcome, retryAfterMs }: Pick<AttemptResult, 'response' | 'outcome' | 'retryAfterMs'>,
  { now, random }: Pick<DeliveryDeps, 'now' | 'random'>,
): { health: Health; dueAt: number | null } {
  const at = now();
  if (outcome === 'delivered') {
    const provenAt = health.provenAt ?? at;
    return {
      health: { active: true, failures: 0, failingSince: null, provenAt, backoffUntil: 0 },
      dueAt: null,
    };
  }
  const retryAt = at + retryDelayAfter(attempts, random);
  const dueAt = attempts >= maxCountedFailures ? null : retryAt;
  if (outcome === 'payload_rejected') return { health, dueAt };
  if (outcome === 'gone') return { health: { ...health, active: false }, dueAt: at };
  const failures = health.failures + 1;
  const backoffUntil = at + Math.max(retryDelayAfter(failures, random), retryAfterMs ?? 0);
  // What we cannot sign is our fault, so the webhook is not switched off for it.
  if (outcome === 'throttled' || outcome === 'unsendable') {
    return { health: { ...health, failures, backoffUntil }, dueAt };
  }
  const failingSince = health.failingSince ?? response.at;
  const active = at - failingSince < switchOffMs;
  return { health: { ...health, active, failures, failingSince, backoffUntil }, dueAt };
}
