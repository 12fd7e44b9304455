import { DeliveryState } from '../../db/schema/webhooks.ts';
import { nextAttemptAt, type LoggedDelivery } from '../../events/delivery-log.ts';
import type { DeliveryStateName, ShownDelivery } from '../../pages/delivery-list.tsx';

/** A delivery as a page shows it. */
export function shownDelivery(delivery: LoggedDelivery, now: number): ShownDelivery {
  const { seq, event, attempts, code, error, duration_ms: durationMs, created_at: at } = delivery;
  const next = nextAttemptAt(delivery);
  return {
    seq,
    event,
    state: nameOf(delivery.state),
    attempts,
    code,
    error,
    durationMs,
    at,
    nextAt: next === null ? null : next <= now ? 'soon' : next,
    replayOf: delivery.replay_of,
  };
}

const names = Object.entries(DeliveryState) as [DeliveryStateName, number][];

const nameOf = (state: number): DeliveryStateName =>
  names.find(([, number]) => number === state)?.[0] ?? 'open';
