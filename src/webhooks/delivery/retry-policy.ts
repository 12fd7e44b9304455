import { hourMs, minuteMs } from '../../base/durations.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import type { DueDelivery } from './leased-endpoint.ts';
import type { Outcome } from './outcome.ts';

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
export interface DeliveryUpdate {
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
