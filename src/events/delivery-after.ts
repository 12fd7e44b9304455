import { DeliveryState } from '../db/schema/webhooks.ts';
import type { Delivery } from './lane.ts';
import type { Outcome } from './outcome.ts';
import { maxAttempts, waitAfter } from './schedule.ts';

/** What a delivery is after one more try. */
export interface DeliveryAfter {
  state: number;
  attempts: number;
  /** 0 while only the lane holds it back, else its own next moment in epoch milliseconds. */
  dueAt: number;
}

/** From this try on an ordered lane gives up what the receiver refuses: later it would arrive out of order. */
const orderedTries = 3;

/**
 * Decides on a delivery (webhooks 3.4, 3.5). A failure leaves it the oldest of its lane, whose `wake_at` holds it
 * back; one that the receiver refused, or that had a schedule of its own before, gets its own next moment. It gives up
 * after 15 tries of its own.
 */
export function deliveryAfter(
  delivery: Pick<Delivery, 'attempts' | 'dueAt'>,
  outcome: Outcome,
  { now, random, ordered }: { now: number; random: () => number; ordered: boolean },
): DeliveryAfter {
  const attempts = delivery.attempts + 1;
  const isRefused = outcome === 'payload refused';
  const state =
    outcome === 'delivered'
      ? DeliveryState.delivered
      : outcome === 'unsendable' ||
          attempts >= maxAttempts ||
          (isRefused && ordered && attempts >= orderedTries)
        ? DeliveryState.gaveUp
        : DeliveryState.open;
  const isOnItsOwn = !ordered && (isRefused || delivery.dueAt > 0);
  return { state, attempts, dueAt: isOnItsOwn ? now + waitAfter(attempts, random) : 0 };
}
