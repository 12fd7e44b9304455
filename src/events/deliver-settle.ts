import { DeliveryState } from '../db/schema/webhooks.ts';
import type { Ports } from './clock.ts';
import { deliveryAfter, type DeliveryAfter } from './delivery-after.ts';
import { healthAfter } from './lane-health.ts';
import type { Delivery, Lane } from './lane.ts';
import type { Outcome } from './outcome.ts';
import type { Sent } from './send.ts';

/** What one try came to. */
export interface Tried {
  sent: Sent;
  outcome: Outcome;
  /** The pause that the answer asked for. */
  retryAfterMs: number | null;
  host: string;
}

/** One finished try that is not in the database yet. */
export interface Finished {
  lane: Lane;
  delivery: Delivery;
  sent: Sent;
  host: string;
  after: DeliveryAfter;
  /** The lane's oldest delivery, when this try showed that it may be failing by itself: from here on it does. */
  poison: { seq: number; dueAt: number } | null;
}

/** Decides what a try means for its delivery, and notes on the lane what it means for that. */
export function settle(
  lane: Lane,
  delivery: Delivery,
  { sent, outcome, retryAfterMs, host }: Tried,
  { now: clock, random }: Ports,
): Finished {
  const now = clock();
  const after = deliveryAfter(delivery, outcome, {
    now,
    random,
    ordered: lane.ordered,
    isWell: lane.health.failStreak === 0,
  });
  lane.health = healthAfter(lane.health, {
    outcome,
    now,
    durationMs: sent.durationMs,
    retryAfterMs,
    holdsUp: lane.ordered && after.state === DeliveryState.open,
    isReplay: delivery.isReplay,
    random,
  });
  lane.hasArrived ||= outcome === 'delivered';
  // Due at once, but by itself: after a real outage it arrives now, and a poison event fails into its own schedule.
  const poison =
    outcome === 'delivered' && lane.suspect ? { seq: lane.suspect.seq, dueAt: now } : null;
  return { lane, delivery, sent, host, after, poison };
}
