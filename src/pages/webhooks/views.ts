import { DeliveryState, EndpointStatus } from '../../data/schema/store/webhooks-tables.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import type { MerchantEndpoint } from '../../webhooks/endpoints/list-endpoints.ts';
import { calculateNextAttempt, type LoggedDelivery } from '../../webhooks/log/list-deliveries.ts';
import type { NextAttempt } from './webhook-texts.tsx';

export type DeliveryStateName = keyof Messages['deliveries']['states'];

const soonOr = (at: number, now: number): NextAttempt => (at <= now ? 'soon' : at);

/** The next attempt of a webhook; `null` for one that sends nothing. */
export const nextAttemptOf = (
  { status, nextAttemptAt: at }: MerchantEndpoint,
  now: number,
): NextAttempt | null => (status !== EndpointStatus.active || at === null ? null : soonOr(at, now));

/** The state of a delivery as its page calls it, and its next attempt. */
export function progressOf(
  delivery: LoggedDelivery,
  now: number,
): { state: DeliveryStateName; nextAttemptAt: NextAttempt | null } {
  const next = calculateNextAttempt(delivery);
  if (next === null) return { state: stateNameOf(delivery.state), nextAttemptAt: null };
  const nextAttemptAt = soonOr(next, now);
  // An open delivery with a result failed at its last attempt.
  if (delivery.error !== null) return { state: 'retrying', nextAttemptAt };
  // A time of its own is that of a request which sends it at this moment, unless it failed.
  const isWaiting = next > now && delivery.due_at === 0;
  return { state: isWaiting ? 'waiting' : stateNameOf(delivery.state), nextAttemptAt };
}

const stateNames = Object.entries(DeliveryState) as [DeliveryStateName, number][];

const stateNameOf = (state: number): DeliveryStateName =>
  stateNames.find(([, number]) => number === state)?.[0] ?? 'open';
