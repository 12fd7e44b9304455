import { DeliveryState } from '../db/schema/webhooks.ts';
import type { Delivery } from './lane.ts';
import type { Outcome } from './outcome.ts';
import { maxRefusals, waitAfter } from './schedule.ts';

/** What a delivery is after one more try. */
export interface DeliveryAfter {
  state: number;
  attempts: number;
  /** Failures that are its own: see {@link deliveryAfter}. */
  refusals: number;
  /** 0 while only the lane holds it back, else its own next moment in epoch milliseconds. */
  dueAt: number;
}

/** From this refusal on an ordered lane gives up what the receiver refuses: later it would arrive out of order. */
const orderedTries = 3;

/**
 * Decides on a delivery (webhooks 3.4, 3.5). A failure leaves it the oldest of its lane, whose `wake_at` holds it
 * back; one that the receiver refused, or that had a schedule of its own before, gets its own next moment. It gives up
 * after 15 failures of its own: refusals of its payload, failures by its own schedule at an endpoint that is well
 * (`isWell`), and those of a replay, which nothing else would end. What an endpoint fails that is down costs it none.
 */
export function deliveryAfter(
  delivery: Pick<Delivery, 'attempts' | 'refusals' | 'dueAt' | 'isReplay'>,
  outcome: Outcome,
  {
    now,
    random,
    ordered,
    isWell,
  }: { now: number; random: () => number; ordered: boolean; isWell: boolean },
): DeliveryAfter {
  const isRefused = outcome === 'payload refused';
  const isPoison = outcome === 'endpoint failure' && delivery.dueAt > 0 && isWell;
  const isEndless =
    delivery.isReplay && (outcome === 'endpoint failure' || outcome === 'slow down');
  const refusals = delivery.refusals + (isRefused || isPoison || isEndless ? 1 : 0);
  const isSpent = refusals >= maxRefusals || (isRefused && ordered && refusals >= orderedTries);
  const state =
    outcome === 'delivered'
      ? DeliveryState.delivered
      : outcome === 'unsendable' || isSpent
        ? DeliveryState.gaveUp
        : DeliveryState.open;
  const isOnItsOwn = !ordered && (isRefused || delivery.dueAt > 0);
  return {
    state,
    attempts: delivery.attempts + 1,
    refusals,
    dueAt: isOnItsOwn ? now + waitAfter(refusals, random) : 0,
  };
}
